// The door for threads that read tracks: the room's own `index.ts` would load all that listens to devices.
export { tracksFile } from './schema.ts';
export { TrackFile, type LastPlace } from './track-file.ts';
export { readingsOf, type RecordedPoint, type StoredPoint, type TrackEntry } from './stored-point.ts';
export { legBetween, STANDING_SPEED, type TrackLeg } from './state.ts';
export type { NewPoints, TrackSpan } from './unprocessed-spans.ts';
