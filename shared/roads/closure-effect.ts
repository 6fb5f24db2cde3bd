import type { RoadClosure } from '../records/index.ts';

type DrawnClosureFacts = Pick<RoadClosure, 'id' | 'factor' | 'geometry'>;

/** By geometry object: records are replaced, never changed. */
const marks = new WeakMap<object, string>();

/**
 * A short name of a closure's effect on routes: it changes with the share or the shape, not with words or
 * times. Equal in station and console.
 */
export function effectOf({ id, factor, geometry }: DrawnClosureFacts): string {
  let mark = marks.get(geometry);
  if (mark === undefined) marks.set(geometry, (mark = markOf(JSON.stringify(geometry.coordinates))));
  return `${id} ${factor} ${mark}`;
}

/**
 * FNV-1a (Fowler, Noll, Vo), 32 bits, with the length: two successive shapes of a closure hardly ever collide
 * in both.
 */
function markOf(text: string): string {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  return `${text.length.toString(36)}.${(hash >>> 0).toString(36)}`;
}
