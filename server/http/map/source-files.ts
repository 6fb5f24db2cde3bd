import { isAbsolute } from 'node:path';
import type { Actor } from '../../../shared/access.ts';
import { Refusal } from '../../../shared/refusal.ts';
import { isHere } from '../app/here.ts';

/** The file of an upload, and its original name. */
interface UploadedFile {
  readonly path: string;
  readonly name: string;
}

/** Finds the file of an upload that this user sent. */
export type FindUpload = (by: Actor, uuid: string) => UploadedFile | undefined;

/** Files of the station's disk are given on its own machine only. */
export async function filesOnStation(
  paths: readonly string[],
  request: Parameters<typeof isHere>[0],
): Promise<readonly string[]> {
  if ((await isHere(request)) === 'no') throw new Refusal('territory.pathHereOnly');
  if (paths.some((path) => !isAbsolute(path) || path.includes('\0')))
    throw new Refusal('territory.path', { field: 'path' });
  return paths;
}

export function uploadedFiles(
  by: Actor,
  uuids: readonly string[],
  findUpload: FindUpload | undefined,
): readonly UploadedFile[] {
  if (uuids.length === 0) throw new Refusal('territory.pathOrUpload');
  return uuids.map((uuid) => {
    const upload = findUpload?.(by, uuid);
    if (upload === undefined) throw new Refusal('files.noUpload', { file: uuid });
    return upload;
  });
}
