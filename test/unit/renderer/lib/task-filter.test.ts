import { expect, test } from 'vitest';
import type { Actor } from '../../../../shared/access.ts';
import type { Task, StateRule, TaskType } from '../../../../shared/records/index.ts';
import { ListQueryParameters, listQuery } from '../../../../server/http/tasks/task-requests.ts';
import { listPredicate } from '../../../../server/dispatch/tasks/predicates/filter.ts';
import { holds } from '../../../../server/dispatch/tasks/index.ts';
import {
  queryOf,
  restOf,
  foundOf,
  type NewsItem,
  type TaskQuery,
} from '../../../../renderer/src/features/queue/found-tasks.ts';
import { ZonedTime } from '../../../../shared/zoned-time.ts';
import {
  EVERYTHING,
  matcher,
  narrowingParts,
  sameFilter,
  startOfDay,
  type TaskFilter,
} from '../../../../renderer/src/lib/tasks/task-filter.ts';
import { inOrder, ORDERS } from '../../../../renderer/src/lib/tasks/task-orders.ts';
import { minuteText } from '../../../../renderer/src/lib/time/period.ts';
import { Chance } from '../../../support/chance.ts';
import { makeTask } from '../task.ts';

const HOUR = 3_600_000;
const HERE = ZonedTime.here();
const NOW = new Date(2026, 10, 22, 12).getTime();
const types = new Map([
  [1, { groupId: 0, reviewSeconds: 0 }],
  [2, { groupId: 7, reviewSeconds: 3600 }],
]);
const rule = (id: number, over: Partial<StateRule>) =>
  ({
    id,
    kind: 'stateRule',
    name: `state ${id}`,
    isDeleted: false,
    sign: '=',
    userField: '',
    value: 0,
    ...over,
  }) as StateRule;
const rules = [
  rule(1, { field: 'status', sign: 'in', value: [1, 4] }),
  rule(2, { field: 'organizationId', userField: 'organizationId' }),
  rule(3, { field: 'address', sign: '!=', value: '' }),
  rule(4, { field: 'updatedAt', sign: '>', value: NOW - HOUR }),
  rule(5, { field: 'status', value: 2, isDeleted: true }),
];
const user = { id: 5, organizationId: 4, roleId: 1 } as Actor['user'];
const onlooker = {
  userId: 5,
  organizationId: 4,
  vehicleIds: [],
  user,
  now: NOW,
  typeOf: (id: number) => types.get(id) as TaskType | undefined,
  stateOf: (id: number) => rules.find((one) => one.id === id),
};

const tasks: Task[] = [
  makeTask({
    id: 11,
    status: 1,
    typeId: 2,
    categoryId: 3,
    updatedAt: NOW,
    date: NOW - 2 * HOUR,
    title: 'Дерево на дороге',
    point: { lon: 1, lat: 2, zoom: 3 },
  }),
  makeTask({
    id: 12,
    status: 2,
    updatedAt: NOW - HOUR,
    assignedVehicleId: 9,
    organizationId: 4,
    date: NOW - HOUR,
    confirmed: 1,
  }),
  makeTask({ id: 13, status: 3, assignedUserId: 5, authorId: 5, date: new Date(2026, 10, 20, 23, 59).getTime() }),
  makeTask({ id: 14, status: 4, typeId: 2, assignedOrganizationId: 4, date: NOW - 5 * HOUR, address: 'Mill Street 4' }),
];
const found = (part: Partial<TaskFilter>) =>
  tasks.filter(matcher({ ...EVERYTHING, ...part }, onlooker)).map((task) => task.id);

