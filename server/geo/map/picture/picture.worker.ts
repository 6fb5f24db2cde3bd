import { parentPort } from 'node:worker_threads';
import { gunzipSync } from 'node:zlib';
import sharp from 'sharp';
import { drawPicture, type DrawnTile } from './draw.ts';
import type { PictureView } from './view.ts';

export interface PictureOrder {
  readonly view: PictureView;
  /** As the map serves them: compressed. */
  readonly tiles: readonly DrawnTile[];
  readonly attribution: string;
  /** Pixels of the picture for each pixel of the view. */
  readonly density: number;
}

const port = parentPort!;
port.on('message', async (order: PictureOrder) => port.postMessage(await draw(order)));

async function draw({ view, tiles, attribution, density }: PictureOrder): Promise<Uint8Array> {
  const svg = drawPicture(
    view,
    tiles.map(({ place, bytes }) => ({ place, bytes: gunzipSync(bytes) })),
    attribution,
  );
  return sharp(Buffer.from(svg), { density: 72 * density, unlimited: true })
    .flatten()
    .png({ compressionLevel: 9, palette: true, quality: 95 })
    .toBuffer();
}
