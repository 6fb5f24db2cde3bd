import { z } from 'zod';
import type { Actor } from '../../../shared/access.ts';
import type { Category, StatusName, TypeGroup } from '../../../shared/records/index.ts';
import type { Files } from '../../dispatch/files/index.ts';
import type { Directories, Tasks } from '../../dispatch/tasks/index.ts';
import { Refusal } from '../../../shared/refusal.ts';
import { aFlag, aNumber, flagOf } from './values.ts';
import { bodyFlag, bodyInt, filledUpTo, pathId, textUpTo } from '../request/fields.ts';
import { requireBytes } from '../files/require-bytes.ts';
import { releasePicture, uploadedPicture } from '../files/pictures.ts';
import { route, type DeclaredRoute } from '../app/route.ts';
import { serveFile } from '../files/serve-file.ts';
import {
  ChangeTaskType,
  CreateTaskType,
  presentType,
  presentWholeType,
  TypeItem,
  typeOrder,
  WholeType,
} from './task-types.ts';

const CategoryItem = z
  .object({ id: aNumber, name: z.string(), icon: z.string(), order_important: aNumber })
  .meta({ id: 'Category' });
const StatusItem = z.object({ id: aNumber, name: z.string(), visible: aFlag }).meta({ id: 'Status' });
const GroupItem = z.object({ id: aNumber, name: z.string() }).meta({ id: 'TypeGroup' });

const name = filledUpTo(100);
const ChangeCategory = z.object({
  name: name.optional(),
  icon: textUpTo(255).optional(),
  order_important: bodyInt(0, 1_000_000).optional(),
});
const ICONS =
  '`icon` is the name of an uploaded picture (`/fileload`), or empty for none; it is served under `/department_files/news_category/{icon}`.';
const params = z.object({ id: pathId });
const inA = { family: 'A', group: 'Reference lists' } as const;
const ofGroups = { family: 'A', group: 'Type groups' } as const;

/**
 * A. Reference lists. Everybody may read them. They affect every organization, so only superusers may write
 * them.
 */
