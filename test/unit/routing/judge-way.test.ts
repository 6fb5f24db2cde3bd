import { expect, test } from 'vitest';
import { defineProfile } from '../../../server/territory/roads/index.ts';
import { PROFILES } from '../../../server/territory/roads/index.ts';
import { durationSeconds } from '../../../server/territory/roads/duration.ts';
import { isBarrier } from '../../../server/territory/roads/judge-node.ts';
import { displayName, judgeWay } from '../../../server/territory/roads/judge-way.ts';
import { car } from './town.ts';

type Tags = Record<string, string>;
const judge = (tags: Tags): [forward: number, backward: number] => {
  const use = judgeWay(tags, car);
  return use ? [Math.round(use.forward), Math.round(use.backward)] : [0, 0];
};
const both = (tags: Tags): number => {
  const [forward, backward] = judge(tags);
  expect(forward, JSON.stringify(tags)).toBe(backward);
  return forward;
};

test('every class has its effective speed, and what is not listed is closed', () => {
  const speeds: Record<string, number> = {
    trunk: 79, trunk_link: 43, primary: 63, primary_link: 35, secondary: 55, secondary_link: 31, tertiary: 43, tertiary_link: 27,
    unclassified: 31, residential: 31, living_street: 19, service: 23,
    track: 0, path: 0, footway: 0, pedestrian: 0, steps: 0, pier: 0, cycleway: 0, bridleway: 0, road: 0, construction: 0, proposed: 0, runway: 0, constructor: 0,
  };
  for (const [highway, speed] of Object.entries(speeds)) expect(both({ highway }), highway).toBe(speed);
  expect(judge({ highway: 'motorway' })).toEqual([83, 0]);
  expect(judge({ highway: 'motorway_link' })).toEqual([47, 0]);
  expect(both({ highway: 'motorway', oneway: 'no' })).toBe(83);
});

test('the most specific access tag decides', () => {
  const cases: [Tags, number][] = [
    [{ access: 'no' }, 0], [{ access: 'private' }, 0], [{ access: 'emergency' }, 0], [{ access: 'psv' }, 0], [{ access: 'forestry' }, 0], [{ access: 'agricultural' }, 0],
    [{ access: 'destination' }, 63], [{ access: 'delivery' }, 63], [{ access: 'some-word' }, 63],
    [{ access: 'no', vehicle: 'yes' }, 63], [{ access: 'yes', vehicle: 'no' }, 0], [{ vehicle: 'yes', motor_vehicle: 'no' }, 0], [{ motor_vehicle: 'no', motorcar: 'yes' }, 63],
    [{ foot: 'no', bicycle: 'no', psv: 'no', motorhome: 'no' }, 63],
    [{ access: '' }, 63],
  ];
  for (const [tags, speed] of cases) expect(both({ highway: 'primary', ...tags }), JSON.stringify(tags)).toBe(speed);
  for (const access of ['yes', 'permissive', 'designated', 'destination']) expect(both({ highway: 'footway', access })).toBe(19);
  expect(both({ highway: 'footway', motorcar: 'yes', maxspeed: '5' })).toBe(15);
  expect(both({ highway: 'footway', motorcar: 'yes', maxspeed: '50' })).toBe(19);
  expect(both({ highway: 'footway', maxspeed: '50' })).toBe(0);
});

test('ways that nobody can drive on are closed whatever their class', () => {
  for (const tags of [{ area: 'yes' }, { oneway: 'reversible' }, { impassable: 'yes' }, { status: 'impassable' }, { smoothness: 'impassable' }] as Tags[]) {
    expect(judge({ highway: 'primary', ...tags }), JSON.stringify(tags)).toEqual([0, 0]);
  }
});

test('one-way tags close a direction', () => {
  const cases: [Tags, boolean, boolean][] = [
    [{ oneway: 'yes' }, true, false], [{ oneway: '1' }, true, false], [{ oneway: 'true' }, true, false], [{ oneway: '-1' }, false, true],
    [{ oneway: 'no' }, true, true], [{ oneway: 'nonsense' }, true, true], [{ 'oneway:bicycle': 'yes' }, true, true],
    [{ junction: 'roundabout' }, true, false], [{ junction: 'roundabout', oneway: 'no' }, true, false], [{ junction: 'circular' }, true, true],
    [{ oneway: 'yes', 'maxspeed:backward': '50' }, true, false],
  ];
  for (const [tags, forward, backward] of cases) {
    const [along, against] = judge({ highway: 'primary', ...tags });
    expect([along > 0, against > 0], JSON.stringify(tags)).toEqual([forward, backward]);
  }
});

test('limits replace the class speed, lower or higher, and are read in many spellings', () => {
  const limits: [string, number][] = [
    ['30', 35], ['100', 91], ['50;60', 51], ['30.5', 35], ['60 mph', 88], ['40mp/h', 62], ['none', 63], ['signals', 63], ['walk', 63], ['', 63], ['0', 63],
    ['de:urban', 51], ['DE:rural', 91], ['ru:urban', 59], ['xx:motorway', 115], ['de:motorway', 63], ['cz:trunk', 63], ['gb:nsl_single', 88], ['xx:unknown', 63], ['ch:rural', 75],
  ];
  for (const [maxspeed, speed] of limits) expect(both({ highway: 'primary', maxspeed }), maxspeed).toBe(speed);
  expect(judge({ highway: 'primary', 'maxspeed:forward': '30' })).toEqual([35, 63]);
  expect(judge({ highway: 'primary', maxspeed: '50', 'maxspeed:backward': '100' })).toEqual([51, 91]);
  expect(judge({ highway: 'primary', maxspeed: '90', 'maxspeed:advisory': '45' })).toEqual([47, 47]);
  expect(judge({ highway: 'primary', 'maxspeed:advisory': '45', 'maxspeed:advisory:backward': '20' })).toEqual([47, 27]);
});

