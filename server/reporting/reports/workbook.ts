import { Readable, type PassThrough } from 'node:stream';
import { ZipFile } from 'yazl';
import type { ZonedTime } from '../../../shared/zoned-time.ts';
import type { Language } from './words.ts';

/** A value of a cell. null: empty. */
export type CellValue = string | number | boolean | null | undefined;

/**
 * A column of a sheet. `instant` and `day` take epoch milliseconds and `span` seconds; they become real dates
 * and times that can be sorted and reckoned with. `whole` is a number without decimals; an id is `text` or
 * `whole` as it likes.
 */
export interface SheetColumn<Row> {
  readonly header: string;
  readonly kind: 'text' | 'number' | 'whole' | 'flag' | 'instant' | 'day' | 'span';
  value(row: Row): CellValue;
}

export interface Sheet<Row> {
  readonly name: string;
  /** Lines above the table: title, period and zone. */
  readonly heading?: readonly string[];
  readonly columns: readonly SheetColumn<Row>[];
  readonly rows: Iterable<Row> | AsyncIterable<Row>;
}

export interface WorkbookOptions {
  readonly language: Language;
  /** Dates are its wall clock; cells know no zones. */
  readonly zone: ZonedTime;
}

/** Excel's own bounds. */
const MAX_ROWS = 1_048_576;
const LONGEST_TEXT = 32_767;
/** Rows that are written before others get a turn. */
const ROWS_AT_ONCE = 250;

const XML = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006';
const STYLE = {
  text: 0,
  number: 0,
  flag: 7,
  header: 1,
  instant: 2,
  span: 3,
  whole: 4,
  day: 5,
  numberHeader: 6,
} as const;
/** Characters that a column is wide at the most, and those that its kind takes whatever the value is. */
const WIDEST = 60;
const WIDTH: Readonly<Partial<Record<SheetColumn<never>['kind'], number>>> = {
  instant: 19,
  day: 10,
  span: 10,
  flag: 8,
};

/**
 * A workbook (Office Open XML, ECMA-376) as a stream: it is made while it is sent, however many rows it has.
 */
