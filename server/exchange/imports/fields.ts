import type { Reason } from '../../../shared/refusals/reason.ts';

/** The records that files bring. */
export const IMPORT_KINDS = [
  'vehicles',
  'drivers',
  'tasks',
  'geozones',
  'routes',
  'closures',
  'organizations',
  'users',
] as const;
export type ImportKind = (typeof IMPORT_KINDS)[number];

export type FieldType =
  | { readonly kind: 'text'; readonly most: number }
  | { readonly kind: 'number' | 'whole'; readonly least: number; readonly most: number }
  | { readonly kind: 'flag' | 'instant' | 'geometry' }
  /** The name of another record, or names with commas between them. */
  | { readonly kind: 'one' | 'many'; readonly of: string };

/** A field that a column may hold. */
export interface ImportField {
  /** Its name in this interface and in the values of a row. */
  readonly name: string;
  readonly type: FieldType;
  /** Heads by which a column is known. The first two name the field in English and in Russian. */
  readonly heads: readonly [en: string, ru: string, ...others: string[]];
  /** Its name in refusals of the record's own rules, if different. */
  readonly inRefusals?: string;
}

/** Values of a row by the names of fields. Missing: the cell was empty. */
export type RowValues = Readonly<Record<string, unknown>>;

/** Fates of a row. */
export type Fate =
  | { readonly kind: 'new'; readonly values: RowValues }
  | { readonly kind: 'changed'; readonly id: number; readonly before: RowValues; readonly after: RowValues }
  | { readonly kind: 'same'; readonly id: number }
  | { readonly kind: 'refused'; readonly faults: readonly CellFault[] };
export type FateKind = Fate['kind'];

/** Why a row is refused. `column` is the place of the cell; undefined: the row as a whole. */
export interface CellFault {
  readonly column: number | undefined;
  readonly reason: Reason;
}
