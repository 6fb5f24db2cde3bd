import type { Stamp } from '../../../../shared/merge/stamps.ts';

interface Aged {
  readonly id: number;
  readonly hlc: { readonly base: Stamp };
}

/** Oldest first. Stamps of one moment are ordered by the number of their station. */
export function byAge(a: Aged, b: Aged): number {
  return a.hlc.base < b.hlc.base ? -1 : a.hlc.base > b.hlc.base ? 1 : a.id - b.id;
}
