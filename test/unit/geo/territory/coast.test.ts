import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Border } from '../../../../server/geo/territory/tiles/coverage/border.ts';
import { inSea, joinCoast, seaWithin } from '../../../../server/geo/territory/tiles/coverage/coast.ts';
import type { Sea } from '../../../../server/geo/territory/tiles/coverage/coast.ts';
import { borderOf } from '../../../../server/geo/territory/tiles/coverage/coverage.ts';
import { joinDirected, joinRings, signedArea2 } from '../../../../server/geo/territory/geometry/rings.ts';
import { RUN } from './extracts.ts';

/** Ten by ten, `y` downwards as on the screen. */
const BOX = new Border(borderOf({ west: 0, north: 0, east: 100, south: 100 }));

/** The sea of coastlines drawn as lists of points; equal points are one node. */
function sea(...lines: [number, number][][]): Sea[] {
  return seaOf(lines).sea;
}

function seaOf(lines: [number, number][][], border = BOX) {
  const x: number[] = [];
  const y: number[] = [];
  const nodes = new Map<string, number>();
  const node = ([px, py]: [number, number]) => {
    const key = `${px} ${py}`;
    if (!nodes.has(key)) nodes.set(key, (x.push(px), y.push(py)) - 1);
    return nodes.get(key)!;
  };
  const coastlines = lines.map((line) => line.map(node));
  return seaWithin(border, joinCoast(x, y, coastlines));
}

/** A map of the box, a letter every ten: `~` sea, `.` land. */
function picture(seas: readonly Sea[]): string {
  const rows: string[] = [];
  const isSea = inSea(seas);
  for (let py = 5; py < 100; py += 10)
    rows.push(Array.from({ length: 10 }, (_, i) => (isSea(i * 10 + 5.5, py + 0.5) ? '~' : '.')).join(''));
  return rows.join('\n');
}

/** Land on the left hand: going round an island against the clock, as seen on the screen. */
const ISLAND: [number, number][] = [
  [30, 30],
  [30, 60],
  [60, 60],
  [60, 30],
  [30, 30],
];

test('no coastline, no sea', () => {
  expect(sea()).toEqual([]);
});

test('around an island there is sea', () => {
  expect(picture(sea(ISLAND))).toBe(
    [...Array(3).fill('~~~~~~~~~~'), ...Array(3).fill('~~~...~~~~'), ...Array(4).fill('~~~~~~~~~~')].join('\n'),
  );
});

test('an island of several ways, given in any order', () => {
  const [a, b, c, d] = ISLAND as [[number, number], [number, number], [number, number], [number, number]];
  expect(picture(sea([c, d], [a, b], [d, a], [b, c]))).toBe(picture(sea(ISLAND)));
});

test('a coastline that goes the other way round is a bay of the sea in the land', () => {
  expect(picture(sea([...ISLAND].reverse()))).toBe(
    [...Array(3).fill('..........'), ...Array(3).fill('...~~~....'), ...Array(4).fill('..........')].join('\n'),
  );
});

test('a coast across has its sea on the right', () => {
  // From north to south: the right hand is the west.
  expect(
    picture(
      sea([
        [40, -10],
        [40, 110],
      ]),
    ),
  ).toBe(Array(10).fill('~~~~......').join('\n'));
  expect(
    picture(
      sea([
        [40, 110],
        [40, -10],
      ]),
    ),
  ).toBe(Array(10).fill('....~~~~~~').join('\n'));
  expect(
    picture(
      sea([
        [-5, 50],
        [105, 50],
      ]),
    ),
  ).toBe([...Array(5).fill('..........'), ...Array(5).fill('~~~~~~~~~~')].join('\n'));
});

test('a strait lies between two coasts, with an island in it', () => {
  const island: [number, number][] = [
    [45, 40],
    [45, 60],
    [55, 60],
    [55, 40],
    [45, 40],
  ];
  expect(
    picture(
      sea(
        [
          [20, 110],
          [20, -10],
        ],
        [
          [80, -10],
          [80, 110],
        ],
        island,
      ),
    ),
  ).toBe([...Array(4).fill('..~~~~~~..'), '..~~.~~~..', '..~~.~~~..', ...Array(4).fill('..~~~~~~..')].join('\n'));
});

test('a coast that leaves the box and comes back', () => {
  // A headland in the north, out of the box and in again.
  const line: [number, number][] = [
    [-10, 30],
    [20, 30],
    [20, 150],
    [70, 150],
    [70, 30],
    [110, 30],
  ];
  expect(picture(sea(line))).toBe([...Array(3).fill('..........'), ...Array(7).fill('~~.....~~~')].join('\n'));
});

