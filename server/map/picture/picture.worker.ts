import { parentPort, workerData } from 'node:worker_threads';
import sharp from 'sharp';
import { drawPicture, type DrawnTile } from './draw.ts';
import type { PictureView } from './view.ts';

export interface PictureOrder {
  readonly view: PictureView;
  readonly tiles: readonly DrawnTile[];
  readonly attribution: string;
  /** Pixels of the picture for each pixel of the view. */
  readonly density: number;
}

const { view, tiles, attribution, density } = workerData as PictureOrder;
const png = await sharp(Buffer.from(drawPicture(view, tiles, attribution)), { density: 72 * density, unlimited: true }).flatten().png({ compressionLevel: 9, palette: true, quality: 95 }).toBuffer();
parentPort!.postMessage(png);