export function directoryRoutes(tasks: Tasks, files: Files): DeclaredRoute[] {
  const { directories } = tasks;
  /** An icon is empty, an uploaded picture, or the one that the category already has. */
  const pictureOf = async (
    by: Actor,
    icon: string | undefined,
    before?: Category,
  ): Promise<Category['picture'] | undefined> => {
    if (icon === undefined || icon === before?.icon) return undefined;
    if (icon === '') return null;
    const known = directories.categoryPicture(icon);
    if (known) return known;
    const { sha256, type } = await uploadedPicture(files, by, icon, 'icon');
    return { sha256, type };
  };
  return [
    route({
      ...inA,
      access: 'user',
      method: 'GET',
      path: '/category',
      summary: 'Categories',
      answer: z.object({ category: z.array(CategoryItem) }),
      run: () => ({ category: current(tasks.categories.values()).map(presentCategory) }),
    }),
    route({
      ...inA,
      access: 'superuser',
      method: 'POST',
      path: '/category',
      summary: 'Make a category',
      body: ChangeCategory.extend({ name }),
      answer: z.object({ category: CategoryItem }),
      description: ICONS,
      run: async ({ caller, body }) => ({
        category: presentCategory(
          await directories.createCategory({
            name: body.name,
            icon: body.icon,
            picture: await pictureOf(caller, body.icon),
            importance: body.order_important,
          }),
        ),
      }),
    }),
    route({
      ...inA,
      access: 'superuser',
      method: 'PUT',
      path: '/category/:id',
      summary: 'Change a category',
      params,
      body: ChangeCategory,
      answer: z.object({ category: CategoryItem }),
      description: ICONS,
      run: async ({ caller, params, body }) => {
        const before = directories.category(params.id);
        const category = await directories.changeCategory(params.id, {
          name: body.name,
          icon: body.icon,
          picture: await pictureOf(caller, body.icon, before),
          importance: body.order_important,
        });
        await releasePicture(files, before.picture?.sha256 ?? null, category.picture?.sha256 ?? null);
        return { category: presentCategory(category) };
      },
    }),
    route({
      ...inA,
      access: 'superuser',
      method: 'DELETE',
      path: '/category/:id',
      summary: 'Delete a category',
      description: 'Messages that have it keep it.',
      params,
      answer: 'nothing',
      run: async ({ params }) => void (await directories.deleteCategory(params.id)),
    }),
    route({
      ...inA,
      access: 'user',
      method: 'GET',
      path: '/department_files/news_category/:name',
      summary: 'The icon of a category',
      params: z.object({ name: textUpTo(255) }),
      answer: { type: 'image/*' },
      run: ({ params, request, response }) => {
        const picture = directories.categoryPicture(params.name);
        if (!picture) throw new Refusal('fleet.noIcon', { name: params.name });
        requireBytes(files, picture.sha256, params.name);
        const { sha256, type } = picture;
        return serveFile(request, response, {
          tag: sha256,
          size: files.blobs.size(sha256),
          type,
          name: params.name,
          read: (range) => files.blobs.read(sha256, range),
        });
      },
    }),

    route({
      ...inA,
      access: 'user',
      method: 'GET',
      path: '/newstype',
      summary: 'Types of messages',
      answer: z.object({ newstype: z.array(TypeItem) }),
      run: () => ({ newstype: current(tasks.types.values()).map(presentType) }),
    }),
    route({
      ...inA,
      access: 'superuser',
      method: 'POST',
      path: '/newstype',
      summary: 'Make a type',
      body: CreateTaskType,
      answer: z.object({ newstype: WholeType }),
      run: async ({ body }) => {
        const type = await directories.createType({ ...typeOrder(body), name: body.name });
        return { newstype: presentWholeType(type, groupOf(type, directories)) };
      },
    }),

    route({
      ...ofGroups,
      access: 'user',
      method: 'GET',
      path: '/newstype/group/list',
      summary: 'Groups of types',
      answer: z.object({ groups: z.array(GroupItem) }),
      run: () => ({ groups: directories.groups().map(presentGroup) }),
    }),
    route({
      ...ofGroups,
      access: 'superuser',
      method: 'POST',
      path: '/newstype/group',
      summary: 'Make a group of types',
      body: z.object({ name }),
      answer: z.object({ group: GroupItem }),
      run: async ({ body }) => ({ group: presentGroup(await directories.createGroup(body.name)) }),
    }),
    route({
      ...ofGroups,
      access: 'user',
      method: 'GET',
      path: '/newstype/group/:id',
      summary: 'One group of types',
      params,
      answer: z.object({ group: GroupItem }),
      run: ({ params }) => ({ group: presentGroup(directories.group(params.id)) }),
    }),
    route({
      ...ofGroups,
      access: 'superuser',
      method: 'PUT',
      path: '/newstype/group/:id',
      summary: 'Rename a group of types',
      params,
      body: z.object({ name: name.optional() }),
      answer: z.object({ group: GroupItem }),
      run: async ({ params, body }) => ({ group: presentGroup(await directories.renameGroup(params.id, body.name)) }),
    }),
    route({
      ...ofGroups,
      access: 'superuser',
      method: 'DELETE',
      path: '/newstype/group/:id',
      summary: 'Delete a group of types',
      description: 'Its types have no group afterwards.',
      params,
      answer: 'nothing',
      run: ({ params }) => directories.deleteGroup(params.id),
    }),

    route({
      ...inA,
      access: 'superuser',
      method: 'PUT',
      path: '/newstype/:id',
      summary: 'Change a type',
      params,
      body: ChangeTaskType,
      answer: z.object({ newstype: WholeType }),
      description: 'What is not sent stays. `group_id`: null keeps the group, 0 takes the type out of it.',
      run: async ({ params, body }) => {
        const type = await directories.changeType(params.id, typeOrder(body));
        return { newstype: presentWholeType(type, groupOf(type, directories)) };
      },
    }),
    route({
      ...inA,
      access: 'superuser',
      method: 'DELETE',
      path: '/newstype/:id',
      summary: 'Delete a type that no message has',
      params,
      answer: 'nothing',
      run: async ({ params }) => void (await directories.deleteType(params.id)),
    }),

    route({
      ...inA,
      access: 'user',
      method: 'GET',
      path: '/status',
      summary: 'Statuses',
      answer: z.object({ status: z.array(StatusItem) }),
      run: () => ({ status: current(tasks.statuses.values()).map(presentStatus) }),
    }),
    route({
      ...inA,
      access: 'superuser',
      method: 'PUT',
      path: '/status/:id',
      summary: 'Name a status, show or hide it',
      params,
      body: z.object({
        name: name.optional(),
        visible: bodyFlag
          .meta({ description: 'For clients: whether they list the status. Messages may have it in any case.' })
          .optional(),
      }),
      answer: z.object({ status: StatusItem }),
      run: async ({ params, body }) => ({ status: presentStatus(await directories.changeStatus(params.id, body)) }),
    }),
  ];
}

function current<T extends { id: number; isDeleted: boolean }>(entries: Iterable<T>): T[] {
  return [...entries].filter((entry) => !entry.isDeleted).sort((a, b) => a.id - b.id);
}

function groupOf(type: { groupId: number }, directories: Directories): z.input<typeof GroupItem> | null {
  return type.groupId === 0 ? null : presentGroup(directories.group(type.groupId));
}

function presentCategory({ id, name, icon, importance }: Category): z.input<typeof CategoryItem> {
  return { id: String(id), name, icon, order_important: String(importance) };
}

function presentGroup({ id, name }: TypeGroup): z.input<typeof GroupItem> {
  return { id: String(id), name };
}

function presentStatus({ id, name, visible }: StatusName): z.input<typeof StatusItem> {
  return { id: String(id), name, visible: flagOf(visible) };
}
