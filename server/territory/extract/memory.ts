import process from 'node:process';

/**
 * Of what the machine has left, how much an import may take in one piece: other programs want something, too,
 * and the makers need as much again.
 */
const SHARE = 0.5;
/** Bytes that any machine can spare. */
const TRIFLE = 64 * 2 ** 20;

/**
 * An extract needs more memory than there is. It has the code that a thread's heap has when it is full, since
 * it means the same to who started the import.
 */
export class OutOfMemory extends Error {
  readonly code = 'ERR_WORKER_OUT_OF_MEMORY';
}

/**
 * Throws `OutOfMemory` when so many bytes more are not to be had. The system would grant them and, once they
 * are written to, end the whole station for it; so a file that is too large, or a small one that unpacks
 * without end, is refused before.
 */
export function demandMemory(bytes: number, available: () => number = () => process.availableMemory()): void {
  if (bytes > TRIFLE && bytes > available() * SHARE)
    throw new OutOfMemory(`${bytes} bytes more are needed, and there is no room for them`);
}
