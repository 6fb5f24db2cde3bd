import type { MapTarget } from '../lib/stores/board.ts';
import { FILTER_KEYS, filterIn, filterQuery, type StatedQuery } from '../lib/tasks/filter-address.ts';
import type { TaskFilter } from '../lib/tasks/task-filter.ts';

/** In place of a task's number: a call that is being written down. */
export const WRITING = 'new';

/** The state of the board that an address can name. */
export interface BoardState {
  readonly task: number | typeof WRITING | undefined;
  /** Id of the chosen vehicle. */
  readonly unit: number | undefined;
  readonly view: string;
  readonly filter: TaskFilter;
  /** Where a person has moved the map; undefined: it shows what is going on. */
  readonly map: Required<MapTarget> | undefined;
}

const QUEUE_KEYS = ['task', ...FILTER_KEYS];
/** The keys that the addresses of a page state. */
export const STATED_KEYS: Readonly<Record<string, readonly string[]>> = {
  '/': [...QUEUE_KEYS, 'unit', 'map'],
  '/queue': QUEUE_KEYS,
  '/map': ['unit', 'map'],
};

/** The query that names `state`: `{ task: '168', unit: '7', overdue: '1', map: '56.19110,18.91210,15' }`. */
export function boardQuery({ task, unit, view, filter, map }: BoardState): Record<string, string> {
  return {
    ...(task === undefined ? {} : { task: String(task) }),
    ...(unit === undefined ? {} : { unit: String(unit) }),
    ...filterQuery(view, filter),
    ...(map && { map: `${map.lat.toFixed(5)},${map.lon.toFixed(5)},${Number(map.zoom.toFixed(2))}` }),
  };
}

/** The state that a query names. It leaves out what it does not understand. */
export function boardStateIn(query: StatedQuery): BoardState {
  const { task, unit, map } = query;
  return {
    task: task === WRITING ? WRITING : idIn(task),
    unit: idIn(unit),
    ...filterIn(query),
    map: mapIn(map),
  };
}

function idIn(stated: unknown): number | undefined {
  return typeof stated === 'string' && /^[1-9]\d{0,9}$/.test(stated) ? Number(stated) : undefined;
}

function mapIn(stated: unknown): Required<MapTarget> | undefined {
  const found = typeof stated === 'string' && /^(-?\d{1,2}\.\d+),(-?\d{1,3}\.\d+),(\d{1,2}(?:\.\d+)?)$/.exec(stated);
  if (!found) return undefined;
  const [lat, lon, zoom] = found.slice(1).map(Number) as [number, number, number];
  return Math.abs(lat) <= 85 && Math.abs(lon) <= 180 && zoom <= 19 ? { lat, lon, zoom } : undefined;
}
