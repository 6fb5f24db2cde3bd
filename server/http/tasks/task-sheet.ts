import { readFile } from 'node:fs/promises';
import { z } from 'zod';
import type { Caller } from '../../access/accounts/index.ts';
import type { Files } from '../../dispatch/files/index.ts';
import type { Fleet } from '../../dispatch/fleet/index.ts';
import { staticPicture, type MapTiles } from '../../geo/map/index.ts';
import { MAX_PHOTOS, print, type TaskSheet } from '../../reporting/reports/index.ts';
import type { Tasks } from '../../dispatch/tasks/index.ts';
import type { Attachment, Task } from '../../../shared/records/index.ts';
import { priorityOf } from '../../../shared/tasks/priority.ts';
import { unitsOf } from '../../../shared/tasks/units.ts';
import { pathId } from '../request/fields.ts';
import { route, type DeclaredRoute } from '../app/route.ts';

interface PaperRooms {
  readonly tasks: Tasks;
  readonly fleet: Fleet;
  readonly files: Files;
  readonly map: MapTiles;
  now(): number;
}

/** Size of the map on the sheet, in pixels at 96 dpi. */
const MAP = { width: 682, height: 254 };
const PHOTO = { width: 520, height: 440, fill: false };

/** The task sheet: a task as PDF. */
export function paperRoutes(rooms: PaperRooms): DeclaredRoute[] {
  return [
    route({
      method: 'GET',
      path: '/news/:newsId/pdf',
      cost: 10,
      family: 'A',
      access: 'user',
      group: 'Messages',
      summary: 'The task sheet of a message',
      params: z.object({ newsId: pathId }),
      answer: { type: 'application/pdf' },
      description:
        'One A4 page: fields, a picture of the map with the point, photos, comments that the caller may read.',
      run: async ({ caller, params, response }) => {
        const pdf = await print({
          kind: 'task-sheet',
          sheet: await sheetOf(caller, params.newsId, rooms),
          now: rooms.now(),
        });
        response.set('Content-Disposition', `inline; filename="task-${params.newsId}.pdf"`);
        return pdf;
      },
    }),
  ];
}

async function sheetOf(caller: Caller, id: number, { tasks, fleet, files, map }: PaperRooms): Promise<TaskSheet> {
  const task = tasks.get(caller, id);
  const attachments = tasks.attachments.of(caller, id);
  const photos = attachments
    .filter(({ kind }) => kind === 'photo')
    .sort((a, b) => Number(b.num === task.mainPhoto) - Number(a.num === task.mainPhoto) || a.num - b.num);
  const priority = priorityOf(task, tasks.categories.get(task.categoryId));
  const nameOf = (user: number) => tasks.users.get(user)?.name ?? '';
  return {
    id,
    title: task.title,
    text: task.text,
    status: task.status,
    statusSince: task.statusSince,
    date: task.date,
    author: nameOf(task.authorId),
    organization: tasks.organizations.get(task.organizationId)?.name ?? '',
    type: tasks.types.get(task.typeId)?.name ?? '',
    category: [tasks.categories.get(task.categoryId)?.name ?? '', `P${priority}`].filter(Boolean).join(', '),
    assignedTo: [tasks.organizations.get(task.assignedOrganizationId)?.name ?? '', nameOf(task.assignedUserId)].filter(
      Boolean,
    ),
    vehicle: vehicleNames(fleet, task),
    units: unitsOf(task).map(({ vehicleId, role, sentAt, acknowledgedAt, enRouteAt, onSceneAt, clearAt }) => ({
      ...{ name: fleet.get(vehicleId)?.name ?? '', role },
      ...{ sentAt, acknowledgedAt, enRouteAt, onSceneAt, clearAt },
    })),
    address: task.address,
    point: task.point,
    confirmed: task.confirmed,
    confirmedComment: task.confirmedComment,
    fields: [
      ...(task.answers ?? []).map(({ question, answer }) => ({ name: question, value: answer })),
      ...tasks
        .currentCustomFields()
        .filter(({ id: field, visible }) => visible && task.customValues[field] !== undefined)
        .map(({ id: field, name }) => ({ name, value: task.customValues[field] })),
    ],
    map: task.point
      ? await staticPicture(map, { ...task.point, zoom: Math.min(16.5, Math.max(14, task.point.zoom)), ...MAP })
      : undefined,
    photos: await firstPrinted(photos, files),
    photoCount: photos.length,
    attached: attachments.filter(({ kind }) => kind !== 'photo').map(({ name }) => name),
    comments: tasks.comments.of(caller, id).map((comment) => ({
      at: comment.at,
      author: nameOf(comment.authorId),
      text: comment.text,
      level: comment.level,
    })),
  };
}

/** Every vehicle that was sent, the lead first; of a closed task too. */
function vehicleNames(fleet: Fleet, task: Task): string {
  const ids = new Set([task.assignedVehicleId, ...unitsOf(task).map(({ vehicleId }) => vehicleId)]);
  const names = [...ids].map((id) => {
    const vehicle = fleet.get(id);
    return vehicle ? [vehicle.name, vehicle.plate].filter(Boolean).join(', ') : '';
  });
  return names.filter(Boolean).join('; ');
}

/** The photos to print. Skips unreadable ones: the crew still needs its sheet. */
async function firstPrinted(photos: readonly Attachment[], files: Files): Promise<TaskSheet['photos']> {
  const printed: { bytes: Uint8Array; caption: string }[] = [];
  for (const { sha256, description, name } of photos) {
    if (printed.length === MAX_PHOTOS) break;
    try {
      printed.push({ bytes: await readFile((await files.scale(sha256, PHOTO)).path), caption: description || name });
    } catch {
      continue;
    }
  }
  return printed;
}
