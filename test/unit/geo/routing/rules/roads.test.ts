import { expect, test } from 'vitest';
import { ExtractBuilder } from '../../../../../server/geo/territory/index.ts';
import { Roads, buildRoads } from '../../../../../server/geo/territory/roads/index.ts';
import { car, drawRoads, testbot } from '../town.ts';

test('100 m at 36 km/h take 10 s, whatever the direction and however the road is drawn', () => {
  const town = drawRoads(
    `
    a---b---c---d
  `,
    { ways: { abcd: {} } },
  );
  expect(town.time('a', 'b')).toBe(10);
  expect(town.time('d', 'a')).toBe(30);
  expect(town.found('a', 'd').distance).toBeCloseTo(300, 0);
});

test('part of a road takes part of its time', () => {
  const town = drawRoads(`
    a-1-2-3-b
  `);
  expect(town.time('a', '2')).toBe(10);
  expect(town.time('1', '3')).toBe(10);
  expect(town.time('3', '1')).toBe(10);
});

test('the quicker road is taken although it is longer, and the shorter of equals', () => {
  const town = drawRoads(
    `
    a-------b
    |       |
    c-------d
  `,
    { ways: { ab: { highway: 'tertiary' } } },
  );
  expect(town.passes('a', 'b')).toBe('a c d b');
  expect(town.passes('c', 'd')).toBe('c d');
});

test('roads that are not joined give no way', () => {
  const town = drawRoads(
    `
    a---b

    c---d
  `,
    { minComponent: 1 },
  );
  expect(town.route('a', 'c')).toBe('');
  expect(town.route('a', 'b')).toBe('ab');
});

test('a ring of one-ways is driven round to reach what lies just behind', () => {
  const ring = { oneway: 'yes' };
  const town = drawRoads(
    `
    a-1-2-b
    |     |
    d-----c
  `,
    { ways: { ab: ring, bc: ring, cd: ring, da: ring } },
  );
  expect(town.route('1', '2')).toBe('ab');
  expect(town.route('2', '1')).toBe('ab,bc,cd,da,ab');
  expect(town.time('2', '1')).toBe(45);
  expect(town.time('1', '2', '1')).toBe(50);
});

test('a one-way is not entered against its direction', () => {
  const town = drawRoads(
    `
    a---b
    |   |
    c---d
  `,
    { ways: { ab: { oneway: 'yes' }, cd: { oneway: '-1' } } },
  );
  expect(town.route('a', 'b')).toBe('ab');
  expect(town.route('b', 'a')).toBe('bd,cd,ac');
  expect(town.route('c', 'd')).toBe('ac,ab,bd');
  const { turnFirst } = town.roads.columns;
  // What is open in one direction only is open forward.
  for (let segment = 0; segment < town.roads.segments; segment++)
    expect(town.roads.isOpen(2 * segment), `segment ${segment}`).toBe(true);
  for (let arc = 0; arc < town.roads.arcs; arc++)
    if (!town.roads.isOpen(arc)) expect(turnFirst[arc + 1], `arc ${arc}`).toBe(turnFirst[arc]);
});

test('directions may differ in speed', () => {
  const town = drawRoads(
    `
    a---b
  `,
    { ways: { ab: { 'maxspeed:forward': '18' } } },
  );
  expect(town.time('a', 'b')).toBe(20);
  expect(town.time('b', 'a')).toBe(10);
});

test('of two roads between the same places the quicker of each direction counts', () => {
  const town = drawRoads(
    `
    a---b
  `,
    { ways: { ab: { highway: 'tertiary' }, ba: { oneway: 'yes' } } },
  );
  expect(town.time('b', 'a')).toBe(10);
  expect(town.route('b', 'a')).toBe('ba');
  expect(town.time('a', 'b')).toBe(30);
  expect(town.route('a', 'b')).toBe('ab');
  // What is beaten in both directions is gone.
  expect(drawRoads('a---b', { ways: { ab: {}, ba: { highway: 'tertiary' } }, minComponent: 1 }).roads.segments).toBe(1);
});

