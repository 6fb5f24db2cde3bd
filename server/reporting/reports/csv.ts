import type { ZonedTime } from '../../../shared/zoned-time.ts';
import { escapeFormula, type SheetColumn } from './workbook.ts';

/** A line of a CSV file (RFC 4180). */
export function csvLine(cells: readonly string[]): string {
  return `${cells.map(cell).join(',')}\r\n`;
}

/** Without it Excel takes a file for one in the code page of its machine. */
export const CSV_MARK = '\uFEFF';

function cell(text: string): string {
  const harmless = escapeFormula(text);
  return /[",\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}

/** Characters that are put together before they are sent. */
const PIECE = 64 * 1024;

/**
 * A table as CSV for programs, piece by piece: times in UTC (ISO 8601), days as 2026-12-31 by the clock of the zone,
 * spans in seconds, a point before decimals.
 */
export async function* csvTable<Row>(
  columns: readonly SheetColumn<Row>[],
  rows: Iterable<Row> | AsyncIterable<Row>,
  zone: ZonedTime,
): AsyncGenerator<string> {
  let text = CSV_MARK + csvLine(columns.map(({ header }) => header));
  for await (const row of rows) {
    text += csvLine(columns.map((column) => csvCell(column, row, zone)));
    if (text.length < PIECE) continue;
    yield text;
    text = '';
  }
  yield text;
}

function csvCell<Row>({ kind, value }: SheetColumn<Row>, row: Row, zone: ZonedTime): string {
  const found = value(row) ?? '';
  if (typeof found !== 'number') return String(found);
  if (kind === 'instant') return new Date(found).toISOString();
  return kind === 'day' ? zone.wall(found).toISOString().slice(0, 10) : String(found);
}
