import { Refusal } from '../../shared/refusal.ts';
import { join } from 'node:path';
import { mayDo } from '../../shared/access.ts';
import type { StationConfig } from '../config/index.ts';
import {
  Alarms,
  Events,
  EventSettingsStore,
  FoldThread,
  HistoryStore,
  type Fold,
  ReplayRunner,
  requestPlacesOf,
  type RevisionSink,
  RoadLimitsStore,
  TaskEvents,
  VehicleContextStore,
} from '../tracking/events/index.ts';
import { DeviceCommands, TraccarRelay } from '../tracking/devices/index.ts';
import type { Logger } from '../log/index.ts';
import { openOrClose } from '../platform/close-stack.ts';
import { Emitter } from '../platform/emitter.ts';
import { openTelemetry, type NewPoints, type TelemetryOptions } from '../tracking/telemetry/index.ts';
import type { Dispatch } from './dispatch.ts';
import type { Foundation } from './foundation.ts';
import { watchWaiting } from './waiting.ts';

export type Tracking = Awaited<ReturnType<typeof openTracking>>;

/** How the events of a region are computed by a worker, in place of a station for itself. */
export interface EventWork {
  readonly writer: RevisionSink;
  fold(own: Fold): Fold;
  tracksChanged(spans: readonly NewPoints[]): void;
  recompute(vehicleIds: readonly number[], from: number, done: () => void): void;
}

/**
 * Positions, and the events and alarms computed from them. @param work undefined: the station computes events
 * itself
 */
