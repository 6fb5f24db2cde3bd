export { isOfRun, packEntry, unpackEntry, type RecordEntry } from './record-entry.ts';
export { followStream, type Followed, type FollowOptions, type JsEntry } from './follow.ts';
export { RegionConnection, type RegionOptions, type RegionState } from './region-connection.ts';
export { epochOf, openStream, wrongLastSequence, type RegionStream } from './streams.ts';
export { PARTITIONS, partitionOf, Subjects } from './subjects.ts';
