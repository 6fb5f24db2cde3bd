import { expect, test } from 'vitest';
import { durationSeconds } from '../../../../../server/geo/territory/roads/rules/duration.ts';
import { displayName, classifyWay } from '../../../../../server/geo/territory/roads/rules/classify-way.ts';
import { car } from '../town.ts';
import { type Tags, each, exact } from './judge.ts';

/** Fast enough that every cap and every limit shows. */
const FAST = { highway: 'motorway', oneway: 'no' };

// The table of classes

test('every class has its effective speed', () => {
  each(
    'highway',
    { oneway: 'no' },
    {
      motorway: 83,
      motorway_link: 47,
      trunk: 79,
      trunk_link: 43,
      primary: 63,
      primary_link: 35,
      secondary: 55,
      secondary_link: 31,
      tertiary: 43,
      tertiary_link: 27,
      unclassified: 31,
      residential: 31,
      living_street: 19,
      service: 23,
    },
  );
});

test('services and tracks have no penalty beyond their speed', () => {
  each('service', { highway: 'service' }, { alley: 23, driveway: 23, parking_aisle: 23 });
  expect(exact({ highway: 'track', access: 'yes' })).toEqual([19, 19]);
});

test('ferries, trains and movable bridges have speeds and modes of their own, whatever their class', () => {
  expect(classifyWay({ route: 'ferry' }, car)).toMatchObject({ forward: 15, backward: 15, mode: 2, startable: false });
  expect(classifyWay({ route: 'ferry', highway: 'trunk' }, car)).toMatchObject({ forward: 15, backward: 15, mode: 2 });
  expect(classifyWay({ route: 'shuttle_train' }, car)).toMatchObject({
    forward: 19,
    backward: 19,
    mode: 2,
    startable: false,
  });
  expect(classifyWay({ bridge: 'movable' }, car)).toMatchObject({
    forward: 15,
    backward: 15,
    mode: 3,
    startable: false,
  });
  expect(classifyWay({ highway: 'primary', bridge: 'movable' }, car)).toMatchObject({ forward: 15, mode: 3 });
  expect(classifyWay({ highway: 'primary', bridge: 'yes' }, car)).toMatchObject({
    forward: 63,
    mode: 1,
    startable: true,
  });
  expect(classifyWay({ route: 'shuttle_train', bridge: 'movable' }, car)).toMatchObject({ forward: 15, mode: 3 });
});

// The steps

test('a limit replaces the speed of the class, lower and higher; on an unlisted highway it only lowers', () => {
  each('maxspeed', { highway: 'primary' }, { '30': 35, '64': 62.2, '66': 63.8, '100': 91 });
  each('maxspeed', { highway: 'living_street' }, { '5': 15, '50': 51 });
  each('maxspeed', { highway: 'footway', access: 'yes' }, { '5': 15, '9': 18.2, '11': 19, '50': 19 });
});

test('a limit of one direction sets that direction outright, whatever class and surface say, and leaves the other', () => {
  expect(exact({ 'highway': 'primary', 'maxspeed:forward': '30' })).toEqual([35, 63]);
  expect(exact({ 'highway': 'primary', 'maxspeed:backward': '30' })).toEqual([63, 35]);
  expect(exact({ 'highway': 'primary', 'maxspeed': '50', 'maxspeed:backward': '100' })).toEqual([51, 91]);
  expect(exact({ 'highway': 'primary', 'maxspeed': '1', 'maxspeed:forward': '30' })).toEqual([35, 11.8]);
  expect(exact({ 'highway': 'primary', 'maxspeed': '1', 'maxspeed:advisory': '30' })).toEqual([35, 35]);
  expect(
    exact({ 'highway': 'primary', 'surface': 'gravel', 'maxspeed:forward': '90', 'maxspeed:backward': '30' }),
  ).toEqual([83, 35]);
  expect(exact({ 'highway': 'footway', 'access': 'yes', 'maxspeed:forward': '50' })).toEqual([51, 19]);
  expect(exact({ 'highway': 'footway', 'maxspeed:forward': '50' })).toEqual([0, 0]);
});

test('advice comes last and overrides every limit; that of one direction overrides the general one', () => {
  expect(exact({ 'highway': 'primary', 'maxspeed:advisory': '45' })).toEqual([47, 47]);
  expect(exact({ 'highway': 'primary', 'maxspeed': '90', 'maxspeed:advisory': '45' })).toEqual([47, 47]);
  expect(exact({ 'highway': 'primary', 'maxspeed': '30', 'maxspeed:advisory': '45' })).toEqual([47, 47]);
  expect(exact({ 'highway': 'primary', 'maxspeed:forward': '90', 'maxspeed:advisory': '45' })).toEqual([47, 47]);
  expect(exact({ 'highway': 'primary', 'maxspeed:advisory:forward': '20' })).toEqual([27, 63]);
  expect(exact({ 'highway': 'primary', 'maxspeed:advisory': '45', 'maxspeed:advisory:forward': '20' })).toEqual([
    27, 47,
  ]);
  expect(exact({ 'highway': 'primary', 'maxspeed:advisory': '45', 'maxspeed:advisory:backward': '20' })).toEqual([
    47, 27,
  ]);
  expect(exact({ 'highway': 'primary', 'surface': 'mud', 'maxspeed:advisory': '45' })).toEqual([47, 47]);
});

