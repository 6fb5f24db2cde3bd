import { z } from 'zod';
import type { Actor } from '../../../shared/access.ts';
import type { Icon } from '../../../shared/records/index.ts';
import type { Files } from '../../dispatch/files/index.ts';
import type { Fleet } from '../../dispatch/fleet/index.ts';
import { Deleted, DELETED } from '../app/common-answers.ts';
import { pathId, textUpTo } from '../request/fields.ts';
import { requireBytes } from '../files/require-bytes.ts';
import { releasePicture, uploadedPicture } from '../files/pictures.ts';
import { route, type DeclaredRoute } from '../app/route.ts';
import { serveFile } from '../files/serve-file.ts';

const IconAnswer = z.object({ id: z.int(), name: z.string(), width: z.int(), height: z.int() }).meta({ id: 'Icon' });
const IconItem = IconAnswer.extend({ ownerOrganizationId: z.int().nullable() }).meta({ id: 'IconItem' });

const short = textUpTo(100);
const Change = z.object({ name: short.optional(), uuid: short.nullish() });
const params = z.object({ id: pathId });
const inB = { family: 'B', group: 'Icons' } as const;

/**
 * B. Vehicle icons. Icons with an owner belong to one organization. Icons without one are shared; only
 * superusers change them.
 */
export function iconRoutes({ icons }: Fleet, files: Files): DeclaredRoute[] {
  const pictureOf = async (by: Actor, uuid: string | null | undefined) =>
    uuid === null || uuid === undefined ? undefined : uploadedPicture(files, by, uuid, 'uuid');
  return [
    route({
      ...inB,
      access: 'admin',
      method: 'GET',
      path: '/dictionary/icons',
      summary: 'Icons',
      answer: z.array(IconItem),
      run: ({ caller }) => icons.list(caller).map(presentItem),
    }),
    route({
      ...inB,
      access: 'admin',
      method: 'GET',
      path: '/dictionary/icons/editable',
      summary: 'Icons that the caller may change',
      answer: z.array(IconItem),
      run: ({ caller }) =>
        icons
          .list(caller)
          .filter((icon) => icons.mayChange(caller, icon))
          .map(presentItem),
    }),
    route({
      ...inB,
      access: 'admin',
      method: 'POST',
      path: '/dictionary/icons',
      summary: 'Make an icon',
      body: Change.extend({ name: short, uuid: short }),
      answer: IconAnswer,
      description: '`uuid` is the name of an uploaded picture (`/fileload`), at most 1024 pixels to a side.',
      run: async ({ caller, body }) =>
        present(await icons.create(caller, { name: body.name, picture: await pictureOf(caller, body.uuid) })),
    }),
    route({
      ...inB,
      access: 'admin',
      method: 'PUT',
      path: '/dictionary/icons/:id',
      summary: 'Change an icon',
      params,
      body: Change,
      answer: IconAnswer,
      description: 'Without `uuid` the picture stays.',
      run: async ({ caller, params, body }) => {
        const { picture } = icons.get(caller, params.id);
        const changed = await icons.change(caller, params.id, {
          name: body.name,
          picture: await pictureOf(caller, body.uuid),
        });
        await releasePicture(files, picture, changed.picture);
        return present(changed);
      },
    }),
    route({
      ...inB,
      access: 'admin',
      method: 'DELETE',
      path: '/dictionary/icons/:id',
      summary: 'Delete an icon',
      params,
      answer: Deleted,
      run: async ({ caller, params }) => {
        const { picture } = icons.get(caller, params.id);
        await icons.delete(caller, params.id);
        await releasePicture(files, picture, null);
        return DELETED;
      },
    }),
    route({
      ...inB,
      access: 'user',
      method: 'GET',
      path: '/dictionary/icons/:id/view',
      summary: 'The picture of an icon',
      params,
      answer: { type: 'image/*' },
      run: ({ caller, params, request, response }) => {
        const { picture, type, name } = icons.get(caller, params.id);
        requireBytes(files, picture, name);
        return serveFile(request, response, {
          tag: picture,
          size: files.blobs.size(picture),
          type,
          name,
          read: (range) => files.blobs.read(picture, range),
        });
      },
    }),
  ];
}

function present({ id, name, width, height }: Icon): z.input<typeof IconAnswer> {
  return { id, name, width, height };
}

function presentItem(icon: Icon): z.input<typeof IconItem> {
  return { ...present(icon), ownerOrganizationId: icon.organizationId === 0 ? null : icon.organizationId };
}
