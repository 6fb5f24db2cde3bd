import { existsSync } from 'node:fs';
import { expect, test } from 'vitest';
import { withoutIncident } from '../../../../server/geo/geocoding/query/incident-words.ts';
import { onOtherKeyboard } from '../../../../server/geo/geocoding/query/keyboard.ts';
import { readExtract } from '../../../../server/geo/territory/formats/read-extract.ts';
import { DEMO_TOWN } from '../../../../server/platform/program.ts';
import { SEED, numbers } from '../../../support/chance.ts';
import { DrawnTown, openTown, spotOf } from './drawn-town.ts';
import { shareOfRight } from './operator-questions.ts';

/** A town in which much is called after something else. */
function town(): DrawnTown {
  const drawn = new DrawnTown();
  drawn.boundary(8, 'Ashford', [-4000, -4000], [4000, 4000]);
  drawn.place('town', 'Ashford', [0, 0]);
  drawn.street('High Street', [-300, 0], [0, 0], [300, 0]);
  drawn.street('Mill Road', [0, -300], [0, 0], [0, 300]);
  drawn.street({ name: 'улица Ленина' }, [-300, 200], [0, 200], [300, 200]);
  drawn.street({ name: 'улица Мира' }, [200, -300], [200, 200], [200, 300]);
  drawn.street('Church Street', [0, 2100], [300, 2100]);
  drawn.street("St Paul's Bay Road", [0, 2500], [300, 2500]);
  drawn.node({ amenity: 'hospital', name: 'Sptar San Luqa' }, [1000, 1000]);
  drawn.node({ amenity: 'hospital', name: 'Mater Dei' }, [-1000, 1000]);
  drawn.node({ amenity: 'police', name: 'Central Division' }, [400, 400]);
  drawn.node({ amenity: 'pharmacy', name: 'Linden' }, [-900, 1000]);
  drawn.node({ amenity: 'pharmacy', name: 'Oak' }, [250, 30]);
  drawn.node({ amenity: 'pharmacy', name: 'Far Pharmacy' }, [3000, 3000]);
  drawn.node({ amenity: 'clinic', name: 'Outpost' }, [8000, 2000]);
  drawn.node({ amenity: 'cinema', name: 'Embassy', wikidata: 'Q1' }, [0, 600]);
  drawn.node({ amenity: 'embassy', name: 'Embassy of Freedonia' }, [600, 600]);
  drawn.node({ amenity: 'place_of_worship', name: 'Trinity' }, [600, -600]);
  drawn.node({ highway: 'bus_stop', name: 'Pit', ref: '431' }, [-600, -600]);
  drawn.node({ shop: 'pet', name: 'Pet Stop' }, [-700, -600]);
  drawn.house('High Street', '12', [-80, 20]).house('High Street', '15B', [80, 20]);
  return drawn;
}

test('a thing is found by what it is, however that word is misspelt, before what is called after it', async () => {
  const open = await town().open();
  for (const query of ['polcie', 'plice', 'policce', 'polcie ashford', 'полциия'])
    expect(open.labels(query)[0], query).toBe('Central Division, Ashford');
  for (const query of ['hosptial', 'hospitl', 'больнийа']) expect(open.search(query)[0]!.sort, query).toBe('hospital');
  expect(open.search('churhc')[0]!.sort).toBe('place_of_worship');
  expect(open.labels('churhc street')[0]).toBe('Church Street, Ashford');
  for (const query of ['embassy', 'embasy', 'посольство'])
    expect(open.labels(query)[0], query).toBe('Embassy of Freedonia, Ashford');
});