test('a narrow road is driven at half the unscaled speed: 3 wide or less, or one lane for both directions', () => {
  each('width', { highway: 'primary' }, { '2': 32.5, '3': 32.5, '3.9': 32.5, '3 m': 32.5, '4': 63, 'narrow': 63 });
  each('lanes', { highway: 'primary' }, { '0': 32.5, '1': 32.5, '1.5': 32.5, '2': 63, 'one': 63 });
  expect(exact({ highway: 'primary', lanes: '1', oneway: 'yes' })).toEqual([63, 0]);
  expect(exact({ highway: 'primary', lanes: '1', oneway: '-1' })).toEqual([0, 63]);
  expect(exact({ highway: 'primary', width: '3', oneway: 'yes' })).toEqual([32.5, 0]);
  expect(exact({ highway: 'service', lanes: '1' })).toEqual([7.5, 7.5]);
  expect(exact({ 'highway': 'primary', 'lanes': '1', 'maxspeed:forward': '100' })).toEqual([50, 32.5]);
});

// Caps

const NO_CAP = 115; // 0.8 x 130 + 11
const at = (cap: number, ...values: string[]): Record<string, number> =>
  Object.fromEntries(values.map((value) => [value, cap * 0.8 + 11]));

test('every surface has its cap', () => {
  each(
    'surface',
    { ...FAST, maxspeed: '130' },
    {
      ...Object.fromEntries(
        ['asphalt', 'concrete', 'concrete:plates', 'concrete:lanes', 'paved', 'unheard-of', 'constructor'].map(
          (value) => [value, NO_CAP],
        ),
      ),
      ...at(80, 'cement', 'compacted', 'fine_gravel'),
      ...at(60, 'paving_stones', 'metal', 'bricks'),
      ...at(40, 'grass', 'wood', 'sett', 'grass_paver', 'gravel', 'unpaved', 'ground', 'dirt', 'pebblestone', 'tartan'),
      ...at(30, 'cobblestone', 'clay'),
      ...at(20, 'earth', 'stone', 'rocky', 'sand'),
      ...at(10, 'mud'),
    },
  );
});

test('every tracktype and smoothness has its cap', () => {
  each(
    'tracktype',
    { ...FAST, maxspeed: '130' },
    {
      ...at(60, 'grade1'),
      ...at(40, 'grade2'),
      ...at(30, 'grade3'),
      ...at(25, 'grade4'),
      ...at(20, 'grade5'),
      grade6: NO_CAP,
    },
  );
  each(
    'smoothness',
    { ...FAST, maxspeed: '130' },
    {
      excellent: NO_CAP,
      good: NO_CAP,
      ...at(80, 'intermediate'),
      ...at(40, 'bad'),
      ...at(20, 'very_bad'),
      ...at(10, 'horrible'),
      ...at(5, 'very_horrible'),
      impassable: 0,
    },
  );
});

test('the lowest cap wins, none raises a speed, none gives access', () => {
  const caps = { surface: 'gravel', tracktype: 'grade1', smoothness: 'intermediate' };
  expect(exact({ ...FAST, ...caps })).toEqual([43, 43]);
  expect(exact({ ...FAST, ...caps, tracktype: 'grade5' })).toEqual([27, 27]);
  expect(exact({ ...FAST, ...caps, smoothness: 'horrible' })).toEqual([19, 19]);
  expect(exact({ highway: 'service', ...caps })).toEqual([23, 23]);
  expect(exact({ highway: 'footway', ...caps })).toEqual([0, 0]);
  expect(exact({ highway: 'primary', ...caps, oneway: 'yes' })).toEqual([43, 0]);
});

// How limits are read

test('of a limit the leading digits count, miles where they are named', () => {
  each(
    'maxspeed',
    { highway: 'primary' },
    {
      '50;60': 51,
      '30.5': 35,
      '50 km/h': 51,
      '40mph': 62.488,
      '60 mph': 88.232,
      '40 mp/h': 62.488,
      '40mp/h': 62.488,
      '50 knots': 51,
      'none': 63,
      'walk': 63,
      'signals': 63,
      '': 63,
      ';50': 63,
    },
  );
});

