import { readFile } from 'node:fs/promises';
import { z } from 'zod';
import type { Caller } from '../../accounts/index.ts';
import type { Files } from '../../files/index.ts';
import type { Fleet } from '../../fleet/index.ts';
import { staticPicture, type MapTiles } from '../../map/index.ts';
import { MOST_PHOTOS, print, type TaskSheet } from '../../reports/index.ts';
import type { Tasks } from '../../tasks/index.ts';
import type { Attachment } from '../../../shared/records/index.ts';
import { pathId } from '../request/fields.ts';
import { route, type Route } from '../app/route.ts';

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
export function paperRoutes(rooms: PaperRooms): Route[] {
  return [
    route({
      method: 'GET',
      path: '/news/:newsId/pdf',
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
  const message = tasks.get(caller, id);
  const attachments = tasks.attachmentsOf(caller, id);
  const photos = attachments
    .filter(({ kind }) => kind === 'photo')
    .sort((a, b) => Number(b.num === message.mainPhoto) - Number(a.num === message.mainPhoto) || a.num - b.num);
  const nameOf = (user: number) => tasks.users.get(user)?.name ?? '';
  return {
    id,
    title: message.title,
    text: message.text,
    status: message.status,
    statusSince: message.statusSince,
    date: message.date,
    author: nameOf(message.authorId),
    department: tasks.departments.get(message.departmentId)?.name ?? '',
    type: tasks.types.get(message.typeId)?.name ?? '',
    category: tasks.categories.get(message.categoryId)?.name ?? '',
    assignedTo: [
      tasks.departments.get(message.assignedDepartmentId)?.name ?? '',
      nameOf(message.assignedUserId),
    ].filter(Boolean),
    vehicle: vehicleName(fleet, message.assignedVehicleId),
    address: message.address,
    point: message.point,
    confirmed: message.confirmed,
    confirmedComment: message.confirmedComment,
    fields: tasks
      .currentCustomFields()
      .filter(({ id: field, visible }) => visible && message.customValues[field] !== undefined)
      .map(({ id: field, name }) => ({ name, value: message.customValues[field] })),
    map: message.point
      ? await staticPicture(map, { ...message.point, zoom: Math.min(16.5, Math.max(14, message.point.zoom)), ...MAP })
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

function vehicleName(fleet: Fleet, id: number): string {
  const vehicle = fleet.get(id);
  return vehicle ? [vehicle.name, vehicle.plate].filter(Boolean).join(', ') : '';
}

/** The photos to print. Skips unreadable ones: the crew still needs its sheet. */
async function firstPrinted(photos: readonly Attachment[], files: Files): Promise<TaskSheet['photos']> {
  const printed: { bytes: Uint8Array; caption: string }[] = [];
  for (const { sha256, description, name } of photos) {
    if (printed.length === MOST_PHOTOS) break;
    try {
      printed.push({ bytes: await readFile((await files.scale(sha256, PHOTO)).path), caption: description || name });
    } catch {
      continue;
    }
  }
  return printed;
}
