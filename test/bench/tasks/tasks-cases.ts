import type { Login, TasksFacts } from './tasks-data.ts';

export const SORTS = {
  news_date: 'date',
  update_date: 'updatedAt',
  id: 'key',
  user_id: 'authorId',
  news_type_id: 'typeId',
  category_id: 'categoryId',
} as const;
export type Sort = keyof typeof SORTS;

/** A list as a console asks for it, and what a person who knows the table would write for it. */
export interface ListCase {
  readonly name: string;
  readonly as: Login;
  /** Filters of `GET /news/listAfterId/…`. */
  readonly query: string;
  readonly where: string;
  /** Names of indexes that are worth a try, beside that of the order. */
  readonly along: readonly string[];
}

/** The usual lists of a control room. */
export function listCases({ organization, member, types, now }: TasksFacts): ListCase[] {
  const minute = 60_000;
  const [after, before] = [now - 40 * 1440 * minute, now - 10 * 1440 * minute].map(
    (instant) => Math.floor(instant / minute) * minute,
  ) as [number, number];
  const current = 'deleted=0 AND isDeleted=0 AND archived=0';
  return [
    {
      name: 'the own organization',
      as: 'member',
      query: '',
      where: `${current} AND organizationId=${organization}`,
      along: ['organizationId', 'everything'],
    },
    {
      name: 'open ones of the own organization',
      as: 'member',
      query: 'onlyStatus=1,2,3',
      where: `${current} AND organizationId=${organization} AND status IN (1,2,3)`,
      along: ['organizationId', 'everything'],
    },
    {
      name: 'with those assigned to me or us',
      as: 'member',
      query: 'withAssigned=true&withClosed=true',
      where: `${current} AND (organizationId=${organization} OR (status<>4 AND assignedUserId=${member}) OR (status=4 AND (assignedUserId=${member} OR assignedOrganizationId=${organization})))`,
      along: ['everything'],
    },
    {
      name: 'two types, one category, updated in a month',
      as: 'superuser',
      query: `type_id=${types[1]},${types[4]}&category_id=3&gtUpdateDate=${dayTime(after)}&ltUpdateDate=${dayTime(before)}`,
      where: `${current} AND typeId IN (${types[1]},${types[4]}) AND categoryId=3 AND updatedAt>${after} AND updatedAt<${before}`,
      along: ['updatedAt', 'typeId', 'everything'],
    },
  ];
}

/** `dd.mm.yyyy hh:mm` for a query. */
function dayTime(instant: number): string {
  const date = new Date(instant);
  const two = (number: number) => String(number).padStart(2, '0');
  return encodeURIComponent(
    `${two(date.getDate())}.${two(date.getMonth() + 1)}.${date.getFullYear()} ${two(date.getHours())}:${two(date.getMinutes())}`,
  );
}
