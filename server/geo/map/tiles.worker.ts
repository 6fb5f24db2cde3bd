import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { answerRequests } from '../../platform/threads/answer-requests.ts';
import { TERRITORY_FILES } from '../territory/types.ts';
import { MapFile } from '../territory/tiles/index.ts';
import type { TileQuestion } from './tile-thread.ts';
import { TileCutter } from './tile-cutter.ts';

let map: MapFile | undefined;
let cutter: TileCutter | undefined;

answerRequests((asked: TileQuestion): Uint8Array | undefined => {
  if (asked.kind === 'open') {
    const opened =
      asked.directory === undefined ? undefined : MapFile.open(join(asked.directory, TERRITORY_FILES.tiles));
    map?.close();
    map = opened;
    cutter = opened && new TileCutter(opened);
    return undefined;
  }
  const tile = cutter?.cut(asked.z, asked.x, asked.y);
  // A tile is compressed once and sent many times, mostly over loopback: the middle level.
  return tile && gzipSync(tile, { level: 5 });
});
