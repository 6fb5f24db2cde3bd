import type { RoadClosure } from '../records/index.ts';

type Effect = Pick<RoadClosure, 'id' | 'factor' | 'geometry'>;

/** By geometry: records are replaced, never changed. */
const marks = new WeakMap<object, string>();

/**
 * A short name for what a closure does to routes: another one when its share or its drawing is another, the
 * same when only words or times are. Station and console work it out alike.
 */
export function effectOf({ id, factor, geometry }: Effect): string {
  let mark = marks.get(geometry);
  if (mark === undefined) marks.set(geometry, (mark = markOf(JSON.stringify(geometry.coordinates))));
  return `${id} ${factor} ${mark}`;
}

/**
 * FNV-1a (Fowler, Noll, Vo), 32 bits, with the length: two drawings of one closure after the other are hardly
 * ever alike in both.
 */
function markOf(text: string): string {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  return `${text.length.toString(36)}.${(hash >>> 0).toString(36)}`;
}