test('a saint is the same in every language, with or without an apostrophe', async () => {
  const open = await town().open();
  for (const query of [
    'st lukes hospital',
    "St. Luke's Hospital",
    'saint luke',
    'ospedale san luca',
    'больница святого Луки',
    'Lukas Spital',
  ])
    expect(open.labels(query)[0], query).toBe('Sptar San Luqa, Ashford');
  for (const query of ['st pauls bay', 'San Pawl bay road', 'saint paul’s bay rd'])
    expect(open.labels(query)[0], query).toMatch(/^St Paul's Bay Road/);
});

test('near, opposite, behind something: that thing', async () => {
  const open = await town().open();
  for (const query of [
    'near mater dei',
    'opposite Mater Dei',
    'behind the mater dei',
    'next to mater dei',
    'напротив Матер Деи',
    'у mater dei',
    'рядом с mater dei',
    'gegenüber Mater Dei',
  ])
    expect(open.labels(query)[0], query).toBe('Mater Dei, Ashford');
  expect(open.labels('opposite 12 high street')[0]).toBe('High Street 12, Ashford');
});

test('something near something is the one that is nearest to it', async () => {
  const open = await town().open();
  for (const query of [
    'pharmacy near mater dei',
    'pharmacy opposite mater dei',
    'аптека возле Mater Dei',
    'phramacy near mater dei',
    'pharmacy mater dei',
  ])
    expect(open.labels(query)[0], query).toBe('Linden, Ashford');
  for (const query of ['pharmacy near high street', 'pharmacy high street', 'chemist by High St'])
    expect(open.labels(query)[0], query).toBe('Oak, Ashford');
  for (const query of ['apotheke neben der Mater Dei', 'pharmacie près du Mater Dei', 'farmacia accanto al mater dei'])
    expect(open.labels(query)[0], query).toBe('Linden, Ashford');
  // Of a name nothing is "near" the rest: there is one embassy, and it is not that of the high street.
  expect(open.search('embassy of high street')[0]!.sort).not.toBe('embassy');
  // The nearest is the nearest, however far it is.
  expect(open.labels('pharmacy near outpost')[0]).toBe('Far Pharmacy, Ashford');
  // "Central" alone is not the whole of what stands beside the pharmacy, and nothing says "near".
  expect(open.labels('pharmacy central')[0]).not.toBe('Oak, Ashford');
  // There is no museum: what is known is the hospital.
  expect(open.labels('museum near mater dei')[0]).toBe('Mater Dei, Ashford');
});

test('two streets are a corner with any word between them, or none', async () => {
  const open = await town().open();
  for (const query of [
    'high street corner mill road',
    'High St cnr Mill Rd',
    'junction high street, mill road',
    'high street, mill road',
    'high street mill road',
    'mill road x high street',
    'hihg street mill road',
  ]) {
    expect(open.search(query)[0], query).toMatchObject({
      kind: 'corner',
      label: expect.stringMatching(/High Street|Mill Road/),
    });
    expect(spotOf(open.search(query)[0]!), query).toEqual([0, 0]);
  }
  expect(open.labels('corner of mill road')[0]).toBe('Mill Road, Ashford');
  for (const query of ['Ленина угол Мира', 'улица Ленина улица Мира', 'перекресток Ленина, Мира', 'ленина уг. мира'])
    expect(spotOf(open.search(query)[0]!), query).toEqual([200, 200]);
});

test('a house is found with its floor, its flat and its number anywhere', async () => {
  const open = await town().open();
  for (const query of [
    '12 high street',
    'high street 12',
    'ashford, 12, high street',
    'high street 12, 2nd floor',
    'flat 3, 12 high street',
    '3rd floor 12 high street',
    'High Street д.12 кв.4 этаж 2',
    'high st 12, 2-й этаж',
    'house 12 high street',
  ])
    expect(open.labels(query)[0], query).toBe('High Street 12, Ashford');
  for (const query of ['15b high street', 'high street 15 b', 'high street 15/b', '15-b high street'])
    expect(open.labels(query)[0], query).toBe('High Street 15B, Ashford');
});

test('a street that is called like a floor is a street', async () => {
  const drawn = new DrawnTown();
  for (let i = 0; i < 40; i++)
    drawn.street(`${'abcdefghij'[i % 10]}${'aeiou'[i % 5]}${'lmnrst'[i % 6]}ard Road`, [0, 300 * i], [200, 300 * i]);
  drawn.street('Stock Road', [0, 20_000], [200, 20_000]);
  drawn.street('Piano Lane', [0, 21_000], [200, 21_000]);
  drawn.house('Stock Road', '15', [150, 20_010]);
  const open = await drawn.open();
  expect(open.labels('15 stock road')[0]).toBe('Stock Road 15');
  expect(open.labels('12 piano lane')[0]).toBe('Piano Lane');
  expect(open.labels('15 stock road, 2nd floor')[0]).toBe('Stock Road 15');
});

test('a stop is found by its number', async () => {
  const open = await town().open();
  for (const query of ['stop 431', 'bus stop no 431', 'bus stop № 431', 'остановка 431'])
    expect(open.labels(query)[0], query).toBe('Pit (431), Ashford');
  // It is as good as its name: nothing else is looked for.
  expect(open.search('stop 431')[0]!.score).toBeGreaterThan(0.8);
});

test('what was typed with the keyboard set to the other alphabet is found', async () => {
  const open = await town().open();
  expect(onOtherKeyboard('ktybyf')).toBe('ленина');
  expect(onOtherKeyboard('Ьфеук Вуш, 12')).toBe('mater dei, 12');
  expect(onOtherKeyboard('j,]tpl')).toBe('объезд');
  for (const [typed, meant] of [
    [':erjdf', 'жукова'],
    ['>,bktqyfz', 'юбилейная'],
    ['{fhmrjdcrfz', 'харьковская'],
    ['"ythutnbrjd', 'энергетиков'],
    ['~krb', 'ёлки'],
    ['<jkmifz', 'большая'],
    ['}', undefined],
  ] as const)
    expect(onOtherKeyboard(typed), typed).toBe(meant);
  expect(onOtherKeyboard('дом a')).toBeUndefined();
  expect(onOtherKeyboard('12')).toBeUndefined();
  for (const [query, label] of [
    ['ktybyf', /Ленина/],
    ['ek vbhf', /Мира/],
    ['ьфеук вуш', /^Mater Dei/],
    ['ktybyf b vbhf', / \/ /],
    ['ршпр ыекууе 12', /^High Street 12/],
  ] as const)
    expect(open.labels(query)[0], query).toMatch(label);
});

test('what has happened is left out of where it happened', async () => {
  const open = await town().open();
  for (const query of [
    'fire at mater dei send help',
    'ДТП у Mater Dei срочно',
    'accident mater dei 2 cars',
    'пожар на mater dei',
    'Mater Dei!!! urgent 🚑',
    'caller says injured person at mater dei',
  ])
    expect(open.labels(query)[0], query).toBe('Mater Dei, Ashford');
  expect(open.labels('accident high street 12, 3 cars')[0]).toBe('High Street 12, Ashford');
  for (const query of [
    'high street 12 car accident',
    'car accident high street 12',
    '2 cars crash high street 12',
    'there is a fire at high street 12',
    'a car on fire, high street 12',
    'report of a fire at high street 12',
    'high street 12 people trapped',
    'high street 12 1 car',
    'high street 12, 2 человека',
    'high street 12 машина горит',
  ])
    expect(open.labels(query), query).toContain('High Street 12, Ashford');
  for (const query of [
    'high street 12 car accident',
    'there is a fire at high street 12',
    '2 cars crash high street 12',
  ])
    expect(open.labels(query)[0], query).toBe('High Street 12, Ashford');
  for (const query of [
    '2 cars crash mater dei',
    'mater dei 2 человека',
    'mater dei 1 car',
    '5 people trapped at mater dei',
  ])
    expect(open.labels(query)[0], query).toBe('Mater Dei, Ashford');
  expect(withoutIncident(['mill', 'road', '12', 'car', 'fire'])).toEqual([['mill', 'road', '12']]);
  expect(withoutIncident(['mill', 'road', '12', 'people'])).toEqual([
    ['mill', 'road'],
    ['mill', 'road', '12'],
  ]);
  expect(withoutIncident(['the', 'strand'])).toEqual([]);
  expect(withoutIncident(['2', 'cars'])).toEqual([]);
  expect(withoutIncident(['fire'])).toEqual([]);
  expect(withoutIncident(['mater', 'dei'])).toEqual([]);
  expect(withoutIncident(['fire', 'station', '2', 'urgent'])).toEqual([
    ['fire', 'station', '2'],
    ['station', '2'],
  ]);
});

/**
 * Of what is in the demo town, asked for in twenty ways with mistakes. Measured over eight seeds: 99.0 %
 * first at least, 99.6 % among the first five.
 */
const FIRST = 0.97,
  FIVE = 0.99;

test.runIf(existsSync(DEMO_TOWN))(
  `what operators type is answered with the right thing first in ${FIRST * 100} %, among the first five in ${FIVE * 100} %, seed ${SEED}`,
  async () => {
    const demo = await openTown(await readExtract(DEMO_TOWN));
    const { asked, first, five, missed } = shareOfRight(demo, 25, numbers(SEED));
    expect(asked).toBeGreaterThan(400);
    expect(five, missed).toBeGreaterThanOrEqual(FIVE);
    expect(first, missed).toBeGreaterThanOrEqual(FIRST);
  },
);

test('a short word that is in no name finds nothing', async () => {
  const town = new DrawnTown();
  ['Chill Road', 'Axis Lane', 'Iron Street', 'Karlsweg', 'Kordin Street', 'Wyck Lane', 'Czech Road', 'Yard'].forEach(
    (name, i) => town.street(name, [0, i * 300], [200, i * 300]),
  );
  town.node({ railway: 'station', name: 'Aubin' }, [900, 900]);
  const open = await town.open();
  for (const query of ['xxxx', 'qqqq', 'hhhh', 'wxyz', 'zzzzz', 'цццц']) expect(open.labels(query), query).toEqual([]);
  // A known word, and a typing error in a short name.
  expect(open.labels('Hbf')[0]).toBe('Aubin');
  expect(open.labels('wyk lane')[0]).toBe('Wyck Lane');
  expect(open.labels('chil')[0]).toBe('Chill Road');
});
