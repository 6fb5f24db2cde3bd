import type { PlaceTable } from './place-table.ts';

const SEPARATORS = [',', ';', '\t'] as const;

/** Comma-separated values (RFC 4180), also with semicolons or tabs. The first line has the names of the columns. */
export function readCsvPlaces(text: string): PlaceTable {
  const clean = text.replace(/^\uFEFF/, '');
  const [head = [], ...lines] = cellsOf(clean, separatorOf(clean));
  const columns = head.map((name, index) => name.trim() || String(index + 1));
  return {
    columns,
    rows: lines
      .filter((line) => line.some((cell) => cell.trim() !== ''))
      .map((line) => ({ values: columns.map((_, index) => (line[index] ?? '').trim()) })),
  };
}

/** The one that is most often in the first line. */
function separatorOf(text: string): string {
  const line = text.slice(0, text.search(/\r|\n|$/)).replace(/"[^"]*"/g, '');
  const count = (separator: string) => line.split(separator).length;
  return SEPARATORS.reduce((best, separator) => (count(separator) > count(best) ? separator : best));
}

function cellsOf(text: string, separator: string): string[][] {
  const lines: string[][] = [];
  let line: string[] = [];
  let at = 0;
  while (at < text.length) {
    let cell = '';
    if (text[at] === '"') {
      const quoted = /"((?:[^"]|"")*)"?/y;
      quoted.lastIndex = at;
      cell = quoted.exec(text)![1]!.replaceAll('""', '"');
      at = quoted.lastIndex;
    }
    let end = at;
    while (end < text.length && text[end] !== separator && text[end] !== '\n' && text[end] !== '\r') end++;
    line.push(cell + text.slice(at, end));
    at = end;
    if (text[at] === separator) {
      at++;
      if (at < text.length) continue;
      line.push('');
    }
    if (text[at] === '\r' && text[at + 1] === '\n') at++;
    at++;
    lines.push(line);
    line = [];
  }
  return lines;
}