test('a ring that crosses the border, wherever it begins', () => {
  const ring: [number, number][] = [
    [50, -20],
    [20, -20],
    [20, 40],
    [50, 40],
  ];
  const expected = picture(sea([...ring, ring[0]!]));
  expect(expected).toBe([...Array(4).fill('~~...~~~~~'), ...Array(6).fill('~~~~~~~~~~')].join('\n'));
  for (let turn = 1; turn < 4; turn++) {
    const turned = [...ring.slice(turn), ...ring.slice(0, turn)];
    expect(picture(sea([...turned, turned[0]!]))).toBe(expected);
  }
});

test('a coastline that ends at a frontier goes on as it ran', () => {
  const { sea: drawn, loose } = seaOf([
    [
      [20, 50],
      [50, 50],
      [80, 50],
    ],
  ]);
  expect(loose).toBe(2);
  expect(picture(drawn)).toBe([...Array(5).fill('..........'), ...Array(5).fill('~~~~~~~~~~')].join('\n'));
});

test('a coastline with a piece missing goes on at its next piece, not across the land', () => {
  const { sea: drawn, loose } = seaOf([
    [
      [-10, 50],
      [45, 50],
    ],
    [
      [55, 50],
      [110, 50],
    ],
  ]);
  expect(loose).toBe(2);
  expect(picture(drawn)).toBe([...Array(5).fill('..........'), ...Array(5).fill('~~~~~~~~~~')].join('\n'));
});

/** A ring around the middle, clockwise on the screen: a radius for each of equal angles. */
function around(radii: readonly number[], [mx, my]: [number, number] = [1000, 1000]): [number, number][] {
  const ring = radii.map((radius, i): [number, number] => {
    const angle = (2 * Math.PI * i) / radii.length;
    return [Math.round(mx + radius * Math.cos(angle)), Math.round(my + radius * Math.sin(angle))];
  });
  return [...ring, ring[0]!];
}

const radii = (least: number, most: number) =>
  fc.array(fc.integer({ min: least, max: most }), { minLength: 5, maxLength: 40 });

test('whatever the outline and the coast, what lies in it is sea where the whole coast has sea', () => {
  fc.assert(
    fc.property(
      radii(200, 900),
      radii(100, 900),
      fc.tuple(fc.integer({ min: 400, max: 1600 }), fc.integer({ min: 400, max: 1600 })),
      fc.boolean(),
      (outline, land, middle, isIsland) => {
        const border = new Border(around(outline).flat());
        const coast = around(land, middle);
        const { sea: drawn, loose } = seaOf([isIsland ? coast.toReversed() : coast], border);
        expect(loose).toBe(0);
        const isWithin = new Border(coast.flat());
        if (!crosses(border, coast) && !border.contains(...coast[0]!)) return; // The extract knows no coast here.
        expectSea(drawn, border, (px, py) => isWithin.contains(px, py) !== isIsland, coast, 3);
      },
    ),
    { ...RUN, numRuns: 300 },
  );
});

test('a coast of which the extract has only the ways within its outline is led to the outline, never across', () => {
  fc.assert(
    fc.property(radii(500, 600), radii(300, 900), (outline, land) => {
      const border = new Border(around(outline).flat());
      // Each edge is a way of many nodes; the extract has those that lie within.
      const coast = around(land).toReversed();
      const ways = coast.slice(1).flatMap((to, i) => steps(coast[i]!, to));
      const kept = ways.filter((way) => way.every(([px, py]) => border.contains(px, py)));
      if (kept.length === 0 || kept.length === ways.length) return;
      const isLand = new Border(coast.flat());
      const { sea: drawn } = seaOf(kept, border);
      // What is cut off beside the outline may be taken for either.
      expectSea(drawn, border, (px, py) => !isLand.contains(px, py), [...coast, ...around(outline)], 60);
    }),
    { ...RUN, numRuns: 300 },
  );
});

function steps([ax, ay]: [number, number], [bx, by]: [number, number]): [number, number][][] {
  const count = Math.max(1, Math.round(Math.hypot(bx - ax, by - ay) / 15));
  const at = (i: number): [number, number] => [
    Math.round(ax + ((bx - ax) * i) / count),
    Math.round(ay + ((by - ay) * i) / count),
  ];
  return Array.from({ length: count }, (_, i) => [at(i), at(i + 1)]);
}

function crosses(border: Border, line: [number, number][]): boolean {
  return line.slice(1).some(([bx, by], i) => border.crossings(...line[i]!, bx, by).length > 0);
}

test('around an island of which a tip just reaches in there is sea', () => {
  const spike = [200, 200, 200, 200, 200, 690, 471, 200, 200, 200, 200, 200, 200, 200, 200, 200, 200, 200, 200, 200];
  const border = new Border(around(spike).flat());
  const island = around([539, 100, 100, 100, 100, 100], [407, 1600]).toReversed();
  expect(inSea(seaOf([island], border).sea)(1000, 1000)).toBe(true);
});

