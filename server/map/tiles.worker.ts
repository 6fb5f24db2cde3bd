import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parentPort } from 'node:worker_threads';
import { gzipSync } from 'node:zlib';
import { FILES } from '../territory/door.ts';
import { MapFile } from '../territory/tiles/index.ts';
import type { TileAnswer, TileQuestion } from './tile-thread.ts';
import { TileCutter } from './tile-cutter.ts';

let cutter: TileCutter | undefined;

parentPort!.on('message', ({ id, asked }: TileQuestion) => {
  try {
    if (asked.kind === 'open') {
      cutter = asked.directory === undefined ? undefined : openCutter(asked.directory);
      say({ id });
    } else {
      const tile = cutter?.cut(asked.z, asked.x, asked.y);
      // A tile is packed once and sent many times, though mostly over loopback: the middle level.
      say({ id, tile: tile && gzipSync(tile, { level: 5 }) });
    }
  } catch (error) {
    say({ id, error: (error as Error).message });
  }
});

function openCutter(directory: string): TileCutter {
  const bytes = readFileSync(join(directory, FILES.tiles));
  return new TileCutter(MapFile.from(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength)));
}

function say(answer: TileAnswer): void {
  parentPort!.postMessage(answer);
}
