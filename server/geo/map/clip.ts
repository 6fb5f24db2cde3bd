/**
 * Lines and rings cut by the square from `low` to `high` in both directions. Coordinates go x, y, x, y…;
 * results are rounded to whole units.
 */

/** The pieces of a line within the square. Liang and Barsky (1984), a segment at a time. */
export function clipLine(line: readonly number[], low: number, high: number): number[][] {
  const pieces: number[][] = [];
  let piece: number[] | undefined;
  for (let i = 0; i + 3 < line.length; i += 2) {
    const ax = line[i]!,
      ay = line[i + 1]!,
      bx = line[i + 2]!,
      by = line[i + 3]!;
    const dx = bx - ax,
      dy = by - ay;
    let from = 0,
      to = 1;
    let outside = false;
    for (let side = 0; side < 4; side++) {
      const towards = side === 0 ? -dx : side === 1 ? dx : side === 2 ? -dy : dy;
      const room = side === 0 ? ax - low : side === 1 ? high - ax : side === 2 ? ay - low : high - ay;
      if (towards === 0) {
        if (room < 0) outside = true;
      } else if (towards < 0) from = Math.max(from, room / towards);
      else to = Math.min(to, room / towards);
    }
    if (outside || from >= to) {
      piece = undefined;
      continue;
    }
    if (piece === undefined || from > 0) {
      piece = [Math.round(ax + from * dx), Math.round(ay + from * dy)];
      pieces.push(piece);
    }
    piece.push(Math.round(ax + to * dx), Math.round(ay + to * dy));
    if (to < 1) piece = undefined;
  }
  return pieces;
}

/**
 * A ring (first vertex repeated at the end or not) cut by the square; empty when nothing is left. Sutherland
 * and Hodgman (1974).
 */
export function clipRing(ring: readonly number[], low: number, high: number): readonly number[] {
  let points = ring;
  for (let side = 0; side < 4 && points.length > 0; side++)
    points = clipSide(points, side, side % 2 === 0 ? low : high);
  return points;
}

/** Keeps what lies right of (0), left of (1), below (2) or above (3) an edge. */
function clipSide(ring: readonly number[], side: number, edge: number): readonly number[] {
  const axis = side < 2 ? 0 : 1;
  const sign = side % 2 === 0 ? 1 : -1;
  let all = true;
  for (let i = axis; i < ring.length; i += 2) {
    if ((ring[i]! - edge) * sign < 0) {
      all = false;
      break;
    }
  }
  if (all) return ring;
  const kept: number[] = [];
  let px = ring[ring.length - 2]!,
    py = ring[ring.length - 1]!;
  let wasIn = ((axis === 0 ? px : py) - edge) * sign >= 0;
  for (let i = 0; i < ring.length; i += 2) {
    const x = ring[i]!,
      y = ring[i + 1]!;
    const isIn = ((axis === 0 ? x : y) - edge) * sign >= 0;
    if (isIn !== wasIn) {
      if (axis === 0) kept.push(edge, Math.round(py + ((y - py) * (edge - px)) / (x - px)));
      else kept.push(Math.round(px + ((x - px) * (edge - py)) / (y - py)), edge);
    }
    if (isIn) kept.push(x, y);
    [px, py, wasIn] = [x, y, isIn];
  }
  return kept;
}
