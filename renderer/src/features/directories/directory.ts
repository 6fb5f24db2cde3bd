import type { TableColumn } from './columns.ts';
import type { FormDraft, Field } from './fields.ts';

/** A row of a directory: a record, or a planned version of one. */
export interface DirectoryRow {
  readonly id: number | string;
}

/**
 * Declares a directory. Missing functions disable actions: without `create` there are no new records, without
 * `change` the form is read-only, without `remove` there is no deletion. With `restore`, deleting does not
 * ask but can be undone.
 */
export interface DirectoryDefinition<R extends DirectoryRow, D extends FormDraft> {
  /** Its own among all directories: unsaved changes are kept under it. */
  name: string;
  title: string;
  about?: string;
  /** Undefined: not here yet. */
  rows: readonly R[] | undefined;
  /** Number of records, if some rows are not records. */
  counted?: number;
  /** Deleted ones that can be restored. */
  deleted?: readonly R[];
  columns: readonly TableColumn<R>[];
  fields: readonly Field<D>[];
  nameOf: (row: R) => string;
  draftOf: (row: R) => D;
  /** Initial values of a new record. */
  blank?: () => D;
  /** Returns the id of the new record. */
  create?: (draft: D) => Promise<R['id']>;
  /** `changes` is what differs from the record. */
  change?: (row: R, changes: Partial<D>, draft: D) => Promise<unknown>;
  /**
   * Makes a separate row of changes that apply later, and returns its id; undefined where they apply at once.
   * `remove` of that row cancels them.
   */
  plan?: (row: R, changes: Partial<D>) => Promise<R['id']> | undefined;
  remove?: (row: R) => Promise<unknown>;
  removable?: (row: R) => boolean;
  restore?: (row: R) => Promise<unknown>;
  /** Takes all ids in their new order. Rows can be carried then. */
  reorder?: (ids: readonly R['id'][]) => Promise<unknown>;
  /** The form holds more than fields, such as a map, and needs the room. */
  wide?: boolean;
  /** An error of the list as a whole, for example a lost connection. */
  problem?: string;
}
