import { Readable, type PassThrough } from 'node:stream';
import { ZipFile } from 'yazl';
import type { ZonedTime } from '../../shared/zoned-time.ts';
import type { Language } from './words.ts';

/** A value of a cell. null: empty. */
export type CellValue = string | number | boolean | null | undefined;

/**
 * A column of a sheet. `instant` takes epoch milliseconds and `span` seconds; both become real dates and times that can be sorted and reckoned with.
 * `whole` is a number without decimals; an id is `text` or `whole` as it likes.
 */
export interface Column<Row> {
  readonly header: string;
  readonly kind: 'text' | 'number' | 'whole' | 'flag' | 'instant' | 'span';
  /** In characters. */
  readonly width?: number;
  value(row: Row): CellValue;
}

export interface Sheet<Row> {
  readonly name: string;
  /** Lines above the table: what it is, of which time, in which zone. */
  readonly heading?: readonly string[];
  readonly columns: readonly Column<Row>[];
  readonly rows: Iterable<Row> | AsyncIterable<Row>;
}

export interface WorkbookOptions {
  readonly language: Language;
  /** Dates are its wall clock; cells know no zones. */
  readonly zone: ZonedTime;
}

/** Excel's own bounds. */
const MOST_ROWS = 1_048_576;
const LONGEST_TEXT = 32_767;
/** Rows that are written before others get a turn. */
const ROWS_AT_ONCE = 250;

const XML = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006';
const STYLE = { text: 0, number: 0, flag: 0, header: 1, instant: 2, span: 3, whole: 4, heading: 5 } as const;

/** A workbook (Office Open XML, ECMA-376) as a stream: it is made while it is sent, however many rows it has. */
export function workbook(sheets: readonly Sheet<never>[], options: WorkbookOptions): Readable {
  const zip = new ZipFile();
  const add = (name: string, xml: string) => zip.addBuffer(Buffer.from(XML + xml), name);
  const numbered = sheets.map((sheet, index) => ({ sheet, number: index + 1 }));
  add('[Content_Types].xml', `<Types xmlns="${PACKAGE}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/xl/workbook.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml"/><Override PartName="/xl/styles.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.styles+xml"/>${numbered.map(({ number }) => `<Override PartName="/xl/worksheets/sheet${number}.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.worksheet+xml"/>`).join('')}</Types>`);
  add('_rels/.rels', `<Relationships xmlns="${PACKAGE}/relationships"><Relationship Id="r1" Type="${OFFICE}/officeDocument" Target="xl/workbook.xml"/></Relationships>`);
  add('xl/workbook.xml', `<workbook xmlns="${MAIN}" xmlns:r="${OFFICE}"><sheets>${numbered.map(({ sheet, number }) => `<sheet name="${escaped(sheetName(sheet.name, number))}" sheetId="${number}" r:id="r${number}"/>`).join('')}</sheets></workbook>`);
  add('xl/_rels/workbook.xml.rels', `<Relationships xmlns="${PACKAGE}/relationships">${numbered.map(({ number }) => `<Relationship Id="r${number}" Type="${OFFICE}/worksheet" Target="worksheets/sheet${number}.xml"/>`).join('')}<Relationship Id="r${sheets.length + 1}" Type="${OFFICE}/styles" Target="styles.xml"/></Relationships>`);
  add('xl/styles.xml', styles(options.language));
  const packed = zip.outputStream as PassThrough;
  for (const { sheet, number } of numbered) {
    const xml = Readable.from(sheetXml(sheet as unknown as Sheet<unknown>, options));
    // The zip hears nothing of errors in what it packs, and an error that nobody hears of ends the process.
    xml.on('error', (error) => packed.destroy(error));
    packed.on('close', () => xml.destroy());
    zip.addReadStream(xml, `xl/worksheets/sheet${number}.xml`);
  }
  zip.end();
  return packed;
}

/** What the answer of a path says of itself. */
export const WORKBOOK_TYPE = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';

function styles(language: Language): string {
  const instant = language === 'ru' ? 'dd.mm.yyyy hh:mm:ss' : 'yyyy-mm-dd hh:mm:ss';
  const cell = (format: number, font: number) => `<xf numFmtId="${format}" fontId="${font}" fillId="0" borderId="0" xfId="0"${format ? ' applyNumberFormat="1"' : ''}${font ? ' applyFont="1"' : ''}/>`;
  return (
    `<styleSheet xmlns="${MAIN}"><numFmts count="2"><numFmt numFmtId="164" formatCode="${instant}"/><numFmt numFmtId="165" formatCode="[h]:mm:ss"/></numFmts>` +
    `<fonts count="2"><font><sz val="11"/><name val="Calibri"/></font><font><b/><sz val="11"/><name val="Calibri"/></font></fonts><fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills>` +
    `<borders count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders><cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs>` +
    `<cellXfs count="6">${cell(0, 0)}${cell(0, 1)}${cell(164, 0)}${cell(165, 0)}${cell(1, 0)}${cell(0, 1)}</cellXfs><cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles></styleSheet>`
  );
}

