import { open } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { z } from 'zod';
import { TERRITORY_FILES, territoryNameOf } from '../../geo/territory/index.ts';
import type { ImportState, Territory, TerritoryInfo } from '../../geo/territory/index.ts';
import { Refusal } from '../../../shared/refusal.ts';
import { filledUpTo, textUpTo } from '../request/fields.ts';
import type { StationTerritory } from '../../replication/sync/index.ts';
import { Refused } from '../app/common-answers.ts';
import { route } from '../app/route.ts';
import type { DeclaredRoute } from '../app/route.ts';
import { filesOnStation, uploadedFiles, type FindUpload } from './source-files.ts';

export const ImportAnswer = z.object({
  file: z.string().meta({ description: 'The names of the files, or of the station that has the territory.' }),
  name: z.string(),
  state: z.enum(['running', 'done', 'failed', 'cancelled']),
  stage: z.string().meta({
    description: '`read`, `roads`, `places`, `tiles` or `switch`; `fetch` while it comes from another station.',
  }),
  done: z.number().meta({ description: '0 to 1 over the whole import.' }),
  error: z.string().nullable().meta({ description: 'What went wrong, as a sentence.' }),
  refusal: Refused.nullable().meta({ description: 'The same for programs; null after a cancellation or a bug.' }),
  startedAt: z.int(),
});
const LoadedTerritory = z.object({
  name: z.string(),
  bounds: z.array(z.number()).length(4).meta({ description: 'Degrees: west, south, east, north.' }),
  importedAt: z.int(),
  dataTime: z.int().nullable(),
  counts: z.record(z.string(), z.int()),
  size: z.int().meta({ description: 'Bytes on disk.' }),
  log: z.array(z.string()).meta({ description: 'What the importer passed over.' }),
});
const Answer = LoadedTerritory.partial().extend({
  profiles: z
    .array(z.string())
    .optional()
    .meta({ description: 'Vehicle profiles that routes can be asked for, the usual one first.' }),
  damaged: z.array(z.string()).optional().meta({
    description:
      'Names of files that are no longer what the import wrote. Left out until they have been looked at, and of territories made before there were check sums.',
  }),
  previous: z
    .object({ name: z.string(), importedAt: z.int(), dataTime: z.int().nullable() })
    .optional()
    .meta({ description: 'The territory before, which `POST /territory/previous` makes the current one.' }),
  import: ImportAnswer.nullable().meta({ description: 'The import that runs, or how the last one ended.' }),
});
const MOST_FILES = 400;
const Order = z.object({
  path: textUpTo(4096).min(1).optional(),
  paths: z.array(textUpTo(4096).min(1)).min(1).max(MOST_FILES).optional(),
  uuid: textUpTo(100).min(1).optional(),
  uuids: z.array(textUpTo(100).min(1)).min(1).max(MOST_FILES).optional(),
  link: z.int().optional().meta({ description: 'Of a station whose territory is taken over' }),
  name: filledUpTo(100).optional(),
  force: z.boolean().optional().meta({ description: 'Also an extract without a road' }),
});

const Offered = z
  .object({
    link: z.int(),
    station: z.object({ id: z.string(), name: z.string(), number: z.int() }),
    territory: z
      .object({ name: z.string(), size: z.int().meta({ description: 'Bytes that would be fetched.' }) })
      .nullable()
      .meta({ description: 'null: it has none' }),
    isHere: z.boolean().meta({ description: 'This station has the same.' }),
  })
  .meta({ id: 'TerritoryOfStation' });

/** The territories of linked stations. */
interface TerritoryPeers {
  offered(): Promise<readonly StationTerritory[]>;
  begin(link: number): Promise<void>;
}

