import { Refusal } from '../../../../shared/refusal.ts';
import { LONGEST_CELL, MOST_CELLS, MOST_COLUMNS, MOST_ROWS, type TableCell, type TableRow } from './table.ts';

/** Collects rows within the bounds of a file. Rows without a value are left out. */
export class RowsBuilder {
  readonly rows: TableRow[] = [];
  #cells = 0;

  add(line: number, cells: TableCell[]): void {
    while (cells.length > 0 && isEmpty(cells.at(-1))) cells.pop();
    if (cells.length === 0) return;
    // The heads are a row, too.
    if (this.rows.length > MOST_ROWS) throw new Refusal('imports.manyRows', { most: MOST_ROWS });
    if (cells.length > MOST_COLUMNS) throw new Refusal('imports.manyColumns', { most: MOST_COLUMNS, row: line });
    this.#cells += cells.length;
    if (this.#cells > MOST_CELLS) throw new Refusal('imports.manyCells', { most: MOST_CELLS });
    for (const cell of cells)
      if (typeof cell === 'string' && cell.length > LONGEST_CELL)
        throw new Refusal('imports.longCell', { most: LONGEST_CELL, row: line });
    this.rows.push([line, cells]);
  }
}

export function isEmpty(cell: TableCell | undefined): boolean {
  return cell === null || cell === undefined || (typeof cell === 'string' && cell.trim() === '');
}

/** Records with named values, such as features of a map, as a table. The first column is the shape. */
export class RecordsBuilder {
  readonly #columns = new Map<string, number>();
  readonly #builder = new RowsBuilder();

  add(line: number, geometry: TableCell, values: Iterable<readonly [head: string, value: TableCell]>): void {
    const cells: TableCell[] = [geometry];
    for (const [head, value] of values) {
      if (isEmpty(value)) continue;
      const column = this.#columns.get(head) ?? this.#columns.size + 1;
      if (column >= MOST_COLUMNS) throw new Refusal('imports.manyColumns', { most: MOST_COLUMNS, row: line });
      this.#columns.set(head, column);
      cells[column] = value;
    }
    this.#builder.add(
      line,
      Array.from(cells, (cell) => cell ?? null),
    );
  }

  finish(): { heads: string[]; geometry: number; rows: readonly TableRow[] } {
    return { heads: ['geometry', ...this.#columns.keys()], geometry: 0, rows: this.#builder.rows };
  }
}

/** Adds a row for each shape of a record; those after the first have a number in their name. Returns the last row. */
export function addShapes(
  builder: RecordsBuilder,
  last: number,
  shapes: readonly { readonly type: string }[],
  values: ReadonlyMap<string, TableCell>,
): number {
  const name = values.get('name');
  shapes.forEach((shape, index) => {
    const named = typeof name === 'string' && index > 0 ? { name: `${name} (${index + 1})` } : {};
    builder.add(last + index + 1, shape, Object.entries({ ...Object.fromEntries(values), ...named }));
  });
  return last + shapes.length;
}
