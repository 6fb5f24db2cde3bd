import { fold } from '../../../../shared/text/fold.ts';
import type { ZonedTime } from '../../../../shared/zoned-time.ts';
import type { Client, Query } from '../../lib/api/client.ts';
import type { NewsDetail } from '../../lib/api/types.ts';
import { minuteTime } from '../../lib/time/period.ts';
import { instantOf } from '../task/use-task-record.ts';
import { startOfDay, filterWords, type TaskFilter } from '../../lib/tasks/task-filter.ts';

/** An item of GET /news/listAfterId (A2): most fields of the detail, and names. */
export type NewsItem = Omit<NewsDetail, 'confirmed_comment' | 'update_date' | 'address' | 'assigned_car_id'> & {
  readonly department_title: string;
  readonly news_type_name: string;
  readonly category_name: string;
  readonly assigned_department_name: string | null;
  readonly assigned_user_fio: string | null;
  readonly overdue: 't' | 'f';
};

/** A task that was found among all there are, the archive too. */
export interface TaskHit {
  readonly id: number;
  readonly title: string;
  readonly text: string;
  readonly status: number;
  /** epoch ms */
  readonly date: number;
  readonly archived: boolean;
  readonly overdue: boolean;
  readonly hasPlace: boolean;
  readonly typeName: string;
  readonly categoryName: string;
  readonly organization: string;
  readonly assignedTo: string;
}

export const SORTS = ['news_date', 'update_date', 'id', 'user_id', 'news_type_id', 'category_id'] as const;

/**
 * A query over all tasks: the queue's filter as far as the interface has it, and filters that only the
 * interface has.
 */
export interface TaskQuery {
  readonly filter: TaskFilter;
  readonly archived: boolean;
  readonly has: readonly ('hasPhoto' | 'hasVideo' | 'hasFile' | 'hasAudio')[];
  readonly sortBy: (typeof SORTS)[number];
  readonly descending: boolean;
}

export function foundOf(item: NewsItem): TaskHit {
  return {
    id: Number(item.id),
    title: item.title,
    text: item.text,
    status: Number(item.assigned_status),
    date: instantOf(item.news_date),
    archived: item.archive === 't',
    overdue: item.overdue === 't',
    hasPlace: item.lon !== null,
    typeName: item.news_type_name,
    categoryName: item.category_name,
    organization: item.department_title,
    assignedTo: item.assigned_user_fio ?? item.assigned_department_name ?? '',
  };
}

/**
 * The part of a search that the station answers, by whose clock its times go. `typesOfGroups` are the types
 * of the groups that are asked for.
 */
export function queryOf(
  { filter, archived, has, sortBy, descending }: TaskQuery,
  typesOfGroups: readonly number[],
  stationTime: ZonedTime,
): { readonly query: Query; readonly confirmed: string } {
  const ids = (values: readonly number[]) => (values.length > 0 ? values.join(',') : undefined);
  const types =
    filter.groupIds.length === 0
      ? filter.typeIds
      : filter.typeIds.length === 0
        ? typesOfGroups
        : filter.typeIds.filter((id) => typesOfGroups.includes(id));
  const seconds = (instant: number | undefined) => (instant === undefined ? undefined : Math.floor(instant / 1000));
  const till = startOfDay(filter.till, 1);
  const minute = (text: string) => {
    const instant = minuteTime(text);
    return instant === undefined ? undefined : stationTime.text(instant, false);
  };
  const query: Query = {
    withAssigned: true,
    withClosed: true,
    withArchive: archived || undefined,
    onlyMy: filter.mine || undefined,
    forMe: filter.forMe || undefined,
    onlyStatus: ids(filter.statuses),
    onlyStates: ids(filter.stateIds),
    onlyAssigned: filter.underWay || undefined,
    // No type has id 0, so groups without types find nothing.
    type_id: filter.groupIds.length > 0 && types.length === 0 ? '0' : ids(types),
    category_id: ids(filter.categoryIds),
    department_id: ids(filter.organizationIds),
    assigned_department_id: ids(filter.assignedOrganizationIds),
    date_from: seconds(startOfDay(filter.from)),
    date_till: till === undefined ? undefined : seconds(till)! - 1,
    gtUpdateDate: minute(filter.changedAfter),
    ltUpdateDate: minute(filter.changedBefore),
    hasPoint: filter.place === 'with' || undefined,
    ...Object.fromEntries(has.map((kind) => [kind, true])),
    sortBy,
    sortDirection: descending ? 'desc' : 'asc',
  };
  return { query, confirmed: filter.confirmed.length === 1 ? `/${filter.confirmed[0]}` : '' };
}

/** The conditions that the station cannot filter by, tested on each task as it arrives. */
export function restOf({ filter }: TaskQuery): ((task: TaskHit, item: NewsItem) => boolean) | undefined {
  const words = filterWords(filter.words);
  const asks: ((task: TaskHit, item: NewsItem) => boolean)[] = [];
  if (words.length > 0) asks.push((task) => hasWords(task, words));
  if (filter.place === 'without') asks.push((task) => !task.hasPlace);
  if (filter.overdue) asks.push((task) => task.overdue);
  if (filter.confirmed.length > 1) asks.push((_task, item) => filter.confirmed.includes(Number(item.confirmed)));
  // `onlyMy` of the interface leaves the statuses aside.
  if (filter.mine && filter.statuses.length > 0) asks.push((task) => filter.statuses.includes(task.status));
  return asks.length === 0 ? undefined : (task, item) => asks.every((ask) => ask(task, item));
}

function hasWords({ id, title, text }: TaskHit, words: readonly string[]): boolean {
  const folded = `${id} ${fold(`${title} ${text}`)}`;
  return words.every((word) => folded.includes(word));
}

interface FoundPage {
  readonly found: readonly TaskHit[];
  /** How many the station gave, before the rest was asked. */
  readonly looked: number;
  /** How many the station has. */
  readonly total: number;
  /** The last one that was looked at; the next page begins after it. Undefined: that was all. */
  readonly last: number | undefined;
}

/** The signed-in user, as the session has it. */
interface Asker {
  readonly client: Client;
  readonly stationTime: ZonedTime;
}

const PAGE = 500;

export async function fetchPage(
  { client, stationTime }: Asker,
  search: TaskQuery,
  typesOfGroups: readonly number[],
  after: number,
  signal: AbortSignal,
): Promise<FoundPage> {
  const { query, confirmed } = queryOf(search, typesOfGroups, stationTime);
  const answer = await client.ask<{ news_list: readonly NewsItem[]; count_news: number }>(
    `/news/listAfterId/${after}/${PAGE}${confirmed}`,
    { query, signal },
  );
  const rest = restOf(search);
  const found = answer.news_list.flatMap((item) => {
    const task = foundOf(item);
    return rest && !rest(task, item) ? [] : [task];
  });
  return {
    found,
    looked: answer.news_list.length,
    total: answer.count_news,
    last: answer.news_list.length < PAGE ? undefined : Number(answer.news_list.at(-1)!.id),
  };
}
