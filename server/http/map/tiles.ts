import { gunzipSync } from 'node:zlib';
import { z } from 'zod';
import type { MapTiles } from '../../geo/map/index.ts';
import { Refusal } from '../../../shared/refusal.ts';
import { queryInt, textUpTo } from '../request/fields.ts';
import { route } from '../app/route.ts';
import type { DeclaredRoute } from '../app/route.ts';

const coordinate = queryInt(0, 2 ** 30);
const A_DAY = 86_400;

/** The vector tiles of the base map, for users and for the telephones of crews. */
export function tileRoutes(map: MapTiles): DeclaredRoute[] {
  return [tileRoute(map, '/tiles/:z/:x/:y.mvt', 'user'), tileRoute(map, '/crew/tiles/:z/:x/:y.mvt', 'crew')];
}

const GROUPS = { user: 'territory', crew: 'Crews', open: 'Page of citizens' } as const;

/** @param admit throws while the path is closed */
export function tileRoute(
  map: MapTiles,
  path: string,
  access: keyof typeof GROUPS,
  admit: () => void = () => undefined,
): DeclaredRoute {
  return route({
    method: 'GET',
    path,
    family: 'station',
    group: GROUPS[access],
    access,
    summary: 'A vector tile of the territory (Mapbox Vector Tile 2.1)',
    description: `Layers and attributes: server/geo/map/README.md. Zooms 0 to ${map.maxZoom}; closer views are drawn from the same tiles. 204 where the territory has nothing. With \`territory\` (its \`importedAt\`) an answer may be kept for a day.`,
    params: z.object({ z: coordinate, x: coordinate, y: coordinate }),
    query: z.object({ territory: textUpTo(60).optional() }),
    answer: { type: 'application/vnd.mapbox-vector-tile' },
    run: async ({ params: { z, x, y }, query, request, response }) => {
      admit();
      if (z > map.maxZoom || x >= 2 ** z || y >= 2 ** z)
        throw new Refusal('territory.noTile', { tile: `${z}/${x}/${y}`, most: map.maxZoom });
      const { version } = map;
      const tile = await map.tile(z, x, y);
      // The request may name a territory that the map has not switched to yet. Such an answer must not be
      // cached.
      const kept = query.territory !== undefined && version !== '' && timeOf(query.territory) === timeOf(version);
      const tag = `"${version}/${z}/${x}/${y}"`;
      response.set({
        'Cache-Control': kept ? `private, max-age=${A_DAY}` : 'private, no-cache',
        'ETag': tag,
        'Vary': 'Accept-Encoding',
      });
      if (request.headers['if-none-match']?.split(',').some((known) => known.trim().replace(/^W\//, '') === tag))
        return void response.status(304).end();
      if (tile === undefined) return void response.status(204).end();
      if (!request.acceptsEncodings('gzip')) return gunzipSync(tile);
      response.set('Content-Encoding', 'gzip');
      return tile;
    },
  });
}

/** Both the map's version and the console's parameter begin with the time of the import. */
function timeOf(version: string): string {
  return version.split('-')[0]!;
}