async function* sheetXml({ heading = [], columns, rows }: Sheet<unknown>, { zone }: WorkbookOptions): AsyncGenerator<string> {
  const widths = columns.map(({ width, kind, header }, index) => `<col min="${index + 1}" max="${index + 1}" width="${width ?? Math.max(header.length + 2, kind === 'instant' ? 20 : kind === 'text' ? 18 : 11)}" customWidth="1"/>`).join('');
  const top = heading.length + 1;
  yield `${XML}<worksheet xmlns="${MAIN}"><sheetViews><sheetView workbookViewId="0"><pane ySplit="${top}" topLeftCell="A${top + 1}" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews><cols>${widths}</cols><sheetData>`;
  let row = 0;
  // Cells name their place: Excel does without, other readers do not.
  const names = columns.map((_, index) => letters(index + 1));
  for (const line of heading) yield `<row r="${++row}">${text(`A${row}`, line, STYLE.heading)}</row>`;
  yield `<row r="${++row}">${columns.map(({ header }, index) => text(`${names[index]}${row}`, header, STYLE.header)).join('')}</row>`;
  let chunk: string[] = [];
  for await (const each of batches(rows)) {
    for (const one of each) {
      if (row >= MOST_ROWS) break;
      chunk.push(`<row r="${++row}">${columns.map((column, index) => cell(`${names[index]}${row}`, column, one, zone)).join('')}</row>`);
    }
    yield chunk.join('');
    chunk = [];
  }
  yield `</sheetData>${columns.length > 0 && row > top ? `<autoFilter ref="A${top}:${letters(columns.length)}${row}"/>` : ''}</worksheet>`;
}

/** Rows in portions, between which the event loop turns. */
async function* batches<Row>(rows: Iterable<Row> | AsyncIterable<Row>): AsyncGenerator<Row[]> {
  let batch: Row[] = [];
  const full = () => batch.length >= ROWS_AT_ONCE;
  if (Symbol.asyncIterator in rows) {
    for await (const row of rows) {
      batch.push(row);
      if (!full()) continue;
      yield batch;
      batch = [];
    }
  } else {
    for (const row of rows) {
      batch.push(row);
      if (!full()) continue;
      yield batch;
      batch = [];
      await new Promise((resolve) => setImmediate(resolve));
    }
  }
  if (batch.length > 0) yield batch;
}

function cell(place: string, { kind, value }: Column<unknown>, row: unknown, zone: ZonedTime): string {
  const found = value(row);
  if (found === null || found === undefined || found === '') return '';
  if (typeof found === 'string') return text(place, found, STYLE.text);
  if (typeof found === 'boolean') return `<c r="${place}" t="b"><v>${Number(found)}</v></c>`;
  if (!Number.isFinite(found)) return '';
  const shown = kind === 'instant' ? serial(zone.wall(found)) : kind === 'span' ? found / 86_400 : found;
  return `<c r="${place}" s="${STYLE[kind]}"><v>${shown}</v></c>`;
}

/** Days since 1899-12-30, as Excel counts them. */
function serial(wall: Date): number {
  return wall.getTime() / 86_400_000 + 25_569;
}

function text(place: string, value: string, style: number): string {
  return `<c r="${place}" t="inlineStr"${style ? ` s="${style}"` : ''}><is><t xml:space="preserve">${escaped(harmless(value).slice(0, LONGEST_TEXT))}</t></is></c>`;
}

/** A text that a spreadsheet could take for a formula becomes one that it cannot (`spec/decisions.md` 4). */
export function harmless(value: string): string {
  return /^[=+\-@\t\r]/.test(value) ? `'${value}` : value;
}

/** What XML 1.0 cannot hold is left out; what Excel would read as an escape of its own is escaped once more. */
function escaped(value: string): string {
  return value
    .toWellFormed()
    .replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, '')
    .replace(/_(?=x[0-9A-Fa-f]{4}_)/g, '_x005F_')
    .replace(/[&<>"\r]/g, (sign) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', '\r': '&#13;' })[sign]!);
}

/** At most 31 characters, without those that Excel forbids. */
function sheetName(name: string, number: number): string {
  return name.replace(/[\\/?*[\]:]/g, ' ').slice(0, 31).trim() || `Sheet${number}`;
}

function letters(column: number): string {
  return column > 26 ? letters(Math.floor((column - 1) / 26)) + letters(((column - 1) % 26) + 1) : String.fromCharCode(64 + column);
}
