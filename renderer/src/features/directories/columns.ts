import { fold } from '../../../../shared/text/fold.ts';
import type { Sorting } from '../../ui/lists/sorting.ts';

/**
 * A column of a directory's list. Without a `value` it is drawn by the page (slot `cell-<id>`) and not sorted
 * or searched by.
 */
export interface TableColumn<R> {
  readonly id: string;
  readonly text: string;
  readonly value?: (row: R) => string | number;
  readonly numeric?: boolean;
  /** CSS grid track. */
  readonly width?: string;
}

/**
 * Rows that have all words of `filter`, in any alphabet and anywhere in their columns, by `sort`; without one
 * in the order given.
 */
export function filterAndSort<R>(
  rows: readonly R[],
  columns: readonly TableColumn<R>[],
  filter: string,
  sort: Sorting<string> | undefined,
  language: string,
): readonly R[] {
  const words = fold(filter).split(/\s+/).filter(Boolean);
  const found =
    words.length === 0
      ? rows
      : rows.filter((row) => {
          const text = fold(columns.map((column) => column.value?.(row) ?? '').join(' '));
          return words.every((word) => text.includes(word));
        });
  const by = columns.find((column) => column.id === sort?.by)?.value;
  if (!by || !sort) return found;
  const { compare } = new Intl.Collator(language, { numeric: true, sensitivity: 'base' });
  const sign = sort.descending ? -1 : 1;
  return found.toSorted((one, other) => {
    const [a, b] = [by(one), by(other)];
    return sign * (typeof a === 'number' && typeof b === 'number' ? a - b : compare(String(a), String(b)));
  });
}
