import type { Accounts } from '../access/accounts/index.ts';
import type { Audit, Forwarder } from '../access/audit/index.ts';
import type { Calls } from '../dispatch/calls/index.ts';
import type { Crews } from '../dispatch/crews/index.ts';
import { crewDeskRoutes } from './crews/crew-desk.ts';
import { crewRoutes } from './crews/crew-routes.ts';
import { smsRoutes } from './crews/sms-desk.ts';
import { smsSettingRoutes } from './crews/sms-settings.ts';
import type { Sms } from '../exchange/sms/index.ts';
import type { Telephony } from '../exchange/telephony/index.ts';
import type { Mailbox } from '../exchange/mailbox/index.ts';
import { mailboxRoutes } from './station/mailbox.ts';
import type { Closures } from '../geo/closures/index.ts';
import type { Incidents } from '../exchange/eido/index.ts';
import type {
  Alarms,
  Events,
  EventSettingsStore,
  ReplayRunner,
  VehicleContextStore,
} from '../tracking/events/index.ts';
import type { DeviceCommands } from '../tracking/devices/index.ts';
import type { Files } from '../dispatch/files/index.ts';
import type { Fleet, VehicleFills } from '../dispatch/fleet/index.ts';
import type { Geocoder } from '../geo/geocoding/index.ts';
import type { Log } from '../log/index.ts';
import type { MapTiles, RasterLayers } from '../geo/map/index.ts';
import type { PastBoard } from '../reporting/past/index.ts';
import type { MailQueue, PostQueue, ReportSchedules } from '../reporting/notify/index.ts';
import type { OwnPlaces } from '../dispatch/places/index.ts';
import type { Planner } from '../geo/routing/index.ts';
import type { LogBook, Safety, Shifts } from '../dispatch/shifts/index.ts';
import type { Speeds } from '../geo/speeds/index.ts';
import type { Backups, Store } from '../store/index.ts';
import type { Links, Merges, TerritoryTransfer } from '../replication/sync/index.ts';
import { CitizenRequests, type CitizenSettings, type Tasks, type WaitingTasks } from '../dispatch/tasks/index.ts';
import type { Telemetry } from '../tracking/telemetry/index.ts';
import type { Territory } from '../geo/territory/index.ts';
import type { Warnings } from '../exchange/warnings/index.ts';
import { findUpload } from './files/find-upload.ts';
import { alarmRoutes } from './events/alarms.ts';
import { auditRoutes } from './station/audit.ts';
import { attachmentRoutes } from './tasks/attachments.ts';
import { accessRoutes } from './tasks/access.ts';
import { authRoutes } from './accounts/auth.ts';
import { callRoutes } from './tasks/calls.ts';
import { exchangeRoutes } from './tasks/exchange.ts';
import { carRoutes } from './fleet/vehicles.ts';
import { capAlertRoutes } from './routing/cap-alerts.ts';
import { closureCalendarRoutes } from './routing/closure-calendar.ts';
import { taskCalendarRoutes } from './tasks/task-calendar.ts';
import { closureRoutes } from './routing/closures.ts';
import { customFieldRoutes } from './tasks/custom-fields.ts';
import { dispatchRuleRoutes } from './tasks/dispatch-rules.ts';
import { directoryRoutes } from './tasks/directories.ts';
import { asyncApiRoute } from './live/asyncapi.ts';
import { documentationRoutes } from './app/docs.ts';
import { deviceCommandRoutes } from './fleet/device-commands.ts';
import { driverRoutes } from './fleet/drivers.ts';
import { eidoRoutes } from './tasks/eido.ts';
import { eventRoutes } from './events/events.ts';
import { fileRoutes } from './files/files.ts';
import { placeSearch, taskSearch, vehicleSearch } from './map/search-sources.ts';
import { geocodingRoutes } from './map/geocoding.ts';
import { geozoneRoutes } from './fleet/geozones.ts';
import { groupRoutes } from './fleet/groups.ts';
import type { OpenIdProvider } from '../access/identity/index.ts';
import { iconRoutes } from './fleet/icons.ts';
import { importRoutes } from './exchange/imports/imports.ts';
import type { Imports } from '../exchange/imports/index.ts';
import { ApiKeys } from './exchange/citizens/api-keys.ts';
import { Forms } from './exchange/citizens/forms.ts';
import { citizensPageRoutes } from './exchange/citizens/page-routes.ts';
import { SenderLimits } from './exchange/citizens/sender-limits.ts';
import { open311Routes } from './exchange/citizens/open311-routes.ts';
import { odataRoutes } from './exchange/odata/odata-routes.ts';
import { ogcRoutes } from './exchange/ogc/ogc-routes.ts';
import { linkRoutes } from './sync/links.ts';
import { logBookRoutes } from './shifts/log-book.ts';
import { logRoutes } from './station/log.ts';
import type { Metrics } from './app/metrics.ts';
import { mergingRoutes } from './tasks/merging.ts';
import { watchingRoutes } from './tasks/watching.ts';
import { mergeRoutes } from './sync/merges.ts';
import { modelRoutes } from './fleet/models.ts';
import { newsRoutes } from './tasks/tasks.ts';
import { notifyRoutes } from './events/notify.ts';
import { organizationRoutes } from './accounts/organizations.ts';
import { passkeyRoutes } from './accounts/passkeys.ts';
import { ownAccountRoutes } from './accounts/own-account.ts';
import { presetRoutes } from './accounts/presets.ts';
import { pastBoardRoutes } from './shifts/past-board.ts';
import { paperRoutes } from './tasks/task-sheet.ts';
import { ownPlaceRoutes } from './map/own-places.ts';
import { plannedRouteRoutes } from './fleet/planned-routes.ts';
import { premiseNoteRoutes } from './fleet/premise-notes.ts';
import { proposalRoutes } from './tasks/proposals.ts';
import { changeRoutes } from './exchange/publish/changes.ts';
import { changePresenter } from './exchange/publish/change-presenter.ts';
import { webhookRoutes } from './exchange/publish/webhooks.ts';
import type { ChangeOutbox, Webhooks } from '../exchange/publish/index.ts';
import { providerSignInRoutes } from './accounts/provider-sign-in.ts';
import { replicaRoutes } from './live/replica.ts';
import { responseTimeRoutes } from './tasks/response-times.ts';
import { reportRoutes } from './events/reports.ts';
import { reportScheduleRoutes } from './events/report-schedules.ts';
import { protocolRoutes } from './fleet/protocols.ts';
import { responsePlanRoutes } from './fleet/response-plans.ts';
import { retentionRoutes } from './fleet/retention.ts';
import { roleRoutes } from './accounts/roles.ts';
import type { DeclaredRoute } from './app/route.ts';
import { routingRoutes } from './routing/routing.ts';
import { sensorRoutes } from './fleet/sensors.ts';
import { safetyRoutes } from './shifts/safety.ts';
import { shiftCalendarRoutes } from './shifts/shift-calendar.ts';
import { shiftRoutes } from './shifts/shifts.ts';
import { speedRoutes } from './routing/speeds.ts';
import { backupRoutes, type Restores } from './station/backups.ts';
import { stationProblems } from './station/station-problems.ts';
import { stationRoutes } from './station/station.ts';
import { trackFileRoutes } from './fleet/track-files.ts';
import { trackerIntakeRoutes } from './fleet/tracker-intakes.ts';
import { telemetryRoutes } from './fleet/telemetry.ts';
import { territoryRoutes } from './map/territory.ts';
import { rasterLayerRoutes } from './map/raster-layers.ts';
import { tileRoutes } from './map/tiles.ts';
import { travelTimesBy } from './tasks/travel-times.ts';
import { userRoutes } from './accounts/users.ts';
import { workbookRoutes } from './fleet/workbooks.ts';
import { warningFeedRoutes } from './events/warning-feeds.ts';
import { warningRoutes } from './events/warnings.ts';
import { vehicleKindRoutes } from './fleet/vehicle-kinds.ts';
import { vehicleFieldRoutes } from './fleet/vehicle-fields.ts';

