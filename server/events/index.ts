export { Alarms, type AlarmsOptions } from './alarms/alarms.ts';
export { DEFAULT_RULES } from './alarms/default-rules.ts';
export { EventSettingsBook, type SettingsChange } from './settings-book.ts';
export { TaskBook, type TaskBookOptions } from './task-book.ts';
export {
  lifeOf,
  storyOf,
  type TaskEvent,
  type TaskLife,
  type TaskState,
  type TaskStory,
  type TaskSurroundings,
} from './task-life.ts';
export { RoadLimitsBook, type RoadLimitsOptions } from './road-limits-book.ts';
export { Pasts } from './pasts.ts';
export { WorldBook, type WorldBookOptions } from './world-book.ts';
export { Events, type EventsOptions, type Revised, type Span } from './events.ts';
export { FoldHere, type Fold, type FoldOrder, type FoldOutcome } from './fold.ts';
export { FoldThread, type FoldThreadOptions } from './fold-thread.ts';
export { StoredMemory } from './stored-memory.ts';
export type { EventLog } from './event-log.ts';
export { EVENT_TYPES, eventType, type EventType } from './types.ts';
export { eventOf } from './stored-memory.ts';
export {
  EventEngine,
  eventId,
  type Checkpoint,
  type Memory,
  type ReadTrack,
  type Revision,
  type VehicleEvent,
} from './engine.ts';
export type { Detector, Interval, Point, RawPoint } from './detector.ts';
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
} from './world.ts';
export { DETECTORS } from './detectors/index.ts';
export { replay, type ReplayAnswer, type ReplayedEvent, type ReplayQuestion } from './replay-fold.ts';
export { Replays } from './replays.ts';
