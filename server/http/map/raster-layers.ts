import { z } from 'zod';
import type { Actor } from '../../../shared/access.ts';
import { Refusal } from '../../../shared/refusal.ts';
import type { RasterLayer, RasterLayers } from '../../geo/map/index.ts';
import { Deleted, DELETED } from '../app/common-answers.ts';
import { route, type DeclaredRoute } from '../app/route.ts';
import { filledUpTo, pathId, queryInt, textUpTo } from '../request/fields.ts';
import { filesOnStation, uploadedFiles, type FindUpload } from './source-files.ts';

const Layer = z
  .object({
    id: z.int(),
    name: z.string(),
    attribution: z.string().meta({ description: 'Whose pictures they are; plain text' }),
    format: z.enum(['mbtiles', 'pmtiles']),
    minZoom: z.int(),
    maxZoom: z.int(),
    bounds: z.array(z.number()).length(4).meta({ description: 'Degrees: west, south, east, north.' }),
    size: z.int().meta({ description: 'Bytes on disk.' }),
  })
  .meta({ id: 'RasterLayer' });
const Change = z.object({ name: filledUpTo(100).optional(), attribution: textUpTo(300).optional() });
const Order = Change.extend({ path: filledUpTo(4096).optional(), uuid: filledUpTo(100).optional() });
const coordinate = queryInt(0, 2 ** 22);
const inStation = { family: 'station', group: 'territory' } as const;
const A_DAY = 86_400;

/** Aerial pictures and plans that lie on the map. They belong to the station and do not replicate. */
export function rasterLayerRoutes(layers: RasterLayers, findUpload: FindUpload): DeclaredRoute[] {
  return [
    route({
      ...inStation,
      method: 'GET',
      path: '/raster-layers',
      access: 'user',
      summary: 'The map layers of the station: aerial pictures and plans',
      answer: z.array(Layer),
      run: () => layers.all().map(presentLayer),
    }),
    route({
      ...inStation,
      method: 'POST',
      path: '/raster-layers',
      access: 'admin',
      onStandby: true,
      summary: 'Put a file of pictures on the map',
      description:
        'MBTiles or PMTiles 3 with PNG, JPEG or WebP pictures: `path` of a file on the station (from the same machine and through no proxy), or `uuid` of an upload. The file is copied. `name` and `attribution` are those of the file when they are not given.',
      body: Order,
      answer: Layer,
      run: async ({ caller, body: { path, uuid, name, attribution }, request }) => {
        const source = await sourceOf(caller, { path, uuid }, request, findUpload);
        return presentLayer(await layers.add({ ...source, name, attribution }));
      },
    }),
    route({
      ...inStation,
      method: 'PUT',
      path: '/raster-layers/:id',
      access: 'admin',
      onStandby: true,
      summary: 'Rename a map layer, or say whose pictures it has',
      params: z.object({ id: pathId }),
      body: Change,
      answer: Layer,
      run: async ({ params, body }) => presentLayer(await layers.change(params.id, body)),
    }),
    route({
      ...inStation,
      method: 'DELETE',
      path: '/raster-layers/:id',
      access: 'admin',
      onStandby: true,
      summary: 'Remove a map layer and its file',
      params: z.object({ id: pathId }),
      answer: Deleted,
      run: async ({ params }) => {
        await layers.remove(params.id);
        return DELETED;
      },
    }),
    route({
      ...inStation,
      method: 'GET',
      path: '/raster-layers/:id/:z/:x/:y',
      access: 'user',
      summary: 'A picture of a map layer',
      description: 'PNG, JPEG or WebP. Rows count from the north. 204 where the file has none.',
      params: z.object({ id: pathId, z: queryInt(0, 22), x: coordinate, y: coordinate }),
      answer: { type: 'image/png' },
      run: async ({ params: { id, z, x, y }, response }) => {
        if (x >= 2 ** z || y >= 2 ** z) throw new Refusal('territory.noTile', { tile: `${z}/${x}/${y}`, most: 22 });
        const tile = await layers.tile(id, z, x, y);
        // The pictures of an id never change.
        response.set('Cache-Control', `private, max-age=${A_DAY}`);
        if (tile === undefined) return void response.status(204).end();
        response.set('Content-Type', tile.type);
        return tile.bytes;
      },
    }),
  ];
}

async function sourceOf(
  caller: Actor,
  { path, uuid }: { readonly path: string | undefined; readonly uuid: string | undefined },
  request: Parameters<typeof filesOnStation>[1],
  findUpload: FindUpload,
): Promise<{ readonly path: string; readonly file: string }> {
  if (path !== undefined) {
    await filesOnStation([path], request);
    return { path, file: path.replace(/^.*[\\/]/, '') };
  }
  const [upload] = uploadedFiles(caller, uuid === undefined ? [] : [uuid], findUpload);
  return { path: upload!.path, file: upload!.name };
}

function presentLayer({ bounds, ...layer }: RasterLayer): z.input<typeof Layer> {
  return { ...layer, bounds: [...bounds] };
}
