import { createReadStream, statSync } from 'node:fs';
import { z } from 'zod';
import { administers, mayUpload } from '../../../shared/access.ts';
import type { Files, PictureSize, Upload } from '../../dispatch/files/index.ts';
import { Refusal } from '../../../shared/refusal.ts';
import { OK, Ok } from '../app/common-answers.ts';
import { queryInt, textUpTo } from '../request/fields.ts';
import { readMultipart } from './multipart.ts';
import { route, type DeclaredRoute } from '../app/route.ts';
import { serveFile, type ServedFile } from './serve-file.ts';

const params = z.object({ uuid: textUpTo(100) });
/** The size of the box that a picture is fitted into. */
export const SizeQuery = { width: queryInt(1, 4096), height: queryInt(1, 4096) };
export const PhotoFit = z.object({ fit: z.enum(['fill', 'inside']).optional() });
const inA = { family: 'A', bare: true, group: 'Files', access: 'user' } as const;

/**
 * Uploads: `/fileload`. @param organizationOf the organization of a user; undefined when the user never
 * existed
 */
export function fileRoutes(files: Files, organizationOf: (userId: number) => number | undefined): DeclaredRoute[] {
  return [
    route({
      ...inA,
      method: 'POST',
      path: '/fileload',
      cost: 2,
      summary: 'Upload a file',
      upload: { type: 'multipart/form-data' },
      answer: z.object({ data: z.array(z.string()) }),
      description:
        'Parts `name` (text) and `file` (binary). Answers the names by which the file is known from now on; it is cleared after a day when no record names it by then. The kind is told by the content, never by the name. Takes the right to create tasks or to attach; 413 over what one user may have in store unused.',
      run: async ({ request, caller }) => {
        if (!mayUpload(caller)) throw new Refusal('files.mayNotUpload');
        const form = await readMultipart(
          request,
          (file) => files.keep(file, caller.user.id),
          (kept) => files.drop(kept),
        );
        const kept = form.files.map(({ stored }) => stored);
        try {
          if (kept.length === 0) throw new Refusal('request.formNoFile');
          const data: string[] = [];
          for (const { stored, name } of form.files)
            data.push(
              (
                await files.register(stored, {
                  name: nameOf(form.fields['name'], name, kept.length),
                  userId: caller.user.id,
                })
              ).uuid,
            );
          return { data };
        } finally {
          for (const one of kept) files.drop(one);
        }
      },
    }),
    route({
      ...inA,
      method: 'GET',
      path: '/fileload/:uuid',
      summary: 'An uploaded file',
      params,
      answer: { type: 'application/octet-stream' },
      description:
        'Answers ranges and `If-None-Match`. Pictures, video, sound and plain text come under their type, everything else as a download.',
      run: ({ caller, params, request, response }) =>
        serveFile(request, response, uploaded(files, files.require(caller, params.uuid))),
    }),
    route({
      ...inA,
      method: 'GET',
      path: '/fileload/:uuid/:width/:height',
      summary: 'An uploaded picture, scaled',
      params: params.extend(SizeQuery),
      query: PhotoFit,
      answer: { type: 'image/*' },
      description:
        'Fits into the box with its aspect ratio kept, never enlarged, upright as the camera was held; `fit=fill` stretches it to exactly the box.',
      run: async ({ caller, params, query, request, response }) => {
        const upload = files.require(caller, params.uuid);
        if (upload.family !== 'photo') throw new Refusal('files.unscalableNamed', { name: upload.name });
        return serveFile(
          request,
          response,
          await scaled(files, upload.sha256, upload.name, { ...params, fill: query.fit === 'fill' }),
        );
      },
    }),
    route({
      ...inA,
      method: 'DELETE',
      path: '/fileload/:uuid',
      summary: 'Delete an upload',
      params,
      answer: Ok,
      description:
        'By the person who uploaded it, or an administrator of their organisation. What a record made of it stays.',
      run: async ({ params, caller }) => {
        const { userId } = files.require(caller, params.uuid);
        if (userId !== caller.user.id && !administers(caller, organizationOf(userId) ?? 0))
          throw new Refusal('files.foreign');
        await files.remove(params.uuid);
        return OK;
      },
    }),
  ];
}

/**
 * The sender's name for a file: the part `name`, else the name of the file. One name cannot be that of
 * several files.
 */
function nameOf(part: string | undefined, fileName: string, count: number): string {
  return part !== undefined && part.trim() !== '' && count === 1 ? part.slice(0, 1000) : fileName.slice(0, 1000);
}

function uploaded(files: Files, { sha256, size, type, name }: Upload): ServedFile {
  return { tag: sha256, size, type, name, read: (range) => files.blobs.read(sha256, range) };
}

/** A scaled picture for `serveFile`. */
export async function scaled(files: Files, sha256: string, name: string, box: PictureSize): Promise<ServedFile> {
  const { path, type } = await files.scale(sha256, box);
  return {
    tag: `${sha256.slice(0, 40)}-${box.width}x${box.height}${box.fill ? 'f' : ''}${box.png ? 'p' : ''}`,
    size: statSync(path).size,
    type,
    name,
    read: (range) => createReadStream(path, range),
  };
}
