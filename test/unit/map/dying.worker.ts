import { parentPort } from 'node:worker_threads';
import type { TileQuestion } from '../../../server/map/tile-thread.ts';

/** Answers as the tile thread does, and dies of the tiles of zoom 9 (by an error) and 10 (without a word). */
let directory: string | undefined;
parentPort!.on('message', ({ id, asked }: TileQuestion) => {
  if (asked.kind === 'open') {
    directory = asked.directory;
    parentPort!.postMessage({ id });
  } else if (asked.z === 9) throw new Error('out of memory');
  else if (asked.z === 10) process.exit(1);
  else parentPort!.postMessage({ id, tile: new TextEncoder().encode(directory) });
});
