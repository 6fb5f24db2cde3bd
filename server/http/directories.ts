import { z } from 'zod';
import type { Tasks } from '../tasks/index.ts';
import type { Category, StatusName, TaskType } from '../../shared/records/index.ts';
import { aFlag, aNumber, flagOf, idOrNull, period } from './area-a-values.ts';
import { route, type Route } from './route.ts';

const CategoryItem = z.object({ id: aNumber, name: z.string(), icon: z.string(), order_important: aNumber }).meta({ id: 'Category' });
const StatusItem = z.object({ id: aNumber, name: z.string(), visible: aFlag }).meta({ id: 'Status' });
const TypeItem = z
  .object({
    news_type_id: aNumber,
    name: z.string(),
    icon: z.string(),
    icon3d: z.string(),
    map_icon: z.string(),
    map_icon_highlight: z.string(),
    default_type: aFlag,
    period_of_review: z.string(),
    period_of_review_in_sec: aNumber,
    group_id: aNumber.nullable(),
  })
  .meta({ id: 'NewsType' });

const inA = { family: 'A', access: 'user', group: 'Reference lists' } as const;

/** A. Reference lists, as they are read. */
export function directoryRoutes(tasks: Tasks): Route[] {
  return [
    route({ ...inA, method: 'GET', path: '/category', summary: 'Categories', answer: z.object({ category: z.array(CategoryItem) }), run: () => ({ category: current(tasks.categories.values()).map(presentCategory) }) }),
    route({ ...inA, method: 'GET', path: '/newstype', summary: 'Types of messages', answer: z.object({ newstype: z.array(TypeItem) }), run: () => ({ newstype: current(tasks.types.values()).map(presentType) }) }),
    route({ ...inA, method: 'GET', path: '/status', summary: 'Statuses', answer: z.object({ status: z.array(StatusItem) }), run: () => ({ status: current(tasks.statuses.values()).map(presentStatus) }) }),
  ];
}

function current<T extends { id: number; withdrawn: boolean }>(entries: Iterable<T>): T[] {
  return [...entries].filter((entry) => !entry.withdrawn).sort((a, b) => a.id - b.id);
}

function presentCategory({ id, name, icon, importance }: Category): z.input<typeof CategoryItem> {
  return { id: String(id), name, icon, order_important: String(importance) };
}

function presentType(type: TaskType): z.input<typeof TypeItem> {
  return {
    news_type_id: String(type.id),
    name: type.name,
    icon: type.icon,
    icon3d: type.icons['icon3d'] ?? '',
    map_icon: type.icons['map_icon'] ?? '',
    map_icon_highlight: type.icons['map_icon_highlight'] ?? '',
    default_type: flagOf(type.isDefault),
    period_of_review: period(type.reviewSeconds),
    period_of_review_in_sec: String(type.reviewSeconds),
    group_id: idOrNull(type.groupId),
  };
}

function presentStatus({ id, name, visible }: StatusName): z.input<typeof StatusItem> {
  return { id: String(id), name, visible: flagOf(visible) };
}
