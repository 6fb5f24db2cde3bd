import { expect, test } from 'vitest';
import { bearingMicro, metresBetweenMicro, turnAngle } from '../../../../../server/geo/territory/roads/index.ts';
import { compassName } from '../../../../../server/geo/routing/answer/compass.ts';
import { turnCode } from '../../../../../server/geo/routing/answer/trip-drawer.ts';
import { readPolyline, encodePolyline } from '../../../../../server/geo/routing/answer/polyline.ts';
import { simplify } from '../../../../../server/geo/routing/answer/simplify.ts';
import type { Heading, Coordinate } from '../../../../../server/geo/routing/types.ts';
import { car, drawRoads, testbot } from '../town.ts';
import { buildRoads, Roads } from '../../../../../server/geo/territory/roads/index.ts';
import { ExtractBuilder } from '../../../../../server/geo/territory/index.ts';

test('a polyline has six decimals, latitude first, then differences', () => {
  expect(
    encodePolyline([
      [1.0, 1.5],
      [2.0, 2.5],
      [3.0, 3.5],
    ]),
  ).toBe('_c`|@_upzA_c`|@_c`|@_c`|@_c`|@');
  expect(encodePolyline([])).toBe('');
  expect(encodePolyline([[0, 0]])).toBe('??');
  expect(encodePolyline([[-0.000001, 0.000001]])).toBe('@A');
  expect(
    decode(
      encodePolyline([
        [-90, -180],
        [90, 180],
        [-89.999999, 179.999999],
      ]),
    ),
  ).toEqual([
    [-90, -180],
    [90, 180],
    [-89.999999, 179.999999],
  ]);
});

test('a polyline is read back to the micro-degree, and none is made of what is not one', () => {
  for (const points of [
    [],
    [[0, 0]],
    [
      [-90, -180],
      [90, 180],
      [-89.999999, 179.999999],
    ],
    [
      [0.000001, -0.000001],
      [0.000016, 0.000015],
      [0.000015, 0.000016],
    ],
  ] as [number, number][][]) {
    expect(readPolyline(encodePolyline(points))).toEqual(
      points.map(([lat, lon]) => [Math.round(lat * 1e6), Math.round(lon * 1e6)]),
    );
  }
  // Below and above the letters, within a number, in the middle of a point, longer than any number.
  for (const text of ['>?', '\x7f??', '?\x7f', ' ', '_', '?_', '?', '???', '~~~~~~~~?', 'é?'])
    expect(readPolyline(text), text).toBeUndefined();
});

function decode(text: string): [number, number][] {
  const numbers: number[] = [];
  for (let at = 0; at < text.length;) {
    let value = 0;
    let factor = 1;
    for (;;) {
      const part = text.charCodeAt(at++) - 63;
      value += (part % 32) * factor;
      factor *= 32;
      if (part < 32) break;
    }
    numbers.push(value % 2 === 1 ? -(value + 1) / 2 : value / 2);
  }
  const points: [number, number][] = [];
  let [lat, lon] = [0, 0];
  for (let i = 0; i < numbers.length; i += 2) points.push([(lat += numbers[i]!) / 1e6, (lon += numbers[i + 1]!) / 1e6]);
  return points;
}

test('angles fall into classes whose lower border belongs to them', () => {
  const borders: [number, number][] = [
    [0, 5],
    [22.9, 5],
    [23, 4],
    [66.9, 4],
    [67, 3],
    [112.9, 3],
    [113, 2],
    [157.9, 2],
    [158, 1],
    [180, 1],
    [201.9, 1],
    [202, 8],
    [247.9, 8],
    [248, 7],
    [291.9, 7],
    [292, 6],
    [335.9, 6],
    [336, 5],
    [360, 5],
  ];
  for (const [angle, code] of borders) expect(turnCode(angle), String(angle)).toBe(code);
});

test('a compass border belongs to the lower sector', () => {
  const bearings: [number, string][] = [
    [0, 'N'],
    [22.5, 'N'],
    [22.6, 'NE'],
    [67.5, 'NE'],
    [67.6, 'E'],
    [90, 'E'],
    [112.5, 'E'],
    [135, 'SE'],
    [180, 'S'],
    [225, 'SW'],
    [270, 'W'],
    [315, 'NW'],
    [337.5, 'NW'],
    [337.6, 'N'],
    [360, 'N'],
  ];
  for (const [degrees, name] of bearings) expect(compassName(degrees), String(degrees)).toBe(name);
});

