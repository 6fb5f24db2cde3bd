import { expect } from 'vitest';
import { ExtractBuilder } from '../../../../server/geo/territory/index.ts';
import { Roads, buildRoads, car, defineProfile } from '../../../../server/geo/territory/roads/index.ts';
import type { Profile } from '../../../../server/geo/territory/roads/index.ts';
import { customize } from '../../../../server/geo/routing/metric/customize.ts';
import { Engine } from '../../../../server/geo/routing/search/engine.ts';
import { Hierarchy } from '../../../../server/geo/routing/graph/hierarchy.ts';
import { freeFlowCosts } from '../../../../server/geo/routing/metric/costs.ts';
import { Router } from '../../../../server/geo/routing/router.ts';
import type { Coordinate, Route, RouteAnswer } from '../../../../server/geo/routing/types.ts';

type Tags = Record<string, string>;

export interface TownOptions {
  /**
   * Ways by the letters of their nodes, with their tags; they take the place of the drawn roads between these
   * nodes.
   */
  ways?: Record<string, Tags>;
  nodes?: Record<string, Tags>;
  /** `no_left_turn: ab b bc`, also with `except` and other tags. */
  restrictions?: { from: string; via: string; to: string; tags: Tags }[];
  profile?: Profile;
  minComponent?: number;
  /** metres between neighbouring letters; 100. */
  grid?: number;
  origin?: [lat: number, lon: number];
}

/** Speeds that are easy to reckon with and no turn costs: 100 m of a primary road take 10 s. */
export const testbot = defineProfile({
  name: 'testbot',
  speeds: { primary: 36, secondary: 18, tertiary: 12, residential: 24, service: 24, steps: 6 },
  otherHighways: false,
  routes: { ferry: { speed: 24, mode: 2 } },
  access: { keys: [], denied: [], allowed: [] },
  maxspeed: { obeyed: true, raises: false, raisesByDirection: true, advisory: false, kinds: {}, exceptions: {} },
  barriers: { obeyed: false, passable: [] },
  signal: 7,
  turns: {
    uturn: 20,
    right: 0,
    left: 0,
    restrictions: true,
    restrictionKeys: ['motorcar', 'motor_vehicle', 'vehicle'],
  },
});

/** metres per degree on the sphere that roads are measured on */
const DEGREE = (6372797.560856 * Math.PI) / 180;

export class Town {
  readonly roads: Roads;
  readonly bytes: Uint8Array;
  readonly router: Router;
  readonly places: ReadonlyMap<string, Coordinate>;

  constructor(bytes: Uint8Array<ArrayBuffer>, places: ReadonlyMap<string, Coordinate>) {
    const roads = Roads.from(bytes.buffer);
    this.roads = roads;
    this.bytes = bytes;
    this.places = places;
    const hierarchy = Hierarchy.build(roads);
    this.router = new Router(roads, new Engine(roads, hierarchy, customize(hierarchy, roads, freeFlowCosts(roads))));
  }

  at(letter: string): Coordinate {
    const place = this.places.get(letter);
    if (!place) throw new Error(`There is no ${letter} in the drawing.`);
    return place;
  }

  answer(...letters: string[]): RouteAnswer {
    return this.router.route({ points: letters.map((letter) => this.at(letter)) });
  }

  found(...letters: string[]): Route {
    const { route } = this.answer(...letters);
    expect(route, `a way ${letters.join(' ')}`).toBeDefined();
    return route!;
  }

  /**
   * Names of the roads that the instructions speak of, `-` for a nameless one; empty when there is no way.
   */
  route(...letters: string[]): string {
    const { route } = this.answer(...letters);
    return route
      ? route.steps
          .slice(0, -1)
          .map((step) => step.name || '-')
          .join(',')
      : '';
  }

  codes(...letters: string[]): string {
    return this.found(...letters)
      .steps.map((step) => step.code)
      .join(',');
  }

  /** seconds */
  time(...letters: string[]): number | undefined {
    return this.answer(...letters).route?.time;
  }