export function openTracking(
  { config, options, now, log, store }: Foundation,
  { fleet, tasks, mail }: Dispatch,
  work?: EventWork,
) {
  return openOrClose(async (stack) => {
    const telemetryLog = log.logger('telemetry');
    const eventsLog = log.logger('events');
    const territoryLog = log.logger('territory');
    const warn = (message: string) => eventsLog.warn(message);

    // Rooms that follow tracks open later than telemetry, and subscribe to this when they exist.
    const tracksChanged = new Emitter<[spans: readonly NewPoints[]]>((error) =>
      telemetryLog.error('A bug: a listener to new points failed.', error),
    );
    const telemetry = stack.use(
      openTelemetry({
        directory: config.data,
        now,
        findVehicle: (device) => fleet.withDevice(device),
        engineOn: (vehicleId, fix) => fleet.engineOn(vehicleId, fix),
        organizationOf: (vehicleId) => fleet.organizationOf(vehicleId),
        publish: (states) => fleet.states.take(states),
        tracksChanged: (spans) => tracksChanged.emit(spans),
        futureLimit: futureLimitOf(config),
        quarantineLimit: config['telemetry.quarantineLimit'],
        historian: historianOf(config, store.stationId),
        log: (level, message) => telemetryLog[level === 'ERROR' ? 'error' : 'warn'](message),
        ...(options.trackWriterScript && { writerScript: options.trackWriterScript }),
      }),
    );
    const lastTimes = () => telemetry.lastStates().map(({ id, time }) => [id, time] as const);

    const history = stack.use(
      new HistoryStore({
        store,
        now,
        report: (error) => eventsLog.error('The state before a change could not be saved.', error),
      }),
    );
    const limits = await RoadLimitsStore.open({
      directory: join(config.data, 'territory', 'limits'),
      now,
      hasTracks: () => telemetry.lastStates().length > 0,
      keptSince: () => {
        const vehicles = fleet.all();
        if (vehicles.length === 0) return 0;
        return vehicles.reduce((since, { id }) => Math.min(since, telemetry.retention.keptSince(id)), now());
      },
      report: (message, error) =>
        error === undefined ? territoryLog.warn(message) : territoryLog.error(message, error),
    });
    const vehicleContexts = stack.use(
      new VehicleContextStore({
        store,
        fleet,
        history,
        now,
        roads: limits,
        requests: requestPlacesOf(store),
        report: (error) => eventsLog.error('The context of vehicles could not be saved.', error),
      }),
    );
    const fold = new FoldThread({
      tracks: telemetry.file,
      station: store.file,
      table: store.table('events'),
      context: (vehicleId, from) => vehicleContexts.context(vehicleId, from),
      warn,
    });
    const events = stack.use(
      new Events({
        store,
        now,
        fold: work?.fold(fold) ?? fold,
        ...(work && { writer: work.writer, isPaused: () => false }),
        lastTimes,
        processed: (spans) => telemetry.markProcessed(spans),
        reportsElsewhere: (vehicleId) => telemetry.replication.reportsElsewhere(vehicleId),
        lastFix: (vehicleId) => fleet.states.get(vehicleId)?.time,
        isBacklogged: () => telemetry.isBacklogged,
        // They come with the next record of the vehicle.
        report: (error) =>
          error instanceof Refusal
            ? eventsLog.warn(`The events of a vehicle are worked out later: ${error.message}`)
            : eventsLog.error('The events of a vehicle could not be worked out.', error),
        warn,
      }),
    );
    stack.defer(vehicleContexts.watch((vehicleIds, from, done) => (work ?? events).recompute(vehicleIds, from, done)));
    const taskEvents = stack.use(
      new TaskEvents({
        store,
        history,
        now,
        placeAt: (vehicleId, time) => telemetry.placeAt(vehicleId, time),
        requestsChange: (vehicleId, from) => vehicleContexts.requestsChange(vehicleId, from),
        requestsChanged: (vehicleIds) => vehicleContexts.requestsChanged(vehicleIds),
        revised: (revised) => events.announce(revised),
        report: (error) => eventsLog.error('The events of a task could not be worked out.', error),
        warn,
      }),
    );
    taskEvents.start();
    const replays = stack.use(new ReplayRunner(telemetry.file));
    const alarms = stack.use(
      await Alarms.open({
        store,
        fleet,
        now,
        lastStates: () => telemetry.lastStates(),
        lostAfter: (vehicleId) => vehicleContexts.settingsNow(vehicleId).lostAfter,
        leadSeconds: (organizationId) => tasks.dispatchRules.of(organizationId).leadSeconds,
        maySeeTask: (actor, taskId) => {
          const task = tasks.stored(taskId);
          return task !== undefined && !task.isDeleted && mayDo(actor, 'view', task, tasks.rules());
        },
        report: (error) => eventsLog.error('An alarm could not be raised or changed.', error),
      }),
    );

    const deviceCommands = stack.use(
      await DeviceCommands.open({
        store,
        now,
        requireVehicle: (by, id) => void fleet.detail(by, id),
        report: (message, error) => telemetryLog.error(message, error),
        relay: traccarOf(config, telemetryLog),
        deviceOf: (vehicleId) => fleet.imeiOf(vehicleId),
      }),
    );

    const waiting = stack.use(watchWaiting({ store, now, fleet, tasks, mail, alarms, log }));

    tracksChanged.on((spans) => (work ?? events).tracksChanged(spans));
    tracksChanged.on((spans) => {
      for (const { vehicleId, from } of spans) taskEvents.trackChanged(vehicleId, from);
    });
    /** These spans are on the disk, from the last run or from a writer that died before the rooms subscribed. */
    const resumeTracks = () => tracksChanged.emit(telemetry.unprocessedSpans());
    // In a region it is asked first who computes their events.
    if (config['nats.servers'].length === 0) resumeTracks();
    const eventSettings = new EventSettingsStore(store, fleet, now);
    return {
      telemetry,
      tracksChanged,
      resumeTracks,
      lastTimes,
      limits,
      vehicleContexts,
      events,
      eventSettings,
      replays,
      alarms,
      waiting,
      deviceCommands,
    };
  });
}

function traccarOf({ 'traccar.url': url, 'traccar.token': token }: StationConfig, log: Logger) {
  return url === null ? undefined : new TraccarRelay({ url, token, log });
}

function historianOf(
  { 'historian.url': url, 'historian.keepMonths': keepMonths }: StationConfig,
  owner: string,
): TelemetryOptions['historian'] {
  return url === null ? undefined : { server: { url, owner }, keepMonths };
}

/** The demo drives faster than real time, so its positions are dated ahead of the clock. */
function futureLimitOf({ demo, demoSpeed, 'telemetry.futureLimit': limit }: StationConfig): number {
  return demo && demoSpeed > 1 ? Math.max(limit, 86_400) : limit;
}
