import { isLonger } from '../../../shared/text/characters.ts';
import { Refusal } from '../../../shared/refusal.ts';
import type { ZonedTime } from '../../../shared/zoned-time.ts';
import type { FieldType } from './fields.ts';
import type { TableCell } from './reading/table.ts';

export interface CellContext {
  /** The zone of times without one. */
  readonly zone: ZonedTime;
  /** The ids of records with this name. */
  idsOf(of: string, name: string): readonly number[];
}

const YES = new Set(['1', 'true', 't', 'yes', 'y', 'да', 'истина', 'x', '+', '✓']);
const NO = new Set(['0', 'false', 'f', 'no', 'n', 'нет', 'ложь', '-', '−']);
const LONGEST_QUOTED = 60;
/** Excel writes these instead of a value that it could not compute. */
const ERROR_CELL = /^#(N\/A|REF!|VALUE!|DIV\/0!|NAME\?|NUM!|NULL!)$/;
const ISO_TIME = /^(\d{4})-(\d{2})-(\d{2})(?:[T ](\d{1,2}):(\d{2})(?::(\d{2})(?:\.\d+)?)?)?(Z|[+-]\d{2}:?\d{2})?$/;
const RUSSIAN_TIME = /^(\d{1,2})\.(\d{1,2})\.(\d{4})(?:[ ,]+(\d{1,2}):(\d{2})(?::(\d{2}))?)?$/;

/** The value of a filled cell; refuses what the field cannot be. */
export function readCell(cell: Exclude<TableCell, null>, type: FieldType, context: CellContext): unknown {
  if (type.kind === 'geometry') {
    const shape: unknown = typeof cell === 'string' ? parsed(cell) : cell;
    if (typeof shape !== 'object' || shape === null) throw new Refusal('imports.notAShape');
    return shape;
  }
  const text = typeof cell === 'object' ? JSON.stringify(cell) : String(cell).trim();
  if (ERROR_CELL.test(text)) throw new Refusal('imports.errorCell', { value: text });
  switch (type.kind) {
    case 'text':
      return readText(text, type.most);
    case 'number':
    case 'whole':
      return readNumber(text, type);
    case 'flag':
      return readFlag(text);
    case 'instant':
      return readInstant(text, context.zone);
    case 'one':
      return readName(cellText(text), type.of, context);
    case 'many':
      return cellText(text)
        .split(/[,;\n]/)
        .map((name) => name.trim())
        .filter((name) => name !== '')
        .map((name) => readName(name, type.of, context));
  }
}

/** GeoJSON in a cell; undefined: something else. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Our workbooks put an apostrophe before text that a spreadsheet could take for a formula. */
export function cellText(text: string): string {
  return /^'[=+\-@\t\r]/.test(text) ? text.slice(1) : text;
}

function readText(text: string, most: number): string {
  const plain = cellText(text);
  if (isLonger(plain, most)) throw new Refusal('field.longerThan', { field: quoted(plain), most });
  return plain;
}

function readNumber(text: string, type: FieldType & { readonly kind: 'number' | 'whole' }): number {
  const plain = cellText(text)
    .replace(/[\s\u00a0\u202f]/g, '')
    .replace(/^([+-]?\d+),(\d+)$/, '$1.$2');
  if (!/^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(plain))
    throw new Refusal('imports.notANumber', { value: quoted(text) });
  const number = Number(plain);
  if (type.kind === 'whole' && !Number.isInteger(number))
    throw new Refusal('imports.notWhole', { value: quoted(text) });
  if (number < type.least || number > type.most)
    throw new Refusal('imports.outOfRange', { value: quoted(text), least: type.least, most: type.most });
  return number;
}

function readFlag(text: string): boolean {
  const small = text.toLowerCase();
  if (YES.has(small)) return true;
  if (NO.has(small)) return false;
  throw new Refusal('imports.notAFlag', { value: quoted(text) });
}

function readInstant(text: string, zone: ZonedTime): number {
  const iso = ISO_TIME.exec(text);
  const russian = iso ? null : RUSSIAN_TIME.exec(text);
  const [year, month, day, hour = '0', minute = '0', second = '0'] = iso
    ? iso.slice(1, 7)
    : russian
      ? [russian[3], russian[2], russian[1], ...russian.slice(4, 7)]
      : [];
  const parts = [year, month, day, hour, minute, second].map(Number);
  const wall = Date.UTC(parts[0]!, parts[1]! - 1, parts[2], parts[3], parts[4], parts[5]);
  const isReal =
    Number.isFinite(wall) &&
    new Date(wall).toISOString().slice(0, 10) === `${year}-${pad(month)}-${pad(day)}` &&
    parts[3]! < 24 &&
    parts[4]! < 60 &&
    parts[5]! < 60;
  if (!isReal || wall < 0) throw new Refusal('imports.notATime', { value: quoted(text) });
  const offset = iso?.[7];
  if (offset === undefined) return zone.instantOf(wall);
  if (offset === 'Z') return wall;
  const minutes = Number(offset.slice(1, 3)) * 60 + Number(offset.slice(-2));
  return wall - (offset.startsWith('-') ? -minutes : minutes) * 60_000;
}

/** Records that share the name in a cell. */
class SameNames {
  readonly name: string;
  readonly ids: readonly number[];
  constructor(name: string, ids: readonly number[]) {
    this.name = name;
    this.ids = ids;
  }
}

function readName(name: string, of: string, { idsOf }: CellContext): number | SameNames {
  const ids = idsOf(of, name);
  if (ids.length === 0) throw new Refusal('imports.noName', { name: quoted(name) });
  return ids.length === 1 ? ids[0]! : new SameNames(quoted(name), ids);
}

/** The value of a cell. A name that several records share means the one that the stored record has. */
export function settleNames(value: unknown, stored: unknown): unknown {
  if (Array.isArray(value)) return value.map((each) => settleNames(each, stored));
  if (!(value instanceof SameNames)) return value;
  const before = Array.isArray(stored) ? (stored as unknown[]) : [stored];
  const found = value.ids.find((id) => before.includes(id));
  if (found === undefined) throw new Refusal('imports.severalNames', { name: value.name });
  return found;
}

function pad(part: string | undefined): string {
  return (part ?? '').padStart(2, '0');
}

function quoted(text: string): string {
  return text.length > LONGEST_QUOTED ? `${text.slice(0, LONGEST_QUOTED)}…` : text;
}
