import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { join } from 'node:path';
import { parentPort, workerData } from 'node:worker_threads';
import { FILES } from '../territory/door.ts';
import { Roads } from '../territory/roads/index.ts';
import { customize } from './customize.ts';
import { Hierarchy } from './hierarchy.ts';
import type { Prepared } from './messages.ts';
import { freeCosts } from './metric.ts';

/** A thread that reads the roads of a territory into shared memory and makes them ready to search, so that the server's own thread never waits for it. */
const { directory } = workerData as { directory: string };
const buffer = readShared(join(directory, FILES.roads));
const roads = Roads.from(buffer); // throws when the file is damaged
const hierarchy = Hierarchy.build(roads);
const metric = customize(hierarchy, roads, freeCosts(roads));
parentPort!.postMessage({ roads: buffer, hierarchy: hierarchy.columns, metric } satisfies Prepared);

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
