// The door for threads that read tracks: the room's own `index.ts` would load all that listens to devices.
export { TrackFile } from './track-file.ts';
export { readingsOf, type RecordedPoint, type StoredPoint, type TrackEntry } from './tracks.ts';
export { legBetween, STANDING_SPEED, type TrackLeg } from './state.ts';
export type { NewPoints, TrackSpan } from './unprocessed-spans.ts';