/** The rooms that the interface serves. */
export interface Rooms {
  readonly log: Log;
  readonly audit: Audit;
  /** undefined: the audit trail goes to no syslog receiver. */
  readonly forwarder: Forwarder | undefined;
  readonly store: Store;
  readonly accounts: Accounts;
  /** undefined: nobody signs in elsewhere. */
  readonly provider: OpenIdProvider | undefined;
  readonly fleet: Fleet;
  readonly places: OwnPlaces;
  readonly files: Files;
  readonly mail: MailQueue;
  readonly post: PostQueue;
  readonly reportSchedules: ReportSchedules;
  readonly tasks: Tasks;
  readonly calls: Calls;
  readonly incidents: Incidents;
  readonly crews: Crews;
  readonly sms: Sms;
  readonly telephony: Telephony;
  readonly mailbox: Mailbox;
  readonly telemetry: Telemetry;
  readonly events: Events;
  readonly eventSettings: EventSettingsStore;
  readonly vehicleContexts: VehicleContextStore;
  readonly replays: ReplayRunner;
  readonly alarms: Alarms;
  readonly waiting: WaitingTasks;
  readonly logBook: LogBook;
  readonly shifts: Shifts;
  readonly safety: Safety;
  readonly past: PastBoard;
  readonly territory: Territory;
  readonly planner: Planner;
  readonly closures: Closures;
  readonly speeds: Speeds;
  readonly geocoder: Geocoder;
  readonly map: MapTiles;
  readonly rasters: RasterLayers;
  readonly territoryProblems: () => readonly { readonly code: string; readonly text: string }[];
  readonly links: Links;
  readonly regionProblems: () => readonly { readonly code: string; readonly text: string }[];
  /** Copies of files in an object store; undefined: no store is set. */
  readonly fileCopies: { waiting(): number } | undefined;
  readonly mapServices: { readonly counts: Readonly<Record<'answered' | 'unanswered', number>> } | undefined;
  readonly merges: Merges;
  readonly backups: Backups;
  readonly restores: Restores;
  readonly outbox: ChangeOutbox;
  readonly webhooks: Webhooks;
  readonly imports: Imports;
  readonly warnings: Warnings;
  readonly deviceCommands: DeviceCommands;
  readonly territoryTransfer: TerritoryTransfer;
}

