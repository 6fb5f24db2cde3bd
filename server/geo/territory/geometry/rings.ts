/** A closed line: its first number is its last. */
export type Ring = readonly number[];

/**
 * Joins lines, given as positions of nodes, into rings, each line used once and turned round where needed.
 * Lines that do not close stay in `open`, joined as far as they go.
 */
export function joinRings(lines: readonly Ring[]): { rings: Ring[]; open: Ring[] } {
  return join(lines, true);
}

/** As `joinRings`, for lines whose direction has a meaning (coastlines): none is turned round. */
export function joinDirected(lines: readonly Ring[]): { rings: Ring[]; open: Ring[] } {
  return join(lines, false);
}

function join(lines: readonly Ring[], mayTurn: boolean): { rings: Ring[]; open: Ring[] } {
  const rings: Ring[] = [];
  const open: Ring[] = [];
  const used = new Uint8Array(lines.length);
  // Where lines begin (and, when they may be turned, end).
  const at = new Map<number, number[]>();
  const note = (node: number, line: number) => {
    const there = at.get(node);
    if (there === undefined) at.set(node, [line]);
    else there.push(line);
  };
  lines.forEach((line, i) => {
    if (line.length < 2) used[i] = 1;
    else if (line[0] === line.at(-1)) {
      used[i] = 1;
      if (line.length >= 4) rings.push(line);
    } else {
      note(line[0]!, i);
      if (mayTurn) note(line.at(-1)!, i);
    }
  });

  // Directed chains start where nothing leads to, so that they are not cut in the middle.
  const ledTo = new Set(mayTurn ? [] : lines.filter((_, i) => !used[i]).map((line) => line.at(-1)!));
  const starts = lines.map((_, i) => i).filter((i) => !used[i]);
  if (!mayTurn) starts.sort((a, b) => Number(ledTo.has(lines[a]![0]!)) - Number(ledTo.has(lines[b]![0]!)));
  for (const start of starts) {
    if (used[start]) continue;
    used[start] = 1;
    const chain = [...lines[start]!];
    while (chain[0] !== chain.at(-1)) {
      const next = at.get(chain.at(-1)!)?.find((line) => !used[line]);
      if (next === undefined) break;
      used[next] = 1;
      const line = lines[next]!;
      if (line[0] === chain.at(-1)) for (let i = 1; i < line.length; i++) chain.push(line[i]!);
      else for (let i = line.length - 2; i >= 0; i--) chain.push(line[i]!);
    }
    if (chain[0] !== chain.at(-1)) open.push(chain);
    else if (chain.length >= 4) rings.push(chain);
  }
  return { rings, open };
}

/** Twice the area; positive when the ring runs clockwise on the screen (`y` grows downwards). */
export function signedArea2(x: ArrayLike<number>, y: ArrayLike<number>, ring: Ring): number {
  let sum = 0;
  for (let i = 1; i < ring.length; i++) {
    const a = ring[i - 1]!,
      b = ring[i]!;
    // Relative to the first vertex, since the products of world units do not fit into a double.
    sum += (x[a]! - x[ring[0]!]!) * (y[b]! - y[ring[0]!]!) - (x[b]! - x[ring[0]!]!) * (y[a]! - y[ring[0]!]!);
  }
  return sum;
}

export function ringContains(x: ArrayLike<number>, y: ArrayLike<number>, ring: Ring, px: number, py: number): boolean {
  let inside = false;
  for (let i = 1; i < ring.length; i++) {
    const ax = x[ring[i - 1]!]!,
      ay = y[ring[i - 1]!]!,
      bx = x[ring[i]!]!,
      by = y[ring[i]!]!;
    if (ay > py !== by > py && px < ((bx - ax) * (py - ay)) / (by - ay) + ax) inside = !inside;
  }
  return inside;
}