test('each part of a filter finds its tasks and no others', () => {
  expect(found({})).toEqual([11, 12, 13, 14]);
  expect(found({ statuses: [1, 4] })).toEqual([11, 14]);
  expect(found({ typeIds: [2] })).toEqual([11, 14]);
  expect(found({ groupIds: [7] })).toEqual([11, 14]);
  expect(found({ categoryIds: [3] })).toEqual([11]);
  expect(found({ organizationIds: [4] })).toEqual([12]);
  expect(found({ assignedOrganizationIds: [4] })).toEqual([14]);
  expect(found({ confirmed: [1, 2] })).toEqual([12]);
  expect(found({ assigned: 'nobody' })).toEqual([11]);
  expect(found({ assigned: 'vehicle' })).toEqual([12]);
  expect(found({ assigned: 'person' })).toEqual([13]);
  expect(found({ assigned: 'department' })).toEqual([14]);
  expect(found({ assigned: 'me' })).toEqual([13]);
  expect(found({ place: 'with' })).toEqual([11]);
  expect(found({ place: 'without' })).toEqual([12, 13, 14]);
  expect(found({ mine: true })).toEqual([13]);
  expect(found({ forMe: true })).toEqual([13, 14]);
  const onDuty = matcher({ ...EVERYTHING, forMe: true }, { ...onlooker, vehicleIds: [tasks[1]!.assignedVehicleId] });
  expect(tasks.filter(onDuty).map(({ id }) => id)).toEqual([12, 13, 14]);
});

test('what was changed is bounded by minutes, of which neither counts; a minute that is half typed bounds nothing', () => {
  expect(found({ changedAfter: '2026-11-22T10:59' })).toEqual([11, 12]);
  expect(found({ changedAfter: '2026-11-22T11:00' })).toEqual([11]);
  expect(found({ changedBefore: '2026-11-22T12:00' })).toEqual([12, 13, 14]);
  expect(found({ changedAfter: '2026-11-22T10:00', changedBefore: '2026-11-22T11:01' })).toEqual([12]);
  expect(found({ changedAfter: '2026-11-22T1' })).toEqual([11, 12, 13, 14]);
});

test('assigned and not done is what the interface says: new ones and done ones are not, feedback only with somebody', () => {
  expect(found({ underWay: true })).toEqual([12, 13]);
  expect(matcher({ ...EVERYTHING, underWay: true }, onlooker)(makeTask({ id: 15, status: 3 }))).toBe(false);
  expect(matcher({ ...EVERYTHING, underWay: true }, onlooker)(makeTask({ id: 16, status: 2 }))).toBe(true);
});

test('one of the chosen states is enough, by values and by who looks; deleted and unknown ones hold nowhere', () => {
  expect(found({ stateIds: [1] })).toEqual([11, 14]);
  expect(found({ stateIds: [2] })).toEqual([12]);
  expect(found({ stateIds: [1, 2] })).toEqual([11, 12, 14]);
  expect(found({ stateIds: [5] })).toEqual([]);
  expect(found({ stateIds: [99] })).toEqual([]);
  expect(tasks.filter(matcher({ ...EVERYTHING, stateIds: [2] }, { ...onlooker, user: undefined }))).toEqual([]);
});