test('a bad surface caps the speed, the worst tag counts, and none gives access', () => {
  expect(both({ highway: 'primary', surface: 'asphalt' })).toBe(63);
  expect(both({ highway: 'primary', surface: 'gravel' })).toBe(43);
  expect(both({ highway: 'primary', surface: 'gravel', tracktype: 'grade5' })).toBe(27);
  expect(both({ highway: 'primary', surface: 'mud', smoothness: 'very_horrible' })).toBe(15);
  expect(both({ highway: 'service', surface: 'compacted' })).toBe(23);
  expect(both({ highway: 'footway', surface: 'asphalt' })).toBe(0);
  expect(judge({ highway: 'primary', surface: 'gravel', 'maxspeed:forward': '90' })).toEqual([83, 43]);
});

test('narrow roads are driven at half the unscaled speed', () => {
  expect(both({ highway: 'primary', width: '3' })).toBe(33);
  expect(both({ highway: 'primary', width: '3.5 m' })).toBe(33);
  expect(both({ highway: 'primary', width: '4' })).toBe(63);
  expect(both({ highway: 'primary', lanes: '1' })).toBe(33);
  expect(judge({ highway: 'primary', lanes: '1', oneway: 'yes' })).toEqual([63, 0]);
  expect(both({ highway: 'service', lanes: '1' })).toBe(8);
});

test('ferries, trains and movable bridges have modes and durations of their own', () => {
  expect(judgeWay({ route: 'ferry', highway: 'primary' }, car)).toMatchObject({ forward: 15, mode: 2, startable: false });
  expect(judgeWay({ route: 'shuttle_train', duration: '0:30' }, car)).toMatchObject({ forward: 19, mode: 2, duration: 1800 });
  expect(judgeWay({ route: 'ferry_man' }, car)).toBeUndefined();
  expect(judgeWay({ highway: 'primary', bridge: 'movable' }, car)).toMatchObject({ forward: 15, mode: 3, startable: false });
});

test('durations are read in minutes, hours, days of a clock and ISO form', () => {
  const durations: [string, number | undefined][] = [
    ['10', 600], ['01:30', 5400], ['1:30:20', 5420], ['00:00:00', 1], ['PT1H', 3600], ['PT5M30S', 330], ['PT24H', undefined], ['PT', undefined], ['soon', undefined], ['100:00', undefined], ['P1D', undefined],
  ];
  for (const [text, seconds] of durations) expect(durationSeconds(text), text).toBe(seconds);
});

test('names carry the number, and long ones are cut at a letter', () => {
  expect(displayName({ name: 'Main Street', ref: 'B 7' })).toBe('Main Street (B 7)');
  expect(displayName({ ref: 'B 7' })).toBe('B 7');
  expect(displayName({})).toBe('');
  expect(Buffer.byteLength(displayName({ name: 'Щ'.repeat(200) }))).toBe(254);
});

test('barriers block unless they are passable, and an access tag decides before them', () => {
  const cases: [Tags, boolean][] = [
    [{ barrier: 'bollard' }, true], [{ barrier: 'bollard', bollard: 'rising' }, false], [{ barrier: 'wall' }, true], [{ barrier: 'some-word' }, true],
    ...['cattle_grid', 'border_control', 'checkpoint', 'toll_booth', 'sally_port', 'gate', 'lift_gate', 'no', 'entrance'].map((barrier): [Tags, boolean] => [{ barrier }, false]),
    [{ barrier: 'bollard', access: 'yes' }, false], [{ barrier: 'gate', access: 'no' }, true], [{ barrier: 'bollard', access: 'some-word' }, false],
    [{ access: 'private' }, true], [{ barrier: 'gate', motorcar: 'yes', access: 'no' }, false], [{}, false],
  ];
  for (const [tags, blocks] of cases) expect(isBarrier(tags, car), JSON.stringify(tags)).toBe(blocks);
});

test('a lorry is kept from what it does not fit under or on', () => {
  const { truck } = PROFILES;
  const open = (tags: Tags): boolean => judgeWay({ highway: 'primary', ...tags }, truck!) !== undefined;
  expect(open({ maxheight: '3.8' })).toBe(false);
  expect(open({ maxheight: "12'6\"" })).toBe(false);
  expect(open({ maxheight: '4.5 m' })).toBe(true);
  expect(open({ maxheight: 'default' })).toBe(true);
  expect(open({ maxweight: '7.5 t' })).toBe(false);
  expect(open({ maxweight: '7500 kg' })).toBe(false);
  expect(open({ maxweight: '40' })).toBe(true);
  expect(open({ hgv: 'no' })).toBe(false);
  expect(open({ motorcar: 'no' })).toBe(true);
});

test('an emergency vehicle drives where private cars may not, on foot one walks against the one-way', () => {
  const { emergency, foot } = PROFILES;
  expect(judgeWay({ highway: 'service', access: 'private' }, emergency!)).toBeDefined();
  expect(judgeWay({ highway: 'pedestrian' }, emergency!)).toBeDefined();
  expect(judgeWay({ highway: 'primary', oneway: 'yes' }, foot!)).toMatchObject({ forward: 5, backward: 5 });
  expect(judgeWay({ highway: 'motorway' }, foot!)).toBeUndefined();
});

test('a wrong profile is refused with the name of the field', () => {
  expect(() => defineProfile({ name: 'x', speeds: { primary: -1 }, access: { keys: [], denied: [], allowed: [] } })).toThrow('speeds.primary');
  expect(() => defineProfile({ name: '../x', speeds: {}, access: { keys: [], denied: [], allowed: [] } })).toThrow('name');
});
