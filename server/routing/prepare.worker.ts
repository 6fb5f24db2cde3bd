import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { join } from 'node:path';
import { parentPort, workerData } from 'node:worker_threads';
import { FILES } from '../territory/door.ts';
import { Roads } from '../territory/roads/index.ts';
import { affectedBy, costsUnder } from './closures.ts';
import { customize } from './customize.ts';
import { Hierarchy } from './hierarchy.ts';
import type { Closure } from './door.ts';
import type { Closed, Closing, Prepared, Traffic } from './messages.ts';
import { freeCosts } from './metric.ts';
import { Snapper } from './snap.ts';

/**
 * A thread that reads the roads of a territory into shared memory and makes them ready to search; it stays, and works out anew what driving costs
 * when closures change, so that neither the server's own thread nor the searching ones wait for it.
 */
const { directory } = workerData as { directory: string };
const buffer = readShared(join(directory, FILES.roads));
const roads = Roads.from(buffer); // throws when the file is damaged
const hierarchy = Hierarchy.build(roads);
const free = freeCosts(roads);
const metric = customize(hierarchy, roads, free);
const snapper = new Snapper(roads);
const port = parentPort!;
port.on('message', ({ id, closures }: Closing) => port.postMessage({ id, traffic: trafficUnder(closures) } satisfies Closed));
port.postMessage({ roads: buffer, hierarchy: hierarchy.columns, metric, traffic: trafficUnder([]) } satisfies Prepared);

function trafficUnder(closures: readonly Closure[]): Traffic {
  const affected = affectedBy(closures, roads, snapper);
  return { affected, metric: affected.length > 0 ? customize(hierarchy, roads, costsUnder(affected, roads, free)) : undefined };
}

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
