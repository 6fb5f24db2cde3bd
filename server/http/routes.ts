import type { Actor } from '../../shared/access.ts';
import type { Accounts } from '../accounts/index.ts';
import type { Closures } from '../closures/index.ts';
import type { Alarms, Events, EventSettingsBook, Replays, WorldBook } from '../events/index.ts';
import type { Files } from '../files/index.ts';
import type { Fleet } from '../fleet/index.ts';
import type { Geocoder } from '../geocoding/index.ts';
import type { Log } from '../log/index.ts';
import type { MapTiles } from '../map/index.ts';
import type { MailQueue, PostQueue } from '../notify/index.ts';
import type { Planner } from '../routing/index.ts';
import type { Speeds } from '../speeds/index.ts';
import type { Store } from '../store/index.ts';
import type { Tasks } from '../tasks/index.ts';
import type { Telemetry } from '../telemetry/index.ts';
import type { Territory } from '../territory/index.ts';
import { alarmRoutes } from './alarms.ts';
import { attachmentRoutes } from './attachments.ts';
import { accessRoutes } from './access.ts';
import { authRoutes } from './auth.ts';
import { carRoutes } from './cars.ts';
import { closureRoutes } from './closures.ts';
import { customFieldRoutes } from './custom-fields.ts';
import { directoryRoutes } from './directories.ts';
import { documentationRoutes } from './docs.ts';
import { driverRoutes } from './drivers.ts';
import { eventRoutes } from './events.ts';
import { fileRoutes } from './files.ts';
import { findTasksIn, findVehiclesIn } from './found-items.ts';
import { geocodingRoutes } from './geocoding.ts';
import { geozoneRoutes } from './geozones.ts';
import { groupRoutes } from './groups.ts';
import { iconRoutes } from './icons.ts';
import { logRoutes } from './log.ts';
import type { Metrics } from './metrics.ts';
import { modelRoutes } from './models.ts';
import { newsRoutes } from './news.ts';
import { notifyRoutes } from './notify.ts';
import { organizationRoutes } from './organizations.ts';
import { paperRoutes } from './pdf.ts';
import { plannedRouteRoutes } from './planned-routes.ts';
import { replicaRoutes } from './replica.ts';
import { reportRoutes } from './reports.ts';
import { retentionRoutes } from './retention.ts';
import { rightRoutes } from './rights.ts';
import type { Route } from './route.ts';
import { routingRoutes } from './routing.ts';
import { sensorRoutes } from './sensors.ts';
import { speedRoutes } from './speeds.ts';
import { stationRoutes } from './station.ts';
import { telemetryRoutes } from './telemetry.ts';
import { territoryRoutes } from './territory.ts';
import { tileRoutes } from './tiles.ts';
import { travelTimesBy } from './travel-times.ts';
import { userRoutes } from './users.ts';
import { workbookRoutes } from './workbooks.ts';
import { vehicleFieldRoutes } from './vehicle-fields.ts';

/** What the interface speaks for. */
export interface Rooms {
  readonly log: Log;
  readonly store: Store;
  readonly accounts: Accounts;
  readonly fleet: Fleet;
  readonly files: Files;
  readonly mail: MailQueue;
  readonly post: PostQueue;
  readonly tasks: Tasks;
  readonly telemetry: Telemetry;
  readonly events: Events;
  readonly eventSettings: EventSettingsBook;
  readonly worlds: WorldBook;
  readonly replays: Replays;
  readonly alarms: Alarms;
  readonly territory: Territory;
  readonly planner: Planner;
  readonly closures: Closures;
  readonly speeds: Speeds;
  readonly geocoder: Geocoder;
  readonly map: MapTiles;
}

export interface StationFacts {
  readonly name: string;
  readonly version: string;
  /** Whether routing answers without a token. */
  readonly anonymousRouting: boolean;
  readonly now: () => number;
}

/**
 * Every path of the interface, in the order in which they are tried: more special ones before more general
 * ones.
 */
export function routesOf(
  rooms: Rooms,
  { name, version, anonymousRouting, now }: StationFacts,
  metrics: Metrics,
): Route[] {
  const { log, store, accounts, fleet, files, tasks, telemetry, events, territory, planner, closures, geocoder, map } =
    rooms;
  const routes = [
    ...stationRoutes(
      {
        version,
        station: { id: store.stationId, name },
        territory: () => territory.info,
        problems: () => telemetry.problems(),
      },
      metrics,
    ),
    ...authRoutes(accounts),
    ...userRoutes(accounts),
    ...organizationRoutes(accounts),
    ...rightRoutes(accounts),
    ...directoryRoutes(tasks, files),
    ...customFieldRoutes(tasks.customFieldDefinitions),
    ...accessRoutes(tasks),
    ...fileRoutes(files, (userId) => accounts.users.get(userId)?.organizationId),
    ...attachmentRoutes(tasks, files),
    ...paperRoutes({ tasks, fleet, files, map, now }),
    ...newsRoutes({ tasks, fleet, travelTimes: travelTimesBy(planner), now }),
    ...geocodingRoutes(geocoder, findVehiclesIn(fleet), findTasksIn(tasks)),
    ...workbookRoutes(accounts, fleet),
    ...modelRoutes(fleet),
    ...groupRoutes(fleet),
    ...vehicleFieldRoutes(fleet),
    ...carRoutes(fleet, telemetry, files, (vehicleId) => tasks.lists.sentAt(vehicleId)),
    ...driverRoutes(fleet, files),
    ...iconRoutes(fleet, files),
    ...geozoneRoutes(fleet, now),
    ...plannedRouteRoutes(fleet, now),
    ...sensorRoutes(fleet, telemetry, now),
    ...telemetryRoutes(telemetry, fleet),
    ...retentionRoutes(telemetry, fleet, accounts),
    ...reportRoutes({ store, fleet, tasks, telemetry, geocoder, now }),
    ...eventRoutes({
      accounts,
      events: events.log,
      fleet,
      settings: rooms.eventSettings,
      replays: rooms.replays,
      world: (id, from) => rooms.worlds.world(id, from),
      now,
    }),
    ...alarmRoutes({ accounts, alarms: rooms.alarms, fleet, nameOfUser: (id) => tasks.users.get(id)?.name ?? '', now }),
    ...routingRoutes(planner, { anonymous: anonymousRouting }),
    ...closureRoutes(closures),
    ...speedRoutes(rooms.speeds),
    ...territoryRoutes(
      territory,
      (by, uuid) => findUpload(files, by, uuid),
      () => planner.profiles,
    ),
    ...tileRoutes(map),
    ...replicaRoutes(store.feed, { tasks, alarms: rooms.alarms, now }),
    ...notifyRoutes(rooms.mail, rooms.post),
    ...logRoutes(log),
  ];
  return [...routes, ...documentationRoutes(routes, version)];
}

function findUpload(files: Files, by: Actor, uuid: string): { path: string; name: string } | undefined {
  const upload = files.seenBy(by, uuid);
  return upload && files.blobs.has(upload.sha256)
    ? { path: files.blobs.path(upload.sha256), name: upload.name }
    : undefined;
}
