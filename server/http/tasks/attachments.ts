import { z } from 'zod';
import type { Caller } from '../../access/accounts/index.ts';
import {
  fileNameOf,
  storedForm,
  UPLOAD_PLACES,
  readFileName,
  type AttachmentKindName,
  type Files,
} from '../../dispatch/files/index.ts';
import type { Tasks } from '../../dispatch/tasks/index.ts';
import type { Attachment } from '../../../shared/records/index.ts';
import { Refusal } from '../../../shared/refusal.ts';
import { aNumber, dateTimeZone, idOrNull } from './values.ts';
import { pathId, textUpTo } from '../request/fields.ts';
import { requireBytes } from '../files/require-bytes.ts';
import { PhotoFit, scaled, SizeQuery } from '../files/files.ts';
import { route, type DeclaredRoute } from '../app/route.ts';
import { serveFile } from '../files/serve-file.ts';

const AttachmentItem = z
  .object({
    id: aNumber,
    num: aNumber,
    name: z.string().optional(),
    description: z.string(),
    extension: z.string(),
    file_name: z.string(),
    link: z.string().nullable(),
    size: z.int().meta({ description: 'Bytes of what was sent.' }),
    type: z.string(),
    date: z.string(),
    user_id: aNumber.nullable(),
    conversion: z.enum(['none', 'waiting', 'done', 'failed', 'unavailable']).meta({
      description:
        '`none`: nothing to convert. `unavailable`: the station has no ffmpeg; the original is kept and served.',
    }),
    upload: z
      .string()
      .optional()
      .meta({ description: 'The upload that it was made of; shown to the person who attached it.' }),
    conversion_note: z.string(),
    converted: z.array(z.string()).meta({ description: 'Names of the other forms, in the same directory.' }),
    pending: z.literal(true).optional().meta({
      description: 'The bytes are on their way from another station; asking for them gives 404.',
    }),
  })
  .meta({ id: 'Attachment' });

/** Wire names of the attachment kinds: in the path, and in the answer. */
const KINDS = [
  ['photos', 'photo'],
  ['video', 'video'],
  ['files', 'file'],
  ['sounds', 'sound'],
] as const satisfies [string, AttachmentKindName][];
const TYPES: Readonly<Record<string, string>> = { flv: 'video/x-flv', mp4: 'video/mp4', mp3: 'audio/mpeg' };

const inA = { family: 'A', access: 'user', group: 'Attachments' } as const;
const params = z.object({ newsId: pathId });
const one = params.extend({ fileId: pathId });

