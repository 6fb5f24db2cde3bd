import process from 'node:process';

/**
 * The share of free memory that an import may take at once: other programs need some, and the makers need as
 * much again.
 */
const SHARE = 0.5;
/** Bytes available on any machine. */
const TRIFLE = 64 * 2 ** 20;

/**
 * An extract needs more memory than is free. It has the error code of a full thread heap, because both mean
 * the same to the user.
 */
export class OutOfMemory extends Error {
  readonly code = 'ERR_WORKER_OUT_OF_MEMORY';
}

/**
 * Throws `OutOfMemory` when so many bytes are not free. The system would grant them and kill the station
 * later, so a file that is too large, or that unpacks without end, is refused first.
 */
export function requireMemory(bytes: number, available: () => number = () => process.availableMemory()): void {
  if (bytes > TRIFLE && bytes > available() * SHARE)
    throw new OutOfMemory(`${bytes} bytes more are needed, and there is no room for them`);
}
