import { isLonger } from '../text/characters.ts';
import { geometryFault } from '../geo/geojson.ts';
import { exampleOf } from './pattern-example.ts';
import { checkPattern, matchesPattern } from './patterns.ts';
import type { CustomField, CustomFieldFormat } from '../records/index.ts';
import { Refusal } from '../refusal.ts';
import { transliterate } from '../text/transliterate.ts';
import { ValueRefusal, type ValueFault } from './value-fault.ts';

/** The attributes that decide which values are valid. */
export type FieldRules = Pick<
  CustomField,
  'name' | 'format' | 'possibleValues' | 'regexp' | 'minLength' | 'maxLength' | 'required' | 'defaultValue'
>;

/** A value as stored and as answered, in the type of its format; null: no value. */
export type FieldValue = number | boolean | string | object | null;

/** Longest value without a `max_length`: a general limit, not a rule of the field. */
const LONGEST = { string: 4_000, text: 100_000 } as const;

/**
 * Checks the attributes of a field (rules 1 to 5 of the interface) and returns it with its default in stored
 * form. Throws an `invalid` Refusal that names the attribute and the rule.
 */
export function checkDefinition<T extends FieldRules>(field: T): T {
  const { format } = field;
  if (field.name.trim() === '') throw new Refusal('field.needed', { field: 'name' });
  if (field.possibleValues !== null && format !== 'list')
    throw new Refusal('field.belongTo', { field: 'possible_values', format });
  if (field.regexp !== null && !['string', 'text', 'int', 'float'].includes(format))
    throw new Refusal('field.belongsToFormats', { field: 'regexp', formats: 'string, text, int and float', format });
  if (field.minLength !== null && !isText(format))
    throw new Refusal('field.belongsToFormats', { field: 'min_length', formats: 'string and text', format });
  if (field.maxLength !== null && !isText(format))
    throw new Refusal('field.belongsToFormats', { field: 'max_length', formats: 'string and text', format });
  if (field.defaultValue !== null && format === 'geometry')
    throw new Refusal('field.noDefault', { field: 'default_value', format });
  if (format === 'list') checkPossibleValues(field.possibleValues);
  if (field.minLength !== null && field.minLength < 0) throw new Refusal('field.negative', { field: 'min_length' });
  if (field.maxLength !== null && field.maxLength < 0) throw new Refusal('field.negative', { field: 'max_length' });
  if (field.minLength !== null && field.maxLength !== null && field.minLength > field.maxLength)
    throw new Refusal('field.moreThan', {
      field: 'min_length',
      least: field.minLength,
      other: 'max_length',
      most: field.maxLength,
    });
  if (field.regexp !== null) checkPattern(field.regexp);
  if (field.defaultValue === null) return field;
  return {
    ...field,
    defaultValue: storedDefault(format, readValue({ ...field, name: 'default_value' }, field.defaultValue)),
  };
}

/**
 * Checks a value from a client and converts it to the stored form. Numbers may be text, flags `t`, `f`, 1, 0,
 * true or false, dates `dd.mm.yyyy`. Null and empty text mean no value. Throws a ValueRefusal (`invalid`)
 * that names the field and the rule.
 */
export function readValue(field: FieldRules, value: unknown): FieldValue {
  if (value === null || value === undefined || value === '') {
    if (field.required) throw new ValueRefusal(field.name, { rule: 'needed' });
    return null;
  }
  switch (field.format) {
    case 'int':
      return patterned(field, wholeNumber(field, value));
    case 'float':
      return patterned(field, decimalNumber(field, value));
    case 'bool':
      return flag(field, value);
    case 'date':
      return date(field, value);
    case 'list':
      if (typeof value !== 'string' || !field.possibleValues?.includes(value))
        throw new ValueRefusal(field.name, { rule: 'oneOf', values: (field.possibleValues ?? []).join(', ') });
      return value;
    case 'string':
    case 'text':
      return text(field, value);
    case 'geometry': {
      const given = typeof value === 'string' ? parsed(value) : value;
      const fault = geometryFault(given);
      if (fault) throw new ValueRefusal(field.name, { rule: 'geometry', fault });
      return given as object;
    }
  }
}

/** The rule that a value breaks; undefined: it is valid. */
export function faultOfValue(field: FieldRules, value: unknown): ValueFault | undefined {
  try {
    readValue(field, value);
    return undefined;
  } catch (error) {
    if (error instanceof ValueRefusal) return error.fault;
    throw error;
  }
}

/** The default of a field as a typed value, or null. */
export function defaultOf(field: FieldRules): FieldValue {
  return field.defaultValue === null ? null : readValue({ ...field, required: false }, field.defaultValue);
}

/** Whether tasks of this type have the field. */
export function isAvailable(field: Pick<CustomField, 'forAllTypes' | 'typeIds'>, typeId: number): boolean {
  return field.forAllTypes || field.typeIds.includes(typeId);
}

/** Sorts fields for lists: positive orders first, by order; then the others, by id. */
export function byOrder(a: Pick<CustomField, 'order' | 'id'>, b: Pick<CustomField, 'order' | 'id'>): number {
  const rank = (field: typeof a) => (field.order > 0 ? field.order : Infinity);
  return rank(a) === rank(b) ? a.id - b.id : rank(a) - rank(b);
}