test('the queue finds what the station finds for the same filter, whatever is asked for', () => {
  const chance = new Chance();
  console.log(`WAYPOST_SEED=${chance.seed}`);
  const actor = { user, role: { superuser: true, admin: true, accesses: [] } } as unknown as Actor;
  const few = (values: readonly number[]) => (chance.maybe(0.3) ? values.filter(() => chance.maybe()) : []);
  const at = () => NOW - (chance.int(50) * HOUR) / 2;
  const minute = () => (chance.maybe(0.3) ? minuteText(at()) : '');
  const day = () => (chance.maybe(0.2) ? `2026-11-${20 + chance.int(3)}` : '');
  let finds = 0;
  for (let round = 0; round < 400; round++) {
    const many = Array.from({ length: 40 }, (_, index) =>
      makeTask({
        id: index + 1,
        status: 1 + chance.int(4),
        typeId: 1 + chance.int(3),
        categoryId: chance.int(4),
        organizationId: 3 + chance.int(3),
        authorId: 4 + chance.int(3),
        date: at(),
        updatedAt: at(),
        confirmed: chance.int(3),
        assignedOrganizationId: chance.of([0, 0, 4]),
        assignedUserId: chance.of([0, 0, 5]),
        assignedVehicleId: chance.of([0, 0, 9]),
        point: chance.maybe() ? { lon: 1, lat: 2, zoom: 3 } : null,
        address: chance.of(['', 'Mill Street 4']),
      }),
    );
    const mine = chance.maybe(0.15);
    const filter: TaskFilter = {
      ...EVERYTHING,
      statuses: mine ? [] : few([1, 2, 3, 4]),
      typeIds: few([1, 2, 3]),
      groupIds: few([7, 8]),
      categoryIds: few([1, 2, 3]),
      organizationIds: few([3, 4, 5]),
      assignedOrganizationIds: few([4]),
      confirmed: chance.maybe(0.2) ? [chance.int(3)] : [],
      place: chance.of(['any', 'any', 'with']),
      from: day(),
      till: day(),
      changedAfter: minute(),
      changedBefore: minute(),
      stateIds: few([1, 2, 3, 4, 5, 99]),
      underWay: chance.maybe(0.2),
      mine,
    };
    const { query, confirmed } = queryOf(
      search(filter),
      [2].filter(() => filter.groupIds.includes(7)),
      HERE,
    );
    const sent = Object.fromEntries(
      Object.entries(query).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]])),
    );
    const asked = listPredicate(
      actor,
      listQuery(ListQueryParameters.parse(sent), {
        newsAfterId: 0,
        limit: 500,
        confirmedType: confirmed ? Number(confirmed.slice(1)) : undefined,
      }),
      rules,
    );
    const here = many.filter(matcher(filter, onlooker)).map((task) => task.id);
    expect(here, `WAYPOST_SEED=${chance.seed} round ${round}: ${JSON.stringify(filter)}`).toEqual(
      many.filter((task) => holds(asked, task)).map((task) => task.id),
    );
    finds += here.length;
  }
  expect(finds).toBeGreaterThan(400); // or it compared nothing with nothing
});

test('overdue is what is past its deadline and not done', () => {
  expect(found({ overdue: true })).toEqual([11]);
});

test('days are whole, both of them', () => {
  expect(found({ from: '2026-11-20', till: '2026-11-20' })).toEqual([13]);
  expect(found({ from: '2026-11-21' })).toEqual([11, 12, 14]);
  expect(found({ till: '2026-11-21' })).toEqual([13]);
  expect(startOfDay('2026-11-30', 1)).toBe(new Date(2026, 11, 1).getTime());
  expect(startOfDay('yesterday')).toBeUndefined();
});

test('all words have to be there, in whatever alphabet they are typed, in number, title or address', () => {
  expect(found({ words: 'derevo' })).toEqual([11]);
  expect(found({ words: 'mill 14' })).toEqual([14]);
  expect(found({ words: 'mill 11' })).toEqual([]);
});

test('parts narrow together', () => {
  expect(found({ typeIds: [2], statuses: [4], assigned: 'department' })).toEqual([14]);
  expect(found({ typeIds: [2], statuses: [4], assigned: 'vehicle' })).toEqual([]);
});

test('what narrows is named, but for the words; filters that say the same are the same', () => {
  expect(narrowingParts({ ...EVERYTHING, words: 'x', statuses: [1], overdue: true })).toEqual(['statuses', 'overdue']);
  expect(sameFilter({ ...EVERYTHING, statuses: [1] }, { ...EVERYTHING, statuses: [1] })).toBe(true);
  expect(sameFilter({ ...EVERYTHING, statuses: [1] }, EVERYTHING)).toBe(false);
});

test('every order puts all rows in their places, and keeps the order of the queue among equals', () => {
  const rows = tasks.map(
    (task) => ({ task, level: 'open', group: 'work', priority: 3, place: 0, until: Infinity }) as const,
  );
  for (const order of ORDERS) expect(inOrder(rows, order).length).toBe(4);
  expect(inOrder(rows, 'newest').map((row) => row.task.id)).toEqual([12, 11, 14, 13]);
  expect(inOrder(rows, 'oldest').map((row) => row.task.id)).toEqual([13, 14, 11, 12]);
  expect(inOrder(rows, 'type').map((row) => row.task.id)).toEqual([12, 13, 11, 14]);
  expect(inOrder(rows, 'category').map((row) => row.task.id)).toEqual([11, 12, 13, 14]);
});

