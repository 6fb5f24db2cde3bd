import { MAX_ZOOM } from '../layers.ts';
import { WORLD } from '../mercator.ts';

/** How far a line may be off, in units of a tile 4096 wide: a fifth of a pixel. */
const TOLERANCE = 3;

/**
 * The zoom from which each vertex of a line or ring is needed, so that a tile only has to leave out the
 * vertices of later zooms. Douglas and Peucker, "Algorithms for the reduction of the number of points"
 * (1973), done once for all zooms as geojson-vt does. The ends are always needed.
 */
export function vertexZooms(x: Int32Array, y: Int32Array, start: number, end: number, zooms: Uint8Array): void {
  zooms.fill(MAX_ZOOM, start, end);
  zooms[start] = 0;
  zooms[end - 1] = 0;
  const stack = [start, end - 1];
  while (stack.length > 0) {
    const last = stack.pop()!;
    const first = stack.pop()!;
    const ax = x[first]!,
      ay = y[first]!;
    const dx = x[last]! - ax,
      dy = y[last]! - ay;
    const length2 = dx * dx + dy * dy;
    let farthest = -1;
    let most = 0;
    for (let i = first + 1; i < last; i++) {
      let px = x[i]! - ax,
        py = y[i]! - ay;
      if (length2 > 0) {
        const along = Math.min(1, Math.max(0, (px * dx + py * dy) / length2));
        px -= along * dx;
        py -= along * dy;
      }
      const distance2 = px * px + py * py;
      if (distance2 > most) {
        most = distance2;
        farthest = i;
      }
    }
    if (farthest < 0) continue;
    zooms[farthest] = zoomOf(Math.sqrt(most));
    if (zooms[farthest]! >= MAX_ZOOM) continue; // All between are nearer still, and keep the last zoom.
    stack.push(first, farthest, farthest, last);
  }
}

function zoomOf(distance: number): number {
  return Math.min(MAX_ZOOM, Math.max(0, Math.ceil(Math.log2((TOLERANCE * WORLD) / (4096 * distance)))));
}
