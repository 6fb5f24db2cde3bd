import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { answerRequests } from '../platform/threads/answer-requests.ts';
import { FILES } from '../territory/types.ts';
import { MapFile } from '../territory/tiles/index.ts';
import type { TileQuestion } from './tile-thread.ts';
import { TileCutter } from './tile-cutter.ts';

let cutter: TileCutter | undefined;

answerRequests((asked: TileQuestion): Uint8Array | undefined => {
  if (asked.kind === 'open') {
    cutter = asked.directory === undefined ? undefined : openCutter(asked.directory);
    return undefined;
  }
  const tile = cutter?.cut(asked.z, asked.x, asked.y);
  // A tile is compressed once and sent many times, mostly over loopback: the middle level.
  return tile && gzipSync(tile, { level: 5 });
});

function openCutter(directory: string): TileCutter {
  const bytes = readFileSync(join(directory, FILES.tiles));
  return new TileCutter(MapFile.from(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength)));
}
