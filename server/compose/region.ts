import { EventIntake } from '../tracking/event-workers/index.ts';
import type { Events } from '../tracking/events/index.ts';
import type { Files } from '../dispatch/files/index.ts';
import type { Fleet } from '../dispatch/fleet/index.ts';
import { RegionConnection } from '../replication/nats/index.ts';
import { CloseStack } from '../platform/close-stack.ts';
import type { Links, Replication } from '../replication/sync/index.ts';
import { RegionReplication, RegionSessions } from '../replication/sync/region/index.ts';
import type { Telemetry } from '../tracking/telemetry/index.ts';
import { PositionIntake } from '../tracking/telemetry/region/index.ts';
import type { Foundation } from './foundation.ts';
import { regionOptions } from './programs/region-options.ts';

export interface RegionRooms {
  readonly links: Links;
  readonly replication: Replication;
  readonly files: Files;
  readonly fleet: Fleet;
  readonly telemetry: Telemetry;
  readonly events: Events;
  /** Has the events of positions computed that are on the disk from the last run. */
  resumeTracks(): void;
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
  const { links, replication, files, fleet, telemetry, events } = rooms;
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
  // Until the positions of the last run are handed out, their source is unknown.
  let isResumed = false;
  const worked = readsOnly
    ? undefined
    : stack.use(
        new EventIntake({
          ...{ connection, store, events, now },
          cameFromGateway: (vehicleId) => !isResumed || positions.some((intake) => intake.brings(vehicleId)),
          log: logger,
        }),
      );
  const partitions = config['nats.partitions'] ?? [];
  // Each depot for itself: one that is away keeps no other from being read.
  const depots = partitions.length === 0 ? [] : [undefined, ...config['nats.depots']];
  const readPositions = (depot: string | undefined) => {
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
  };
  let isClosed = false;
  let starting: Promise<void> = Promise.resolve();
  stack.defer(() => starting);
  return {
    connection,
    sessions,
    wasFilled: () => region.wasFilled,
    start() {
      region.start();
      sessions.start();
      starting = (worked?.known() ?? Promise.resolve()).then(() => {
        rooms.resumeTracks();
        isResumed = true;
        if (!isClosed) depots.forEach(readPositions);
      });
    },
    problems: () => problemsOf(region, positions, worked),
    close() {
      isClosed = true;
      return stack.close();
    },
  };
}

function problemsOf(
  { report }: RegionReplication,
  positions: readonly PositionIntake[],
  worked: EventIntake | undefined,
) {
  const away =
    report.state === 'away'
      ? [{ code: 'region.away', text: 'No server of the region answers. The station works alone.' }]
      : [];
  const refused =
    report.state !== 'away' && report.problem !== undefined ? [{ code: 'region.refused', text: report.problem }] : [];
  const waiting = positions.flatMap(({ problem }) =>
    problem === undefined ? [] : [{ code: 'region.positions', text: problem }],
  );
  const left =
    report.state !== 'away' && worked?.problem !== undefined ? [{ code: 'region.workers', text: worked.problem }] : [];
  return [...away, ...refused, ...waiting, ...left];
}
