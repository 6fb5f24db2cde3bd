import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { join } from 'node:path';
import { parentPort, workerData } from 'node:worker_threads';
import { FILES } from '../territory/door.ts';
import { Roads } from '../territory/roads/index.ts';
import type { Prepared } from './messages.ts';

/** A thread that reads the roads of a territory into shared memory, so that the server's own thread never waits for the disk. */
const { directory } = workerData as { directory: string };
const buffer = readShared(join(directory, FILES.roads));
Roads.from(buffer); // throws when the file is damaged
parentPort!.postMessage({ roads: buffer } satisfies Prepared);

function readShared(path: string): SharedArrayBuffer {
  const file = openSync(path, 'r');
  try {
    const { size } = fstatSync(file);
    const buffer = new SharedArrayBuffer(size);
    const bytes = new Uint8Array(buffer);
    for (let at = 0; at < size; ) {
      const read = readSync(file, bytes, at, Math.min(size - at, 1 << 26), at);
      if (read === 0) throw new Error(`${path} became shorter while it was read.`);
      at += read;
    }
    return buffer;
  } finally {
    closeSync(file);
  }
}
