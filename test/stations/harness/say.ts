import { writeSync } from 'node:fs';

/**
 * Writes a line to standard output before it returns, so that what was said is in the pipe when the process
 * is killed. A full pipe is waited for: Node opens it without blocking.
 */
export function sayAtOnce(line: string): void {
  const bytes = Buffer.from(`${line}\n`);
  for (let at = 0; at < bytes.length;) {
    try {
      at += writeSync(1, bytes, at);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 2);
    }
  }
}
