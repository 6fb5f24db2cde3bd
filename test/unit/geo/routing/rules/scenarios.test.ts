import { expect, test } from 'vitest';
import { ExtractBuilder, type PackedExtract } from '../../../../../server/geo/territory/index.ts';
import { Roads, buildRoads, defineProfile } from '../../../../../server/geo/territory/roads/index.ts';
import type { Router } from '../../../../../server/geo/routing/router.ts';
import { closeRoads } from '../close-roads.ts';
import { car, drawRoads, testbot } from '../town.ts';
import type { TownOptions } from '../town.ts';

/** Scenarios of roads, names, turns and points that the other files here do not cover. */

function routerOf(extract: PackedExtract): Router {
  return closeRoads(Roads.from(buildRoads(extract, { profile: testbot, minComponent: 1 }).bytes.buffer), []);
}

test('roads near the point 0,0 are like others', () => {
  const town = drawRoads(
    `
    a---b---c
    |   |   |
    d---e---f
  `,
    { origin: [0.0005, -0.001] },
  );
  expect(town.time('a', 'f')).toBe(30);
  expect(town.passes('d', 'f')).toBe('d e f');
});

test('there are roads up to a hand from either pole', () => {
  for (const lat of [89.9, -89.9]) {
    const town = drawRoads('a---b---c---d', { origin: [lat, 20] });
    expect(town.time('a', 'd')).toBe(30);
    expect(town.router.nearest({ lat, lon: 20 })[0]!.name).toBe('ab');
    const tall = drawRoads(
      `
      a---b
          |
          1
          |
          c---d
    `,
      { origin: [lat, 20] },
    );
    expect(tall.router.nearest(tall.at('1'))[0], String(lat)).toMatchObject({ ...tall.at('1'), name: 'bc' });
    expect([Math.round(tall.time('1', 'c')!), Math.round(tall.time('1', 'b')!)], String(lat)).toEqual([10, 10]);
    expect(tall.codes('a', 'd'), String(lat)).toBe('10,3,7,15');
  }
});

test('a way over the anti-meridian is driven both ways, and found from both sides', () => {
  const builder = new ExtractBuilder();
  builder
    .node(1, 10, 179.998)
    .node(2, 10, 179.9995)
    .node(3, 10, -179.9995)
    .node(4, 10, -179.998)
    .way(1, [1, 2, 3, 4], { highway: 'primary', name: 'Date line' });
  const router = routerOf(builder.build());
  const [west, east] = [
    { lat: 10, lon: 179.998 },
    { lat: 10, lon: -179.998 },
  ];
  const there = router.route({ points: [west, east] }).route!;
  const back = router.route({ points: [east, west] }).route!;
  expect(there.distance).toBeCloseTo(438, 0);
  expect(back.distance).toBe(there.distance);
  expect(there.geometry[0]).toEqual([10, 179.998]);
  expect(there.geometry.at(-1)).toEqual([10, -179.998]);
  expect(there.steps[0]!.compass).toBe('E');
  for (const lon of [180, -180, 179.9999, -179.9999])
    expect(router.nearest({ lat: 10.0001, lon })[0]!.distance).toBeLessThan(12);
});

test('a piece over the anti-meridian is found from where it crosses, though others are nearer than its ends', () => {
  const builder = new ExtractBuilder();
  builder.node(1, 10, 179.99).node(2, 10, -179.99).way(1, [1, 2], { highway: 'primary', name: 'Date line' });
  for (let i = 0; i < 40; i++)
    builder
      .node(10 + i, 10.003, 179.995 + i * 1e-4)
      .way(10 + i, [9 + i, 10 + i].slice(i === 0 ? 1 : 0), { highway: 'primary', name: 'Beside it' });
  const router = routerOf(builder.build());
  for (const lon of [180, -180, 179.997, -179.997])
    expect(router.nearest({ lat: 10.0001, lon })[0], String(lon)).toMatchObject({ name: 'Date line', lat: 10 });
});

