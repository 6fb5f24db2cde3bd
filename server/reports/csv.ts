import { escapeFormula } from './workbook.ts';

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
