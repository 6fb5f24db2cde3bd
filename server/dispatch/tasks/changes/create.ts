import { withoutDirections } from '../../../../shared/text/characters.ts';
import type { Task } from '../../../../shared/records/index.ts';
import { Refusal } from '../../../../shared/refusal.ts';
import { NEW } from '../../../../shared/tasks/status.ts';
import type { Draft } from '../../../store/types.ts';
import { checkPlace, type TaskPosition } from './place.ts';
import type { References } from './references.ts';

/** A task as it is reported; a missing field gets its default. */
export interface CreateOrder {
  title: string;
  typeId: number;
  text?: string | undefined;
  categoryId?: number | undefined;
  /** Default: the author's organization. */
  organizationId?: number | undefined;
  /** Epoch ms. Default: now. */
  date?: number | undefined;
  systemData?: string | undefined;
  address?: string | undefined;
  notice?: number | undefined;
  /** 0: as its category says. */
  priority?: number | undefined;
  answers?: Task['answers'];
  restricted?: boolean | undefined;
  point?: TaskPosition | null | undefined;
  zoom?: number | null | undefined;
  /** Keyed by slug. */
  customValues?: unknown;
}

/** Creates a task. Refuses types, categories, organizations and custom fields that do not exist. */
export function createTask(
  id: number,
  order: CreateOrder,
  author: { id: number; organizationId: number },
  references: References,
  now: number,
): Draft<Task> {
  const title = withoutDirections(order.title).trim();
  if (title === '') throw new Refusal('field.empty', { field: 'title' });
  const organizationId = order.organizationId ?? author.organizationId;
  references.require('organization', 'department_id', organizationId);
  references.require('type', 'news_type_id', order.typeId);
  if (order.categoryId) references.require('category', 'category', order.categoryId);
  return {
    id,
    title,
    text: order.text ?? '',
    organizationId,
    authorId: author.id,
    typeId: order.typeId,
    categoryId: order.categoryId ?? 0,
    status: NEW,
    statusSince: now,
    confirmed: 0,
    confirmedComment: '',
    assignedOrganizationId: 0,
    assignedUserId: 0,
    assignedVehicleId: 0,
    restricted: order.restricted ?? false,
    archived: false,
    isDeleted: false,
    notice: order.notice ?? 0,
    ...(order.priority !== undefined && { priority: order.priority }),
    ...(order.answers !== undefined && { answers: order.answers }),
    date: order.date ?? now,
    updatedAt: now,
    systemData: order.systemData ?? '',
    address: order.address ?? '',
    point: order.point ? checkPlace(order.point, order.zoom) : null,
    mainPhoto: null,
    customValues: references.customValues(order.typeId, order.customValues, undefined),
    photos: 0,
    videos: 0,
    files: 0,
    sounds: 0,
  };
}