test.each(['yes', '-1'])(
  'a slanting road over the anti-meridian, oneway=%s, has its points where one elsewhere has them',
  (oneway) => {
    const across = (east: number): Router => {
      const wrapped = (lon: number): number => (lon > 180 ? lon - 360 : lon);
      const builder = new ExtractBuilder();
      builder
        .node(1, 10, wrapped(east - 0.01))
        .node(2, 10.02, wrapped(east + 0.01))
        .way(1, [1, 2], { highway: 'primary', oneway });
      return routerOf(builder.build());
    };
    const [there, here] = [across(180), across(30)];
    for (let i = -40; i <= 40; i++) {
      const at = (east: number) => ({ lat: 10.011, lon: east + i * 0.0002 });
      const [away] = here.nearest(at(30));
      for (const turned of [0, -360]) {
        const { lat, lon } = at(180);
        if (lon + turned > 180 || lon + turned < -180) continue;
        const [place] = there.nearest({ lat, lon: lon + turned });
        expect([place!.lat, Math.round((((place!.lon + 360) % 360) - 150) * 1e6) / 1e6], String(i)).toEqual([
          away!.lat,
          away!.lon,
        ]);
        expect(Math.abs(place!.lon), String(i)).toBeLessThanOrEqual(180);
      }
    }
  },
);

test('ids beyond 32 bits and below zero are distinguished, in ways and in restrictions', () => {
  const id = (n: number): number => 2 ** 32 + n;
  const builder = new ExtractBuilder();
  // Ids that are the same when cut to 32 bits.
  builder.node(1, 1, 1).node(id(1), 1, 1.001).node(-1, 1, 1.002).node(2, 0.999, 1.001);
  builder
    .way(1, [1, id(1)], { highway: 'primary', name: 'w' })
    .way(id(1), [id(1), -1], { highway: 'primary', name: 'e' })
    .way(-1, [id(1), 2], { highway: 'primary', name: 's' });
  builder.relation(
    id(5),
    [
      { type: 'way', id: 1, role: 'from' },
      { type: 'node', id: id(1), role: 'via' },
      { type: 'way', id: id(1), role: 'to' },
    ],
    { restriction: 'no_straight_on' },
  );
  const route = routerOf(builder.build()).route({
    points: [
      { lat: 1, lon: 1 },
      { lat: 1, lon: 1.002 },
    ],
  }).route!;
  // Straight on is forbidden: down, back from the dead end, and on.
  expect(route.steps.map(({ name }) => name)).toEqual(['w', 's', 's', 'e', '']);
});

const CROSS = `
      n
      |
  w---x---e
      |
      s
`;

/** Whether one may go on straight from s to n, with a restriction on it. */
function straightOn(tags: Record<string, string>, options: Partial<TownOptions> = {}): boolean {
  const town = drawRoads(CROSS, {
    ways: { sx: {}, nx: {}, wx: {}, xe: {} },
    restrictions: [{ from: 'sx', via: 'x', to: 'nx', tags }],
    minComponent: 1,
    ...options,
  });
  return town.time('s', 'n') === 20;
}

test('a value that begins with only_ is mandatory, any other prohibits', () => {
  for (const value of ['no_straight_on', 'no_entry', 'no_u_turn', 'yes', 'anything'])
    expect(straightOn({ restriction: value }), value).toBe(false);
  for (const value of ['only_straight_on', 'only_whatever'])
    expect(straightOn({ restriction: value }), value).toBe(true);
  const only = drawRoads(CROSS, {
    ways: { sx: {}, nx: {}, wx: {}, xe: {} },
    restrictions: [{ from: 'sx', via: 'x', to: 'nx', tags: { restriction: 'only_straight_on' } }],
    minComponent: 1,
  });
  expect(only.time('s', 'e')).toBeGreaterThan(20);
});

