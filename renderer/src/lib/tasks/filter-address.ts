import { ASSIGNMENTS, EVERYTHING, type TaskFilter } from './task-filter.ts';
import { isStanding, STANDING_FILTERS } from './views.ts';

/** Values of a query of an address, as the router reads them. */
export type StatedQuery = Readonly<Record<string, unknown>>;

/** Longest text of a filter that an address takes. */
const MOST_TEXT = 200;
const CHOICES: Readonly<Partial<Record<keyof TaskFilter, readonly string[]>>> = {
  assigned: ASSIGNMENTS,
  place: ['any', 'with', 'without'],
};
const PARTS = Object.keys(EVERYTHING) as (keyof TaskFilter)[];
/** Parts of a filter are named in an address as here; `view` is the view they begin from. */
export const FILTER_KEYS: readonly string[] = ['view', ...PARTS];

/** A view of a person's own is unknown to others, so an address states all of its filter. */
const baseOf = (view: string) => (isStanding(view) ? STANDING_FILTERS[view] : EVERYTHING);

/**
 * The parts of a view and its filter that an address states: `{ view: 'done', typeIds: '4,5', overdue: '1'
 * }`.
 */
export function filterQuery(view: string, filter: TaskFilter): Record<string, string> {
  const base = baseOf(view);
  const stated = PARTS.filter((part) => textOf(filter[part]) !== textOf(base[part]));
  return {
    ...(view === 'open' ? {} : { view }),
    ...Object.fromEntries(stated.map((part) => [part, textOf(filter[part])])),
  };
}

/** The view and the filter that an address encodes; unknown parts are ignored. */
export function filterIn(query: StatedQuery): { readonly view: string; readonly filter: TaskFilter } {
  const view = typeof query['view'] === 'string' && /^[\w-]{1,40}$/.test(query['view']) ? query['view'] : 'open';
  const base = baseOf(view);
  const parts = PARTS.map((part) => [part, valueIn(query[part], part) ?? base[part]]);
  return { view, filter: Object.fromEntries(parts) as unknown as TaskFilter };
}

function textOf(value: TaskFilter[keyof TaskFilter]): string {
  if (typeof value === 'boolean') return value ? '1' : '0';
  return typeof value === 'string' ? value : value.join(',');
}

function valueIn(stated: unknown, part: keyof TaskFilter): TaskFilter[keyof TaskFilter] | undefined {
  if (typeof stated !== 'string' || stated.length > MOST_TEXT) return undefined;
  const none = EVERYTHING[part];
  if (typeof none === 'boolean') return stated === '1' ? true : stated === '0' ? false : undefined;
  if (typeof none === 'string') return CHOICES[part]?.includes(stated) === false ? undefined : stated;
  if (stated === '') return [];
  return /^\d{1,9}(,\d{1,9})*$/.test(stated) ? stated.split(',').map(Number) : undefined;
}
