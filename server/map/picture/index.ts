import { Worker } from 'node:worker_threads';
import { gunzipSync } from 'node:zlib';
import { siblingUrl } from '../../worker-url.ts';
import type { MapTiles } from '../door.ts';
import type { PictureOrder } from './picture.worker.ts';
import { tilesOf, type PictureView } from './view.ts';

export type { PictureView } from './view.ts';

/** The data are of OpenStreetMap, whose licence asks that this be said. */
const ATTRIBUTION = '© OpenStreetMap contributors';
const LONGEST = 20_000;
let last: Promise<unknown> = Promise.resolve();

/**
 * A picture of the territory around a place, for print: PNG in the day palette with a pin in its middle, drawn in a thread of its own, one at a time. Undefined
 * where the territory has nothing.
 */
export function staticPicture(map: Pick<MapTiles, 'tile' | 'maxZoom'>, view: PictureView, density = 2): Promise<Uint8Array | undefined> {
  const picture = last.then(() => make(map, view, density));
  last = picture.catch(() => undefined);
  return picture;
}

async function make(map: Pick<MapTiles, 'tile' | 'maxZoom'>, view: PictureView, density: number): Promise<Uint8Array | undefined> {
  const tiles = [];
  for (const place of tilesOf(view, map.maxZoom)) {
    const tile = await map.tile(place.z, place.x, place.y);
    if (tile) tiles.push({ place, bytes: gunzipSync(tile) });
  }
  if (tiles.length === 0) return undefined;
  const worker = new Worker(siblingUrl(import.meta.url, './picture.worker'), { workerData: { view, tiles, attribution: ATTRIBUTION, density } satisfies PictureOrder });
  try {
    return await new Promise<Uint8Array>((resolve, reject) => {
      const tooLong = setTimeout(() => reject(new Error('The picture of the map took too long.')), LONGEST);
      worker.once('message', (png: Uint8Array) => (clearTimeout(tooLong), resolve(png)));
      worker.once('error', (error) => (clearTimeout(tooLong), reject(error)));
      worker.once('exit', () => (clearTimeout(tooLong), reject(new Error('The thread that draws the map ended.'))));
    });
  } finally {
    await worker.terminate();
  }
}
