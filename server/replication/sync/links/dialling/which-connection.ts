/** ms within which two connections count as dialled at the same time. */
export const SAME_TIME = 5_000;

type DiallingSide = 'us' | 'them';

/**
 * Which of two connections of one link stays. If both stations dialled at the same time, it is the one
 * dialled by the lower number, so that both keep the same one. Otherwise it is the newer one, since the other
 * station has lost the older.
 */
export function whichStays(
  older: { readonly age: number; readonly dialledBy: DiallingSide },
  newer: { readonly dialledBy: DiallingSide },
  numbers: { readonly ours: number; readonly theirs: number },
): 'older' | 'newer' {
  const winner: DiallingSide = numbers.ours < numbers.theirs ? 'us' : 'them';
  const areAtOnce = older.age < SAME_TIME && older.dialledBy !== newer.dialledBy;
  return areAtOnce && older.dialledBy === winner ? 'older' : 'newer';
}
