import { same, type FormDraft, type Field } from './fields.ts';

/**
 * The changes that revert `changed` to `before`; undefined where the old value is unknown here, such as a
 * password or an uploaded picture.
 */
export function inverseChanges<D extends FormDraft>(
  changed: Partial<D>,
  before: D,
  fields: readonly Field<D>[],
): Partial<D> | undefined {
  const keys = Object.keys(changed) as (keyof D & string)[];
  if (fields.some((field) => keys.includes(field.key) && isUnknown(field))) return undefined;
  return Object.fromEntries(keys.map((key) => [key, before[key]])) as Partial<D>;
}

const isUnknown = <D extends FormDraft>(field: Field<D>) =>
  field.unknown === true || (field.kind === 'text' && field.type === 'password');

/**
 * No one has changed the saved fields since. `now` may be older than the save, and the station may have
 * normalized what was `typed`, as `after` has it.
 */
export function isUnchangedSince<D extends FormDraft>(changed: Partial<D>, now: D, ...known: readonly D[]): boolean {
  return (Object.keys(changed) as (keyof D)[]).every((key) => known.some((one) => same(now[key], one[key])));
}
