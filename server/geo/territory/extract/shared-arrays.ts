import type { Growing } from './growing.ts';

type NumberArray = Float64Array | Int32Array | Uint32Array | Uint8Array;

/** An array that threads share. */
export function shared<T extends NumberArray>(
  make: { new (buffer: SharedArrayBuffer): T; readonly BYTES_PER_ELEMENT: number },
  length: number,
): T {
  return new make(new SharedArrayBuffer(length * make.BYTES_PER_ELEMENT));
}

/** The values at these positions, whose list is released. */
export function take<T extends NumberArray>(
  list: Growing<T>,
  order: Uint32Array,
  make: { new (buffer: SharedArrayBuffer): T; readonly BYTES_PER_ELEMENT: number },
): T {
  const values = shared(make, order.length);
  for (let i = 0; i < order.length; i++) values[i] = list.values[order[i]!]!;
  list.release();
  return values;
}

/** Starts of ranges after sorting, and the former position of each. */
export function gatherRanges(end: Growing<Uint32Array>, order: Uint32Array): { first: Uint32Array; from: Uint32Array } {
  const first = shared(Uint32Array, order.length + 1);
  const from = new Uint32Array(order.length);
  for (let i = 0; i < order.length; i++) {
    const old = order[i]!;
    from[i] = old === 0 ? 0 : end.values[old - 1]!;
    first[i + 1] = first[i]! + end.values[old]! - from[i]!;
  }
  return { first, from };
}
