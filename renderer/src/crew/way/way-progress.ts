type Point = readonly [lat: number, lon: number];

interface DrivenWay {
  /** metres and seconds */
  readonly distance: number;
  readonly time: number;
  readonly geometry: readonly Point[];
  readonly steps: readonly { readonly position: number }[];
}

/** Where one is on a way. */
export interface Progress {
  /** Metres between the place and the way. */
  readonly off: number;
  /** Index of the next step; the last one when all others are behind. */
  readonly step: number;
  /** Metres to that step. */
  readonly toStep: number;
  /** Metres and seconds to the end. */
  readonly distance: number;
  readonly time: number;
}

const EARTH = 6_371_000;
const RADIANS = Math.PI / 180;

/** How far somebody at `place` has come; undefined `place`: at the beginning. */
export function progressOn({ geometry, steps, distance, time }: DrivenWay, place: Point | undefined): Progress {
  const ends = geometry.map((point, index) => (index === 0 ? 0 : metresBetween(geometry[index - 1]!, point)));
  let length = 0;
  const from = ends.map((part) => (length += part));
  const nearest = place ? nearestOn(geometry, from, place) : { off: 0, along: 0 };
  const next = steps.findIndex(({ position }) => position > 0 && from[position]! > nearest.along + 1);
  const step = next < 0 ? steps.length - 1 : next;
  const share = length === 0 ? 0 : (length - nearest.along) / length;
  const toStep = Math.max(0, (from[steps[step]?.position ?? 0] ?? length) - nearest.along);
  return { off: nearest.off, step, toStep, distance: distance * share, time: time * share };
}

function nearestOn(geometry: readonly Point[], from: readonly number[], place: Point): { off: number; along: number } {
  let best = { off: Infinity, along: 0 };
  const scale = Math.cos(place[0] * RADIANS);
  const flat = ([lat, lon]: Point) => ({
    x: (lon - place[1]) * RADIANS * scale * EARTH,
    y: (lat - place[0]) * RADIANS * EARTH,
  });
  for (let index = 0; index < geometry.length; index++) {
    const end = flat(geometry[index]!);
    const start = flat(geometry[Math.max(0, index - 1)]!);
    const [dx, dy] = [end.x - start.x, end.y - start.y];
    const square = dx * dx + dy * dy;
    const part = square === 0 ? 0 : Math.min(1, Math.max(0, -(start.x * dx + start.y * dy) / square));
    const off = Math.hypot(start.x + part * dx, start.y + part * dy);
    if (off < best.off) best = { off, along: from[Math.max(0, index - 1)]! + part * Math.sqrt(square) };
  }
  return best;
}

export function metresBetween([lat, lon]: Point, [otherLat, otherLon]: Point): number {
  const half = (degrees: number) => Math.sin((degrees * RADIANS) / 2) ** 2;
  const square = half(otherLat - lat) + Math.cos(lat * RADIANS) * Math.cos(otherLat * RADIANS) * half(otherLon - lon);
  return 2 * EARTH * Math.asin(Math.sqrt(square));
}
