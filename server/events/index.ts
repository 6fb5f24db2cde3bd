export { Alarms, type AlarmsOptions } from './alarms/alarms.ts';
export { DEFAULT_RULES } from './alarms/default-rules.ts';
export { EventSettingsBook, type SettingsChange } from './context/event-settings-store.ts';
export { TaskBook, type TaskBookOptions } from './task-events/task-events.ts';
export { requestPlacesOf } from './task-events/request-places.ts';
export {
  lifeOf,
  storyOf,
  type TaskEvent,
  type TaskLife,
  type TaskState,
  type TaskStory,
  type TaskSurroundings,
} from './task-events/task-life.ts';
export { RoadLimitsBook, type RoadLimitsOptions } from './context/road-limits-store.ts';
export { Pasts } from './history/history-store.ts';
export { WorldBook, type WorldBookOptions } from './context/vehicle-context-store.ts';
export { Events, type EventsOptions, type Span } from './events.ts';
export type { Revised } from './revisions/revision-writer.ts';
export { FoldHere, type Fold, type FoldOrder, type FoldOutcome } from './fold/fold.ts';
export { FoldThread, type FoldThreadOptions } from './fold/fold-thread.ts';
export { StoredMemory } from './fold/stored-memory.ts';
export type { EventLog } from './log/event-log.ts';
export { EVENT_TYPES, eventType, type EventType } from './event-types.ts';
export { eventOf } from './fold/stored-memory.ts';
export {
  EventEngine,
  eventId,
  type Checkpoint,
  type Memory,
  type ReadTrack,
  type Revision,
  type VehicleEvent,
} from './fold/engine.ts';
export type { Detector, Interval, Point, RawPoint } from './detectors/detector.ts';
export {
  DEFAULT_SETTINGS,
  EMPTY_WORLD,
  type ControlPoint,
  type EventSettings,
  type Measures,
  type PlannedRoute,
  type RequestPlace,
  type Sensor,
  type World,
  type Zone,
  worldAt,
  differsFrom,
} from './context/vehicle-context.ts';
export { DETECTORS } from './detectors/index.ts';
export { replay, type ReplayAnswer, type ReplayedEvent, type ReplayQuestion } from './replay/replay-fold.ts';
export { Replays } from './replay/replays.ts';
