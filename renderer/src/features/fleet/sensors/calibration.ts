import type { CalibrationPair } from '../../../../../shared/fleet/sensors.ts';

/**
 * Where a table is wrong, by the index of its first row that is: a value that is no number, or a raw one that
 * does not rise.
 */
export function calibrationFault(
  table: readonly CalibrationPair[],
): { readonly row: number; readonly fault: 'number' | 'order' } | undefined {
  for (const [row, [raw, real]] of table.entries()) {
    if (!Number.isFinite(raw) || !Number.isFinite(real)) return { row, fault: 'number' };
    if (row > 0 && raw <= table[row - 1]![0]) return { row, fault: 'order' };
  }
  return undefined;
}

/**
 * Parses a pasted table: a pair on each line, separated by a tab, a semicolon or blanks. Undefined: not a
 * table.
 */
export function readPasted(text: string): CalibrationPair[] | undefined {
  const rows = text
    .trim()
    .split(/\r?\n/)
    .map((line) =>
      line
        .trim()
        .split(/[\t; ]+/)
        .map((cell) => Number(cell.replace(',', '.'))),
    );
  return rows.length > 0 && rows.every((row) => row.length === 2 && row.every(Number.isFinite))
    ? rows.map(([raw, real]): CalibrationPair => [raw!, real!])
    : undefined;
}
