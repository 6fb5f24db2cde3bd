import type { TableCell } from './table.ts';
import type { XmlListener } from '../../../platform/parsing/xml-reader.ts';

interface SheetReaderOptions {
  readonly strings: readonly string[];
  readonly dateStyles: ReadonlySet<number>;
  readonly startsIn1904: boolean;
  row(line: number, cells: TableCell[]): void;
}

/** Days from Excel's day 0 to 1970, and those of the calendar that begins in 1904. */
const DAYS_TO_1970 = 25_569;
const DAYS_TO_1904 = 1_462;
const DAY = 86_400_000;
/** The last day of Excel, 9999-12-31. */
const LAST_DAY = 2_958_465;
/** The number of no column: it lies beyond the last one of any sheet. */
const NO_COLUMN = 16_384;

/** Reads the rows of a sheet. */
export class SheetReader implements XmlListener {
  readonly #options: SheetReaderOptions;
  #line = 0;
  #cells: TableCell[] = [];
  #column = -1;
  #type = '';
  #style = -1;
  #value = '';
  #isValue = false;
  #isPhonetic = false;

  constructor(options: SheetReaderOptions) {
    this.#options = options;
  }

  open(name: string, attributes: Readonly<Record<string, string>>): void {
    switch (name) {
      case 'row':
        this.#line = Number(attributes['r']) || this.#line + 1;
        this.#cells = [];
        this.#column = -1;
        return;
      case 'c':
        this.#column = columnOf(attributes['r']) ?? this.#column + 1;
        this.#type = attributes['t'] ?? 'n';
        this.#style = Number(attributes['s'] ?? -1);
        this.#value = '';
        return;
      case 'rPh':
        this.#isPhonetic = true;
        return;
      case 'v':
      case 't':
        this.#isValue = !this.#isPhonetic;
    }
  }

  text(text: string): void {
    if (this.#isValue) this.#value += text;
  }

  close(name: string): void {
    switch (name) {
      case 'v':
      case 't':
        this.#isValue = false;
        return;
      case 'rPh':
        this.#isPhonetic = false;
        return;
      case 'c':
        if (this.#column < NO_COLUMN) this.#put(this.#read());
        return;
      case 'row':
        this.#options.row(this.#line, this.#cells);
    }
  }

  #put(cell: TableCell): void {
    if (cell === null) return;
    while (this.#cells.length < this.#column) this.#cells.push(null);
    this.#cells[this.#column] = cell;
  }

  #read(): TableCell {
    const value = this.#value;
    if (value === '') return null;
    switch (this.#type) {
      case 's':
        return unescaped(this.#options.strings[Number(value)] ?? '');
      case 'b':
        return value === '1' || value === 'true';
      case 'n': {
        const number = Number(value);
        if (!Number.isFinite(number)) return value;
        return this.#options.dateStyles.has(this.#style) ? this.#dateOf(number) : number;
      }
      default:
        return unescaped(value);
    }
  }

  /** The wall clock, to the second: days in binary fractions are not exact. */
  #dateOf(serial: number): TableCell {
    const days = this.#options.startsIn1904 ? serial + DAYS_TO_1904 : serial;
    if (days < 0 || days > LAST_DAY + 1) return serial;
    const ms = Math.round(((days - DAYS_TO_1970) * DAY) / 1000) * 1000;
    return new Date(ms).toISOString().slice(0, 19);
  }
}

/** `AB12` is column 27. */
function columnOf(reference: string | undefined): number | undefined {
  const found = /^([A-Z]{1,3})\d+$/.exec(reference ?? '')?.[1];
  if (found === undefined) return undefined;
  let column = 0;
  for (const letter of found) column = column * 26 + letter.charCodeAt(0) - 64;
  return column - 1;
}

/** `_x000D_` stands for a character that XML cannot hold. */
function unescaped(text: string): string {
  return text.includes('_x')
    ? text.replace(/_x([0-9A-Fa-f]{4})_/g, (_, code: string) => String.fromCharCode(parseInt(code, 16)))
    : text;
}
