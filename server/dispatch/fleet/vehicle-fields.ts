import {
  byOrder,
  checkDefinition,
  defaultOf,
  readValue,
  slugOf,
  type FieldRules,
  type FieldValue,
} from '../../../shared/custom-fields/custom-fields.ts';
import { definedFields } from '../../../shared/defined-fields.ts';
import type { VehicleField } from '../../../shared/records/index.ts';
import { Refusal } from '../../../shared/refusal.ts';
import type { RefusalParam, RefusalParams } from '../../../shared/refusals/reason.ts';
import { named, type DirectoryRules } from './directory.ts';

/** Attributes of a custom field of vehicles; undefined ones stay. */
export interface VehicleFieldOrder {
  name?: string | undefined;
  format?: VehicleField['format'] | undefined;
  group?: string | undefined;
  possibleValues?: readonly string[] | null | undefined;
  regexp?: string | null | undefined;
  minLength?: number | null | undefined;
  maxLength?: number | null | undefined;
  required?: boolean | undefined;
  /** Of the JSON type of the format, or null. */
  defaultValue?: unknown;
  visible?: boolean | undefined;
  /** null: no fixed place */
  order?: number | null | undefined;
}

/** Attributes that only some formats have (B5), with those formats. */
const FORMATS_WITH = {
  possibleValues: ['list'],
  regexp: ['string'],
  minLength: ['string'],
  maxLength: ['string'],
  defaultValue: ['string', 'int', 'float', 'bool', 'list'],
} as const;

/** @param taken the keys of all fields, including deleted ones, whose values remain */
export function vehicleFieldRules(taken: () => ReadonlySet<string>): DirectoryRules<VehicleField, VehicleFieldOrder> {
  return {
    what: 'custom field',
    owner: () => undefined,
    create: (id, order) => {
      if (order.format === undefined) throw new Refusal('field.missing', { field: 'format' });
      const name = named(order.name);
      const blank = {
        id,
        kind: 'vehicleField' as const,
        name,
        isDeleted: false,
        slug: slugOf(name, id, taken()),
        format: order.format,
        group: '',
        possibleValues: null,
        regexp: null,
        minLength: null,
        maxLength: null,
        required: false,
        defaultValue: null,
        visible: true,
        order: 0,
      };
      return ordered(blank, order, name);
    },
    change: (field, order) => {
      if (order.format !== undefined && order.format !== field.format)
        throw new Refusal('fleet.fieldFormat', { field: 'format', name: field.name });
      return ordered(field, order, named(order.name, field.name));
    },
  };
}

function ordered<F extends Omit<VehicleField, 'hlc' | 'key'>>(field: F, order: VehicleFieldOrder, name: string): F {
  const { group, required, visible, regexp, minLength, maxLength } = order;
  const next: F = {
    ...field,
    ...definedFields({ group, required, visible, regexp, minLength, maxLength }),
    name,
    ...(order.possibleValues !== undefined && { possibleValues: order.possibleValues && [...order.possibleValues] }),
    ...(order.order !== undefined && { order: order.order ?? 0 }),
    ...(order.defaultValue !== undefined && { defaultValue: defaultText(field.format, order.defaultValue) }),
  };
  for (const [attribute, formats] of Object.entries(FORMATS_WITH)) {
    if (next[attribute as keyof typeof FORMATS_WITH] !== null && !(formats as readonly string[]).includes(next.format))
      throw new Refusal('field.belongsTo', { field: attribute, formats: formats.join(', '), format: next.format });
  }
  return inOwnWords(() => checkDefinition(next));
}

/** The stored text of a default, which must have the JSON type of the format. */
function defaultText(format: VehicleField['format'], value: unknown): string | null {
  if (value === null) return null;
  const wanted = format === 'bool' ? 'boolean' : format === 'int' || format === 'float' ? 'number' : 'string';
  if (typeof value !== wanted) throw new Refusal('field.type', { field: 'defaultValue', expected: `a ${wanted}` });
  return typeof value === 'boolean' ? (value ? 't' : 'f') : String(value);
}

/** The rules are those of area A; attributes have their names of area B. */
function inOwnWords<R>(check: () => R): R {
  try {
    return check();
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    const { code, params } = error;
    const named = Object.entries(params).map(([name, value]) => [name, NAMING.has(name) ? ofAreaB(value) : value]);
    throw Refusal.of({ code, params: Object.fromEntries(named) as RefusalParams }, { cause: error });
  }
}

/** The parameters that name attributes. */
const NAMING: ReadonlySet<string> = new Set(['field', 'other']);

function ofAreaB(attribute: RefusalParam): string {
  return String(attribute).replace(/_(.)/g, (_, letter: string) => letter.toUpperCase());
}

/** In display order. */
export function inDisplayOrder(fields: readonly VehicleField[]): VehicleField[] {
  return fields.filter(({ isDeleted }) => !isDeleted).sort(byOrder);
}

/** The default in the JSON type of the format. */
export function defaultValueOf(field: VehicleField): FieldValue {
  return defaultOf(field as FieldRules);
}

/**
 * The values of a vehicle after `sent`, an object of plain values by slug. Missing ones stay; null removes a
 * value. A new vehicle gets the defaults. Values of deleted fields stay.
 */
export function readVehicleValues(
  fields: readonly VehicleField[],
  sent: Readonly<Record<string, unknown>> | undefined,
  before: Readonly<Record<string, unknown>> | undefined,
): Record<string, unknown> {
  const next: Record<string, unknown> = { ...before };
  const current = inDisplayOrder(fields);
  for (const slug of Object.keys(sent ?? {}))
    if (!current.some((field) => field.slug === slug))
      throw new Refusal('fleet.noCustomField', { field: `customFields.${slug}` });
  for (const field of current) {
    const isGiven = sent && Object.hasOwn(sent, field.slug);
    if (!isGiven && before) continue;
    const value = isGiven
      ? readValue(field as FieldRules, sent[field.slug])
      : (defaultValueOf(field) ?? readValue(field as FieldRules, null));
    if (value === null) delete next[field.id];
    else next[field.id] = value;
  }
  return next;
}

/** The values of a vehicle by slug; null: no value. */
export function presentVehicleValues(
  fields: readonly VehicleField[],
  values: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  return Object.fromEntries(inDisplayOrder(fields).map((field) => [field.slug, values[field.id] ?? null]));
}
