import type { Actor } from '../../../shared/access.ts';
import type { Files } from '../../dispatch/files/index.ts';

/** The stored file of an upload that a person may see; undefined when there is none, or no bytes of it yet. */
export function findUpload(files: Files, by: Actor, uuid: string): { path: string; name: string } | undefined {
  const upload = files.seenBy(by, uuid);
  return upload && files.blobs.has(upload.sha256)
    ? { path: files.blobs.path(upload.sha256), name: upload.name }
    : undefined;
}