export function workbook(sheets: readonly Sheet<never>[], options: WorkbookOptions): Readable {
  const zip = new ZipFile();
  const add = (name: string, xml: string) => zip.addBuffer(Buffer.from(XML + xml), name);
  const numbered = sheets.map((sheet, index) => ({ sheet, number: index + 1 }));
  add(
    '[Content_Types].xml',
    `<Types xmlns="${PACKAGE}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/xl/workbook.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml"/><Override PartName="/xl/styles.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.styles+xml"/>${numbered.map(({ number }) => `<Override PartName="/xl/worksheets/sheet${number}.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.worksheet+xml"/>`).join('')}</Types>`,
  );
  add(
    '_rels/.rels',
    `<Relationships xmlns="${PACKAGE}/relationships"><Relationship Id="r1" Type="${OFFICE}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
  );
  add(
    'xl/workbook.xml',
    `<workbook xmlns="${MAIN}" xmlns:r="${OFFICE}"><sheets>${numbered.map(({ sheet, number }) => `<sheet name="${escaped(sheetName(sheet.name, number))}" sheetId="${number}" r:id="r${number}"/>`).join('')}</sheets><definedNames>${numbered.map(({ sheet, number }) => `<definedName name="_xlnm.Print_Titles" localSheetId="${number - 1}">'${escaped(sheetName(sheet.name, number).replaceAll("'", "''"))}'!$1:$${topOf(sheet)}</definedName>`).join('')}</definedNames></workbook>`,
  );
  add(
    'xl/_rels/workbook.xml.rels',
    `<Relationships xmlns="${PACKAGE}/relationships">${numbered.map(({ number }) => `<Relationship Id="r${number}" Type="${OFFICE}/worksheet" Target="worksheets/sheet${number}.xml"/>`).join('')}<Relationship Id="r${sheets.length + 1}" Type="${OFFICE}/styles" Target="styles.xml"/></Relationships>`,
  );
  add('xl/styles.xml', styles(options.language));
  const packed = zip.outputStream as PassThrough;
  for (const { sheet, number } of numbered) {
    const xml = Readable.from(sheetXml(sheet as unknown as Sheet<unknown>, options));
    // The zip does not hear of errors in its entries, and an unhandled error ends the process.
    xml.on('error', (error) => packed.destroy(error));
    packed.on('close', () => xml.destroy());
    zip.addReadStream(xml, `xl/worksheets/sheet${number}.xml`);
  }
  zip.end();
  return packed;
}

/** Content type of a workbook. */
export const WORKBOOK_TYPE = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';

function styles(language: Language): string {
  const day = language === 'ru' ? 'dd.mm.yyyy' : 'yyyy-mm-dd';
  // Excel shows flags in its own words; LibreOffice keeps them as formulas, and would show some as 1 and 0.
  const flag = language === 'ru' ? '&quot;да&quot;;;&quot;нет&quot;' : '&quot;yes&quot;;;&quot;no&quot;';
  const cell = (format: number, font: number, right = false) =>
    `<xf numFmtId="${format}" fontId="${font}" fillId="0" borderId="0" xfId="0"${format ? ' applyNumberFormat="1"' : ''}${font ? ' applyFont="1"' : ''}${right ? ' applyAlignment="1"><alignment horizontal="right"/></xf>' : '/>'}`;
  return (
    `<styleSheet xmlns="${MAIN}"><numFmts count="4"><numFmt numFmtId="164" formatCode="${day} hh:mm:ss"/><numFmt numFmtId="165" formatCode="[h]:mm:ss"/><numFmt numFmtId="166" formatCode="${day}"/><numFmt numFmtId="167" formatCode="${flag}"/></numFmts>` +
    `<fonts count="2"><font><sz val="11"/><name val="Calibri"/></font><font><b/><sz val="11"/><name val="Calibri"/></font></fonts><fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills>` +
    `<borders count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders><cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs>` +
    `<cellXfs count="8">${cell(0, 0)}${cell(0, 1)}${cell(164, 0)}${cell(165, 0)}${cell(1, 0)}${cell(166, 0)}${cell(0, 1, true)}${cell(167, 0)}</cellXfs><cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles></styleSheet>`
  );
}

/** The row of the column heads: rows up to it stay visible and repeat on every page. */
const topOf = ({ heading = [] }: Pick<Sheet<never>, 'heading'>) => heading.length + 1;

async function* sheetXml(sheet: Sheet<unknown>, { zone }: WorkbookOptions): AsyncGenerator<string> {
  const portions = batches(sheet.rows);
  try {
    yield* portionsXml(sheet, portions, zone);
  } finally {
    await portions.return(undefined); // once the reader of the workbook is gone, rows need not be read
  }
}

async function* portionsXml(
  { heading = [], columns }: Sheet<unknown>,
  portions: AsyncIterator<unknown[], undefined>,
  zone: ZonedTime,
): AsyncGenerator<string> {
  const first = await portions.next();
  const widths = columns
    .map(
      (column, index) =>
        `<col min="${index + 1}" max="${index + 1}" width="${widthOf(column, first.value ?? [])}" customWidth="1"/>`,
    )
    .join('');
  const top = topOf({ heading });
  yield `${XML}<worksheet xmlns="${MAIN}"><sheetPr><pageSetUpPr fitToPage="1"/></sheetPr><sheetViews><sheetView workbookViewId="0"><pane ySplit="${top}" topLeftCell="A${top + 1}" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews><cols>${widths}</cols><sheetData>`;
  let row = 0;
  // Cells name their place: Excel does without, other readers do not.
  const names = columns.map((_, index) => letters(index + 1));
  for (const line of heading) yield `<row r="${++row}">${text(`A${row}`, line, STYLE.header)}</row>`;
  yield `<row r="${++row}">${columns.map(({ header, kind }, index) => text(`${names[index]}${row}`, header, kind === 'text' || kind === 'flag' ? STYLE.header : STYLE.numberHeader)).join('')}</row>`;
  for (let each = first; !each.done; each = await portions.next()) {
    yield each.value
      .slice(0, MAX_ROWS - row)
      .map(
        (one) =>
          `<row r="${++row}">${columns.map((column, index) => cell(`${names[index]}${row}`, column, one, zone)).join('')}</row>`,
      )
      .join('');
  }
  yield `</sheetData>${columns.length > 0 && row > top ? `<autoFilter ref="A${top}:${letters(columns.length)}${row}"/>` : ''}<pageMargins left="0.4" right="0.4" top="0.5" bottom="0.5" header="0.3" footer="0.3"/><pageSetup paperSize="9" orientation="landscape" fitToWidth="1" fitToHeight="0"/></worksheet>`;
}

/** Width in characters for the head with its filter mark, and for the values of the first rows. */
function widthOf({ header, kind, value }: SheetColumn<unknown>, rows: readonly unknown[]): number {
  const longest = rows.reduce<number>((most, row) => Math.max(most, String(value(row) ?? '').length), 0);
  return Math.min(WIDEST, Math.max(header.length * 1.1 + 4, (WIDTH[kind] ?? longest) + 2));
}

/** Rows in batches, between which the event loop runs. */
async function* batches<Row>(rows: Iterable<Row> | AsyncIterable<Row>): AsyncGenerator<Row[], undefined> {
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

function cell(place: string, { kind, value }: SheetColumn<unknown>, row: unknown, zone: ZonedTime): string {
  const found = value(row);
  if (found === null || found === undefined || found === '') return '';
  if (typeof found === 'string') return text(place, found, STYLE.text);
  if (typeof found === 'boolean') return `<c r="${place}" t="b" s="${STYLE.flag}"><v>${Number(found)}</v></c>`;
  if (!Number.isFinite(found)) return '';
  const shown =
    kind === 'instant' || kind === 'day' ? serial(zone.wall(found)) : kind === 'span' ? found / 86_400 : found;
  return `<c r="${place}" s="${STYLE[kind]}"><v>${shown}</v></c>`;
}

/** Days since 1899-12-30, as Excel counts them. */
function serial(wall: Date): number {
  return wall.getTime() / 86_400_000 + 25_569;
}

function text(place: string, value: string, style: number): string {
  return `<c r="${place}" t="inlineStr"${style ? ` s="${style}"` : ''}><is><t xml:space="preserve">${escaped(escapeFormula(value).slice(0, LONGEST_TEXT))}</t></is></c>`;
}

/** A text that a spreadsheet could take for a formula becomes one that it cannot. */
export function escapeFormula(value: string): string {
  return /^[=+\-@\t\r]/.test(value) ? `'${value}` : value;
}

/**
 * Leaves out characters that XML 1.0 cannot hold, and escapes once more the text that Excel would read as an
 * escape of its own.
 */
function escaped(value: string): string {
  return value
    .toWellFormed()
    .replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, '')
    .replace(/_(?=x[0-9A-Fa-f]{4}_)/g, '_x005F_')
    .replace(/[&<>"\r]/g, (sign) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', '\r': '&#13;' })[sign]!);
}

/** At most 31 characters, without those that Excel forbids. */
function sheetName(name: string, number: number): string {
  return (
    name
      .replace(/[\\/?*[\]:]/g, ' ')
      .slice(0, 31)
      .trim() || `Sheet${number}`
  );
}

function letters(column: number): string {
  return column > 26
    ? letters(Math.floor((column - 1) / 26)) + letters(((column - 1) % 26) + 1)
    : String.fromCharCode(64 + column);
}
