export { Alarms, type AlarmsOptions } from './alarms/alarms.ts';
export { DEFAULT_RULES } from './alarms/default-rules.ts';
export { EventSettingsStore, type SettingsChange } from './context/event-settings-store.ts';
export { TaskEvents, type TaskEventsOptions } from './task-events/task-events.ts';
export { requestPlacesOf } from './task-events/request-places.ts';
export {
  timelineOf,
  deriveTaskEvents,
  type TaskEvent,
  type TaskTimeline,
  type TaskState,
  type DerivedTaskEvents,
  type TaskContext,
} from './task-events/task-life.ts';
export { RoadLimitsStore, type RoadLimitsStoreOptions } from './context/road-limits-store.ts';
export { HistoryStore } from './history/history-store.ts';
export { VehicleContextStore, type VehicleContextStoreOptions } from './context/vehicle-context-store.ts';
export { Events, type EventsOptions, type ChangedSpan } from './events.ts';
export { eventDraft, type ComputedRevision, type Revised, type RevisionSink } from './revisions/revision-writer.ts';
export {
  InlineFold,
  pieceOf,
  type Fold,
  type FoldJob,
  type FoldOutcome,
  type FoldResult,
  type RevisionPiece,
} from './fold/fold.ts';
export { FoldThread, type FoldThreadOptions } from './fold/fold-thread.ts';
export { StoredMemory } from './fold/stored-memory.ts';
export type { EventLog } from './log/event-log.ts';
export { EVENT_TYPES, eventType, type EventType } from './event-types.ts';
export { eventOf } from './fold/stored-memory.ts';
export {
  EventEngine,
  eventId,
  type FoldCheckpoint,
  type Memory,
  type ReadTrack,
  type Revision,
  type VehicleEvent,
} from './fold/engine.ts';
export type { Detector, Interval, Point, RawPoint } from './detectors/detector.ts';
export {
  DEFAULT_SETTINGS,
  EMPTY_CONTEXT,
  type ContextControlPoint,
  type EventSettings,
  type Measures,
  type ContextRoute,
  type RequestPlace,
  type ContextSensor,
  type VehicleContext,
  type Zone,
  contextAt,
  differsFrom,
} from './context/vehicle-context.ts';
export { DETECTORS } from './detectors/index.ts';
export { replay, type ReplayReport, type ReplayedEvent, type ReplayRequest } from './replay/replay-fold.ts';
export { ReplayRunner } from './replay/replays.ts';