/**
 * The key of a field in a task: its name in Latin letters as in passports, lower case, words joined by `_`. A
 * taken key (deleted fields keep theirs) gets `_2`, `_3` … A name without Latin or Cyrillic letters gives
 * `field-` and the id.
 */
export function slugOf(name: string, id: number, taken: ReadonlySet<string>): string {
  const cyrillic = name
    .normalize('NFC')
    .toLowerCase()
    .replace(/[әғқңөұүһҗҳҷҙҡҫ]/g, (letter) => FURTHER_CYRILLIC[letter]!);
  const plain = transliterate(cyrillic).normalize('NFD').replace(/\p{M}/gu, '');
  const latin = plain
    .replace(/[^\p{Script=Latin}0-9]+/gu, '_')
    .replace(/^_+|_+$/g, '')
    .slice(0, 80);
  const words = /\p{Script=Latin}/u.test(latin) ? latin : `field-${id}`;
  if (!taken.has(words)) return words;
  for (let n = 2; ; n++) if (!taken.has(`${words}_${n}`)) return `${words}_${n}`;
}

/** Letters of Kazakh, Tatar, Bashkir and Tajik, for which the passport standard has no rule. */
const FURTHER_CYRILLIC: Readonly<Record<string, string>> = {
  ә: 'a',
  ғ: 'g',
  қ: 'q',
  ң: 'n',
  ө: 'o',
  ұ: 'u',
  ү: 'u',
  һ: 'h',
  җ: 'j',
  ҳ: 'h',
  ҷ: 'j',
  ҙ: 'z',
  ҡ: 'q',
  ҫ: 's',
};

function isText(format: CustomFieldFormat): format is 'string' | 'text' {
  return format === 'string' || format === 'text';
}

function checkPossibleValues(values: readonly string[] | null): void {
  if (!values || values.length === 0) throw new Refusal('field.needs', { field: 'possible_values', format: 'list' });
  if (values.some((value) => value.trim() === '')) throw new Refusal('field.emptyTexts', { field: 'possible_values' });
  const twice = values.find((value, i) => values.indexOf(value) !== i);
  if (twice !== undefined) throw new Refusal('field.twice', { field: 'possible_values', value: twice });
}

function wholeNumber(field: FieldRules, value: unknown): number {
  const number = typeof value === 'string' && /^\s*[+-]?\d{1,16}\s*$/.test(value) ? Number(value) : value;
  if (typeof number !== 'number' || !Number.isSafeInteger(number))
    throw new ValueRefusal(field.name, { rule: 'whole' });
  return number;
}

function decimalNumber(field: FieldRules, value: unknown): number {
  const number =
    typeof value === 'string' && /^\s*[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d{1,3})?\s*$/i.test(value)
      ? Number(value)
      : value;
  if (typeof number !== 'number' || !Number.isFinite(number)) throw new ValueRefusal(field.name, { rule: 'number' });
  return number;
}

function againstPattern(pattern: string): ValueFault {
  const example = exampleOf(pattern);
  return example === undefined ? { rule: 'pattern' } : { rule: 'example', example };
}

/** A pattern of a number applies to its decimal form. */
function patterned(field: FieldRules, number: number): number {
  if (field.regexp !== null && !matchesPattern(field.regexp, String(number)))
    throw new ValueRefusal(field.name, againstPattern(field.regexp));
  return number;
}

function flag(field: FieldRules, value: unknown): boolean {
  if (value === true || value === 1 || value === 't' || value === 'true' || value === '1') return true;
  if (value === false || value === 0 || value === 'f' || value === 'false' || value === '0') return false;
  throw new ValueRefusal(field.name, { rule: 'flag' });
}

function date(field: FieldRules, value: unknown): string {
  const found =
    typeof value === 'string'
      ? (/^(?<year>\d{4})-(?<month>\d{2})-(?<day>\d{2})$/.exec(value) ??
        /^(?<day>\d{2})\.(?<month>\d{2})\.(?<year>\d{4})$/.exec(value))
      : null;
  const { year, month, day } = found?.groups ?? {};
  const iso = `${year}-${month}-${day}`;
  const time = Date.parse(`${iso}T00:00:00Z`);
  // Some parsers carry an invalid day over, so the result must equal the input.
  if (!found || Number.isNaN(time) || new Date(time).toISOString().slice(0, 10) !== iso)
    throw new ValueRefusal(field.name, { rule: 'date' });
  return iso;
}

function text(field: FieldRules, value: unknown): string {
  if (typeof value !== 'string') throw new ValueRefusal(field.name, { rule: 'text' });
  if (field.format === 'string' && /[\r\n]/.test(value)) throw new ValueRefusal(field.name, { rule: 'oneLine' });
  if (field.minLength !== null && field.minLength > 0 && !isLonger(value, field.minLength - 1))
    throw new ValueRefusal(field.name, { rule: 'atLeast', count: field.minLength });
  const most = field.maxLength ?? LONGEST[field.format as 'string' | 'text'];
  if (isLonger(value, most)) throw new ValueRefusal(field.name, { rule: 'atMost', count: most });
  if (field.regexp !== null && !matchesPattern(field.regexp, value))
    throw new ValueRefusal(field.name, againstPattern(field.regexp));
  return value;
}

function storedDefault(format: CustomFieldFormat, value: FieldValue): string | null {
  if (value === null) return null;
  return format === 'bool' ? (value ? 't' : 'f') : String(value);
}

function parsed(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}
