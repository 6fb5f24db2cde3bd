import { z } from 'zod';
import type { AttachOrder, AttachmentKindName } from '../../dispatch/files/index.ts';
import { Refusal } from '../../../shared/refusal.ts';
import { fieldRule } from '../../../shared/refusals/field-rules.ts';
import { textUpTo } from '../request/fields.ts';

const MOST = 100;
/** A form sends a single value without an array. An empty text is no value. */
const oneOrMore = <T extends z.ZodType>(item: T) =>
  z.union(
    [
      z.array(item).max(MOST),
      z.literal('').transform(() => []),
      z.null().transform(() => []),
      item.transform((one) => [one]),
    ],
    fieldRule('field.type', { expected: `an array of at most ${MOST} texts` }),
  );
const uploads = oneOrMore(textUpTo(100).min(1)).meta({ type: 'array', items: { type: 'string' } });
const texts = oneOrMore(z.union([textUpTo(10_000), z.null().transform(() => '')])).meta({
  type: 'array',
  items: { type: 'string' },
});

/**
 * Attachments of a new task: arrays of upload names, with parallel arrays of original names and descriptions.
 */
export const CreateAttachments = {
  photos: uploads.optional(),
  photos_name: texts.optional(),
  photos_desc: texts.optional(),
  video: uploads.optional(),
  video_name: texts.optional(),
  video_desc: texts.optional(),
  files: uploads.optional(),
  files_name: texts.optional(),
  files_desc: texts.optional(),
  sounds: uploads.optional(),
  sounds_name: texts.optional(),
  sounds_desc: texts.optional(),
};

const sent = z.union(
  [
    z.object({
      file: textUpTo(100).min(1),
      fileName: textUpTo(500).nullish(),
      description: textUpTo(10_000).nullish(),
    }),
    textUpTo(100)
      .min(1)
      .transform((file) => ({ file, fileName: undefined, description: undefined })),
  ],
  fieldRule('field.type', { expected: 'an object with file and fileName' }),
);
const listOfSent = z
  .union(
    [z.array(sent).max(MOST), z.literal('').transform(() => []), z.null().transform(() => [])],
    fieldRule('field.type', { expected: 'an array of {file, fileName}' }),
  )
  .meta({
    type: 'array',
    items: {
      type: 'object',
      properties: { file: { type: 'string' }, fileName: { type: 'string' }, description: { type: 'string' } },
      required: ['file'],
    },
  });

/**
 * Attachments of an update. The interface says `videos` here and `video` for a new task; both are accepted.
 */
export const UpdateAttachments = {
  photos: listOfSent.optional(),
  videos: listOfSent.optional(),
  video: listOfSent.optional(),
  files: listOfSent.optional(),
  sounds: listOfSent.optional(),
};

type ParsedForm<Shape extends z.ZodRawShape> = z.output<z.ZodObject<Shape>>;

const CREATED = [
  ['photos', 'photo'],
  ['video', 'video'],
  ['files', 'file'],
  ['sounds', 'sound'],
] as const satisfies [string, AttachmentKindName][];

export function createdAttachments(body: ParsedForm<typeof CreateAttachments>): AttachOrder[] {
  return CREATED.flatMap(([field, kind]) => {
    const [uuids, names, descriptions] = [body[field] ?? [], body[`${field}_name`] ?? [], body[`${field}_desc`] ?? []];
    for (const [what, list] of [
      ['name', names],
      ['desc', descriptions],
    ] as const)
      if (list.length > uuids.length)
        throw new Refusal('tasks.attachmentList', {
          field: `${field}_${what}`,
          count: list.length,
          files: uuids.length,
          kind: field,
        });
    return uuids.map((uuid, index) => ({ kind, uuid, name: names[index], description: descriptions[index] }));
  });
}

export function updatedAttachments(body: ParsedForm<typeof UpdateAttachments>): AttachOrder[] {
  const orders = (kind: AttachmentKindName, list: z.output<typeof listOfSent> = []) =>
    list.map(({ file, fileName, description }) => ({
      kind,
      uuid: file,
      name: fileName ?? undefined,
      description: description ?? undefined,
    }));
  return [
    ...orders('photo', body.photos),
    ...orders('video', body.videos),
    ...orders('video', body.video),
    ...orders('file', body.files),
    ...orders('sound', body.sounds),
  ];
}
