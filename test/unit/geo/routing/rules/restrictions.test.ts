import { expect, test } from 'vitest';
import { ExtractBuilder } from '../../../../../server/geo/territory/index.ts';
import { Roads, buildRoads } from '../../../../../server/geo/territory/roads/index.ts';
import type { Profile } from '../../../../../server/geo/territory/roads/index.ts';
import { closeRoads } from '../close-roads.ts';
import { car, testbot } from '../town.ts';

type Tags = Record<string, string>;

/** Seconds straight on over the cross and to the right, under restrictions that are added to the drawing. */
function over(
  relate: (builder: ExtractBuilder) => void,
  { profile = testbot }: { profile?: Profile } = {},
): [straight: number | undefined, right: number | undefined] {
  const builder = new ExtractBuilder();
  const hundred = 0.000899;
  builder
    .node(1, 0, 0)
    .node(2, 0, hundred)
    .node(3, 0, 2 * hundred)
    .node(4, -hundred, hundred)
    .node(5, 0, -hundred);
  builder
    .way(1, [5, 1, 2], { highway: 'primary' })
    .way(2, [2, 3], { highway: 'primary' })
    .way(3, [2, 4], { highway: 'primary' });
  relate(builder);
  const router = closeRoads(Roads.from(buildRoads(builder.build(), { profile, minComponent: 1 }).bytes.buffer), []);
  const to = (lat: number, lon: number): number | undefined =>
    router.route({
      points: [
        { lat: 0, lon: 0 },
        { lat, lon },
      ],
    }).route?.time;
  return [to(0, 2 * hundred), to(-hundred, hundred)];
}

const member = (role: string, type: 'node' | 'way' | 'relation', ref: number) => ({ role, type, id: ref });

const no = { type: 'restriction', restriction: 'no_straight_on' };

/** Straight on by turning back in the dead end on the right. */
const ROUND = 10 + 10 + 20 + 10 + 10;

test('a restriction needs a node as its via, at an end of both ways', () => {
  expect(over(() => {})).toEqual([20, 20]);
  expect(
    over((builder) =>
      builder.relation(1, [member('from', 'way', 1), member('via', 'node', 2), member('to', 'way', 2)], no),
    ),
  ).toEqual([ROUND, 20]);
  expect(
    over((builder) =>
      builder.relation(1, [member('from', 'way', 1), member('via', 'way', 2), member('to', 'way', 2)], no),
    ),
    'a way as via, with the number of the node',
  ).toEqual([20, 20]);
  expect(
    over((builder) =>
      builder.relation(1, [member('from', 'way', 1), member('via', 'node', 1), member('to', 'way', 1)], no),
    ),
    'the second node of the way',
  ).toEqual([20, 20]);
  expect(
    over((builder) =>
      builder.relation(1, [member('from', 'way', 1), member('via', 'node', 3), member('to', 'way', 2)], no),
    ),
    'not on the first way',
  ).toEqual([20, 20]);
  expect(
    over((builder) =>
      builder.relation(1, [member('from', 'way', 1), member('via', 'node', 2), member('to', 'relation', 2)], no),
    ),
    'to no way',
  ).toEqual([20, 20]);
});

test('a relation is known by its key, whatever its type; an unknown word forbids', () => {
  const members = [member('from', 'way', 1), member('via', 'node', 2), member('to', 'way', 2)];
  for (const tags of [
    { restriction: 'no_straight_on' },
    { type: 'multipolygon', restriction: 'no_straight_on' },
    { 'restriction:vehicle': 'rubbish' },
  ] as Tags[]) {
    expect(
      over((builder) => builder.relation(1, members, tags)),
      JSON.stringify(tags),
    ).toEqual([ROUND, 20]);
  }
  for (const tags of [
    { type: 'restriction' },
    { type: 'restriction', no_straight_on: 'yes' },
    { 'restriction:hgv': 'no_straight_on' },
    { 'restriction:conditional': 'no_straight_on @ (Mo-Fr)' },
  ] as Tags[]) {
    expect(
      over((builder) => builder.relation(1, members, tags)),
      JSON.stringify(tags),
    ).toEqual([20, 20]);
  }
});

test('a restriction goes from the piece of the one way next to the via to that of the other, however long the ways are', () => {
  // On the right a road of three nodes, drawn away from the via, and drawn towards it.
  for (const nodes of [
    [2, 4, 6],
    [6, 4, 2],
  ]) {
    const [straight, right] = over((builder) => {
      builder.node(6, -2 * 0.000899, 0.000899).way(4, nodes, { highway: 'primary' });
      builder.relation(1, [member('from', 'way', 1), member('via', 'node', 2), member('to', 'way', 4)], {
        restriction: 'no_right_turn',
      });
    });
    expect(straight).toBe(20);
    // Straight on to the dead end, back, and then to the left.
    expect(right, String(nodes)).toBe(ROUND);
  }
});

test('a way that only passes the via node is not one that the restriction names', () => {
  const hundred = 0.000899;
  const builder = new ExtractBuilder();
  builder
    .node(1, 0, 0)
    .node(2, 0, hundred)
    .node(3, hundred, hundred)
    .node(4, 2 * hundred, hundred)
    .node(5, -hundred, hundred);
  builder.way(1, [1, 2], { highway: 'primary' }).way(2, [4, 3, 2, 5], { highway: 'primary' });
  builder.relation(1, [member('from', 'way', 1), member('via', 'node', 2), member('to', 'way', 2)], {
    restriction: 'no_left_turn',
  });
  const router = closeRoads(
    Roads.from(buildRoads(builder.build(), { profile: testbot, minComponent: 1 }).bytes.buffer),
    [],
  );
  const to = (lat: number): number | undefined =>
    router.route({
      points: [
        { lat: 0, lon: 0 },
        { lat, lon: hundred },
      ],
    }).route?.time;
  expect([to(hundred), to(-hundred)]).toEqual([20, 20]);
});

