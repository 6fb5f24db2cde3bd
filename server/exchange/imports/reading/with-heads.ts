import { Refusal } from '../../../../shared/refusal.ts';
import { isEmpty } from './rows-builder.ts';
import type { ReadRows, TableRow } from './table.ts';

/** The heads are the first row with two filled cells; in a list of one column, the first row. */
export function withHeads(format: ReadRows['format'], all: readonly TableRow[]): ReadRows {
  const found = all.findIndex(([, cells]) => cells.filter((cell) => !isEmpty(cell)).length > 1);
  const head = Math.max(found, 0);
  if (all.length <= head + 1) throw new Refusal('imports.noRows');
  const width = all.reduce((most, [, cells]) => Math.max(most, cells.length), 0);
  const cells = all[head]![1];
  const heads = Array.from({ length: width }, (_, index) => {
    const cell = cells[index];
    return cell === null || cell === undefined || typeof cell === 'object' ? '' : String(cell).trim().slice(0, 200);
  });
  return { format, heads, geometry: undefined, rows: all.slice(head + 1) };
}