test('a coast that touches the border from within keeps its land', () => {
  const border = new Border(around([500, 500, 500, 500, 500, 565, 500, 500, 500, 500]).flat());
  const coast = around([300, 300, 300, 300, 565, 300, 300, 482]).toReversed();
  const ways = coast.slice(1).flatMap((to, i) => steps(coast[i]!, to));
  const kept = ways.filter((way) => way.every(([px, py]) => border.contains(px, py)));
  const isSea = inSea(seaOf(kept, border).sea);
  expect([isSea(1000, 1000), isSea(1000, 600)]).toEqual([false, true]);
});

/** Compares places all over the border, but those nearer to `lines` than `near`. */
function expectSea(
  drawn: readonly Sea[],
  border: Border,
  isSea: (px: number, py: number) => boolean,
  lines: [number, number][],
  near: number,
): void {
  const found = inSea(drawn);
  const line = new Border(lines.flat());
  for (let px = 13; px < 2000; px += 71) {
    for (let py = 17; py < 2000; py += 71) {
      if (!border.contains(px, py) || line.nearest(px, py).distance < near || border.nearest(px, py).distance < near)
        continue;
      expect({ px, py, sea: found(px, py) }).toEqual({ px, py, sea: isSea(px, py) });
    }
  }
}

test('a coast that leaves along an edge ends at the corner', () => {
  for (const { outer } of sea([
    [0, 0],
    [0, -1],
    [0, 1],
  ]))
    expect(outer.every((value) => value >= 0 && value <= 100)).toBe(true);
});

test('no coastline, however senseless, makes it fail, and rings always close', () => {
  const point = fc.tuple(fc.integer({ min: -30, max: 130 }), fc.integer({ min: -30, max: 130 }));
  fc.assert(
    fc.property(fc.array(fc.array(point, { minLength: 1, maxLength: 8 }), { maxLength: 5 }), (lines) => {
      for (const { outer, holes } of sea(...lines)) {
        for (const ring of [outer, ...holes]) {
          expect(ring.length).toBeGreaterThanOrEqual(8);
          expect([ring[0], ring[1]]).toEqual([ring.at(-2), ring.at(-1)]);
          expect(ring.every((value) => value >= 0 && value <= 100)).toBe(true);
        }
      }
    }),
    { ...RUN, numRuns: 500 },
  );
});

test('lines are joined into rings in whatever order and direction they come', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 4, max: 30 }),
      fc.array(fc.nat(1000), { maxLength: 6 }),
      fc.infiniteStream(fc.boolean()),
      fc.infiniteStream(fc.nat()),
      (size, cuts, turns, order) => {
        const ring = Array.from({ length: size }, (_, i) => i);
        const at = [...new Set([0, ...cuts.map((cut) => cut % size)])].sort((a, b) => a - b);
        const pieces = at.map((from, i) => {
          const to = i + 1 < at.length ? at[i + 1]! : size;
          return [...ring.slice(from, to), ring[to % size]!];
        });
        const mixed = pieces
          .map((piece) => ({ piece: turns.next().value ? [...piece].reverse() : piece, by: order.next().value! }))
          .sort((a, b) => a.by - b.by)
          .map(({ piece }) => piece);
        const joined = joinRings(mixed);
        // A piece that is a whole ring of two nodes encloses nothing.
        expect(joined.open).toEqual([]);
        expect(joined.rings).toHaveLength(1);
        expect(new Set(joined.rings[0])).toEqual(new Set(ring));
        expect(joined.rings[0]).toHaveLength(size + 1);
      },
    ),
    RUN,
  );
});

test('directed lines are not turned round', () => {
  expect(
    joinDirected([
      [1, 2, 3],
      [5, 4, 3],
    ]),
  ).toEqual({
    rings: [],
    open: [
      [1, 2, 3],
      [5, 4, 3],
    ],
  });
  expect(
    joinDirected([
      [3, 4],
      [1, 2, 3],
    ]),
  ).toEqual({ rings: [], open: [[1, 2, 3, 4]] });
});

test('a ring clockwise on the screen has a positive area, also where coordinates are as large as they get', () => {
  const far = 2 ** 31 - 100;
  expect(signedArea2([far, far + 10, far + 10, far], [far, far, far + 10, far + 10], [0, 1, 2, 3, 0])).toBe(200);
  expect(signedArea2([far, far + 10, far + 10, far], [far, far, far + 10, far + 10], [0, 3, 2, 1, 0])).toBe(-200);
});
