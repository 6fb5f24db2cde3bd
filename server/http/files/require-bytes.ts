import type { Files } from '../../dispatch/files/index.ts';
import { Refusal } from '../../../shared/refusal.ts';

/** Refuses bytes that a record names and that are not here yet. */
export function requireBytes({ blobs }: Files, sha256: string, name: string): void {
  if (blobs.has(sha256)) return;
  throw new Refusal('files.pending', { name });
}
