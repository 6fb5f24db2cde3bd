import { analog } from './detectors/analog.ts';
import { arrivals, controlPoints } from './detectors/arrivals.ts';
import { digital } from './detectors/digital.ts';
import { failure } from './detectors/failure.ts';
import { fuel } from './detectors/fuel.ts';
import { route } from './detectors/route.ts';
import { signal } from './detectors/signal.ts';
import { speed } from './detectors/speed.ts';
import { stop } from './detectors/stop.ts';
import { turn } from './detectors/turn.ts';
import { zones } from './detectors/zones.ts';
import type { Detector } from './detector.ts';

export { Alarms, type AlarmsOptions } from './alarms/alarms.ts';
export { DEFAULT_RULES } from './alarms/default-rules.ts';
export { EventSettingsBook, type SettingsChange } from './settings-book.ts';
export { TaskBook, type TaskBookOptions } from './task-book.ts';
export { lifeOf, storyOf, type TaskEvent, type TaskLife, type TaskState, type TaskStory, type TaskSurroundings } from './task-life.ts';
export { WorldBook, type WorldBookOptions } from './world-book.ts';
export { Events, type EventsOptions, type Revised, type Span } from './events.ts';
export { EventLog, type EventQuestion } from './event-log.ts';
export { EVENT_TYPES, eventType, type EventType } from './types.ts';
export { eventOf } from './stored-memory.ts';
export { EventEngine, eventId, type Checkpoint, type Memory, type ReadTrack, type Revision, type VehicleEvent } from './engine.ts';
export type { Detector, Interval, Point, RawPoint } from './detector.ts';
export { DEFAULT_SETTINGS, EMPTY_WORLD, type ControlPoint, type EventSettings, type PlannedRoute, type RequestPlace, type Sensor, type World, type Zone, worldAt, differsFrom } from './world.ts';

/** All detectors over a track. The order is part of the checkpoints: a change of it, or of a state, asks for a new version of them. */
export const DETECTORS: readonly Detector<never>[] = [stop, signal, turn, failure, speed, zones, digital, analog, fuel, arrivals, controlPoints, route] as unknown as readonly Detector<never>[];
