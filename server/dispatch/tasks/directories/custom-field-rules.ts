import { checkDefinition, slugOf } from '../../../../shared/custom-fields/custom-fields.ts';
import { definedFields } from '../../../../shared/defined-fields.ts';
import type { CustomField, CustomFieldFormat } from '../../../../shared/records/index.ts';
import { Refusal } from '../../../../shared/refusal.ts';
import type { Draft } from '../../../store/types.ts';

/** Attributes of a custom field; a missing one gets its default or stays. */
export interface CustomFieldOrder {
  name?: string | undefined;
  group?: string | undefined;
  possibleValues?: string[] | null | undefined;
  regexp?: string | null | undefined;
  hint?: string | undefined;
  minLength?: number | null | undefined;
  maxLength?: number | null | undefined;
  required?: boolean | undefined;
  defaultValue?: string | null | undefined;
  visible?: boolean | undefined;
  forAllTypes?: boolean | undefined;
  typeIds?: readonly number[] | undefined;
}

/** @param taken the slugs of all fields; deleted fields keep theirs */
export function createCustomField(
  id: number,
  order: CustomFieldOrder & { name: string; format: CustomFieldFormat },
  taken: ReadonlySet<string>,
): Draft<CustomField> {
  const name = order.name.trim();
  return checkDefinition<Draft<CustomField>>({
    id,
    kind: 'customField',
    name,
    isDeleted: false,
    slug: slugOf(name, id, taken),
    format: order.format,
    group: order.group?.trim() ?? '',
    possibleValues: order.possibleValues ? [...order.possibleValues] : null,
    regexp: order.regexp ?? null,
    hint: order.hint?.trim() ?? '',
    minLength: order.minLength ?? null,
    maxLength: order.maxLength ?? null,
    required: order.required ?? false,
    defaultValue: order.defaultValue ?? null,
    visible: order.visible ?? true,
    forAllTypes: order.forAllTypes ?? true,
    typeIds: [...new Set(order.typeIds ?? [])],
    order: 0,
  });
}

/**
 * The format and the slug never change: tasks hold values under them. The stored default is checked against
 * the new rules.
 */
export function changeCustomField(field: CustomField, order: CustomFieldOrder): CustomField {
  requireCurrent(field);
  const next: CustomField = {
    ...field,
    ...definedFields(order),
    typeIds: [...new Set(order.typeIds ?? field.typeIds)],
  };
  return checkDefinition({ ...next, name: next.name.trim(), group: next.group.trim() });
}

export function deleteCustomField(field: CustomField): CustomField {
  requireCurrent(field);
  return { ...field, isDeleted: true };
}

export function restoreCustomField(field: CustomField): CustomField {
  if (!field.isDeleted) throw new Refusal('tasks.customFieldNotDeleted', { name: field.name });
  return { ...field, isDeleted: false };
}

/** Treats a deleted field as missing. */
export function requireCurrent(field: CustomField | undefined): asserts field is CustomField {
  if (!field || field.isDeleted) throw new Refusal('tasks.noSuchCustomField');
}

/** The position of each field by its id, from 1. `ids` names every current field once. */
export function placesOf(
  ids: readonly number[],
  fields: readonly Pick<CustomField, 'id' | 'isDeleted'>[],
): Map<number, number> {
  const current = fields.filter((field) => !field.isDeleted);
  const places = new Map<number, number>();
  for (const id of ids) {
    const field = fields.find((one) => one.id === id);
    if (!field) throw new Refusal('tasks.orderUnknown', { field: 'ids', id });
    if (field.isDeleted) throw new Refusal('tasks.orderDeleted', { field: 'ids', id });
    if (places.has(id)) throw new Refusal('tasks.orderTwice', { field: 'ids', id });
    places.set(id, places.size + 1);
  }
  if (places.size !== current.length)
    throw new Refusal('tasks.orderIncomplete', { field: 'ids', count: places.size, all: current.length });
  return places;
}