test('bearings and turns are right everywhere on the globe', () => {
  for (const lat of [-80, -33, 0, 33, 80]) {
    const at = lat * 1e6;
    expect(bearingMicro(10e6, at, 10e6, at + 1000)).toBeCloseTo(0, 3);
    expect(bearingMicro(10e6, at, 10e6 + 1000, at)).toBeCloseTo(90, 1);
    expect(bearingMicro(10e6, at, 10e6, at - 1000)).toBeCloseTo(180, 3);
    expect(bearingMicro(10e6, at, 10e6 - 1000, at)).toBeCloseTo(270, 1);
    // Coming from the west: north is left, south is right.
    expect(turnAngle(10e6 - 1000, at, 10e6, at, 10e6, at + 1000)).toBeCloseTo(270, 1);
    expect(turnAngle(10e6 - 1000, at, 10e6, at, 10e6, at - 1000)).toBeCloseTo(90, 1);
    expect(turnAngle(10e6 - 1000, at, 10e6, at, 10e6 + 1000, at)).toBeCloseTo(180, 1);
  }
});

test('a course between the directions of the compass is that of the great circle', () => {
  // Over far ways a course is not that of the map: the textbook's way from Baghdad to Osaka sets out to the
  // north-east.
  expect(bearingMicro(45e6, 35e6, 135e6, 35e6)).toBeCloseTo(60.16, 2);
  expect(bearingMicro(0, 0, 90e6, 45e6)).toBeCloseTo(45, 6);
  expect(bearingMicro(135e6, -35e6, 45e6, -35e6)).toBeCloseTo(240.16, 2);
  // As many metres up as across.
  for (const lat of [-85, -60, 0, 60, 85]) {
    const across = 1000 / Math.cos((lat * Math.PI) / 180);
    expect(
      [bearingMicro(0, lat * 1e6, across, lat * 1e6 + 1000), bearingMicro(0, lat * 1e6, -across, lat * 1e6 - 1000)].map(
        (degrees) => Math.round(degrees * 10) / 10,
      ),
      String(lat),
    ).toEqual([45, 225]);
  }
});

test('directions are given by the compass and in degrees', () => {
  const town = drawRoads(`
    a   b   c
     \\  |  /
      \\ | /
       \\|/
    d---e---f
       /|\\
      / | \\
     /  |  \\
    g   h   i
  `);
  const out = (target: string): string => {
    const [step] = town.found('e', target).steps;
    return `${step!.compass} ${Math.round(step!.bearing / 45) * 45}`;
  };
  expect(['b', 'c', 'f', 'i', 'h', 'g', 'd', 'a'].map(out)).toEqual([
    'N 0',
    'NE 45',
    'E 90',
    'SE 135',
    'S 180',
    'SW 225',
    'W 270',
    'NW 315',
  ]);
});

test('left and right are the same south of the equator', () => {
  const town = drawRoads(
    `
        c
        |
    a---b---d
        |
        e
  `,
    { origin: [-33, 18] },
  );
  expect(town.codes('a', 'c')).toBe('10,7,15');
  expect(town.codes('a', 'e')).toBe('10,3,15');
  expect(town.codes('a', 'd')).toBe('10,1,15');
});

test('the angle at the junction decides a turn, not where the roads end', () => {
  const town = drawRoads(
    `
    c---d
    |
    |
    a---b---e
  `,
    { ways: { cab: { name: 'Bend' }, cd: { name: 'Top' }, be: {} } },
  );
  expect(town.codes('b', 'd')).toBe('10,3,15');
  expect(town.codes('e', 'd')).toBe('10,1,3,15');
});

