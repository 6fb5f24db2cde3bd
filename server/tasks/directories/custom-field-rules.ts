import { checkDefinition, slugOf } from '../../../shared/custom-fields/custom-fields.ts';
import { definedFields } from '../../../shared/defined-fields.ts';
import type { CustomField, CustomFieldFormat } from '../../../shared/records/index.ts';
import { Refusal } from '../../../shared/refusal.ts';
import type { Draft } from '../../store/types.ts';

/** Attributes of a custom field; a missing one gets its default or stays. */
export interface CustomFieldOrder {
  name?: string | undefined;
  group?: string | undefined;
  possibleValues?: string[] | null | undefined;
  regexp?: string | null | undefined;
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
  if (!field.isDeleted) throw new Refusal('invalid', `The custom field ${field.name} is not deleted.`);
  return { ...field, isDeleted: false };
}

/** Treats a deleted field as missing. */
export function requireCurrent(field: CustomField | undefined): asserts field is CustomField {
  if (!field || field.isDeleted) throw new Refusal('not-found', 'There is no such custom field.');
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
    if (!field) throw new Refusal('invalid', `ids: there is no custom field ${id}.`);
    if (field.isDeleted) throw new Refusal('invalid', `ids: the custom field ${id} is deleted.`);
    if (places.has(id)) throw new Refusal('invalid', `ids: ${id} is named twice.`);
    places.set(id, places.size + 1);
  }
  if (places.size !== current.length)
    throw new Refusal('invalid', `ids: ${places.size} of ${current.length} custom fields are named.`);
  return places;
}