const search = (part: Partial<TaskFilter>, over: Partial<TaskQuery> = {}): TaskQuery => ({
  filter: { ...EVERYTHING, ...part },
  archived: true,
  has: [],
  sortBy: 'news_date',
  descending: true,
  ...over,
});

test('a search of all tasks asks the station for what the interface knows', () => {
  const { query, confirmed } = queryOf(
    search(
      {
        statuses: [1, 2],
        typeIds: [2],
        confirmed: [1],
        organizationIds: [4],
        from: '2026-11-20',
        till: '2026-11-21',
        place: 'with',
      },
      { has: ['hasPhoto'] },
    ),
    [],
    HERE,
  );
  expect(query).toMatchObject({
    onlyStatus: '1,2',
    type_id: '2',
    department_id: '4',
    hasPoint: true,
    hasPhoto: true,
    withArchive: true,
    sortBy: 'news_date',
    sortDirection: 'desc',
  });
  expect(
    queryOf(
      search({ stateIds: [1, 3], underWay: true, changedAfter: '2026-11-22T09:05', changedBefore: '2026-11-22T1' }),
      [],
      HERE,
    ).query,
  ).toMatchObject({ onlyStates: '1,3', onlyAssigned: true, gtUpdateDate: '22.11.2026 09:05', ltUpdateDate: undefined });
  expect(query['date_from']).toBe(new Date(2026, 10, 20).getTime() / 1000);
  expect(query['date_till']).toBe(new Date(2026, 10, 22).getTime() / 1000 - 1);
  expect(confirmed).toBe('/1');
});

test('minutes of a filter are those of the station’s clock', () => {
  const at = new Date(2026, 10, 22, 9, 5).getTime();
  const { gtUpdateDate } = queryOf(
    search({ changedAfter: '2026-11-22T09:05' }),
    [],
    new ZonedTime('Asia/Kolkata'),
  ).query;
  expect(gtUpdateDate).toBe(
    `${new Date(at + 5.5 * HOUR).toISOString().slice(0, 10).split('-').reverse().join('.')} ${new Date(at + 5.5 * HOUR).toISOString().slice(11, 16)}`,
  );
});

test('groups of types are asked for by their types; a type outside of them finds nothing', () => {
  expect(queryOf(search({ groupIds: [7] }), [2, 3], HERE).query['type_id']).toBe('2,3');
  expect(queryOf(search({ groupIds: [7], typeIds: [3, 9] }), [2, 3], HERE).query['type_id']).toBe('3');
  expect(queryOf(search({ groupIds: [7], typeIds: [9] }), [2, 3], HERE).query['type_id']).toBe('0');
});

test('the rest is asked of each task that comes', () => {
  const item = {
    id: '8',
    title: 'Smoke on Mill Street',
    text: '',
    news_date: '2026-11-22 10:00:00+03',
    assigned_status: '2',
    archive: 't',
    overdue: 'f',
    confirmed: '2',
    lon: null,
    news_type_name: 'Fire',
    category_name: '',
    department_title: 'Fire',
    assigned_user_fio: null,
    assigned_department_name: 'North',
  } as unknown as NewsItem;
  const task = foundOf(item);
  expect(task).toMatchObject({
    id: 8,
    status: 2,
    archived: true,
    overdue: false,
    hasPlace: false,
    assignedTo: 'North',
    date: Date.UTC(2026, 10, 22, 7),
  });
  const asks = (part: Partial<TaskFilter>) => restOf(search(part))?.(task, item);
  expect(asks({})).toBeUndefined();
  expect(asks({ words: 'smoke mill' })).toBe(true);
  expect(asks({ words: 'smoke hill' })).toBe(false);
  expect(asks({ place: 'without' })).toBe(true);
  expect(asks({ overdue: true })).toBe(false);
  expect(asks({ confirmed: [0, 2] })).toBe(true);
  expect(asks({ confirmed: [0, 1] })).toBe(false);
  expect(asks({ mine: true, statuses: [1] })).toBe(false);
});
