/** A thing that is drawn at a pixel. */
export interface MapSpot {
  readonly x: number;
  readonly y: number;
}

export interface Cluster<T extends MapSpot> {
  /** At least two. */
  readonly spots: readonly T[];
  /** The middle of them. */
  readonly x: number;
  readonly y: number;
}

/**
 * Groups spots that lie in one cell of a grid; a spot alone in its cell stays alone. `spacing` in pixels.
 * Cells are fixed to the ground (`origin` is a pixel of the ground), so that dragging the map changes
 * nothing.
 */
export function clustered<T extends MapSpot>(
  spots: readonly T[],
  spacing: number,
  origin: MapSpot,
): { readonly alone: readonly T[]; readonly clusters: readonly Cluster<T>[] } {
  const cells = new Map<number, T[]>();
  for (const spot of spots) {
    const key = Math.floor((spot.x - origin.x) / spacing) * ROW + Math.floor((spot.y - origin.y) / spacing);
    const cell = cells.get(key);
    if (cell) cell.push(spot);
    else cells.set(key, [spot]);
  }
  const alone: T[] = [];
  const clusters: Cluster<T>[] = [];
  for (const cell of cells.values()) {
    if (cell.length === 1) alone.push(cell[0]!);
    else clusters.push({ spots: cell, x: mean(cell, 'x'), y: mean(cell, 'y') });
  }
  return { alone, clusters };
}

function mean(spots: readonly MapSpot[], axis: 'x' | 'y'): number {
  return spots.reduce((sum, spot) => sum + spot[axis], 0) / spots.length;
}

/** More cells than a map of the world has in a column. */
const ROW = 2 ** 26;
