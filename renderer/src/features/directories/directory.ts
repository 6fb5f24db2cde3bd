import type { Column } from './columns.ts';
import type { Draft, Field } from './fields.ts';

/** A row of a directory: a record, or what stands for one. */
export interface Row {
  readonly id: number | string;
}

/**
 * What a directory is declared by. What can be done follows from what is given: without `create` nothing new
 * is offered, without `change` the form is for reading, without `remove` nothing is deleted; with `restore` a
 * deletion is not asked about but can be taken back.
 */
export interface DirectoryDefinition<R extends Row, D extends Draft> {
  /** Its own among all directories: unsaved changes are kept under it. */
  name: string;
  title: string;
  about?: string;
  /** Undefined: not here yet. */
  rows: readonly R[] | undefined;
  /** How many there are, where rows are not all of them records. */
  counted?: number;
  /** Deleted ones that can be restored. */
  deleted?: readonly R[];
  columns: readonly Column<R>[];
  fields: readonly Field<D>[];
  nameOf: (row: R) => string;
  draftOf: (row: R) => D;
  /** What a new record begins with. */
  blank?: () => D;
  /** Gives the id of what was made. */
  create?: (draft: D) => Promise<R['id']>;
  /** `changes` is what differs from the record. */
  change?: (row: R, changes: Partial<D>, draft: D) => Promise<unknown>;
  /**
   * Makes a row of its own of changes that are to hold later, and gives its id; undefined where they hold
   * from now on. `remove` of that row takes them back.
   */
  plan?: (row: R, changes: Partial<D>) => Promise<R['id']> | undefined;
  remove?: (row: R) => Promise<unknown>;
  removable?: (row: R) => boolean;
  restore?: (row: R) => Promise<unknown>;
  /** Takes all ids in their new order. Rows can be carried then. */
  reorder?: (ids: readonly R['id'][]) => Promise<unknown>;
  /** The form holds more than fields, such as a map, and needs the room. */
  wide?: boolean;
  /** What is wrong with the list as a whole, such as a cut line. */
  problem?: string;
}