test('a qualified restriction counts for the vehicles it names, and an exception for those it excepts', () => {
  for (const kind of ['motorcar', 'motor_vehicle', 'vehicle']) {
    expect(straightOn({ [`restriction:${kind}`]: 'no_straight_on' }), kind).toBe(false);
    expect(straightOn({ restriction: 'no_straight_on', except: `bus;${kind}` }), kind).toBe(true);
  }
  for (const key of [
    'restriction:hgv',
    'restriction:conditional',
    'restriction:motorcar:conditional',
    'restriction:bus',
  ])
    expect(straightOn({ [key]: 'no_straight_on' }), key).toBe(true);
  expect(straightOn({ restriction: 'no_straight_on', except: 'bicycle; psv' })).toBe(false);
});

test('the way round a block is driven where a one-way forbids to turn in', () => {
  const town = drawRoads(
    `
    a---b---c
        |   |
        d---e
  `,
    { ways: { db: { oneway: 'yes' } } },
  );
  expect(town.passes('a', 'd')).toBe('a b c e d');
  expect(town.passes('d', 'a')).toBe('d b a');
});

test('values of oneway: yes, 1 and true go with the drawing, -1 against it, others both ways', () => {
  const both = (oneway: string): [boolean, boolean] => {
    const town = drawRoads('a---b', { ways: { ab: { oneway } }, minComponent: 1 });
    return [town.time('a', 'b') !== undefined, town.time('b', 'a') !== undefined];
  };
  for (const value of ['yes', '1', 'true']) expect(both(value), value).toEqual([true, false]);
  expect(both('-1')).toEqual([false, true]);
  for (const value of ['no', 'false', '0', 'cow', '']) expect(both(value), value).toEqual([true, true]);
});

test('a via point in a dead end is entered and left again, one beside it is passed', () => {
  const town = drawRoads(`
    a---b---c
        |
        d
  `);
  expect(town.passes('a', 'd', 'c')).toBe('a b d b c');
  expect(town.time('a', 'd', 'c')).toBe(60); // 400 m, and 20 s to turn back
});

test('via points on a ring of one-ways are reached in any order, by as many rounds as it takes', () => {
  const ring = { ab: { oneway: 'yes' }, bd: { oneway: 'yes' }, dc: { oneway: 'yes' }, ca: { oneway: 'yes' } };
  const town = drawRoads(
    `
    a-1-b
    |   |
    c-2-d
  `,
    { ways: ring, minComponent: 1 },
  );
  expect(town.time('1', '2')).toBe(20);
  expect(town.time('2', '1')).toBe(20);
  expect(town.time('1', '2', '1', '2', '1')).toBe(80);
  expect(town.time('b', 'a', 'b')).toBe(40);
});

test('many via points make as many legs', () => {
  const town = drawRoads('a-1-b-2-c-3-d-4-e');
  const letters = [...'a1b2c3d4e'];
  const { viaIndices, time } = town.found(...letters);
  expect(time).toBe(40);
  expect(viaIndices).toHaveLength(9);
  expect([...viaIndices].sort((a, b) => a - b)).toEqual(viaIndices);
});

test('no loop is driven at a via point next to a shape point, however the rounding falls', () => {
  const builder = new ExtractBuilder();
  builder
    .node(1, 1, 1)
    .node(2, 1.0000003, 1.0000017)
    .node(3, 1.0000011, 1.0000029)
    .node(4, 1, 1.001)
    .way(1, [1, 2, 3, 4], { highway: 'primary' });
  const router = routerOf(builder.build());
  for (let micro = 0; micro < 12; micro++) {
    const via = { lat: 1 + (micro % 3) * 1e-6, lon: 1 + micro * 1e-6 };
    expect(
      router.route({ points: [{ lat: 1, lon: 1 }, via, { lat: 1, lon: 1.001 }] }).route!.distance,
      `${micro}`,
    ).toBeLessThan(113);
  }
});