test('the same name is silent, and so are nameless roads that just go on', () => {
  const town = drawRoads(
    `
    a---b---c---d
            |
            e
  `,
    { ways: { ab: { name: 'Main' }, bc: { name: 'Main' }, cd: { name: 'Main' }, ce: { name: '' } } },
  );
  expect(town.codes('a', 'd')).toBe('10,15');
  expect(town.route('a', 'e')).toBe('Main,-');
  const nameless = drawRoads(
    `
    a---b---c---d
            |
            e
  `,
    {
      ways: { ab: { name: '' }, bc: { name: '', oneway: 'yes' }, cd: { name: '' }, ce: { name: '' } },
      minComponent: 1,
    },
  );
  expect(nameless.codes('a', 'd')).toBe('10,1,15');
});

test('names in any script come back as they are', () => {
  const town = drawRoads(
    `
    a---b---c
  `,
    { ways: { ab: { name: 'Scandinavian København' }, bc: { name: 'Улица 東京 🚒' } } },
  );
  expect(town.route('a', 'c')).toBe('Scandinavian København,Улица 東京 🚒');
});

test('main names are those of the longest roads in the order of travel', () => {
  const town = drawRoads(
    `
    a---b-------c-----------d
  `,
    { ways: { ab: {}, bc: {}, cd: {} } },
  );
  expect(town.found('a', 'd').names).toEqual(['bc', 'cd']);
  expect(town.found('d', 'a').names).toEqual(['cd', 'bc']);
  expect(town.found('a', 'b').names).toEqual(['ab', '']);
  expect(town.found('b', 'c')).toMatchObject({ start: 'bc', end: 'bc' });
  expect(drawRoads('a-----------b---c', { ways: { ab: { name: '' }, bc: {} } }).found('a', 'c').names).toEqual([
    'bc',
    '',
  ]);
});

test('several mandatory turns at one place: the first counts', () => {
  const drawing = `
        c
        |
    a---b---d
        |
        e
  `;
  const turns = [
    { from: 'ab', via: 'b', to: 'bd', tags: { restriction: 'only_straight_on' } },
    { from: 'ab', via: 'b', to: 'be', tags: { restriction: 'only_right_turn' } },
  ];
  expect(drawRoads(drawing, { restrictions: turns }).route('a', 'd')).toBe('ab,bd');
  expect(drawRoads(drawing, { restrictions: turns }).route('a', 'e')).toBe('ab,bd,bd,be');
  expect(drawRoads(drawing, { restrictions: [...turns].reverse() }).route('a', 'e')).toBe('ab,be');
});

test('a mandatory turn into a road that cannot be entered still forbids all others', () => {
  const town = drawRoads(
    `
        c
        |
    a---b---d
  `,
    {
      ways: { cb: { oneway: 'yes' } },
      restrictions: [{ from: 'ab', via: 'b', to: 'cb', tags: { restriction: 'only_left_turn' } }],
    },
  );
  expect(town.route('a', 'd')).toBe('');
  expect(town.route('d', 'a')).toBe('bd,ab');
});

test('restrictions of which a member is missing, or that go over a way, are ignored', () => {
  const town = drawRoads(
    `
    a---b---c
        |
        d
  `,
    {
      restrictions: [
        { from: 'ab', via: 'b', to: 'zz', tags: { restriction: 'no_straight_on' } },
        { from: 'ab', via: 'd', to: 'bc', tags: { restriction: 'no_straight_on' } },
      ],
    },
  );
  expect(town.route('a', 'c')).toBe('ab,bc');
});

test('a point goes to the nearest road, perpendicularly also at high latitudes', () => {
  const town = drawRoads(
    `
    a-------b

     1
    c-------d
  `,
    { origin: [80, 10] },
  );
  const [place] = town.router.nearest(town.at('1'));
  expect(place!.name).toBe('cd');
  expect(place!.lon).toBeCloseTo(town.at('1').lon, 6);
  expect(place!.distance).toBeCloseTo(50, 0);
});

test('lengths over a hemisphere are those of the sphere', () => {
  const builder = new ExtractBuilder();
  builder.node(1, 0, 0).node(2, 0, 80).way(1, [1, 2], { highway: 'primary' });
  const roads = Roads.from(buildRoads(builder.build(), { profile: testbot }).bytes.buffer);
  expect(metresBetweenMicro(0, 0, 80e6, 0)).toBeCloseTo((80 / 360) * 2 * Math.PI * 6372797.560856, 0);
  expect(roads.columns.pieceForward[0]).toBe(Math.round(metresBetweenMicro(0, 0, 80e6, 0)));
});

