import { expect, test } from 'vitest';
import { defineProfile } from '../../../../../server/geo/territory/roads/index.ts';
import { PROFILES } from '../../../../../server/geo/territory/roads/index.ts';
import { isBarrier } from '../../../../../server/geo/territory/roads/rules/judge-node.ts';
import { classifyWay } from '../../../../../server/geo/territory/roads/rules/classify-way.ts';
import { car } from '../town.ts';
import { type Tags, judge } from './judge.ts';

test('a lorry is kept from what it does not fit under or on', () => {
  const { truck } = PROFILES;
  const open = (tags: Tags): boolean => classifyWay({ highway: 'primary', ...tags }, truck!) !== undefined;
  expect(open({ maxheight: '3.8' })).toBe(false);
  expect(open({ maxheight: '12\'6"' })).toBe(false);
  expect(open({ maxheight: '4.5 m' })).toBe(true);
  expect(open({ maxheight: 'default' })).toBe(true);
  expect(open({ maxweight: '7.5 t' })).toBe(false);
  expect(open({ maxweight: '7500 kg' })).toBe(false);
  expect(open({ maxweight: '40' })).toBe(true);
  expect(open({ hgv: 'no' })).toBe(false);
  expect(open({ motorcar: 'no' })).toBe(true);
});

test('a lorry reads limits however they are written', () => {
  const { truck } = PROFILES;
  const open = (tags: Tags): boolean => classifyWay({ highway: 'primary', ...tags }, truck!) !== undefined;
  const closed: Tags[] = [
    { maxheight: '11ft' },
    { maxheight: '12 ft 6 in' },
    { maxheight: "12'" },
    { maxheight: '12 ft' },
    { maxheight: '150 in' },
    { maxheight: '390 cm' },
    { maxheight: '3,9 m' },
    { maxheight: '4.5;3.5' },
    { maxweight: '3.5;4.5' },
    { maxweight: '10 st' },
    { maxweight: '10st' },
    { maxweight: '30000 lbs' },
    { maxheight: 'below_default' },
    { 'maxheight:physical': '3.8' },
    { maxweightrating: '7.5' },
    { 'maxweight:hgv': '7.5' },
    { 'maxweightrating:hgv': '7.5 t' },
    { 'maxlength:hgv': '10' },
    { maxwidth: "7'" },
  ];
  for (const tags of closed) expect(open(tags), JSON.stringify(tags)).toBe(false);
  const passed: Tags[] = [
    { maxheight: '14 ft' },
    { maxheight: '13\'6"' },
    { maxheight: 'none' },
    { maxheight: '4.5;5' },
    { maxweight: '25 st' },
    { maxweight: '60000 lbs' },
    { maxweight: 'unsigned' },
    { 'maxheight:physical': '4.2' },
    { maxweightrating: '40' },
    { 'maxweight:bus': '5' },
    { maxheight: 'who knows' },
    { maxheight: 'no_indications' },
  ];
  for (const tags of passed) expect(open(tags), JSON.stringify(tags)).toBe(true);
});

test('a truck avoids an unreadable limit on a bridge, in a tunnel or at a gate, and notes it; a car ignores it', () => {
  const { truck } = PROFILES;
  const heard: string[] = [];
  const doubt = (tag: string): void => void heard.push(tag);
  expect(classifyWay({ highway: 'primary', bridge: 'yes', maxweight: 'see sign' }, truck!, doubt)).toBeUndefined();
  expect(classifyWay({ highway: 'primary', tunnel: 'yes', maxheight: 'low' }, truck!, doubt)).toBeUndefined();
  expect(isBarrier({ barrier: 'gate', maxheight: 'low' }, truck!, doubt)).toBe(true);
  expect(isBarrier({ barrier: 'gate', maxheight: '4.5' }, truck!, doubt)).toBe(false);
  expect(heard).toEqual(['maxweight=see sign', 'maxheight=low', 'maxheight=low']);
  expect(classifyWay({ highway: 'primary', bridge: 'no', maxweight: 'see sign' }, truck!, doubt)).toBeDefined();
  expect(classifyWay({ highway: 'primary', bridge: 'yes', maxweight: 'see sign' }, car, doubt)).toBeDefined();
  expect(heard).toHaveLength(3);
});

test('a lorry obeys what is meant for lorries in one direction, and their speed limits', () => {
  const { truck } = PROFILES;
  const kmh = (tags: Tags): number[] => {
    const use = classifyWay({ highway: 'primary', ...tags }, truck!);
    return [use?.forward ?? 0, use?.backward ?? 0].map((speed) => Math.round(speed));
  };
  const usual = 59; // 0.8 x 60 + 11
  expect(kmh({})).toEqual([usual, usual]);
  expect(kmh({ 'hgv:forward': 'no' })).toEqual([0, usual]);
  expect(kmh({ 'hgv:backward': 'no' })).toEqual([usual, 0]);
  expect(kmh({ 'hgv:forward': 'no', 'hgv:backward': 'no' })).toEqual([0, 0]);
  expect(kmh({ 'hgv': 'no', 'hgv:forward': 'yes' })).toEqual([usual, 0]);
  expect(kmh({ 'maxheight:forward': '3' })).toEqual([0, usual]);
  expect(kmh({ 'maxspeed:hgv': '40' })).toEqual([43, 43]);
  expect(kmh({ 'maxspeed': '50', 'maxspeed:hgv': '80' })).toEqual([51, 51]);
  expect(kmh({ 'maxspeed:hgv:forward': '30' })).toEqual([35, usual]);
  expect(kmh({ 'maxspeed:forward': '100', 'maxspeed:backward': '30' }), 'a limit raises nothing').toEqual([usual, 35]);
  expect(kmh({ 'maxspeed': '30', 'maxspeed:forward': '50' })).toEqual([51, 35]);
  expect(kmh({ 'maxspeed:advisory': '100' })).toEqual([usual, usual]);
  expect(judge({ 'highway': 'primary', 'maxspeed:hgv': '40', 'hgv:forward': 'no' })).toEqual([63, 63]);
});

