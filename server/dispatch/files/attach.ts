import type { Attachment, AttachmentKind } from '../../../shared/records/index.ts';
import type { z } from 'zod';

export type AttachmentKindName = z.infer<typeof AttachmentKind>;

/**
 * The names of a kind on the wire: its directory under `/department_files`, and the prefix of its file names.
 */
export const UPLOAD_PLACES = {
  photo: { directory: 'photos', word: 'photo' },
  video: { directory: 'video', word: 'video' },
  sound: { directory: 'sounds', word: 'sounds' },
  file: { directory: 'dif_files', word: 'files' },
} as const satisfies Record<AttachmentKindName, { directory: string; word: string }>;

/** The field of a task that counts the attachments of a kind. */
export const COUNTED = { photo: 'photos', video: 'videos', sound: 'sounds', file: 'files' } as const satisfies Record<
  AttachmentKindName,
  string
>;

type NamedAttachment = Pick<Attachment, 'kind' | 'taskId' | 'num' | 'extension' | 'converted'>;

/**
 * The file name of an attachment. A converted video is an FLV; before that, and where it cannot be converted,
 * it is the original.
 */
export function fileNameOf(
  attachment: NamedAttachment,
  organizationId: number,
  extension = shownExtension(attachment),
): string {
  return `${UPLOAD_PLACES[attachment.kind as AttachmentKindName].word}_${organizationId}_${attachment.taskId}_${attachment.num}.${extension}`;
}

function shownExtension({ kind, extension, converted }: NamedAttachment): string {
  return kind === 'video' && converted['flv'] ? 'flv' : extension;
}

/** The attachment that a file name on the wire stands for; undefined for any other name. */
export function readFileName(
  directory: string,
  name: string,
): { kind: AttachmentKindName; organizationId: number; taskId: number; num: number; extension: string } | undefined {
  const place = Object.entries(UPLOAD_PLACES).find(([, one]) => one.directory === directory);
  const found = /^([a-z]+)_(\d{1,10})_(\d{1,10})_(\d{1,7})\.([a-z0-9]{1,20})$/.exec(name);
  if (!place || found?.[1] !== place[1].word) return undefined;
  return {
    kind: place[0] as AttachmentKindName,
    organizationId: Number(found[2]),
    taskId: Number(found[3]),
    num: Number(found[4]),
    extension: found[5]!,
  };
}

/** The bytes of one form of an attachment. A photo that was turned upright has the same name. */
export function storedForm(
  attachment: Attachment,
  extension: string,
): { sha256: string; original: boolean } | undefined {
  const converted = attachment.converted[extension];
  if (converted) return { sha256: converted.sha256, original: false };
  return extension === attachment.extension ? { sha256: attachment.sha256, original: true } : undefined;
}

/** Ordinals count from 0 within a task and kind. The ordinal of a deleted attachment is not used again. */
export function nextNum(known: readonly Pick<Attachment, 'num'>[]): number {
  return known.reduce((next, { num }) => Math.max(next, num + 1), 0);
}

/** The title photo after a photo was deleted: the next one, and after the last the first. */
export function mainPhotoAfter(removed: number, mainPhoto: number | null, left: readonly number[]): number | null {
  if (mainPhoto !== removed) return mainPhoto;
  const sorted = [...left].sort((a, b) => a - b);
  return sorted.find((num) => num > removed) ?? sorted[0] ?? null;
}

/** The other forms to make of an attachment, or empty. */
export function formsToMake(
  { kind, extension, type }: Pick<Attachment, 'kind' | 'extension' | 'type'>,
  turned: boolean,
): readonly string[] {
  switch (kind as AttachmentKindName) {
    case 'photo':
      return turned ? [extension] : [];
    case 'video':
      return ['flv', 'mp4'];
    case 'sound':
      return type === 'audio/mpeg' ? [] : ['mp3'];
    case 'file':
      return [];
  }
}