test('thinning keeps what is off the line by more than the zoom allows, and all fixed points', () => {
  // A zig-zag of 20 m, then a hair's breadth.
  const lat = [0, 180, 0, 2, 0, 0];
  const lon = [0, 1000, 2000, 3000, 4000, 5000];
  const kept = (fixed: readonly number[], zoom: number): number[] => {
    const keep = Uint8Array.from(lat, (_, i) => (fixed.includes(i) ? 1 : 0));
    simplify(lat, lon, keep, zoom);
    return [...keep];
  };
  expect(kept([0, 5], 18)).toEqual([1, 1, 1, 0, 0, 1]);
  expect(kept([0, 5], 12)).toEqual([1, 0, 0, 0, 0, 1]);
  expect(kept([0, 4, 5], 0)).toEqual([1, 0, 0, 0, 1, 1]);
  expect(kept([0, 5], Infinity)).toEqual([1, 1, 1, 1, 1, 1]);
});

test('every zoom has its threshold: a point is kept when it is further off, in whole metres', () => {
  const metre = 1 / ((6372797.560856 * Math.PI) / 180 / 1e6);
  // On the equator, a long line from west to east with one point off it to the north, or beyond its end.
  const isKept = (metres: number, zoom: number, beyond = false): boolean => {
    const [lat, lon] = beyond
      ? [
          [0, 0, 0],
          [0, 50e6 + metres * metre, 50e6],
        ]
      : [
          [0, metres * metre, 0],
          [0, 25e6, 50e6],
        ];
    const keep = Uint8Array.of(1, 0, 1);
    simplify(lat, lon, keep, zoom);
    return keep[1] === 1;
  };
  const thresholds = [
    262144, 131072, 65536, 32768, 16384, 8192, 4096, 2048, 960, 480, 240, 90, 50, 25, 15, 5, 0.65, 0.5, 0.35,
  ];
  for (const [zoom, threshold] of thresholds.entries()) {
    // Off by less than a whole metre more is not off by more.
    const [least, most] = [Math.floor(threshold) + 1.001, Math.floor(threshold) + 0.999];
    for (const beyond of [false, true])
      expect([isKept(least, zoom, beyond), isKept(most, zoom, beyond)], `zoom ${zoom}`).toEqual([true, false]);
  }
});

test('what is thinned is the line alone: directions, lengths and times are those of the whole way, rows and points lie on what is left', () => {
  const town = drawRoads(
    `
    a   c-1-d
     \\ /     \\
      b       e---f---g
  `,
    { ways: { abcde: { name: 'winding' }, efg: { name: 'straight' } }, minComponent: 1 },
  );
  const points = ['a', '1', 'g'].map((letter) => town.at(letter));
  const whole = town.router.route({ points, fullGeometry: true }).route!;
  const thin = town.router.route({ points, z: 0 }).route!;
  // the default shows every bend
  expect(town.router.route({ points }).route!.geometry).toEqual(
    whole.geometry.filter(([, lon]) => lon !== town.at('f').lon),
  );
  expect(whole.geometry).toHaveLength(8);
  expect(thin.geometry).toEqual(['a', '1', 'e', 'g'].map((letter) => [town.at(letter).lat, town.at(letter).lon]));
  expect([thin.time, thin.distance, thin.viaIndices]).toEqual([whole.time, whole.distance, [0, 1, 3]]);
  const told = ({ position: _, ...row }: (typeof whole.steps)[number]): object => row;
  expect(thin.steps.map(told)).toEqual(whole.steps.map(told));
  expect(thin.steps.map(({ code, position }) => `${code} ${position}`)).toEqual([
    '10 0',
    '9 1',
    expect.stringMatching(/^[18] 2$/),
    '15 3',
  ]);
  expect(thin.steps[0]).toMatchObject({ compass: 'SE', bearing: 153 }); // towards b, which is left out
});

test('links are driven, but the main road is preferred over its own link', () => {
  const town = drawRoads(
    `
    a---b---c---d
         \\ /
          e
  `,
    {
      ways: { abcd: { highway: 'motorway', oneway: 'no' }, bec: { highway: 'motorway_link', oneway: 'no' } },
      profile: car,
    },
  );
  expect(town.passes('a', 'd')).toBe('a b c d');
  expect(town.route('a', 'e')).toBe('abcd,bec');
});