test('a point one micro-degree off a road stays where it is, one that is further off does not', () => {
  const builder = new ExtractBuilder();
  builder.node(1, 1, 1).node(2, 1, 1.01).node(3, 1.01, 1.01);
  builder
    .way(1, [1, 2], { highway: 'primary', name: 'eastward' })
    .way(2, [2, 3], { highway: 'primary', name: 'northward' });
  const router = routerOf(builder.build());
  const foot = (lat: number, lon: number): [number, number] => {
    const [place] = router.nearest({ lat, lon });
    return [place!.lat, place!.lon];
  };
  for (const off of [1e-6, -1e-6]) {
    expect(foot(1 + off, 1.005)).toEqual([1 + off, 1.005]);
    expect(foot(1.005, 1.01 + off)).toEqual([1.005, 1.01 + off]);
    expect(foot(1 + 2 * off, 1.005)).toEqual([1, 1.005]);
    expect(foot(1.005, 1.01 + 2 * off)).toEqual([1.005, 1.01]);
  }
});

test('a road is preferred to a ferry when it is quicker, and the ferry when that is', () => {
  const town = (duration: string): string =>
    drawRoads(
      `
    a---b-------c---d
        |       |
        e-------f
  `,
      { ways: { bc: { route: 'ferry', duration } } },
    ).passes('a', 'd');
  expect(town('0:10')).toBe('a b e f c d');
  expect(town('PT20S')).toBe('a b c d');
});

test('an area that lies on a road does not hide it', () => {
  const builder = new ExtractBuilder();
  builder.node(1, 1, 1).node(2, 1, 1.001).node(3, 1.001, 1.001);
  builder
    .way(1, [1, 2, 3, 1], { highway: 'primary', area: 'yes', name: 'square' })
    .way(2, [1, 2], { highway: 'primary', name: 'street' });
  const roads = Roads.from(buildRoads(builder.build(), { profile: car, minComponent: 1 }).bytes.buffer);
  const router = closeRoads(roads, []);
  expect(
    router.route({
      points: [
        { lat: 1, lon: 1 },
        { lat: 1, lon: 1.001 },
      ],
    }).route!.steps[0]!.name,
  ).toBe('street');
  expect(router.nearest({ lat: 1.001, lon: 1.001 })[0]!.name).toBe('street');
});

test('a start on a one-way from which nothing leads back has no way to what lies behind', () => {
  const town = drawRoads('a-1-2-b', { ways: { ab: { oneway: 'yes' } }, minComponent: 1 });
  expect(town.time('1', '2')).toBe(5);
  expect(town.time('2', '1')).toBeUndefined();
});

test('relations and ways that are cut off at the edge of the extract leave the rest as it is', () => {
  const builder = new ExtractBuilder();
  builder.node(1, 1, 1).node(2, 1, 1.001).node(3, 1, 1.002);
  // The way goes on over nodes that are not there, and comes back.
  builder
    .way(1, [1, 2, 77, 78, 3], { highway: 'primary', name: 'cut' })
    .way(2, [2, 3], { highway: 'secondary', name: 'whole' });
  for (const [i, members] of [
    [
      { type: 'way', id: 1, role: 'from' },
      { type: 'node', id: 2, role: 'via' },
      { type: 'way', id: 99, role: 'to' },
    ],
    [
      { type: 'way', id: 1, role: 'from' },
      { type: 'node', id: 77, role: 'via' },
      { type: 'way', id: 2, role: 'to' },
    ],
    [
      { type: 'node', id: 1, role: 'from' },
      { type: 'node', id: 2, role: 'via' },
      { type: 'way', id: 2, role: 'to' },
    ],
    [],
  ].entries())
    builder.relation(i + 1, members as never, { type: 'restriction', restriction: 'no_left_turn' });
  const built = buildRoads(builder.build(), { profile: testbot, minComponent: 1 });
  const router = closeRoads(Roads.from(built.bytes.buffer), []);
  expect(
    router
      .route({
        points: [
          { lat: 1, lon: 1 },
          { lat: 1, lon: 1.002 },
        ],
      })
      .route!.steps.map(({ name }) => name),
  ).toEqual(['cut', 'whole', '']);
  expect(built.log[0]).toMatch(/^4 turn restrictions were passed over/);
});

