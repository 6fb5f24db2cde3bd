import type { FieldType, ImportField } from '../fields.ts';

/** Begins the names of custom fields. */
export const CUSTOM = 'custom.';

const LONGEST = 20_000;
const LARGEST = 1e15;
/** Formats whose values a cell can hold. */
const TYPES: Readonly<Record<string, FieldType>> = {
  string: { kind: 'text', most: LONGEST },
  list: { kind: 'text', most: LONGEST },
  int: { kind: 'whole', least: -LARGEST, most: LARGEST },
  float: { kind: 'number', least: -LARGEST, most: LARGEST },
  bool: { kind: 'flag' },
};

/** A column for a custom field whose values fit into a cell. */
export function customColumn(
  { slug, name }: { readonly slug: string; readonly name: string },
  format: string,
): ImportField[] {
  const type = TYPES[format];
  return type ? [{ name: CUSTOM + slug, inRefusals: `customFields.${slug}`, type, heads: [name, name, slug] }] : [];
}
