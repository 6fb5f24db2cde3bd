import type { Feature } from 'protomaps-leaflet';

type Line = Feature['geom'][number];

/** Lines that continue at a sharper angle than this are two lines. Cosine of the turn. */
const STRAIGHT_ON = Math.cos((100 * Math.PI) / 180);

/** Roads by name: the pieces of one street are one feature, so that its name has room. */
export function joinStreets(roads: readonly Feature[], key: (road: Feature) => string | undefined): Feature[] {
  const streets = new Map<string, Feature[]>();
  for (const road of roads) {
    const street = key(road);
    if (street === undefined) continue;
    const pieces = streets.get(street);
    if (pieces) pieces.push(road);
    else streets.set(street, [road]);
  }
  return [...streets.values()].map((pieces) => {
    const geom = joinLines(pieces.flatMap((piece) => piece.geom));
    const { minX, minY, maxX, maxY } = pieces
      .map(({ bbox }) => bbox)
      .reduce((a, b) => ({
        minX: Math.min(a.minX, b.minX),
        minY: Math.min(a.minY, b.minY),
        maxX: Math.max(a.maxX, b.maxX),
        maxY: Math.max(a.maxY, b.maxY),
      }));
    // The most important piece comes last in a tile.
    const props = { ...pieces.at(-1)!.props, length: geom.reduce((sum, line) => sum + spotsLength(line), 0) };
    return { ...pieces.at(-1)!, geom, props, bbox: { minX, minY, maxX, maxY } };
  });
}

/** Joins lines at common ends; where more than two meet, those that continue straightest. The longest comes first. */
export function joinLines(lines: readonly Line[]): Line[] {
  const at = new Map<string, Line[]>();
  const left = new Set(lines.filter((line) => line.length >= 2));
  for (const line of left) {
    for (const end of [line[0]!, line.at(-1)!]) {
      const there = at.get(`${end.x} ${end.y}`);
      if (there) there.push(line);
      else at.set(`${end.x} ${end.y}`, [line]);
    }
  }
  const joined: Line[] = [];
  for (const line of left) {
    left.delete(line);
    const forwards = extended(line, left, at);
    joined.push(extended(forwards.toReversed(), left, at));
  }
  return joined.sort((a, b) => spotsLength(b) - spotsLength(a));
}

function extended(line: Line, left: Set<Line>, at: ReadonlyMap<string, readonly Line[]>): Line {
  const whole = [...line];
  for (;;) {
    const end = whole.at(-1)!;
    const others = (at.get(`${end.x} ${end.y}`) ?? []).filter((other) => left.has(other));
    const next = straightest(whole.at(-2)!, end, others);
    if (next === undefined) return whole;
    // A side street leaves the straighter continuation to the main street.
    const ahead = awayFrom(end, next)[1]!;
    const rest = others.filter((other) => other !== next);
    const rival = straightest(ahead, end, rest);
    const rivals = rival && cosineOfTurn(ahead, end, awayFrom(end, rival)[1]!);
    if (rivals !== undefined && rivals > cosineOfTurn(whole.at(-2)!, end, ahead)) return whole;
    left.delete(next);
    whole.push(...awayFrom(end, next).slice(1));
  }
}

/** The line at `end` that continues straightest for one that comes from `from`; undefined if all turn sharply. */
function straightest(from: Spot, end: Spot, others: readonly Line[]): Line | undefined {
  let most = STRAIGHT_ON;
  let found: Line | undefined;
  for (const other of others) {
    const cosine = cosineOfTurn(from, end, awayFrom(end, other)[1]!);
    if (cosine > most) [most, found] = [cosine, other];
  }
  return found;
}

function awayFrom(end: Spot, line: Line): Line {
  return line[0]!.x === end.x && line[0]!.y === end.y ? line : line.toReversed();
}

interface Spot {
  readonly x: number;
  readonly y: number;
}

function cosineOfTurn(a: Spot, b: Spot, c: Spot): number {
  const length = Math.hypot(b.x - a.x, b.y - a.y) * Math.hypot(c.x - b.x, c.y - b.y);
  return length === 0 ? 1 : ((b.x - a.x) * (c.x - b.x) + (b.y - a.y) * (c.y - b.y)) / length;
}

export function spotsLength(line: readonly Spot[]): number {
  let length = 0;
  for (let i = 1; i < line.length; i++) length += Math.hypot(line[i]!.x - line[i - 1]!.x, line[i]!.y - line[i - 1]!.y);
  return length;
}
