import { setImmediate } from 'node:timers/promises';
import { Refusal } from '../../../../shared/refusal.ts';
import type { Caller } from '../../../access/accounts/index.ts';
import { presentValue, type EntitySet, type MarkedEntry, type EntityValue } from './entity-set.ts';
import { timeBoundsOf, filterOutcome } from './parse-filter.ts';
import type { SetQuery } from './query-options.ts';

/** Entries of one answer. */
export const PAGE = 1_000;
/** Entries that one answer looks at: a filter that few pass gives short pages, or empty ones. */
const MOST_LOOKED_AT = 20_000;
/** Entries that are gone through to count, and that are held to sort them. */
const MOST_COUNTED = 100_000;
export const MOST_SORTED = 20_000;
/** ms on the event loop without a pause. */
const TURN = 8;

type Row = Record<string, EntityValue>;

export interface SetPage {
  readonly rows: Row[];
  /** Options of the next page instead of those of this one; undefined: there is no next page. */
  readonly next:
    { readonly $top: number | undefined; readonly $skip: number; readonly $skiptoken?: string } | undefined;
}

export async function readPage<Entry>(set: EntitySet<Entry>, caller: Caller, query: SetQuery<Entry>): Promise<SetPage> {
  if (query.top === 0) return { rows: [], next: undefined };
  return query.orderBy.length > 0 ? sortedPage(set, caller, query) : pageInOrder(set, caller, query);
}

/** Number of entries that pass the filter, over all pages. */
export async function countEntries<Entry>(
  set: EntitySet<Entry>,
  caller: Caller,
  { filter }: Pick<SetQuery<Entry>, 'filter'>,
): Promise<number> {
  let count = 0;
  let looked = 0;
  for await (const { entry } of inTurns(set.scan(caller, undefined, timeBoundsOf(filter, set.bounded)))) {
    if (++looked > MOST_COUNTED) throw new Refusal('odata.most', { most: MOST_COUNTED });
    if (entry !== undefined && isWanted(filter, entry)) count++;
  }
  return count;
}

async function pageInOrder<Entry>(set: EntitySet<Entry>, caller: Caller, query: SetQuery<Entry>): Promise<SetPage> {
  const { filter, behind, top = Infinity } = query;
  const rows: Row[] = [];
  let { skip } = query;
  let looked = 0;
  let last = behind;
  for await (const { entry, mark } of inTurns(set.scan(caller, behind, timeBoundsOf(filter, set.bounded)))) {
    if (rows.length === PAGE || looked === MOST_LOOKED_AT) {
      const left = query.top === undefined ? undefined : query.top - rows.length;
      return { rows, next: { $top: left, $skip: skip, ...(last !== undefined && { $skiptoken: last }) } };
    }
    looked++;
    last = mark;
    if (entry === undefined || !isWanted(filter, entry)) continue;
    if (skip > 0) skip--;
    else rows.push(rowOf(entry, query));
    if (rows.length === top) break;
  }
  return { rows, next: undefined };
}

async function sortedPage<Entry>(set: EntitySet<Entry>, caller: Caller, query: SetQuery<Entry>): Promise<SetPage> {
  const { filter, orderBy, skip, top = Infinity } = query;
  const found: { readonly row: Row; readonly by: readonly EntityValue[] }[] = [];
  let looked = 0;
  for await (const { entry } of inTurns(set.scan(caller, undefined, timeBoundsOf(filter, set.bounded)))) {
    if (++looked > MOST_COUNTED) throw new Refusal('odata.most', { most: MOST_COUNTED });
    if (entry === undefined || !isWanted(filter, entry)) continue;
    if (found.length === MOST_SORTED) throw new Refusal('odata.most', { most: MOST_SORTED });
    found.push({ row: rowOf(entry, query), by: orderBy.map(({ column }) => column.read(entry)) });
  }
  found.sort((a, b) => {
    for (const [index, { sign }] of orderBy.entries()) {
      const difference = orderOf(a.by[index]!, b.by[index]!);
      if (difference !== 0) return sign * difference;
    }
    return 0;
  });
  const rows = found.slice(skip, skip + Math.min(top, PAGE)).map(({ row }) => row);
  const isLast = skip + rows.length >= found.length || rows.length === top;
  const left = query.top === undefined ? undefined : query.top - rows.length;
  return { rows, next: isLast ? undefined : { $top: left, $skip: skip + rows.length } };
}

function isWanted<Entry>(filter: SetQuery<Entry>['filter'], entry: Entry): boolean {
  return filter === undefined || filterOutcome(filter, entry) === true;
}

/** A missing value comes first. */
function orderOf(a: EntityValue, b: EntityValue): number {
  if (a === b) return 0;
  if (a === null || b === null) return a === null ? -1 : 1;
  return a < b ? -1 : 1;
}

function rowOf<Entry>(entry: Entry, { columns }: SetQuery<Entry>): Row {
  return Object.fromEntries(columns.map(({ name, kind, read }) => [name, presentValue(kind, read(entry))]));
}

/** Lets others have the event loop in between. */
async function* inTurns<Entry>(
  entries: Iterable<MarkedEntry<Entry>> | AsyncIterable<MarkedEntry<Entry>>,
): AsyncGenerator<MarkedEntry<Entry>> {
  let began = performance.now();
  for await (const entry of entries) {
    yield entry;
    if (performance.now() - began < TURN) continue;
    await setImmediate();
    began = performance.now();
  }
}
