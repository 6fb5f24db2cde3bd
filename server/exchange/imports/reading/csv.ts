import { parse } from 'csv-parse/sync';
import { Refusal } from '../../../../shared/refusal.ts';
import { RowsBuilder } from './rows-builder.ts';
import { LONGEST_CELL, MOST_COLUMNS, type ReadRows } from './table.ts';
import { withHeads } from './with-heads.ts';

const DELIMITERS = [',', ';', '\t', '|'] as const;
/** Characters of the beginning that tell which delimiter a file has. */
const LOOKED_AT = 20_000;

/** Comma-separated values (RFC 4180), also with semicolons, tabs or bars. */
export function readCsv(bytes: Uint8Array): ReadRows {
  const text = decodedText(bytes);
  const builder = new RowsBuilder();
  try {
    parse(text, {
      bom: true,
      delimiter: delimiterOf(text),
      relax_column_count: true,
      relax_quotes: true,
      skip_empty_lines: true,
      max_record_size: LONGEST_CELL * MOST_COLUMNS,
      on_record: (record, { lines }) => {
        builder.add(lines, record);
        return null;
      },
    });
  } catch (error) {
    if (error instanceof Refusal) throw error;
    throw new Refusal('imports.brokenFile', { problem: (error as Error).message.slice(0, 200) }, { cause: error });
  }
  return withHeads('csv', builder.rows);
}

/** UTF-8 or UTF-16; other text is in the character set of Russian Windows. */
export function decodedText(bytes: Uint8Array): string {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return new TextDecoder('utf-16le').decode(bytes);
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return new TextDecoder('utf-16be').decode(bytes);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder('windows-1251').decode(bytes);
  }
}

/** The delimiter that the first line has most of, outside quotes. */
function delimiterOf(text: string): string {
  const counts = new Map<string, number>(DELIMITERS.map((delimiter) => [delimiter, 0]));
  let isQuoted = false;
  for (const sign of text.slice(0, LOOKED_AT)) {
    if (sign === '"') isQuoted = !isQuoted;
    else if (isQuoted) continue;
    else if (sign === '\n' && [...counts.values()].some((count) => count > 0)) break;
    else if (counts.has(sign)) counts.set(sign, counts.get(sign)! + 1);
  }
  return [...counts].reduce((best, each) => (each[1] > best[1] ? each : best))[0];
}