  /** Letters at the vertices of the way. */
  passes(...letters: string[]): string {
    const names = new Map(
      [...this.places].map(([letter, { lat, lon }]) => [`${lat.toFixed(6)},${lon.toFixed(6)}`, letter]),
    );
    const { route } = this.router.route({ points: letters.map((letter) => this.at(letter)), fullGeometry: true });
    return (route?.geometry ?? [])
      .map(([lat, lon]) => names.get(`${lat.toFixed(6)},${lon.toFixed(6)}`) ?? '.')
      .join(' ');
  }
}

/**
 * A town from a drawing: small letters are nodes 100 m apart (four columns, two lines), digits are places to
 * ask about, `-`, `|`, `/` and `\` roads. A road is named after its letters.
 */
export function drawRoads(drawing: string, options: TownOptions = {}): Town {
  const { roads, places } = drawExtract(drawing, options);
  const built = buildRoads(roads, { profile: options.profile ?? testbot, minComponent: options.minComponent ?? 4 });
  return new Town(built.bytes, places);
}

export function drawExtract(
  drawing: string,
  options: TownOptions = {},
): { roads: ReturnType<ExtractBuilder['build']>; places: Map<string, Coordinate> } {
  const lines = drawing.split('\n').filter((line) => line.trim() !== '');
  const left = Math.min(...lines.map((line) => line.search(/\S/)));
  const grid = options.grid ?? 100;
  const [lat0, lon0] = options.origin ?? [1, 1];
  const stepLat = grid / DEGREE;
  const stepLon = stepLat / Math.cos((lat0 * Math.PI) / 180);
  const places = new Map<string, Coordinate>();
  const cell = (row: number, column: number): string => lines[row]?.[column + left] ?? ' ';
  lines.forEach((line, row) =>
    [...line].forEach((char, i) => {
      if (/[a-z0-9]/.test(char))
        places.set(char, {
          lat: round(lat0 - (row / 2) * stepLat),
          lon: round(wrapped(lon0 + ((i - left) / 4) * stepLon)),
        });
    }),
  );

  const builder = new ExtractBuilder();
  const ids = new Map([...places.keys()].filter((char) => /[a-z]/.test(char)).map((char, i) => [char, i + 1]));
  for (const [char, id] of ids) builder.node(id, places.get(char)!.lat, places.get(char)!.lon, options.nodes?.[char]);

  const ways = new Map<string, Tags>(Object.entries(options.ways ?? {}));
  const covered = new Set(
    [...ways.keys()].flatMap((letters) => [...letters].slice(1).map((to, i) => pair(letters[i]!, to))),
  );
  lines.forEach((line, row) =>
    [...line].forEach((char, i) => {
      if (!ids.has(char)) return;
      for (const [down, right, stroke] of [
        [0, 1, '-'],
        [1, 0, '|'],
        [1, 1, '\\'],
        [1, -1, '/'],
      ] as const) {
        let r = row + down;
        let c = i - left + right;
        if (cell(r, c) !== stroke) continue;
        while (cell(r, c) === stroke || /[0-9]/.test(cell(r, c))) {
          r += down;
          c += right;
        }
        const other = cell(r, c);
        if (!ids.has(other) || covered.has(pair(char, other))) continue;
        covered.add(pair(char, other));
        ways.set(char < other ? char + other : other + char, {});
      }
    }),
  );
  let way = 0;
  const wayIds = new Map<string, number>();
  for (const [letters, tags] of ways) {
    wayIds.set(letters, ++way);
    builder.way(
      way,
      [...letters].map((char) => ids.get(char)!),
      { ...(tags.highway || tags.route ? {} : { highway: 'primary' }), name: letters, ...tags },
    );
  }
  (options.restrictions ?? []).forEach(({ from, via, to, tags }, i) => {
    builder.relation(
      i + 1,
      [
        { type: 'way', id: wayIds.get(from) ?? 999, role: 'from' },
        { type: 'node', id: ids.get(via)!, role: 'via' },
        { type: 'way', id: wayIds.get(to) ?? 999, role: 'to' },
      ],
      { type: 'restriction', ...tags },
    );
  });
  return { roads: builder.build(), places };
}

export { car };

const pair = (a: string, b: string): string => (a < b ? a + b : b + a);
const wrapped = (lon: number): number => (lon > 180 ? lon - 360 : lon);
const round = (degrees: number): number => Math.round(degrees * 1e6) / 1e6;
