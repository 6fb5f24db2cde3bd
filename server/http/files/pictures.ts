import type { Request, Response } from 'express';
import type { Readable } from 'node:stream';
import type { Actor } from '../../../shared/access.ts';
import type { Files } from '../../dispatch/files/index.ts';
import type { Picture } from '../../dispatch/fleet/index.ts';
import { Refusal } from '../../../shared/refusal.ts';
import { requireBytes } from './require-bytes.ts';
import { scaled } from './files.ts';
import { serveFile } from './serve-file.ts';

/** Longest side in pixels of a full picture, and of a thumbnail. */
const WHOLE = 1600;
const THUMB = 160;

/**
 * The uploaded picture with this name. Refuses, naming `field`, when the caller cannot see it or it is not a
 * readable picture.
 */
export async function uploadedPicture(files: Files, by: Actor, uuid: string, field: string): Promise<Picture> {
  const upload = files.seenBy(by, uuid);
  if (!upload || !files.blobs.has(upload.sha256))
    throw new Refusal('field.noUpload', { field, file: uuid.slice(0, 100) });
  const size = upload.family === 'photo' ? await files.look(upload.sha256) : undefined;
  if (!size) throw new Refusal('field.notPicture', { field, name: upload.name });
  return { sha256: upload.sha256, type: upload.type, width: size.width, height: size.height };
}

/** Serves a picture as PNG, from any uploaded format. */
export async function servePng(
  request: Request,
  response: Response,
  files: Files,
  sha256: string | null,
  name: string,
  size: 'whole' | 'thumb',
): Promise<Readable | undefined> {
  if (sha256 === null) throw new Refusal('fleet.noPicture', { name });
  requireBytes(files, sha256, name);
  const side = size === 'whole' ? WHOLE : THUMB;
  return serveFile(
    request,
    response,
    await scaled(files, sha256, `${name}.png`, { width: side, height: side, fill: false, png: true }),
  );
}

/**
 * Releases the picture that a record no longer shows. Its bytes are deleted after a day, unless another
 * record uses them.
 */
export async function releasePicture(files: Files, before: string | null, now: string | null): Promise<void> {
  if (before !== null && before !== now) await files.leave('', [before]);
}
