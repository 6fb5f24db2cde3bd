/** A part of the sorted values, 0 to 1, as text of a column. */
export function quantile(values: readonly number[], part: number): string {
  return (values.toSorted((a, b) => a - b)[Math.floor(part * (values.length - 1))] ?? 0).toFixed(2).padStart(7);
}