test('lengths and times are right from 10 m to 1 km, along winding ways too', () => {
  for (const grid of [10, 100, 1000]) {
    const town = drawRoads(
      `
      a---b---c
      |       |
      d       e---f
    `,
      { ways: { dabcef: {} }, grid },
    );
    const { distance, time } = town.found('d', 'f');
    expect(distance, `${grid} m`).toBeCloseTo(5 * grid, grid < 100 ? 0 : -1);
    expect(time, `${grid} m`).toBeCloseTo((5 * grid) / 10, 6);
    expect(town.passes('d', 'f')).toBe('d a b c e f');
    expect(town.passes('f', 'd')).toBe('f e c b a d');
  }
});

test('the nearest edge wins, at 100 m and at 1 km', () => {
  for (const grid of [100, 1000]) {
    const town = drawRoads(
      `
      a-------b
         1
         2
      c-------d
    `,
      { grid },
    );
    expect(
      [town.router.nearest(town.at('1'))[0]!.name, town.router.nearest(town.at('2'))[0]!.name],
      `${grid} m`,
    ).toEqual(['ab', 'cd']);
  }
});

test('signals add up, the same on every class of road', () => {
  for (const highway of ['primary', 'secondary', 'tertiary']) {
    const lit = (...at: string[]): number =>
      drawRoads('a---b---c---d---e', {
        ways: { abcde: { highway } },
        nodes: Object.fromEntries(at.map((letter) => [letter, { highway: 'traffic_signals' }])),
      }).time('a', 'e')!;
    expect([lit('b') - lit(), lit('b', 'c') - lit(), lit('b', 'c', 'd') - lit()], highway).toEqual([7, 14, 21]);
  }
});

test('every row tells the length and the time up to the next', () => {
  const town = drawRoads(
    `
    a---b-------c
                |
                d---e
  `,
    { ways: { ab: {}, bc: { highway: 'secondary' }, cd: {}, de: { highway: 'tertiary' } } },
  );
  const rows = town
    .found('a', 'e')
    .steps.map(({ code, name, distance, time, position }) => [code, name, Math.round(distance), time, position]);
  expect(rows).toEqual([
    ['10', 'ab', 100, 10, 0],
    ['1', 'bc', 200, 40, 1],
    ['3', 'cd', 100, 10, 2],
    ['7', 'de', 100, 30, 3],
    ['15', '', 0, 0, 4],
  ]);
});

test('a car tells the mode of every stretch in both directions, and from a ferry goes to the road', () => {
  const town = drawRoads(
    `
    a---b---c---d
      1   2   3
  `,
    { profile: car, ways: { ab: {}, bc: { route: 'ferry', duration: '0:01' }, cd: {} } },
  );
  const modes = (...letters: string[]): string =>
    town
      .found(...letters)
      .steps.map(({ name, mode }) => `${name}${mode}`)
      .join(' ');
  expect(modes('a', 'd')).toBe('ab1 bc2 cd1 1');
  expect(modes('d', 'a')).toBe('cd1 bc2 ab1 1');
  expect(town.answer('2', 'd').snapped[0]!.name).not.toBe('bc');
  const straits = drawRoads('a---b---c---d---e', {
    profile: car,
    ways: {
      ab: { name: 'Sea road' },
      bc: { name: 'Sea road', route: 'ferry' },
      cd: { name: 'Sea road', bridge: 'movable' },
      de: { name: 'Sea road' },
    },
    minComponent: 1,
  });
  expect(
    straits.found('a', 'e').steps.map(({ mode }) => mode),
    'one name, and three modes',
  ).toEqual([1, 2, 3, 1, 1]);
  expect(
    straits.found('a', 'b', 'd', 'e').steps.map(({ code, mode }) => `${code} ${mode}`),
    'at points in between',
  ).toEqual(['10 1', '9 2', '1 3', '9 1', '15 1']);
  expect(
    town.found('a', 'c').steps.map(({ mode }) => mode),
    'the last row has that of the one before',
  ).toEqual([1, 2, 2]);
  expect(town.time('b', 'c')).toBeCloseTo(60, 6);
});

