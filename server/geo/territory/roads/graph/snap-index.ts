import { alongHilbertCurve } from '../../geometry/hilbert.ts';
import type { Segments } from './join-segments.ts';

/**
 * A packed R-tree over the straight pieces of all roads, ordered along a Hilbert curve (Kamel and Faloutsos,
 * "Hilbert R-tree", 1994). `pieces` holds shape positions; every `FANOUT` of them are under one box of the
 * lowest level, every `FANOUT` boxes under one of the next. `boxes` holds south, west, north, east in
 * micro-degrees, lowest level first; `levels` where each level begins, counted in boxes.
 */
interface SnapIndex {
  readonly pieces: Uint32Array;
  readonly segmentOf: Uint32Array;
  readonly boxes: Int32Array;
  readonly levels: Uint32Array;
}

export const FANOUT = 8;

export function makeSnapIndex(segments: Segments, nodeLat: Int32Array, nodeLon: Int32Array): SnapIndex {
  const { first, shape, count } = segments;
  const items = shape.length - count;
  const piece = new Uint32Array(items);
  const segment = new Uint32Array(items);
  const middleLat = new Float64Array(items);
  const middleLon = new Float64Array(items);
  for (let s = 0, item = 0; s < count; s++) {
    for (let i = first[s]!; i + 1 < first[s + 1]!; i++, item++) {
      middleLat[item] = (nodeLat[shape[i]!]! + nodeLat[shape[i + 1]!]!) / 2;
      middleLon[item] = (nodeLon[shape[i]!]! + nodeLon[shape[i + 1]!]!) / 2;
      piece[item] = i;
      segment[item] = s;
    }
  }
  const order = alongHilbertCurve(middleLat, middleLon);
  const pieces = order.map((item) => piece[item]!);
  const segmentOf = order.map((item) => segment[item]!);

  const levels = [0];
  for (let width = Math.ceil(items / FANOUT), start = 0; items > 0; width = Math.ceil(width / FANOUT)) {
    levels.push((start += width));
    if (width === 1) break;
  }
  const boxes = new Int32Array(levels.at(-1)! * 4);
  for (let box = 0; box < boxes.length; box += 4) {
    boxes[box] = boxes[box + 1] = 0x7fffffff;
    boxes[box + 2] = boxes[box + 3] = -0x80000000;
  }
  for (let item = 0; item < items; item++) {
    const box = Math.floor(item / FANOUT);
    for (let end = 0; end < 2; end++) {
      const node = shape[pieces[item]! + end]!;
      widen(boxes, box, nodeLat[node]!, nodeLon[node]!, nodeLat[node]!, nodeLon[node]!);
    }
  }
  for (let level = 1; level + 1 < levels.length; level++) {
    for (let box = levels[level - 1]!; box < levels[level]!; box++) {
      const parent = levels[level]! + Math.floor((box - levels[level - 1]!) / FANOUT);
      widen(boxes, parent, boxes[box * 4]!, boxes[box * 4 + 1]!, boxes[box * 4 + 2]!, boxes[box * 4 + 3]!);
    }
  }
  return { pieces, segmentOf, boxes, levels: Uint32Array.from(levels) };
}

function widen(boxes: Int32Array, box: number, south: number, west: number, north: number, east: number): void {
  const at = box * 4;
  if (south < boxes[at]!) boxes[at] = south;
  if (west < boxes[at + 1]!) boxes[at + 1] = west;
  if (north > boxes[at + 2]!) boxes[at + 2] = north;
  if (east > boxes[at + 3]!) boxes[at + 3] = east;
}
