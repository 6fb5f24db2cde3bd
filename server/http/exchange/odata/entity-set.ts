import type { Caller } from '../../../access/accounts/index.ts';

/** Records of one kind as a table. Its columns are the properties of OData. */
export interface EntitySet<Entry = never> {
  readonly name: string;
  /** The name of one entry. */
  readonly entity: string;
  readonly description: string;
  readonly key: readonly string[];
  readonly columns: readonly Column<Entry>[];
  /** The column whose bounds in a filter limit which entries are read. */
  readonly bounded?: string;
  /** The entries that the caller sees, in a stable order, behind the mark of one that was read before. */
  scan(caller: Caller, behind: string | undefined, bounds: TimeBounds): Entries<Entry>;
}

export type Entries<Entry> = Iterable<MarkedEntry<Entry>> | AsyncIterable<MarkedEntry<Entry>>;

export interface MarkedEntry<Entry> {
  /** undefined: a record that was checked and has none. */
  readonly entry: Entry | undefined;
  /** Where to continue after it. */
  readonly mark: string;
}

/** Both inclusive, epoch ms. */
export interface TimeBounds {
  readonly from?: number;
  readonly until?: number;
}

/** `time` is epoch ms here, and a text of ISO 8601 outside. */
export type ValueKind = 'text' | 'whole' | 'number' | 'flag' | 'time';
export type EntityValue = string | number | boolean | null;

export interface Column<Entry = never> {
  readonly name: string;
  readonly kind: ValueKind;
  readonly nullable: boolean;
  read(entry: Entry): EntityValue;
}

/** `name` with `?` at its end may be null. */
export function entityColumn<Entry>(name: string, kind: ValueKind, read: (entry: Entry) => EntityValue): Column<Entry> {
  return { name: name.replace('?', ''), kind, nullable: name.endsWith('?'), read };
}

export function presentValue(kind: ValueKind, value: EntityValue): EntityValue {
  return kind === 'time' && typeof value === 'number' ? new Date(value).toISOString() : value;
}