test('without digits the kind of road counts, by country where the list has it, in any case', () => {
  each(
    'maxspeed',
    { highway: 'primary' },
    {
      'xx:urban': 51,
      'xx:rural': 83,
      'xx:trunk': 99,
      'xx:motorway': 115,
      'fr:urban': 51,
      'DE:Urban': 51,
      'xx:unknown': 63,
      'urban': 63,
      'ch:rural': 75,
      'ch:trunk': 91,
      'ch:motorway': 107,
      'de:living_street': 16.6,
      'ru:living_street': 27,
      'ru:urban': 59,
      'ua:urban': 59,
      'at:rural': 91,
      'de:rural': 91,
      'DE:rural': 91,
      'at:trunk': 91,
      'ro:trunk': 91,
      'ru:motorway': 99,
      // No limit is set: the speed of the class.
      'cz:trunk': 63,
      'cz:motorway': 63,
      'de:motorway': 63,
      'gb:nsl_single': 88.232,
      'gb:nsl_dual': 101.104,
      'gb:motorway': 101.104,
      'uk:nsl_single': 88.232,
      'uk:nsl_dual': 101.104,
      'uk:motorway': 101.104,
      'constructor': 63,
      'xx:constructor': 63,
    },
  );
});

// Names, modes, durations

test('the name is followed by the number, either stands alone, and an unnamed road stays unnamed', () => {
  expect(displayName({ name: 'Main Street', ref: 'B 7' })).toBe('Main Street (B 7)');
  expect(displayName({ name: 'Main Street' })).toBe('Main Street');
  expect(displayName({ ref: 'B 7' })).toBe('B 7');
  expect(displayName({ highway: 'primary' })).toBe('');
  expect(displayName({ name: '', ref: 'B 7' })).toBe('B 7');
});

test('names are kept up to 255 bytes of UTF-8, and cut at a letter', () => {
  expect(displayName({ name: 'x'.repeat(255) })).toHaveLength(255);
  expect(displayName({ name: 'x'.repeat(256) })).toHaveLength(255);
  expect(displayName({ name: 'Щ'.repeat(127) })).toBe('Щ'.repeat(127));
  expect(displayName({ name: 'Щ'.repeat(128) })).toBe('Щ'.repeat(127));
  expect(Buffer.byteLength(displayName({ name: '🚒'.repeat(64) }))).toBe(252);
});

test('routes of another kind do not count, and a capacity for cars changes nothing', () => {
  for (const route of ['ferry_man', 'bus', 'train', 'bicycle', 'constructor', ''])
    expect(classifyWay({ route }, car), route).toBeUndefined();
  expect(classifyWay({ 'route': 'ferry', 'capacity:car': '0' }, car)).toMatchObject({ forward: 15 });
  // Beside a highway it is only the highway that counts.
  expect(classifyWay({ route: 'bus', highway: 'primary' }, car)).toMatchObject({ forward: 63, mode: 1 });
});

test('durations are read in every form', () => {
  const durations: Record<string, number | undefined> = {
    '1:02:03': 3723,
    '01:02:03': 3723,
    '1:2:3': 3723,
    '1:30': 5400,
    '01:30': 5400,
    '0:05': 300,
    '10': 600,
    '5': 300,
    '0': 1,
    '00:00': 1,
    '00:00:00': 1,
    '99': 5940,
    'PT1H2M3S': 3723,
    'PT1H': 3600,
    'PT2M': 120,
    'PT3S': 3,
    'PT1H3S': 3603,
    'PT1H2M': 3720,
    'PT2M3S': 123,
    'PT23H': 82800,
    'PT0S': 1,
    'PT24H': undefined,
    'PT': undefined,
    'P1D': undefined,
    'pt1h': undefined,
    '100:00': undefined,
    '1:002': undefined,
    '1:2:3:4': undefined,
    '100': undefined,
    'soon': undefined,
    '': undefined,
    '-5': undefined,
    '5 min': undefined,
  };
  for (const [text, seconds] of Object.entries(durations)) expect(durationSeconds(text), text).toBe(seconds);
  for (const way of [{ route: 'ferry' }, { route: 'shuttle_train' }, { bridge: 'movable' }] as Tags[])
    expect(classifyWay({ ...way, duration: '0:30' }, car)).toMatchObject({ duration: 1800 });
  expect(classifyWay({ route: 'ferry', duration: 'soon' }, car)).toMatchObject({ forward: 15, duration: undefined });
});

// Access

test('only highways, ferries, trains and movable bridges are looked at', () => {
  for (const tags of [
    { building: 'yes' },
    { access: 'yes' },
    { bridge: 'yes' },
    { railway: 'rail', motorcar: 'yes' },
  ] as Tags[])
    expect(classifyWay(tags, car), JSON.stringify(tags)).toBeUndefined();
});
