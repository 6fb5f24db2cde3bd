import { expect, test } from 'vitest';
import { isBarrier } from '../../../../../server/geo/territory/roads/rules/judge-node.ts';
import { classifyWay } from '../../../../../server/geo/territory/roads/rules/classify-way.ts';
import { car } from '../town.ts';
import { type Tags, judge, each, exact } from './judge.ts';

test('no other class is driven without an access tag, nor is what only looks like one', () => {
  const closed = [
    'track',
    'path',
    'footway',
    'pedestrian',
    'steps',
    'pier',
    'cycleway',
    'bridleway',
    'road',
    'construction',
    'proposed',
    'runway',
    'anything',
    '',
    'constructor',
    '__proto__',
  ];
  each('highway', {}, Object.fromEntries(closed.map((highway) => [highway, 0])));
  expect(exact({ name: 'no highway' })).toEqual([0, 0]);
});

const KEYS = ['motorcar', 'motor_vehicle', 'vehicle', 'access'];

const DENIED = ['no', 'private', 'agricultural', 'forestry', 'emergency', 'psv'];

test('of the access tags the most specific one that is not empty decides, on ways and on nodes', () => {
  for (const [i, specific] of KEYS.entries()) {
    for (const general of KEYS.slice(i + 1)) {
      expect(
        judge({ highway: 'primary', [specific]: 'no', [general]: 'yes' }),
        `${specific} before ${general}`,
      ).toEqual([0, 0]);
      expect(
        judge({ highway: 'primary', [specific]: 'yes', [general]: 'no' }),
        `${specific} before ${general}`,
      ).toEqual([63, 63]);
      expect(judge({ highway: 'primary', [specific]: '', [general]: 'no' }), `an empty ${specific}`).toEqual([0, 0]);
      expect(isBarrier({ [specific]: 'no', [general]: 'yes' }, car)).toBe(true);
      expect(isBarrier({ [specific]: 'yes', [general]: 'no' }, car)).toBe(false);
    }
  }
});

test('the denied values close a way and a node, by every key', () => {
  for (const key of KEYS) {
    for (const value of DENIED) {
      expect(judge({ highway: 'primary', [key]: value }), `${key}=${value}`).toEqual([0, 0]);
      expect(classifyWay({ route: 'ferry', [key]: value }, car), `ferry, ${key}=${value}`).toBeUndefined();
      expect(isBarrier({ [key]: value }, car), `${key}=${value}`).toBe(true);
    }
  }
});

test('the allowed values open an unlisted highway at 10 km/h, by every key; no other value does', () => {
  for (const key of KEYS) {
    each(
      key,
      { highway: 'footway' },
      {
        yes: 19,
        motorcar: 19,
        motor_vehicle: 19,
        vehicle: 19,
        permissive: 19,
        designated: 19,
        destination: 19,
        delivery: 0,
        customers: 0,
        unknown: 0,
        no: 0,
      },
    );
  }
});

test('a profile may leave unlisted highways closed, whatever is allowed on them', () => {
  const strict = { ...car, otherHighways: false };
  expect([
    classifyWay({ highway: 'footway', access: 'yes' }, strict),
    classifyWay({ highway: 'footway' }, strict),
  ]).toEqual([undefined, undefined]);
  expect(classifyWay({ highway: 'primary', access: 'yes' }, strict)).toMatchObject({ forward: 63 });
});

test('any other value neither denies nor opens; destinations, deliveries and aisles of car parks are driven through', () => {
  each(
    'access',
    { highway: 'primary' },
    { 'destination': 63, 'delivery': 63, 'customers': 63, 'some-word': 63, 'permissive': 63, 'designated': 63 },
  );
  expect(exact({ highway: 'service', service: 'parking_aisle' })).toEqual([23, 23]);
});

test('ways that nobody can drive on are closed whatever they are', () => {
  for (const tags of [
    { area: 'yes' },
    { oneway: 'reversible' },
    { impassable: 'yes' },
    { status: 'impassable' },
    { smoothness: 'impassable' },
  ] as Tags[]) {
    for (const way of [
      { highway: 'primary' },
      { highway: 'primary', access: 'yes' },
      { route: 'ferry' },
      { bridge: 'movable' },
    ] as Tags[])
      expect(judge({ ...way, ...tags }), JSON.stringify({ ...way, ...tags })).toEqual([0, 0]);
  }
  for (const tags of [{ area: 'no' }, { impassable: 'no' }, { status: 'open' }] as Tags[])
    expect(judge({ highway: 'primary', ...tags })).toEqual([63, 63]);
});