test('a barrier is not passed, and each side of it is reached', () => {
  const town = drawRoads(
    `
    a---b---c
    |       |
    d-------e
  `,
    { nodes: { b: { barrier: 'bollard' } }, profile: car },
  );
  expect(town.passes('a', 'c')).toBe('a d e c');
  expect(town.route('a', 'b')).toBe('ab');
  expect(town.route('c', 'b')).toBe('bc');
});

test('names, modes and the directions of roads end a segment, other shape points do not', () => {
  const { roads } = drawRoads(
    `
    a---b---c---d---e
  `,
    { ways: { abc: { name: 'Long' }, cd: { name: 'Long', oneway: 'yes' }, de: { name: 'Long', oneway: 'yes' } } },
  );
  expect(roads.segments).toBe(2);
});

test('a signal in the middle of a road delays both directions', () => {
  const town = drawRoads(
    `
    a---b---c
  `,
    { ways: { abc: {} }, nodes: { b: { highway: 'traffic_signals' } } },
  );
  expect(town.roads.segments).toBe(1);
  expect(town.time('a', 'c')).toBe(27);
  expect(town.time('c', 'a')).toBe(27);
});

test('a ferry takes its duration, spread over its pieces, and nobody starts on it', () => {
  const town = drawRoads(
    `
    a---b-1-c---d---e
  `,
    { ways: { bcd: { route: 'ferry', duration: '0:10' } } },
  );
  expect(town.time('a', 'e')).toBe(620);
  expect(town.found('a', 'e').steps.map(({ mode }) => mode)).toEqual([1, 2, 1, 1]);
  expect(town.answer('1', 'e').snapped[0]!.name).toBe('ab');
});

test('a change of mode is an instruction without a change of name', () => {
  const town = drawRoads(
    `
    a---b---c---d
  `,
    { ways: { ab: { name: 'Sea road' }, bc: { name: 'Sea road', route: 'ferry' }, cd: { name: 'Sea road' } } },
  );
  expect(town.codes('a', 'd')).toBe('10,1,1,15');
});

test('exits of a roundabout are counted, and its length is in no row', () => {
  const ring = { junction: 'roundabout' };
  const town = drawRoads(`
        a
        |
    b---c---d
        |
        e
  `);
  expect(town.codes('b', 'd')).toBe('10,1,15');
  const round = drawRoads(
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
    { ways: { abcda: ring } },
  );
  expect(round.codes('s', 't')).toBe('10,11-1,15');
  expect(round.codes('s', 'u')).toBe('10,11-2,15');
  expect(round.codes('s', 'v')).toBe('10,11-3,15');
  expect(round.codes('v', 's')).toBe('10,11-1,15');
  const route = round.found('s', 'u');
  const told = route.steps.reduce((sum, step) => sum + step.distance, 0);
  expect(route.distance - told).toBeGreaterThan(200);
  // Ending on the ring there is no row of it; starting on it exits count from the start.
  expect(round.codes('s', 'c')).toBe('10,15');
  expect(round.codes('c', 'u')).toBe('10,11-1,15');
});

test('an exit that nobody may take is not counted', () => {
  const town = drawRoads(
    `
          a
         / \\
    s---b   d---u
         \\ /
          c
          |
          t
  `,
    { ways: { abcda: { junction: 'roundabout' }, tc: { oneway: 'yes' } } },
  );
  expect(town.codes('s', 'u')).toBe('10,11-1,15');
});

test('a via point is passed in the direction of arrival', () => {
  const town = drawRoads(`
    a---b-1-c---d
    |           |
    e-----------f
  `);
  expect(town.passes('a', '1', 'd')).toBe('a b 1 c d');
  expect(town.passes('a', '1', 'b')).toBe('a e f d c 1 b');
  expect(town.codes('a', '1', 'd')).toBe('10,1,9,1,15');
});

test('where it is allowed the vehicle turns back at a via point, at no cost', () => {
  const town = drawRoads(`
    a---b-1-c---d
    |           |
    e-----------f
  `);
  const points = ['a', '1', 'b'].map((letter, i) => ({ ...town.at(letter), uturn: i === 1 }));
  const { route } = town.router.route({ points });
  expect(route?.time).toBe(20);
  expect(route?.steps.map(({ code, name }) => `${code} ${name}`)).toEqual(['10 ab', '1 bc', '9 bc', '5 bc', '15 ']);
});

