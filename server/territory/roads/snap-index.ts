import type { Segments } from './join-segments.ts';

/**
 * A packed R-tree over the straight pieces of all roads, ordered along a Hilbert curve (Kamel and Faloutsos, "Hilbert R-tree", 1994).
 * `pieces` holds shape positions; every `FANOUT` of them are under one box of the lowest level, every `FANOUT` boxes under one of the next.
 * `boxes` holds south, west, north, east in micro-degrees, lowest level first; `levels` where each level begins, counted in boxes.
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
  const key = new Uint32Array(items);
  const piece = new Uint32Array(items);
  const segment = new Uint32Array(items);
  const [south, west, north, east] = boundsOf(nodeLat, nodeLon);
  const scaleLat = 65535 / Math.max(1, north - south);
  const scaleLon = 65535 / Math.max(1, east - west);
  for (let s = 0, item = 0; s < count; s++) {
    for (let i = first[s]!; i + 1 < first[s + 1]!; i++, item++) {
      const lat = (nodeLat[shape[i]!]! + nodeLat[shape[i + 1]!]!) / 2;
      const lon = (nodeLon[shape[i]!]! + nodeLon[shape[i + 1]!]!) / 2;
      key[item] = hilbert(Math.floor((lon - west) * scaleLon), Math.floor((lat - south) * scaleLat));
      piece[item] = i;
      segment[item] = s;
    }
  }
  const order = sortedBy(key);
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

function boundsOf(lat: Int32Array, lon: Int32Array): [number, number, number, number] {
  let south = 90e6;
  let west = 180e6;
  let north = -90e6;
  let east = -180e6;
  for (let n = 0; n < lat.length; n++) {
    south = Math.min(south, lat[n]!);
    north = Math.max(north, lat[n]!);
    west = Math.min(west, lon[n]!);
    east = Math.max(east, lon[n]!);
  }
  return [south, west, north, east];
}

/** Positions of `key` in ascending order; equal keys keep their order. By the low half of their bits, then by the high one: no comparisons. */
function sortedBy(key: Uint32Array): Uint32Array {
  let order = key.map((_, i) => i);
  let next = new Uint32Array(key.length);
  const start = new Uint32Array(HALF + 1);
  for (const shift of [0, 16]) {
    start.fill(0);
    for (let i = 0; i < key.length; i++) start[((key[i]! >>> shift) & (HALF - 1)) + 1]!++;
    for (let bucket = 0; bucket < HALF; bucket++) start[bucket + 1]! += start[bucket]!;
    for (let i = 0; i < order.length; i++) {
      const bucket = (key[order[i]!]! >>> shift) & (HALF - 1);
      next[start[bucket]!++] = order[i]!;
    }
    [order, next] = [next, order];
  }
  return order;
}

const HALF = 65536;

/** Place on a Hilbert curve over 65536 x 65536 cells. */
function hilbert(x: number, y: number): number {
  let place = 0;
  for (let side = 32768; side > 0; side >>= 1) {
    const right = x & side ? 1 : 0;
    const up = y & side ? 1 : 0;
    place = place * 4 + ((3 * right) ^ up);
    if (up === 0) {
      if (right === 1) {
        x = 65535 - x;
        y = 65535 - y;
      }
      const swapped = x;
      x = y;
      y = swapped;
    }
  }
  return place;
}
