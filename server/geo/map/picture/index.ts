import { WorkerQueue } from '../../../platform/threads/worker-queue.ts';
import { siblingUrl } from '../../../platform/threads/worker-url.ts';
import type { MapTiles } from '../types.ts';
import type { PictureOrder } from './picture.worker.ts';
import { tilesOf, type PictureView } from './view.ts';

export type { PictureView } from './view.ts';

/** The data are from OpenStreetMap, whose licence requires this attribution. */
const ATTRIBUTION = '© OpenStreetMap contributors';
const thread = new WorkerQueue<PictureOrder, Uint8Array>(
  siblingUrl(import.meta.url, './picture.worker'),
  'The picture of the map',
  20_000,
);

/**
 * A picture of the territory around a place, for print: PNG in the day palette with a pin in its middle,
 * drawn in a thread, one at a time. Undefined where the territory has nothing.
 */
export async function staticPicture(
  map: Pick<MapTiles, 'tile' | 'maxZoom'>,
  view: PictureView,
  density = 2,
): Promise<Uint8Array | undefined> {
  const cut = await Promise.all(
    tilesOf(view, map.maxZoom).map(async (place) => ({ place, bytes: await map.tile(place.z, place.x, place.y) })),
  );
  const tiles = cut.flatMap(({ place, bytes }) => (bytes ? [{ place, bytes }] : []));
  return tiles.length === 0 ? undefined : thread.run({ view, tiles, attribution: ATTRIBUTION, density });
}