test('via points at junctions may be passed over any road', () => {
  const town = drawRoads(`
    a---b---c
        |
        d
  `);
  expect(town.route('d', 'b', 'c')).toBe('bd,bc,bc');
  expect(town.codes('d', 'b', 'c')).toBe('10,9,3,15');
  expect(town.route('a', 'b', 'd')).toBe('ab,bd,bd');
  expect(town.route('a', 'b', 'c')).toBe('ab,bc');
});

test('the same point twice costs nothing and has its row', () => {
  const town = drawRoads(`
    a---b-1-c
  `);
  expect(town.found('1', '1')).toMatchObject({ time: 0, distance: 0, start: 'bc', end: 'bc' });
  expect(town.codes('1', '1')).toBe('10,15');
  expect(town.codes('a', 'a')).toBe('10,15');
  expect(town.codes('a', '1', '1', 'c')).toBe('10,1,9,9,15');
  expect(town.time('a', '1', '1', 'c')).toBe(20);
  expect(town.found('a', '1', '1', 'c').viaIndices).toEqual([0, 2, 2, 3]);
});

test('who stands in a small part of the network is moved to the big one, unless all do', () => {
  const town = drawRoads(
    `
    a---b---c
    |   |   |
    d---e---f

    1x--y2
  `,
    { minComponent: 5 },
  );
  expect(town.answer('1', 'a').snapped[0]!.name).toBe('de');
  expect(town.answer('1', '2').snapped.map(({ name }) => name)).toEqual(['xy', 'xy']);
  expect(town.router.nearest(town.at('1'))[0]!.name).toBe('xy');
});

test('there is no limit to how far a point is from a road', () => {
  const town = drawRoads(`
    a---b
  `);
  expect(town.router.nearest({ lat: 60, lon: 170 })[0]!.name).toBe('ab');
  expect(
    town.router.route({
      points: [
        { lat: -80, lon: -179 },
        { lat: 89, lon: 10 },
      ],
    }).route,
  ).toBeDefined();
});

test('locate finds shape points too', () => {
  const town = drawRoads(
    `
    a---b---c
       1
  `,
    { ways: { abc: {} } },
  );
  expect(town.roads.segments).toBe(1);
  expect(town.router.locate(town.at('1'))).toEqual(town.at('b'));
});

test('an empty extract has no way and no nearest road', () => {
  const { bytes } = buildRoads(new ExtractBuilder().build(), { profile: testbot });
  expect(Roads.from(bytes.buffer).segments).toBe(0);
});

test('ids beyond 32 bits, broken ways and broken restrictions are taken as they are', () => {
  const builder = new ExtractBuilder();
  const big = 2 ** 33;
  builder
    .node(big, 1, 1)
    .node(big + 1, 1, 1.001)
    .node(big + 2, 1, 1.002);
  builder.way(big, [big, big + 1, 999, big + 1, big + 1, big + 2], { highway: 'primary' });
  builder.way(big + 1, [big], { highway: 'primary' });
  builder.relation(
    1,
    [
      { type: 'way', id: big, role: 'from' },
      { type: 'node', id: 77, role: 'via' },
      { type: 'way', id: big, role: 'to' },
    ],
    { type: 'restriction', restriction: 'no_u_turn' },
  );
  const built = buildRoads(builder.build(), { profile: testbot });
  expect(built).toMatchObject({ roadNodes: 3, roadArcs: 2 });
  expect(built.log).toHaveLength(1);
});

test('roads over the anti-meridian and near the poles are measured the short way', () => {
  const builder = new ExtractBuilder();
  builder.node(1, 10, 179.9995).node(2, 10, -179.9995).way(1, [1, 2], { highway: 'primary', name: 'Date line' });
  const { bytes } = buildRoads(builder.build(), { profile: testbot });
  const roads = Roads.from(bytes.buffer);
  expect(roads.columns.pieceForward[0]).toBeLessThan(120);
  const north = drawRoads(
    `
    a---b
  `,
    { origin: [80, 10] },
  );
  expect(north.time('a', 'b')).toBe(10);
});
