/** A closed ring of x and y alternately, in grid steps, with the inside on its left. */
export type GridRing = number[];

/**
 * Contours of a field on a grid at `level`, by marching squares (Lorensen and Cline, "Marching Cubes", 1987,
 * in the plane), interpolated linearly. Nothing is inside beyond the columns `from` to `to`; contours run
 * along their edge. With y upward, outer rings turn counter-clockwise and holes clockwise.
 */
export function contoursOf(field: Float32Array, width: number, level: number, from = 0, to = width - 1): GridRing[] {
  const height = field.length / width;
  // The grid has a margin of outside nodes. A crossing has the number of its side of a square: twice the
  // lower left node, plus one when the side is vertical.
  const columns = to - from + 3;
  const inside = new Uint8Array(columns * (height + 2));
  for (let y = 0; y < height; y++) {
    for (let x = from; x <= to; x++) if (field[y * width + x]! <= level) inside[(y + 1) * columns + x - from + 1] = 1;
  }
  const next = new Int32Array(2 * inside.length).fill(-1);
  for (let node = 0; node < inside.length - columns - 1; node++) {
    const corners =
      inside[node]! | (inside[node + 1]! << 1) | (inside[node + columns + 1]! << 2) | (inside[node + columns]! << 3);
    if (corners === 0 || corners === 15) continue;
    const sides = [2 * node, 2 * (node + 1) + 1, 2 * (node + columns), 2 * node + 1];
    // In each square, the contour joins the side where the inside ends to the earlier side where it began.
    for (let side = 0; side < 4; side++) {
      if (!(corners & (1 << side)) || corners & (1 << ((side + 1) & 3))) continue;
      let entry = (side + 3) & 3;
      while (corners & (1 << entry)) entry = (entry + 3) & 3;
      next[sides[side]!] = sides[entry]!;
    }
  }
  const at = (x: number, y: number): number =>
    x < from || x > to || y < 0 || y >= height ? Infinity : field[y * width + x]!;
  const rings: GridRing[] = [];
  for (let start = 0; start < next.length; start++) {
    if (next[start] === -1) continue;
    const ring: GridRing = [];
    for (let crossing = start; next[crossing] !== -1;) {
      const node = crossing >> 1;
      const x = (node % columns) + from - 1;
      const y = Math.floor(node / columns) - 1;
      const near = at(x, y);
      const far = crossing & 1 ? at(x, y + 1) : at(x + 1, y);
      const share = near === Infinity ? 1 : far === Infinity ? 0 : (level - near) / (far - near);
      ring.push(crossing & 1 ? x : x + share, crossing & 1 ? y + share : y);
      const onward = next[crossing]!;
      next[crossing] = -1;
      crossing = onward;
    }
    ring.push(ring[0]!, ring[1]!);
    rings.push(ring);
  }
  return rings;
}

/** Signed area: positive for outer rings, negative for holes. */
function signedArea(ring: GridRing): number {
  let area = 0;
  for (let i = 2; i < ring.length; i += 2) area += ring[i - 2]! * ring[i + 1]! - ring[i]! * ring[i - 1]!;
  return area / 2;
}

/** Even-odd rule. */
function isInside(ring: GridRing, x: number, y: number): boolean {
  let odd = false;
  for (let i = 2; i < ring.length; i += 2) {
    const ya = ring[i - 1]!;
    const yb = ring[i + 1]!;
    if (ya > y !== yb > y && x < ((ring[i]! - ring[i - 2]!) * (y - ya)) / (yb - ya) + ring[i - 2]!) odd = !odd;
  }
  return odd;
}

/** Assigns holes to their outlines; the first ring of a polygon is its outline. */
export function polygonsOf(rings: readonly GridRing[]): GridRing[][] {
  const outlines = rings.filter((ring) => signedArea(ring) > 0).sort((a, b) => signedArea(a) - signedArea(b));
  const polygons = new Map(outlines.map((ring) => [ring, [ring]]));
  for (const hole of rings) {
    if (signedArea(hole) >= 0) continue;
    const outline = outlines.find((ring) => signedArea(ring) > -signedArea(hole) && isInside(ring, hole[0]!, hole[1]!));
    if (outline) polygons.get(outline)!.push(hole);
  }
  return [...polygons.values()];
}