test('a via point on a junction or at a dead end has the row of its turn', () => {
  const town = drawRoads(
    `
        c
        |
    a---b---d
        |
        e
  `,
    { profile: car, minComponent: 1 },
  );
  const rows = (...letters: string[]): string =>
    town
      .found(...letters)
      .steps.map(({ code, name }) => `${code} ${name}`.trim())
      .join(', ');
  expect(rows('a', 'b', 'c')).toBe('10 ab, 9 bc, 7 bc, 15');
  expect(rows('a', 'b', 'e')).toBe('10 ab, 9 be, 3 be, 15');
  expect(rows('a', 'b', 'd')).toBe('10 ab, 9 bd, 15');
  expect(rows('a', 'c', 'd')).toBe('10 ab, 7 bc, 9 bc, 5 bc, 7 bd, 15');
  expect(rows('a', 'b', 'b', 'c')).toBe('10 ab, 9 ab, 9 bc, 7 bc, 15');
  // The row of the point has the turn at its end, and no length.
  const { steps, viaIndices } = town.found('a', 'c', 'd');
  expect(steps[2]).toMatchObject({ code: '9', distance: 0, time: 20, position: viaIndices[1] });
  expect(steps[3]).toMatchObject({ code: '5', position: viaIndices[1], bearing: 180 });
  expect(steps[3]!.distance).toBeCloseTo(100, 0);
  expect(steps.reduce((sum, step) => sum + step.time, 0)).toBeCloseTo(town.time('a', 'c', 'd')!, 6);
  // A road of one name is silent here as at any junction.
  const street = drawRoads(
    `
    a---b---d
        |
        c
  `,
    { ways: { abd: { name: 'Main' }, bc: {} }, minComponent: 1 },
  );
  expect(street.codes('a', 'b', 'd')).toBe('10,9,15');
});

test('turning back at a point, or leaving it in a given direction, is an instruction', () => {
  const town = drawRoads(
    `
        c
        |
    a-1-b---d
  `,
    { profile: car, minComponent: 1 },
  );
  const codes = (...points: (Coordinate & { uturn?: boolean; heading?: Heading })[]): string =>
    town.router
      .route({ points })
      .route!.steps.map(({ code, name }) => `${code} ${name}`.trim())
      .join(', ');
  const [a, b, c, one] = ['a', 'b', 'c', '1'].map((letter) => town.at(letter)) as [
    Coordinate,
    Coordinate,
    Coordinate,
    Coordinate,
  ];
  expect(codes(a, { ...one, uturn: true }, a)).toBe('10 ab, 9 ab, 5 ab, 15');
  expect(codes(a, { ...one, uturn: true }, b)).toBe('10 ab, 9 ab, 15');
  expect(codes(c, { ...b, uturn: true }, c)).toBe('10 bc, 9 bc, 5 bc, 15');
  expect(codes(c, { ...b, uturn: true }, a)).toBe('10 bc, 9 ab, 3 ab, 15');
  const east = { degrees: 90, range: 10 };
  expect(codes({ ...b, heading: east }, c)).toBe('10 bc, 7 bc, 15');
  expect(codes(c, { ...b, heading: east }, town.at('d'))).toBe('10 bc, 7 bd, 9 bd, 15');
});

test('a via point on a ring tells how the ring is left from there', () => {
  const town = drawRoads(
    `
        n
        |
        b
       / \\
    w-a   c-e
       \\ /
        d
        |
        s
  `,
    { ways: { dcbad: { junction: 'roundabout', name: 'ring' } }, minComponent: 1 },
  );
  expect(town.codes('s', 'n')).toBe('10,11-2,15');
  // Left at the very node of the point: the first way out; passed there, the next ones count.
  expect(town.codes('s', 'c', 'e')).toBe('10,9,11-1,15');
  expect(town.codes('s', 'c', 'n')).toBe('10,9,11-1,15');
  expect(town.codes('s', 'c', 'w')).toBe('10,9,11-2,15');
  expect(town.codes('s', 'd', 'n')).toBe('10,9,11-2,15');
});
