import { answerRequests } from '../../../../server/platform/threads/answer-requests.ts';
import type { TileQuestion } from '../../../../server/geo/map/tile-thread.ts';

/** Answers as the tile thread does, and dies of the tiles of zoom 9 (by an error) and 10 (without a word). */
let directory: string | undefined;
answerRequests((asked: TileQuestion) => {
  if (asked.kind === 'open') directory = asked.directory;
  else if (asked.z === 9)
    queueMicrotask(() => {
      throw new Error('out of memory');
    });
  else if (asked.z === 10) process.exit(1);
  else return new TextEncoder().encode(directory);
  return asked.kind === 'open' ? undefined : new Promise(() => {});
});