test('where limits raise nothing, lower ones are obeyed and higher ones are not, in each direction by itself', () => {
  const seconds = (tags: Record<string, string>): (number | undefined)[] => {
    const town = drawRoads('a---b', { ways: { ab: tags }, minComponent: 1 });
    return [town.time('a', 'b'), town.time('b', 'a')];
  };
  expect(seconds({})).toEqual([10, 10]);
  expect(seconds({ maxspeed: '18' })).toEqual([20, 20]);
  expect(seconds({ maxspeed: '72' })).toEqual([10, 10]);
  expect(seconds({ 'maxspeed:forward': '18' })).toEqual([20, 10]);
  expect(seconds({ 'maxspeed:backward': '72', 'maxspeed': '18' })).toEqual([20, 5]);
});

test('ferries take hours and days as well as minutes', () => {
  const over = (duration: string): number =>
    drawRoads('a---b---c---d', { ways: { bc: { route: 'ferry', duration } } }).time('a', 'd')! - 20;
  expect(['0:01', '0:10', '1:00', '24:00', '96:00', 'PT23H'].map(over)).toEqual([
    60, 600, 3600, 86_400, 345_600, 82_800,
  ]);
});

test('the way back is no exit of a roundabout, where one may turn back on it', () => {
  const profile = defineProfile({
    ...testbot,
    oneway: { obeyed: true, keys: ['oneway'], implied: [], roundabouts: false },
  });
  // The ring becomes one-way at b, into which nothing else leads: there one may turn back.
  const town = drawRoads('x---a---b---c---d---y', {
    profile,
    ways: { ab: { junction: 'roundabout' }, bcd: { junction: 'roundabout', oneway: 'yes' } },
    minComponent: 1,
  });
  expect(town.codes('x', 'y')).toBe('10,11-1,15');
});

test('exits of a roundabout are counted from the first to the third, arms of one direction as they can be driven', () => {
  const ring = { junction: 'roundabout' };
  const town = drawRoads(
    `
          v
          |
          a
         / \\
    s---b   d---u
         \\ /
          c
          |
          t
  `,
    {
      ways: { abcda: ring, sb: { oneway: 'yes' }, ct: { oneway: 'yes' }, du: { oneway: 'yes' }, av: { oneway: 'yes' } },
      minComponent: 1,
    },
  );
  expect(['t', 'u', 'v'].map((exit) => town.codes('s', exit))).toEqual(['10,11-1,15', '10,11-2,15', '10,11-3,15']);
});

test('exits are counted again on every ring', () => {
  const ring = { junction: 'roundabout' };
  const town = drawRoads(
    `
          k           l
          |           |
          a           e
         / \\         / \\
    s---b   d-------f   h---u
         \\ /         \\ /
          c           g
          |           |
          m           n
  `,
    { ways: { abcda: ring, efghe: ring }, minComponent: 1 },
  );
  expect(town.codes('s', 'u')).toBe('10,11-2,11-2,15');
  expect(town.codes('s', 'l')).toBe('10,11-2,11-3,15');
});

test('a roundabout between streets of its own name is still an instruction', () => {
  const street = { name: 'Main', oneway: 'yes' };
  const town = drawRoads('a---b---c---d', {
    ways: { ab: street, bc: { name: 'Main', junction: 'roundabout' }, cd: street },
    minComponent: 1,
  });
  expect(town.codes('a', 'd')).toBe('10,11-1,15');
});

test('coordinates are taken as the decimals that they are', () => {
  const builder = new ExtractBuilder();
  builder.node(1, 1.000001, 1.000001).node(2, 1.000001, 1.001).way(1, [1, 2], { highway: 'primary' });
  const router = routerOf(builder.build());
  expect(router.nearest({ lat: 1.000001, lon: 1.000001 })[0]).toMatchObject({
    lat: 1.000001,
    lon: 1.000001,
    distance: 0,
  });
});
