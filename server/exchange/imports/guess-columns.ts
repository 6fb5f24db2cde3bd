import { fold } from '../../../shared/text/fold.ts';
import type { ImportField } from './fields.ts';

/**
 * The field of each column: as this head was mapped before, else by the known heads. A field has one column.
 * @param remembered the field of a folded head in the last import; null: the column was left out
 */
export function guessColumns(
  heads: readonly string[],
  fields: readonly ImportField[],
  remembered: ReadonlyMap<string, string | null>,
): (string | null)[] {
  const known = new Map<string, string>();
  for (const field of fields)
    for (const head of [field.name, ...field.heads])
      if (!known.has(headKey(head))) known.set(headKey(head), field.name);
  const names = new Set(fields.map(({ name }) => name));
  const used = new Set<string>();
  return heads.map((head) => {
    const key = headKey(head);
    if (key === '') return null;
    const before = remembered.get(key);
    if (before === null) return null;
    const guess = before !== undefined && names.has(before) ? before : known.get(key);
    if (guess === undefined || used.has(guess)) return null;
    used.add(guess);
    return guess;
  });
}

/** A heading without letter case, signs, and text in brackets, such as a time zone. */
export function headKey(head: string): string {
  return fold(head.replace(/\([^)]*\)/g, ' '))
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
}