test('an emergency vehicle drives streets that are closed to others and those of buses, at walking pace where people walk; only emergency=no and walls keep it out', () => {
  const { emergency } = PROFILES;
  const kmh = (tags: Tags): number => Math.round(classifyWay(tags, emergency!)?.forward ?? 0);
  const street = kmh({ highway: 'residential' });
  for (const tags of [
    { motor_vehicle: 'no' },
    { access: 'no' },
    { vehicle: 'no' },
    { access: 'no', bus: 'yes' },
    { motor_vehicle: 'no', psv: 'designated' },
    { access: 'private' },
  ] as Tags[]) {
    expect(kmh({ highway: 'residential', ...tags }), JSON.stringify(tags)).toBe(street);
  }
  expect(kmh({ highway: 'busway' })).toBeGreaterThan(20);
  expect(kmh({ highway: 'busway', access: 'no', bus: 'yes' })).toBeGreaterThan(20);
  for (const tags of [
    { highway: 'pedestrian' },
    { highway: 'pedestrian', motor_vehicle: 'no' },
    { highway: 'footway', emergency: 'yes' },
  ] as Tags[])
    expect(kmh(tags), JSON.stringify(tags)).toBe(6);
  expect(kmh({ highway: 'residential', emergency: 'no' })).toBe(0);
  expect(kmh({ highway: 'footway', motor_vehicle: 'no' })).toBe(0);
  expect(kmh({ highway: 'steps', access: 'yes' })).toBe(0);
  for (const barrier of ['gate', 'bollard', 'lift_gate'])
    expect(isBarrier({ barrier, motor_vehicle: 'no' }, emergency!), barrier).toBe(false);
  expect(isBarrier({ access: 'no' }, emergency!)).toBe(false);
  expect(isBarrier({ barrier: 'block', access: 'no' }, emergency!)).toBe(true);
  expect(isBarrier({ barrier: 'gate', emergency: 'no' }, emergency!)).toBe(true);
});

test('a profile can have a duration on any way, a speed for each direction, and a mode for each highway and direction', () => {
  const own = defineProfile({
    name: 'own',
    speeds: { primary: 36, river: { forward: 36, backward: 16 }, lift: { forward: 10, backward: 0 } },
    modes: { primary: 5, river: { forward: 3, backward: 4 } },
    durations: { mode: 2 },
    notStartable: [],
    access: { keys: [], denied: [], allowed: [] },
  });
  expect(classifyWay({ highway: 'river' }, own)).toMatchObject({
    forward: 36,
    backward: 16,
    mode: 3,
    modeBackward: 4,
    duration: undefined,
  });
  expect(classifyWay({ highway: 'river', oneway: '-1' }, own)).toMatchObject({ forward: 0, backward: 16 });
  expect(classifyWay({ highway: 'lift' }, own)).toMatchObject({ forward: 10, backward: 0, mode: 1 });
  expect(classifyWay({ highway: 'primary' }, own)).toMatchObject({ mode: 5, modeBackward: 5 });
  expect(classifyWay({ highway: 'primary', duration: '0:10' }, own)).toMatchObject({
    duration: 600,
    mode: 2,
    modeBackward: 2,
  });
  expect(classifyWay({ highway: 'primary', duration: '0:10' }, car)).toMatchObject({ duration: undefined, mode: 1 });
  expect(() =>
    defineProfile({
      name: 'x',
      speeds: { primary: { forward: 1 } as never },
      access: { keys: [], denied: [], allowed: [] },
    }),
  ).toThrow('speeds.primary');
});

test('an emergency vehicle drives where private cars may not, on foot one walks against the one-way', () => {
  const { emergency, foot } = PROFILES;
  expect(classifyWay({ highway: 'service', access: 'private' }, emergency!)).toBeDefined();
  expect(classifyWay({ highway: 'pedestrian' }, emergency!)).toBeDefined();
  expect(classifyWay({ highway: 'primary', oneway: 'yes' }, foot!)).toMatchObject({ forward: 5, backward: 5 });
  expect(classifyWay({ highway: 'motorway' }, foot!)).toBeUndefined();
});

test('a wrong profile is refused with the name of the field', () => {
  expect(() =>
    defineProfile({ name: 'x', speeds: { primary: -1 }, access: { keys: [], denied: [], allowed: [] } }),
  ).toThrow('speeds.primary');
  expect(() => defineProfile({ name: '../x', speeds: {}, access: { keys: [], denied: [], allowed: [] } })).toThrow(
    'name',
  );
});