test('an access tag on a node decides before its barrier does', () => {
  for (const value of ['yes', 'destination', 'permissive', 'some-word'])
    for (const barrier of ['bollard', 'wall', 'gate'])
      expect(isBarrier({ barrier, access: value }, car), `${barrier} ${value}`).toBe(false);
  for (const value of DENIED)
    for (const barrier of ['bollard', 'gate', 'no'])
      expect(isBarrier({ barrier, access: value }, car), `${barrier} ${value}`).toBe(true);
});

test('barriers that one drives through are listed, and all others block, but for a rising bollard', () => {
  for (const barrier of [
    'cattle_grid',
    'border_control',
    'toll_booth',
    'sally_port',
    'gate',
    'no',
    'entrance',
    'checkpoint',
    'lift_gate',
  ])
    expect(isBarrier({ barrier }, car), barrier).toBe(false);
  for (const barrier of ['bollard', 'wall', 'fence', 'block', 'chain', 'swing_gate', 'some-word', 'constructor']) {
    expect(isBarrier({ barrier }, car), barrier).toBe(true);
    expect(isBarrier({ barrier, bollard: 'rising' }, car), `rising ${barrier}`).toBe(false);
    expect(isBarrier({ barrier, bollard: 'fixed' }, car), `fixed ${barrier}`).toBe(true);
  }
  for (const tags of [{}, { barrier: '' }, { bollard: 'fixed' }, { highway: 'crossing' }] as Tags[])
    expect(isBarrier(tags, car)).toBe(false);
});

test('tags of other vehicles change nothing', () => {
  for (const key of ['foot', 'bicycle', 'psv', 'motorhome', 'hgv', 'motorcycle', 'bus']) {
    expect(judge({ highway: 'primary', [key]: 'no' }), key).toEqual([63, 63]);
    expect(judge({ highway: 'footway', [key]: 'yes' }), key).toEqual([0, 0]);
    expect(isBarrier({ [key]: 'no' }, car), key).toBe(false);
    expect(isBarrier({ barrier: 'bollard', [key]: 'yes' }, car), key).toBe(true);
  }
  expect(judge({ 'highway': 'primary', 'oneway:bicycle': 'yes' })).toEqual([63, 63]);
  expect(judge({ 'highway': 'primary', 'oneway': 'yes', 'oneway:bicycle': 'no' })).toEqual([63, 0]);
});

test('one-ways: yes, 1 and true forward, -1 backward; roundabouts always, motorways unless they say no; else both ways', () => {
  for (const value of ['yes', '1', 'true'])
    expect(judge({ highway: 'primary', oneway: value }), value).toEqual([63, 0]);
  expect(judge({ highway: 'primary', oneway: '-1' })).toEqual([0, 63]);
  for (const value of ['no', 'false', '0', '', 'cow', 'YES', 'reverse'])
    expect(judge({ highway: 'primary', oneway: value }), value).toEqual([63, 63]);
  for (const oneway of ['no', 'yes', ''])
    expect(judge({ highway: 'primary', junction: 'roundabout', oneway }), oneway).toEqual([63, 0]);
  expect(judge({ highway: 'primary', junction: 'circular' })).toEqual([63, 63]);
  expect(judge({ highway: 'motorway' })).toEqual([83, 0]);
  expect(judge({ highway: 'motorway_link' })).toEqual([47, 0]);
  expect(judge({ highway: 'motorway', oneway: 'no' })).toEqual([83, 83]);
  expect(judge({ highway: 'motorway_link', oneway: 'no' })).toEqual([47, 47]);
  expect(judge({ highway: 'motorway', oneway: '-1' })).toEqual([0, 83]);
  for (const highway of ['trunk', 'trunk_link', 'primary_link'])
    expect(judge({ highway })[1], highway).toBeGreaterThan(0);
  expect(judge({ 'highway': 'primary', 'oneway': 'yes', 'maxspeed:backward': '50' })).toEqual([63, 0]);
  expect(judge({ 'highway': 'primary', 'oneway': 'yes', 'maxspeed:advisory:backward': '50' })).toEqual([63, 0]);
  expect(
    judge({ 'highway': 'primary', 'oneway': '-1', 'maxspeed:forward': '50', 'maxspeed:advisory:forward': '50' }),
  ).toEqual([0, 63]);
  // Drawn against its direction, as its tag says.
  expect(judge({ highway: 'primary', junction: 'roundabout', oneway: '-1' })).toEqual([0, 63]);
});
