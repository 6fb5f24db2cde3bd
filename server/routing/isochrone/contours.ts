/** A ring of a contour as x and y in turn, in steps of the grid; closed, the inside on its left. */
export type Ring = number[];

/**
 * The outlines of where a field over a grid is at most `level`, by marching squares (Lorensen and Cline,
 * "Marching Cubes", 1987, in the plane), each crossing where the field, taken as straight between two nodes,
 * has the level. Outside of the columns `from` to `to` nothing is inside, and outlines that would leave them
 * run along their edge. Rings round an area turn counter-clockwise with y upward, rings round a hole
 * clockwise.
 */
export function contoursOf(field: Float32Array, width: number, level: number, from = 0, to = width - 1): Ring[] {
  const height = field.length / width;
  // One more node all round is outside. A crossing is numbered by the side of a square that it lies on: twice
  // its lower left node, plus one when the side goes up.
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
    // Round the square, an outline goes from each side where the inside ends to the one before where it
    // began.
    for (let side = 0; side < 4; side++) {
      if (!(corners & (1 << side)) || corners & (1 << ((side + 1) & 3))) continue;
      let entry = (side + 3) & 3;
      while (corners & (1 << entry)) entry = (entry + 3) & 3;
      next[sides[side]!] = sides[entry]!;
    }
  }
  const at = (x: number, y: number): number =>
    x < from || x > to || y < 0 || y >= height ? Infinity : field[y * width + x]!;
  const rings: Ring[] = [];
  for (let start = 0; start < next.length; start++) {
    if (next[start] === -1) continue;
    const ring: Ring = [];
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

/** Twice the area is more than needed; the sign tells areas from holes. */
function signedArea(ring: Ring): number {
  let area = 0;
  for (let i = 2; i < ring.length; i += 2) area += ring[i - 2]! * ring[i + 1]! - ring[i]! * ring[i - 1]!;
  return area / 2;
}

/** Even-odd. */
function isInside(ring: Ring, x: number, y: number): boolean {
  let odd = false;
  for (let i = 2; i < ring.length; i += 2) {
    const ya = ring[i - 1]!;
    const yb = ring[i + 1]!;
    if (ya > y !== yb > y && x < ((ring[i]! - ring[i - 2]!) * (y - ya)) / (yb - ya) + ring[i - 2]!) odd = !odd;
  }
  return odd;
}

/** Holes to the areas that they are in: the first ring of each polygon is its outline. */
export function polygonsOf(rings: readonly Ring[]): Ring[][] {
  const outlines = rings.filter((ring) => signedArea(ring) > 0).sort((a, b) => signedArea(a) - signedArea(b));
  const polygons = new Map(outlines.map((ring) => [ring, [ring]]));
  for (const hole of rings) {
    if (signedArea(hole) >= 0) continue;
    const outline = outlines.find((ring) => signedArea(ring) > -signedArea(hole) && isInside(ring, hole[0]!, hole[1]!));
    if (outline) polygons.get(outline)!.push(hole);
  }
  return [...polygons.values()];
}