/** Attachments of tasks, and the paths of their files. */
export function attachmentRoutes(tasks: Tasks, files: Files): DeclaredRoute[] {
  const list = (caller: Caller, newsId: number, kind: AttachmentKindName) => {
    const { organizationId } = tasks.get(caller, newsId);
    return tasks.attachments
      .of(caller, newsId, kind)
      .map((attachment) => presentAttachment(attachment, organizationId, caller, files));
  };
  const listing = (field: 'photos' | 'video' | 'files', kind: AttachmentKindName) =>
    route({
      ...inA,
      method: 'GET',
      path: `/news/:newsId/${field}`,
      summary: `The ${field} of a message`,
      params,
      answer: z.object({ [field]: z.array(AttachmentItem) }),
      run: ({ caller, params }) => ({ [field]: list(caller, params.newsId, kind) }),
    });
  return [
    listing('photos', 'photo'),
    listing('video', 'video'),
    listing('files', 'file'),
    route({
      ...inA,
      method: 'GET',
      path: '/news/:newsId/sounds',
      summary: 'The sounds of a message',
      params,
      answer: z.object({ sounds: z.array(AttachmentItem), sounds_converted: z.array(z.string()) }),
      description: '`sounds_converted` are the names of those that every player knows (MP3).',
      run: ({ caller, params }) => {
        const { organizationId } = tasks.get(caller, params.newsId);
        const sounds = tasks.attachments.of(caller, params.newsId, 'sound');
        const converted = sounds
          .filter((sound) => sound.converted['mp3'] ?? sound.extension === 'mp3')
          .map((sound) => fileNameOf(sound, organizationId, 'mp3'));
        return {
          sounds: sounds.map((sound) => presentAttachment(sound, organizationId, caller, files)),
          sounds_converted: converted,
        };
      },
    }),
    ...KINDS.map(([field, kind]) =>
      route({
        ...inA,
        method: 'POST',
        path: `/news/:newsId/${field}/:fileId`,
        summary: `Take one of the ${field} away, or bring it back`,
        params: one,
        body: z.object({ action: z.enum(['delete', 'restore']) }),
        answer: 'nothing',
        description: `${kind === 'photo' ? 'When it was the title photo, the next photo is it from now on. ' : ''}The ordinal is not used again. \`restore\` brings it back under its ordinal, for a day and as long as its content is kept.`,
        run: ({ caller, params, body }) =>
          body.action === 'delete'
            ? tasks.attachments.remove(caller, params.newsId, kind, params.fileId)
            : tasks.attachments.restore(caller, params.newsId, kind, params.fileId),
      }),
    ),
    route({
      ...inA,
      method: 'GET',
      path: '/news/:newsId/photos/:fileId/:width/:height',
      summary: 'A photo of a message, scaled',
      params: one.extend(SizeQuery),
      query: PhotoFit,
      answer: { type: 'image/*' },
      description: 'As `/fileload/{uuid}/{width}/{height}`, by the id of the photo.',
      run: async ({ caller, params, query, request, response }) => {
        const photo = tasks.attachments.of(caller, params.newsId, 'photo').find(({ id }) => id === params.fileId);
        if (!photo) throw new Refusal('tasks.noPhoto', { id: params.newsId, file: params.fileId });
        requireBytes(files, photo.sha256, photo.name);
        return serveFile(
          request,
          response,
          await scaled(files, photo.sha256, photo.name, { ...params, fill: query.fit === 'fill' }),
        );
      },
    }),
    ...Object.values(UPLOAD_PLACES).map(({ directory }) =>
      route({
        ...inA,
        method: 'GET',
        path: `/department_files/${directory}/:name`,
        summary: `A file of the directory ${directory}`,
        params: z.object({ name: textUpTo(200) }),
        answer: { type: 'application/octet-stream' },
        description: 'For those who may see the message. Answers ranges and `If-None-Match`.',
        run: ({ caller, params, request, response }) => {
          const missing = new Refusal('files.noFile', { name: params.name });
          const named = readFileName(directory, params.name);
          if (!named || tasks.get(caller, named.taskId).organizationId !== named.organizationId) throw missing;
          const attachment = tasks.attachments
            .of(caller, named.taskId, named.kind)
            .find(({ num }) => num === named.num);
          const form = attachment && storedForm(attachment, named.extension);
          if (!attachment || !form) throw missing;
          requireBytes(files, form.sha256, params.name);
          const { sha256, original } = form;
          return serveFile(request, response, {
            tag: sha256,
            size: files.blobs.size(sha256),
            type: original || named.extension === attachment.extension ? attachment.type : TYPES[named.extension]!,
            name: original ? attachment.name : `${attachment.name.replace(/\.[^.]*$/, '')}.${named.extension}`,
            read: (range) => files.blobs.read(sha256, range),
          });
        },
      }),
    ),
  ];
}

function presentAttachment(
  attachment: Attachment,
  organizationId: number,
  { user }: Caller,
  { blobs }: Files,
): z.input<typeof AttachmentItem> {
  const fileName = fileNameOf(attachment, organizationId);
  const extension = fileName.slice(fileName.lastIndexOf('.') + 1);
  return {
    id: String(attachment.id),
    num: String(attachment.num),
    ...(attachment.kind === 'video' ? {} : { name: attachment.name }),
    description: attachment.description,
    extension,
    file_name: fileName,
    // The station stores videos itself, so there is never an external link.
    link: null,
    size: attachment.size,
    type: attachment.type,
    date: dateTimeZone(attachment.at),
    user_id: idOrNull(attachment.authorId),
    ...(attachment.authorId === user.id ? { upload: attachment.upload } : {}),
    conversion: attachment.conversion as z.input<typeof AttachmentItem>['conversion'],
    conversion_note: attachment.conversionNote,
    converted: Object.keys(attachment.converted)
      .filter(() => attachment.kind !== 'photo')
      .sort()
      .map((form) => fileNameOf(attachment, organizationId, form)),
    ...(blobs.has(attachment.sha256) ? {} : { pending: true }),
  };
}
