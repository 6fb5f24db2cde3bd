import { LONGEST_TITLE } from '../../../../shared/tasks/title.ts';
import { Refusal } from '../../../../shared/refusal.ts';
import type { Task } from '../../../../shared/records/index.ts';
import type { Accounts, Caller } from '../../../access/accounts/index.ts';
import type { CreateOrder, Tasks, UpdateOrder } from '../../../dispatch/tasks/index.ts';
import type { ImportField, RowValues } from '../fields.ts';
import type { ImportTarget } from '../target.ts';
import { ID_FIELD, longText, ORGANIZATION_FIELD } from './common-fields.ts';
import { CUSTOM, customColumn } from './custom-columns.ts';
import { organizationNames } from './names.ts';

const FIELDS: readonly ImportField[] = [
  ID_FIELD,
  {
    name: 'title',
    type: { kind: 'text', most: LONGEST_TITLE },
    heads: ['Title', 'Заголовок', 'Name', 'Название', 'Subject', 'Тема', 'Task', 'Задача'],
  },
  {
    name: 'text',
    type: longText,
    heads: ['Text', 'Текст', 'Description', 'Описание', 'desc', 'Details', 'Подробности'],
  },
  {
    name: 'typeId',
    inRefusals: 'news_type_id',
    type: { kind: 'one', of: 'type' },
    heads: ['Type', 'Тип', 'Kind', 'Вид'],
  },
  {
    name: 'categoryId',
    inRefusals: 'category',
    type: { kind: 'one', of: 'category' },
    heads: ['Category', 'Категория'],
  },
  { ...ORGANIZATION_FIELD, inRefusals: 'department_id' },
  { name: 'date', type: { kind: 'instant' }, heads: ['Date', 'Дата', 'Time', 'Время', 'Reported', 'Поступило'] },
  {
    name: 'address',
    type: { kind: 'text', most: 1000 },
    heads: ['Address', 'Адрес', 'Place', 'Место', 'Location'],
  },
  {
    name: 'lat',
    inRefusals: 'point',
    type: { kind: 'number', least: -90, most: 90 },
    heads: ['Latitude', 'Широта', 'Lat', 'Y'],
  },
  {
    name: 'lon',
    type: { kind: 'number', least: -180, most: 180 },
    heads: ['Longitude', 'Долгота', 'Lon', 'Lng', 'X'],
  },
  { name: 'geometry', type: { kind: 'geometry' }, heads: ['Place on the map', 'Место на карте', 'geometry'] },
  { name: 'priority', type: { kind: 'whole', least: 0, most: 4 }, heads: ['Priority', 'Приоритет', 'Срочность'] },
];

/** Tasks. A row finds an earlier task only by its id. */
export function taskTarget(tasks: Tasks, accounts: Accounts): ImportTarget {
  const current = <T extends { readonly isDeleted: boolean }>(all: Iterable<T>) =>
    [...all].filter(({ isDeleted }) => !isDeleted);
  const createOrder = (values: RowValues): CreateOrder => {
    const typeId = values['typeId'] ?? current(tasks.types.values()).find(({ isDefault }) => isDefault)?.id;
    if (typeId === undefined) throw new Refusal('field.missing', { field: 'news_type_id' });
    if (values['title'] === undefined) throw new Refusal('field.missing', { field: 'title' });
    return { ...taskOrderOfRow(values), typeId: typeId as number, title: values['title'] as string };
  };
  const updateOrder = (id: number, values: RowValues): UpdateOrder => taskOrderOfRow(values, valuesOf(tasks, id));
  return {
    kind: 'tasks',
    fields: () => [...FIELDS, ...tasks.currentCustomFields().flatMap((field) => customColumn(field, field.format))],
    keys: [],
    unique: [],
    names(caller, of) {
      if (of === 'organization') return organizationNames(accounts, caller);
      return current<{ id: number; name: string; isDeleted: boolean }>(
        of === 'type' ? tasks.types.values() : tasks.categories.values(),
      );
    },
    // Only a row with an id is about an earlier task, and the rules say then whether the caller sees it.
    ids: () => [],
    valuesOf: (id) => valuesOf(tasks, id),
    check(caller, id, values) {
      if (id === undefined) tasks.checkNew(caller, createOrder(values));
      else tasks.checkChange(caller, id, updateOrder(id, values));
    },
    sees: (caller, id) => isSeen(tasks, caller, id),
    takeId: () => tasks.takeId(),
    create: (caller, id, values) => tasks.create(caller, createOrder(values), [], undefined, id),
    change: (caller, id, values) => tasks.update(caller, id, updateOrder(id, values)),
    remove: (caller, id) => tasks.delete(caller, id),
  };
}

function isSeen(tasks: Tasks, caller: Caller, id: number): boolean {
  const task = tasks.stored(id);
  return task !== undefined && !task.isDeleted && tasks.maySee(caller, task);
}

function valuesOf(tasks: Tasks, id: number): RowValues | undefined {
  const task = tasks.stored(id);
  if (!task || task.isDeleted) return undefined;
  const { title, text, typeId, categoryId, organizationId, date, address, point, priority = 0 } = task;
  const custom = tasks
    .currentCustomFields()
    .map(({ id: field, slug }): [string, unknown] => [CUSTOM + slug, task.customValues[field] ?? null]);
  return {
    ...{ title, text, typeId, categoryId, organizationId, date, address, priority },
    ...{ lat: point?.lat ?? null, lon: point?.lon ?? null, geometry: shapeOf(point) },
    ...Object.fromEntries(custom),
  };
}

function shapeOf(point: Task['point']) {
  return point ? { type: 'Point', coordinates: [point.lon, point.lat] } : null;
}

/** @param stored fills in the coordinate that a row does not change */
function taskOrderOfRow(values: RowValues, stored: RowValues = {}): UpdateOrder & Partial<CreateOrder> {
  const order: Record<string, unknown> = {};
  const custom: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(values)) {
    if (name.startsWith(CUSTOM)) custom[name.slice(CUSTOM.length)] = { value };
    else if (!['lat', 'lon', 'geometry'].includes(name)) order[name] = value;
  }
  if (Object.keys(custom).length > 0) order['customValues'] = custom;
  const point = pointOf(values, stored);
  if (point !== undefined) order['point'] = point;
  return order;
}

function pointOf(values: RowValues, stored: RowValues): { lon: number; lat: number } | null | undefined {
  const { geometry } = values;
  if (geometry !== undefined && geometry !== null) {
    const { type, coordinates } = geometry as { type: string; coordinates?: unknown };
    const [lon, lat] = Array.isArray(coordinates) ? (coordinates as unknown[]) : [];
    if (type !== 'Point' || typeof lon !== 'number' || typeof lat !== 'number')
      throw new Refusal('field.type', { field: 'geometry', expected: 'a Point' });
    return { lon, lat };
  }
  if (values['lat'] === undefined && values['lon'] === undefined) return geometry === null ? null : undefined;
  const [lon, lat] = [values['lon'] ?? stored['lon'], values['lat'] ?? stored['lat']];
  if (values['lat'] === null || values['lon'] === null) return null;
  if (typeof lon !== 'number') throw new Refusal('field.missing', { field: 'lon' });
  if (typeof lat !== 'number') throw new Refusal('field.missing', { field: 'point' });
  return { lon, lat };
}