export interface StationInfo {
  readonly name: string;
  readonly version: string;
  /** Whether routing is open to callers without a token. */
  readonly anonymousRouting: boolean;
  /** For reports of citizens. An address may send `perMinute` requests in a minute, all together `perHour` reports. */
  readonly citizens: CitizenSettings & { readonly perMinute: number; readonly perHour: number };
  /** Minutes without input after which a console locks; null: never. */
  readonly lockMinutes: number | null;
  /** Consoles may keep records in the browser. */
  readonly keepsRecords: boolean;
  readonly now: () => number;
  /** Whether the records that consoles ask for are here. */
  readonly isFilled: () => boolean;
  /** For the first-run page. */
  readonly setUpCode: string;
  /** A newer version, if the station looks for one. */
  readonly newerVersion?: (() => string | null) | undefined;
  /** SHA-256 of the certificate that is shown now. */
  readonly fingerprint: () => string | null;
  /** The answer by token for the authority that signs the certificate. */
  readonly acmeAnswer: (token: string) => string | undefined;
  /** Problems of the ports, in words. */
  readonly problems: () => readonly string[];
}

/** All routes of the interface. The first match wins, so specific paths come before general ones. */
export function routesOf(
  rooms: Rooms,
  {
    name,
    version,
    anonymousRouting,
    citizens: citizenSettings,
    lockMinutes,
    keepsRecords,
    now,
    setUpCode,
    newerVersion = () => null,
    problems,
    ...info
  }: StationInfo,
  metrics: Metrics,
  fills: VehicleFills,
): DeclaredRoute[] {
  const { log, store, accounts, fleet, files, tasks, telemetry, events, territory, planner, closures, geocoder, map } =
    rooms;
  const citizens = new CitizenRequests(tasks, citizenSettings);
  const senderLimits = new SenderLimits();
  const nameOfUser = (id: number) => tasks.users.get(id)?.name ?? '';
  const routes = [
    ...stationRoutes(
      {
        ...info,
        version,
        newerVersion,
        station: { id: store.stationId, name },
        territory: () => territory.info,
        standby: () => rooms.links.state().standby,
        problems: () => [
          ...stationProblems(rooms),
          ...citizens.problems(),
          ...problems().map((text) => ({ code: 'tls.certificate', text })),
        ],
      },
      metrics,
    ),
    ...authRoutes(accounts, setUpCode, rooms.provider),
    ...providerSignInRoutes(accounts, rooms.provider),
    ...ownAccountRoutes(accounts, { station: name, lockMinutes, keepsRecords }),
    ...passkeyRoutes(accounts, name),
    ...userRoutes(accounts),
    ...organizationRoutes(accounts),
    ...roleRoutes(accounts),
    ...presetRoutes(accounts.presets),
    ...directoryRoutes(tasks, files),
    ...customFieldRoutes(tasks.customFieldDefinitions),
    ...accessRoutes(tasks),
    ...fileRoutes(files, (userId) => accounts.users.get(userId)?.organizationId),
    ...attachmentRoutes(tasks, files),
    ...paperRoutes({ tasks, fleet, files, map, now }),
    ...premiseNoteRoutes(fleet, tasks),
    ...proposalRoutes({ tasks, fleet, travelTimes: travelTimesBy(planner), now }),
    ...newsRoutes({
      ...{ tasks, fleet, now },
      travelTimes: travelTimesBy(planner),
      ownVehicleIds: (by) => rooms.shifts.ownVehicleIds(by),
    }),
    ...eidoRoutes({ incidents: rooms.incidents, tasks, fleet, stationId: store.stationId }),
    ...crewDeskRoutes(rooms.crews, rooms.sms, fleet, nameOfUser),
    ...smsRoutes(rooms.sms),
    ...smsSettingRoutes(rooms.sms),
    ...mailboxRoutes(rooms.mailbox),
    ...warningRoutes(rooms.warnings),
    ...warningFeedRoutes(rooms.warnings, accounts),
    ...crewRoutes({
      ...{ crews: rooms.crews, places: rooms.places },
      ...{ tasks, fleet, files, telemetry, planner, closures, map, now },
    }),
    ...shiftRoutes({ shifts: rooms.shifts, accounts, nameOfUser }),
    ...shiftCalendarRoutes({ shifts: rooms.shifts, stationId: store.stationId, name, nameOfUser, now }),
    ...safetyRoutes(rooms.safety, accounts),
    ...logBookRoutes({ logBook: rooms.logBook, fleet, nameOfUser, now }),
    ...pastBoardRoutes({
      ...{ past: rooms.past, tasks, fleet, nameOfUser, now },
      maySeeAlarm: (by, alarm) => rooms.alarms.maySee(by, alarm),
    }),
    ...callRoutes(rooms.calls, tasks, now),
    ...exchangeRoutes(rooms.telephony, accounts),
    ...geocodingRoutes(geocoder, {
      vehicles: vehicleSearch(fleet),
      tasks: taskSearch(tasks),
      places: placeSearch(rooms.places),
    }),
    ...ogcRoutes({ tasks, fleet, places: rooms.places, closures, now }, name),
    ...odataRoutes({ tasks, fleet, events: rooms.events.log }),
    ...open311Routes({
      ...{ citizens, name, now },
      keys: new ApiKeys({ accounts, citizens, limits: senderLimits, perMinute: citizenSettings.perMinute }),
    }),
    ...citizensPageRoutes({
      ...{ citizens, files, geocoder, map, territory, name },
      forms: new Forms(now),
      limits: senderLimits,
      perMinute: citizenSettings.perMinute,
      perHour: citizenSettings.perHour,
    }),
    ...ownPlaceRoutes(rooms.places, tasks),
    ...workbookRoutes(accounts, fleet),
    ...modelRoutes(fleet),
    ...groupRoutes(fleet),
    ...vehicleKindRoutes(fleet),
    ...responsePlanRoutes(fleet),
    ...protocolRoutes(fleet),
    ...vehicleFieldRoutes(fleet),
    ...mergingRoutes(tasks),
    ...watchingRoutes(tasks),
    ...dispatchRuleRoutes({ tasks, alarms: rooms.alarms, waiting: rooms.waiting, accounts, now }),
    ...carRoutes(fleet, telemetry, files, tasks.units),
    ...driverRoutes(fleet, files),
    ...iconRoutes(fleet, files),
    ...geozoneRoutes(fleet, now),
    ...plannedRouteRoutes(fleet, now),
    ...sensorRoutes(fleet, telemetry, now),
    ...telemetryRoutes(telemetry, fleet),
    ...trackFileRoutes(telemetry, fleet),
    ...trackerIntakeRoutes(telemetry, fleet, rooms.deviceCommands),
    ...deviceCommandRoutes(rooms.deviceCommands, nameOfUser),
    ...retentionRoutes(telemetry, fleet, accounts),
    ...responseTimeRoutes({ tasks, fleet, now }),
    ...reportScheduleRoutes({ reportSchedules: rooms.reportSchedules, fleet, tasks, now }),
    ...reportRoutes({ store, fleet, tasks, telemetry, geocoder, now }),
    ...eventRoutes({
      accounts,
      events: events.log,
      fleet,
      settings: rooms.eventSettings,
      replays: rooms.replays,
      context: (id, from) => rooms.vehicleContexts.context(id, from),
      now,
    }),
    ...alarmRoutes({ accounts, alarms: rooms.alarms, fleet, nameOfUser, now }),
    ...routingRoutes(planner, { anonymous: anonymousRouting }),
    ...capAlertRoutes(closures, { stationId: store.stationId, name }),
    ...taskCalendarRoutes({ tasks, stationId: store.stationId, name, now }),
    ...closureCalendarRoutes(closures, { stationId: store.stationId, name, now }),
    ...closureRoutes(closures),
    ...speedRoutes(rooms.speeds),
    ...territoryRoutes(
      territory,
      (by, uuid) => findUpload(files, by, uuid),
      () => planner.profiles,
      {
        offered: () => rooms.territoryTransfer.offered(),
        begin: (link) => rooms.territoryTransfer.begin(rooms.links.demand(link)),
      },
    ),
    ...tileRoutes(map),
    ...rasterLayerRoutes(rooms.rasters, (by, uuid) => findUpload(files, by, uuid)),
    ...replicaRoutes(store.feed, { tasks, alarms: rooms.alarms, now }, fills),
    ...linkRoutes(rooms.links, now),
    ...mergeRoutes({
      merges: rooms.merges,
      nameOfUser: (id) => tasks.users.get(id)?.name,
      station: (number) => rooms.links.known.withNumber(number),
      taskField: (field) => tasks.fieldName(field),
      vehicleFieldSlug: (id) => fleet.fields.mirror.get(id)?.slug,
    }),
    ...notifyRoutes(rooms.mail, rooms.post),
    ...importRoutes(rooms.imports, {
      findUpload: (by, uuid) => findUpload(files, by, uuid),
      nameOfUser,
    }),
    ...webhookRoutes(rooms.webhooks, tasks),
    ...changeRoutes({
      outbox: rooms.outbox,
      accounts,
      present: changePresenter({ tasks, fleet, alarms: rooms.alarms, now }),
    }),
    ...logRoutes(log),
    ...auditRoutes(rooms.audit),
    ...backupRoutes(rooms.backups, rooms.restores, accounts, setUpCode),
    asyncApiRoute(version),
  ];
  return [...routes, ...documentationRoutes(routes, version)];
}
