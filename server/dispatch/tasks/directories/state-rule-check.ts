import { readValue } from '../../../../shared/custom-fields/custom-fields.ts';
import type { CustomField, StateRule } from '../../../../shared/records/index.ts';
import { Refusal } from '../../../../shared/refusal.ts';
import {
  COMPARED_USER_FIELDS,
  customFieldId,
  customFieldName,
  isAboutPoint,
  isComparable,
  TASK_FIELDS,
  taskField,
  ruleValue,
  unixSeconds,
  userField,
  valuesOf,
  type ComparedKind,
} from '../../../../shared/tasks/state-rules.ts';

type RuleComparison = Pick<StateRule, 'field' | 'sign' | 'value' | 'userField'>;

const CUSTOM = 'custom_fields.';

/**
 * The comparison of a state rule as stored. Refuses unknown fields, and values that the field can never have.
 */
export function checkedRule(rule: RuleComparison, customFields: readonly CustomField[]): RuleComparison {
  const custom = customFieldOf(rule.field, customFields);
  const kind = custom ? KIND_OF_FORMAT[custom.format] : kindOf(rule.field);
  if (kind === undefined) throw new Refusal('state.geometry', { field: 'field' });
  const named = { field: custom ? customFieldName(custom.id) : rule.field, sign: rule.sign, userField: rule.userField };
  if (rule.userField !== '') {
    checkUserField({ ...rule, field: custom ? `${CUSTOM}${custom.slug}` : rule.field }, kind);
    return { ...named, value: rule.value };
  }
  if (kind === 'point') {
    if (rule.sign !== '=' && rule.sign !== '!=') throw new Refusal('state.pointSign', { field: 'sign' });
    if (!isAboutPoint(rule)) throw new Refusal('state.pointValue', { field: 'value' });
    return { ...named, value: null };
  }
  const value = checkValue(rule);
  const read = (one: unknown) => (custom ? customValue(custom, one) : plainValue(kind, one));
  if (rule.sign !== 'in') return { ...named, value: read(value) };
  const values = valuesOf(value).map(read);
  return { ...named, value: custom ? values : value };
}

/** The kind of value of a custom field's format; undefined: not comparable. */
const KIND_OF_FORMAT: Readonly<Record<CustomField['format'], ComparedKind | undefined>> = {
  int: 'number',
  float: 'number',
  bool: 'flag',
  string: 'text',
  text: 'text',
  list: 'text',
  date: 'date',
  geometry: undefined,
};

function kindOf(name: string): ComparedKind {
  const field = taskField(name);
  if (field === undefined) throw new Refusal('state.noTaskField', { field: 'field', name: name.slice(0, 100) });
  return TASK_FIELDS[field];
}

/**
 * The custom field that a rule names by its slug, or by its id as stored. A rule may keep a field that was
 * deleted since.
 */
function customFieldOf(name: string, customFields: readonly CustomField[]): CustomField | undefined {
  const id = customFieldId(name);
  if (id === undefined && !name.startsWith(CUSTOM)) return undefined;
  const slug = name.slice(CUSTOM.length);
  const field = customFields.find((one) => (id === undefined ? one.slug === slug && !one.isDeleted : one.id === id));
  if (!field) throw new Refusal('state.noCustomField', { field: 'field', name: slug.slice(0, 100) });
  return field;
}

function checkUserField({ field, sign, userField: name }: RuleComparison, kind: ComparedKind): void {
  const ofUser = userField(name);
  if (ofUser === undefined)
    throw new Refusal('state.noUserField', { field: 'field_from_session', name: name.slice(0, 100) });
  if (sign === 'in') throw new Refusal('state.inWithUser', { field: 'sign' });
  if (!isComparable(kind, ofUser))
    throw new Refusal('state.notComparable', {
      field: 'field_from_session',
      compared: field,
      other: name,
      format: COMPARED_USER_FIELDS[ofUser],
    });
}

function checkValue({ sign, value }: RuleComparison): unknown {
  const values = sign === 'in' ? valuesOf(value) : [value];
  if (values.length === 0 || values.some(isBlank)) throw new Refusal('state.blank', { field: 'value' });
  if (sign !== 'in' && Array.isArray(value)) throw new Refusal('state.severalValues', { field: 'value' });
  return value;
}

function isBlank(value: unknown): boolean {
  return (
    value === null ||
    value === undefined ||
    (typeof value === 'string' && value.trim() === '') ||
    (Array.isArray(value) && value.length === 0)
  );
}

function plainValue(kind: Exclude<ComparedKind, 'point'>, value: unknown): unknown {
  if (ruleValue(kind, value) !== undefined) return value;
  switch (kind) {
    case 'number':
    case 'reference':
      throw new Refusal('field.type', { field: 'value', expected: 'a number' });
    case 'flag':
      throw new Refusal('field.type', { field: 'value', expected: 'true or false' });
    case 'date':
      throw new Refusal('state.dateTime', { field: 'value' });
    case 'text':
      throw new Refusal('field.type', { field: 'value', expected: 'a text' });
  }
}

/**
 * A value as tasks store it. Dates of custom fields are days; of a date and time the day counts, as written
 * or in the zone of this machine.
 */
function customValue(field: CustomField, value: unknown): unknown {
  const day = field.format === 'date' ? (dayOf(value) ?? value) : value;
  const asText =
    (field.format === 'string' || field.format === 'text' || field.format === 'list') && typeof day === 'number'
      ? String(day)
      : day;
  return readValue({ ...field, name: 'value', required: true, regexp: null, minLength: null, maxLength: null }, asText);
}

function dayOf(value: unknown): string | undefined {
  const seconds = unixSeconds(value);
  if (seconds === undefined) return undefined;
  if (typeof value === 'string' && /^\s*\d{4}-/.test(value)) return value.trim().slice(0, 10);
  const here = new Date(seconds * 1000);
  return [
    String(here.getFullYear()).padStart(4, '0'),
    String(here.getMonth() + 1).padStart(2, '0'),
    String(here.getDate()).padStart(2, '0'),
  ].join('-');
}
