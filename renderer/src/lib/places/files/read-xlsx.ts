import readSheets from 'read-excel-file/universal';
import type { PlaceTable } from './place-table.ts';

/** The first sheet of a workbook. Its first line has the names of the columns. */
export async function readXlsxPlaces(bytes: ArrayBuffer): Promise<PlaceTable> {
  const [sheet] = await readSheets(bytes);
  const [head = [], ...lines] = sheet?.data ?? [];
  const columns = head.map((name, index) => textOf(name) || String(index + 1));
  return {
    columns,
    rows: lines
      .map((line) => ({ values: columns.map((_, index) => textOf(line[index] ?? null)) }))
      .filter(({ values }) => values.some((value) => value !== '')),
  };
}

function textOf(cell: unknown): string {
  if (cell === null || cell === undefined) return '';
  return cell instanceof Date ? cell.toISOString().slice(0, 10) : String(cell).trim();
}