/** @param profiles the router's profiles for the loaded territory */
export function territoryRoutes(
  territory: Territory,
  findUpload?: FindUpload,
  profiles?: () => readonly string[],
  peers?: TerritoryPeers,
): DeclaredRoute[] {
  const present = () => ({
    ...territory.info,
    ...(territory.previous && { previous: presentPrevious(territory.previous) }),
    ...(territory.info && territory.damaged && { damaged: [...territory.damaged] }),
    ...(profiles && territory.info && { profiles: [...profiles()] }),
    import: territory.lastImport ? presentImport(territory.lastImport) : null,
  });
  return [
    route({
      method: 'GET',
      path: '/territory',
      family: 'station',
      access: 'user',
      summary: 'What territory is loaded, and how an import goes',
      description:
        'Without a territory only `import` is there. Progress also comes over the socket as `TERRITORY_PROGRESS`, with what `import` has here.',
      answer: Answer,
      run: present,
    }),
    route({
      method: 'POST',
      path: '/territory',
      onStandby: true,
      family: 'station',
      access: 'admin',
      summary: 'Import a territory from an OpenStreetMap extract',
      description:
        '`path` of a file on the station (from the same machine and through no proxy), or `uuid` of an upload: .osm.pbf, .osm, .osm.gz or .osm.bz2. `paths` or `uuids`: several extracts become one territory, and .osc, .osc.gz or .osc.bz2 files with changes of the map since are applied to them. Or `link`: the files of a linked station come by their hashes, without the extract; what has come survives a restart. Answers when the import has begun; the old territory serves until the new one is whole. 409 while another import runs.',
      body: Order,
      answer: Answer,
      run: async ({ caller, body: { path, paths, uuid, uuids, name, link, force }, request }) => {
        if (link !== undefined && peers) {
          await peers.begin(link);
          return present();
        }
        const onStation = paths ?? (path !== undefined ? [path] : []);
        const order =
          onStation.length > 0
            ? { files: await filesOnStation(onStation, request) }
            : extractsOf(uploadedFiles(caller, uuids ?? (uuid !== undefined ? [uuid] : []), findUpload));
        const imported = territory.import({ ...order, ...(name !== undefined && { name }), force });
        // `import` reports the outcome later. Immediate errors are answered here.
        imported.catch(() => {});
        await Promise.race([imported, new Promise((resolve) => setImmediate(resolve))]);
        return present();
      },
    }),
    route({
      method: 'POST',
      path: '/territory/previous',
      onStandby: true,
      family: 'station',
      access: 'admin',
      summary: 'Go back to the territory before the last import',
      description:
        'Answers when all of the station uses it. The other one stays, so that the same goes forth again. 404 without one, 409 while an import runs.',
      answer: Answer,
      run: async () => {
        await territory.goBack();
        return present();
      },
    }),
    route({
      method: 'GET',
      path: '/territory/stations',
      family: 'station',
      access: 'admin',
      summary: 'The territories of the linked stations that are connected',
      description: 'For `link` of `POST /territory`.',
      answer: z.array(Offered),
      run: async () => ((await peers?.offered()) ?? []).map((one) => ({ ...one, station: { ...one.station } })),
    }),
    route({
      method: 'GET',
      path: '/territory/limits',
      family: 'station',
      access: 'user',
      summary: 'The speed limits of the roads',
      description:
        'As one file, whose layout `shared/roads/road-limits.ts` has: every piece of road that cars may use, with what is allowed in either direction. 404 without a territory, and with one that was made before there were such files.',
      answer: { type: 'application/octet-stream' },
      run: () => limitsOf(territory.directory),
    }),
    route({
      method: 'DELETE',
      path: '/territory/import',
      onStandby: true,
      family: 'station',
      access: 'admin',
      summary: 'Cancel the import that runs',
      answer: z.object({ status: z.literal('ok') }),
      run: () => {
        if (!territory.cancelImport()) throw new Refusal('territory.noImport');
        return { status: 'ok' as const };
      },
    }),
  ];
}

async function limitsOf(directory: string | undefined): Promise<Readable> {
  if (directory === undefined) throw new Refusal('territory.none');
  try {
    return (await open(join(directory, TERRITORY_FILES.limits))).createReadStream();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    throw new Refusal('territory.noLimits');
  }
}

function presentPrevious({ name, importedAt, dataTime }: TerritoryInfo) {
  return { name, importedAt, dataTime };
}

/** The import state for HTTP and `TERRITORY_PROGRESS`, without the file's path on disk. */
export function presentImport({
  files,
  name,
  state,
  stage,
  done,
  error,
  refusal,
  startedAt,
}: ImportState): z.input<typeof ImportAnswer> {
  return {
    file: files.map((file) => file.replace(/^.*[\\/]/, '')).join(', '),
    name,
    state,
    stage,
    done,
    error,
    refusal,
    startedAt,
  };
}

function extractsOf(uploads: readonly { readonly path: string; readonly name: string }[]): {
  files: readonly string[];
  name: string;
} {
  return { files: uploads.map(({ path }) => path), name: territoryNameOf(...uploads.map(({ name }) => name)) };
}