test('a restriction lies on the piece at its via, also where a way has that node twice, or is a ring that begins there', () => {
  const members = (from: number, to: number) => [
    member('from', 'way', from),
    member('via', 'node', 2),
    member('to', 'way', to),
  ];
  const hundred = 0.000899;
  for (const [refs, others] of [
    [
      [1, 2, 2],
      [2, 2, 3],
    ],
    [
      [2, 2, 1],
      [3, 2, 2],
    ],
  ] as const) {
    expect(
      over((builder) =>
        builder
          .way(1, [...refs], { highway: 'primary' })
          .way(2, [...others], { highway: 'primary' })
          .way(5, [5, 1], { highway: 'primary' })
          .relation(1, members(1, 2), no),
      ),
      String(refs),
    ).toEqual([ROUND, 20]);
  }
  const ring = (relate: (builder: ExtractBuilder) => void) =>
    over((builder) => {
      builder
        .node(6, hundred, hundred)
        .node(7, hundred, 2 * hundred)
        .way(9, [2, 6, 7, 2], { highway: 'primary', oneway: 'yes' });
      relate(builder);
    });
  const round = 10 + 10 + 10 + 14.1 + 10; // to the via, up, across and back over the diagonal
  const only = ring((builder) => builder.relation(1, members(1, 9), { restriction: 'only_left_turn' }));
  expect(only.map((time) => Math.round(time!))).toEqual([Math.round(round), Math.round(round)]);
  expect(ring((builder) => builder.relation(1, members(9, 2), no))).toEqual([20, 20]);
  expect(
    ring((builder) => {
      builder.relation(1, members(1, 9), { restriction: 'only_left_turn' }).relation(2, members(9, 2), no);
    })[0],
  ).toBeGreaterThan(round);
});

test('a restriction counts between two pieces of one street, where nobody else could turn', () => {
  const builder = new ExtractBuilder();
  builder
    .node(1, 0, 0)
    .node(2, 0, 0.000899)
    .node(3, 0, 2 * 0.000899);
  builder.way(1, [1, 2], { highway: 'primary', name: 'same' }).way(2, [2, 3], { highway: 'primary', name: 'same' });
  builder.relation(1, [member('from', 'way', 1), member('via', 'node', 2), member('to', 'way', 2)], no);
  const router = closeRoads(
    Roads.from(buildRoads(builder.build(), { profile: testbot, minComponent: 1 }).bytes.buffer),
    [],
  );
  const ends = [
    { lat: 0, lon: 0 },
    { lat: 0, lon: 2 * 0.000899 },
  ];
  expect([router.route({ points: ends }).route, router.route({ points: ends.toReversed() }).route?.time]).toEqual([
    undefined,
    20,
  ]);
});

test('a car is a motorcar, a motor vehicle and a vehicle', () => {
  const members = [member('from', 'way', 1), member('via', 'node', 2), member('to', 'way', 2)];
  const straight = (tags: Tags): number => over((builder) => builder.relation(1, members, tags), { profile: car })[0]!;
  const free = straight({ restriction: 'no_straight_on', except: 'motorcar;motor_vehicle;vehicle' });
  for (const kind of ['motorcar', 'motor_vehicle', 'vehicle']) {
    expect(straight({ [`restriction:${kind}`]: 'no_straight_on' }), kind).toBeGreaterThan(free + 20);
    expect(straight({ restriction: 'no_straight_on', except: kind }), kind).toBe(free);
  }
  for (const kind of ['hgv', 'bus', 'bicycle', 'conditional']) {
    expect(straight({ [`restriction:${kind}`]: 'no_straight_on' }), kind).toBe(free);
    expect(straight({ restriction: 'no_straight_on', except: kind }), kind).toBeGreaterThan(free + 20);
  }
});

test('one mandatory turn replaces all prohibitions with the same from and via, in any order; the first one counts', () => {
  const to = (way: number, restriction: string) =>
    [[member('from', 'way', 1), member('via', 'node', 2), member('to', 'way', way)], { restriction }] as const;
  const both = (...rules: (readonly [readonly ReturnType<typeof member>[], { restriction: string }])[]) =>
    over((builder) => rules.forEach(([members, tags], i) => builder.relation(i + 1, [...members], tags)));
  expect(both(to(2, 'no_straight_on'), to(2, 'only_straight_on'))).toEqual([20, ROUND]);
  expect(both(to(2, 'only_straight_on'), to(2, 'no_straight_on'))).toEqual([20, ROUND]);
  expect(both(to(3, 'only_right_turn'), to(2, 'only_straight_on'))).toEqual([ROUND, 20]);
  expect(both(to(2, 'only_straight_on'), to(3, 'only_right_turn'))).toEqual([20, ROUND]);
});

test('an exception lifts a restriction for each of the kinds that a car is, and for no other', () => {
  const members = [member('from', 'way', 1), member('via', 'node', 2), member('to', 'way', 2)];
  for (const except of ['motorcar', 'motor_vehicle', 'vehicle', 'bus;motorcar', 'psv; vehicle'])
    expect(
      over((builder) => builder.relation(1, members, { ...no, except })),
      except,
    ).toEqual([20, 20]);
  for (const except of ['psv', 'bus;bicycle', 'motorcars', '', 'car'])
    expect(
      over((builder) => builder.relation(1, members, { ...no, except })),
      except,
    ).toEqual([ROUND, 20]);
});
