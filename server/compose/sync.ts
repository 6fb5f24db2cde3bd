import type { Interface } from '../http/index.ts';
import { openOrClose } from '../platform/close-stack.ts';
import { VERSION } from '../platform/program.ts';
import {
  followSettings,
  knownIds,
  Links,
  Replication,
  skipKnownIds,
  stationDigest,
  TerritoryTransfer,
} from '../replication/sync/index.ts';
import type { Dispatch } from './dispatch.ts';
import type { ReportMail } from './reports.ts';
import { followedSettings } from './followed-settings.ts';
import type { FileCopiesOfStation, FileCopiesRooms } from './file-copies.ts';
import type { Region, RegionRooms } from './region.ts';
import type { Foundation } from './foundation.ts';
import type { Tracking } from './tracking.ts';
import type { TerritoryRooms } from './territory.ts';

export type Sync = Awaited<ReturnType<typeof openSync>>;

/** ms for which the data of deleted records are kept: longer than a station is away. */
const DELETED_KEPT = 400 * 86_400_000;
/** ms from the start until the first purge, and between two. */
const FIRST_PURGE = 10 * 60_000;
const DAY = 86_400_000;

/** Links to other stations. `start` dials them, when the interface is open. */
export function openSync(
  foundation: Foundation,
  { files, fleet }: Dispatch,
  { telemetry, events, resumeTracks }: Tracking,
  { territory, speeds }: TerritoryRooms,
  { reportSchedules }: ReportMail,
) {
  const { config, now, log, store, accounts, leadership } = foundation;
  return openOrClose(async (stack) => {
    const logger = log.logger('links');
    const links = stack.use(
      await Links.open({
        store,
        name: config.name,
        version: VERSION,
        now,
        log: logger,
        ids: {
          of: (number) => knownIds(store, number),
          skip: async (known) => {
            if (await skipKnownIds(store, known))
              logger.warn(
                'A linked station has records of this station that are missing here: older data were restored. They are copied back.',
              );
          },
        },
        leadership,
        endSessions: () => accounts.tokens.end((token) => !accounts.tokens.isElsewhere(token)),
        hasAdministrator: () => accounts.hasAdministrator,
      }),
    );
    links.tellDigest(() => stationDigest(store));
    const replication = stack.use(
      new Replication({
        store,
        files,
        states: fleet.states,
        tracks: telemetry.replication,
        now,
        links: () => links.all(),
        warn: (message) => logger.warn(message),
      }),
    );
    const region = stack.use(
      await regionOf(foundation, { links, replication, files, fleet, telemetry, events, resumeTracks }),
    );
    const copies = await copiesOf(foundation, { files, replication, region: region.connection });
    if (copies) stack.use(copies);
    stack.defer(links.onChange(() => replication.linksChanged()));
    stack.defer(links.onConnected((channel) => replication.attach(channel)));
    const territoryTransfer = stack.use(
      new TerritoryTransfer({
        territory,
        leadership,
        version: VERSION,
        isQuiet: (link) => replication.isQuiet(link),
        log: log.logger('territory'),
      }),
    );
    stack.defer(links.onConnected((channel) => territoryTransfer.attach(channel)));
    const settings = followedSettings({ config, log, accounts, telemetry, speeds, reportSchedules });
    stack.defer(links.onConnected((channel) => followSettings(channel, settings)));
    stack.defer(
      everyDay(() =>
        store
          .purgeDeleted(DELETED_KEPT)
          .catch((error: unknown) => logger.error('Deleted records could not be purged.', error)),
      ),
    );
    const start = (http: Interface): void => {
      const { main, secure } = http;
      links.start({
        host: config.host,
        plain: main.addressHere,
        secure: secure && {
          port: secure.port,
          // It changes when the certificate is renewed.
          get fingerprint() {
            return http.fingerprint ?? '';
          },
        },
        discovers: config['links.discovery'] && config['serve.role'] === 'station',
      });
      region.start();
    };
    const outside = () => [...region.problems(), ...(copies?.problems() ?? [])];
    return { links, replication, territoryTransfer, region, start, regionProblems: outside, fileCopies: copies };
  });
}

/** The region that the settings name. A station without one does not load the NATS client. */
async function regionOf(foundation: Foundation, rooms: RegionRooms): Promise<Region> {
  if (foundation.config['nats.servers'].length === 0)
    return {
      connection: undefined,
      sessions: undefined,
      wasFilled: () => true,
      start: () => undefined,
      problems: () => [],
      close: () => Promise.resolve(),
    };
  const { joinRegion } = await import('./region.ts');
  return joinRegion(foundation, rooms);
}

/** A station without an object store loads nothing of it. */
async function copiesOf(foundation: Foundation, rooms: FileCopiesRooms): Promise<FileCopiesOfStation | undefined> {
  if (foundation.config['files.store'] === null) return undefined;
  const { openFileCopies } = await import('./file-copies.ts');
  return openFileCopies(foundation, rooms);
}

/** Runs `work` some time after the start and then daily. Returns the function that ends it. */
function everyDay(work: () => Promise<void>): () => void {
  let timer = setTimeout(function run() {
    void work();
    timer = setTimeout(run, DAY);
    timer.unref();
  }, FIRST_PURGE);
  timer.unref();
  return () => clearTimeout(timer);
}
