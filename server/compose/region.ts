import type { Files } from '../files/index.ts';
import type { Fleet } from '../fleet/index.ts';
import { RegionConnection } from '../nats/index.ts';
import { CloseStack } from '../platform/close-stack.ts';
import type { Links, Replication } from '../sync/index.ts';
import { RegionReplication, RegionSessions } from '../sync/region/index.ts';
import type { Telemetry } from '../telemetry/index.ts';
import { PositionIntake } from '../telemetry/region/index.ts';
import type { Foundation } from './foundation.ts';
import { regionOptions } from './region-options.ts';

export interface RegionRooms {
  readonly links: Links;
  readonly replication: Replication;
  readonly files: Files;
  readonly fleet: Fleet;
  readonly telemetry: Telemetry;
}

/** How the station takes part in its region. */
export interface Region {
  /** undefined: the station is in no region. */
  readonly connection: RegionConnection | undefined;
  readonly sessions: RegionSessions | undefined;
  /** Whether every record was here once since the start. */
  wasFilled(): boolean;
  start(): void;
  problems(): readonly { readonly code: string; readonly text: string }[];
  close(): Promise<void>;
}

/** Joins the region that the settings name. */
export async function joinRegion(
  { config, now, log, store, accounts }: Foundation,
  rooms: RegionRooms,
): Promise<Region> {
  const stack = new CloseStack();
  const readsOnly = config['serve.role'] === 'consoles';
  const { links, replication, files, fleet, telemetry } = rooms;
  const logger = log.logger('region');
  const connection = stack.use(new RegionConnection({ ...regionOptions(config), log: logger }));
  const region = stack.use(
    new RegionReplication({
      store,
      connection,
      refused: replication.refused,
      readsOnly,
      mayRenumber: () => links.mayRenumber,
      own: () => links.own,
      blobs: files.blobs,
      pendingFiles: () => replication.pendingFiles,
      heard: (station) =>
        void links.known
          .learn([], station)
          .catch((error: unknown) => logger.error('A station of the region could not be saved.', error)),
      now,
      log: logger,
    }),
  );
  stack.defer(replication.addFileSource(region.files));
  links.joinRegion(region);
  const { tokens } = accounts;
  const sessions = stack.use(await RegionSessions.open({ connection, store, tokens, now, log: logger }));
  const positions: PositionIntake[] = [];
  return {
    connection,
    sessions,
    wasFilled: () => region.wasFilled,
    start() {
      region.start();
      sessions.start();
      const partitions = config['nats.partitions'] ?? [];
      if (partitions.length === 0) return;
      // Each depot for itself: one that is away keeps no other from being read.
      for (const depot of [undefined, ...config['nats.depots']]) {
        const intake = stack.use(
          new PositionIntake({
            ...{ connection, telemetry, depot, partitions },
            stationId: store.stationId,
            hasVehicle: (id) => fleet.organizationOf(id) !== undefined,
            onlyNow: readsOnly,
            mayTake: () => readsOnly || store.readOnly === undefined,
            log: logger,
          }),
        );
        positions.push(intake);
        stack.defer(store.onReadOnly(() => intake.pause()));
      }
    },
    problems: () => problemsOf(region, positions),
    close: () => stack.close(),
  };
}

function problemsOf({ report }: RegionReplication, positions: readonly PositionIntake[]) {
  const away =
    report.state === 'away'
      ? [{ code: 'region.away', text: 'No server of the region answers. The station goes on alone.' }]
      : [];
  const refused =
    report.state !== 'away' && report.problem !== undefined ? [{ code: 'region.refused', text: report.problem }] : [];
  const waiting = positions.flatMap(({ problem }) =>
    problem === undefined ? [] : [{ code: 'region.positions', text: problem }],
  );
  return [...away, ...refused, ...waiting];
}
