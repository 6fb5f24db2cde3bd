import { expect, test } from 'vitest';
import { defineProfile } from '../../../../server/territory/roads/index.ts';
import { PROFILES } from '../../../../server/territory/roads/index.ts';
import { durationSeconds } from '../../../../server/territory/roads/rules/duration.ts';
import { isBarrier } from '../../../../server/territory/roads/rules/judge-node.ts';
import { displayName, classifyWay } from '../../../../server/territory/roads/rules/classify-way.ts';
import { car } from '../town.ts';

type Tags = Record<string, string>;
const judge = (tags: Tags): [forward: number, backward: number] => {
  const use = classifyWay(tags, car);
  return use ? [Math.round(use.forward), Math.round(use.backward)] : [0, 0];
};

/** km/h of both directions for each value of a key, on a way that has other tags too. */
function each(key: string, others: Tags, speeds: Record<string, number>): void {
  for (const [value, speed] of Object.entries(speeds))
    expect(exact({ ...others, [key]: value }), `${key}=${value}`).toEqual([speed, speed]);
}
const exact = (tags: Tags): [number, number] => {
  const use = classifyWay(tags, car);
  const kmh = (speed: number): number => Math.round(speed * 1e6) / 1e6;
  return use ? [kmh(use.forward), kmh(use.backward)] : [0, 0];
};
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

test('routes of another kind are none, and a capacity for cars changes nothing', () => {
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
