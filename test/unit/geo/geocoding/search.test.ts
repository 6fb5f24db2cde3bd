import { expect, test } from 'vitest';
import { DrawnTown, at, spotOf } from './drawn-town.ts';

/** Two streets that cross, a third that passes near, houses on one of them, a village without surfaces. */
function village(): DrawnTown {
  const town = new DrawnTown();
  town.place('village', 'Ashford', [0, 0]);
  town.street('High Street', [-300, 0], [0, 0], [300, 0]);
  town.street('Mill Road', [0, -300], [0, 0], [0, 300]);
  town.street({ 'name': 'улица Ленина', 'name:en': 'Lenin Street' }, [-300, 200], [0, 200], [200, 200], [300, 200]);
  town.street({ name: 'улица Мира' }, [200, -300], [200, 0], [200, 200], [200, 300]);
  return town;
}

test('the first three letters find a street', async () => {
  const town = await village().open();
  expect(town.labels('mil')[0]).toBe('Mill Road, Ashford');
  expect(town.labels('Мил')[0]).toBe('Mill Road, Ashford');
});

test('a street is found in either alphabet, with or without its kind', async () => {
  const town = await village().open();
  for (const query of ['ленина', 'lenina', 'ул. Ленина', 'ulitsa lenina', 'УЛИЦА ЛЕНИНА', 'lenin street'])
    expect(town.labels(query)[0], query).toMatch(/^улица Ленина/);
});

test('a name that is not on the signs is shown with the one that is', async () => {
  const town = new DrawnTown();
  town.street({ name: 'Triq ir-Repubblika', alt_name: 'Kingsway' }, [0, 0], [100, 0]);
  expect((await town.open()).labels('kingsway')).toEqual(['Triq ir-Repubblika (Kingsway)']);
});

test('abbreviations stand for what they abbreviate, and the other way round', async () => {
  const town = new DrawnTown();
  town.street('Saint John Street', [0, 0], [100, 0]);
  town.street('St. Anne Street', [0, 500], [100, 500]);
  town.street('проспект Победы', [0, 1000], [100, 1000]);
  town.street('Hauptstrasse', [0, 1500], [100, 1500]);
  const open = await town.open();
  expect(open.labels('st john st')[0]).toBe('Saint John Street');
  expect(open.labels('saint anne str')[0]).toBe('St. Anne Street');
  expect(open.labels('пр-т победы')[0]).toBe('проспект Победы');
  expect(open.labels('hauptstr.')[0]).toBe('Hauptstrasse');
});

test('Russian names are found in the case in which they are spoken', async () => {
  const town = new DrawnTown();
  town.street('Мирная улица', [0, 0], [0, 300]);
  town.street('Зелёный переулок', [-100, 100], [0, 100], [100, 100]);
  town.street('Синяя улица', [-100, 200], [0, 200], [100, 200]);
  const open = await town.open();
  expect(open.labels('на Мирной')[0]).toBe('Мирная улица');
  expect(open.labels('Зелёного переулка')[0]).toBe('Зелёный переулок');
  expect(open.labels('по синей улице')[0]).toBe('Синяя улица');
});

test('a quarter of the compass may be left out or shortened, and still decides', async () => {
  const town = new DrawnTown();
  town.street('West Bell Road', [0, 0], [100, 0]);
  town.street('East Bell Road', [5000, 0], [5100, 0]);
  town.street('Bell Meadow Road', [0, 5000], [100, 5000]);
  town.street('North Street', [0, 9000], [100, 9000]);
  const open = await town.open();
  expect(open.labels('bell road').slice(0, 2).sort()).toEqual(['East Bell Road', 'West Bell Road']);
  expect(open.labels('e bell rd')[0]).toBe('East Bell Road');
  expect(open.labels('north street')[0]).toBe('North Street');
});

test('a name and its kind are found together and apart', async () => {
  const town = new DrawnTown();
  town.street('Feldkircher Strasse', [0, 0], [100, 0]);
  town.street('Bergstrasse', [0, 500], [100, 500]);
  town.street('Auf Berg', [0, 900], [100, 900]);
  const open = await town.open();
  expect(open.labels('feldkircherstrasse')[0]).toBe('Feldkircher Strasse');
  expect(open.labels('berg strasse')).toContain('Bergstrasse');
  expect(open.labels('bergsstrasse')[0]).toBe('Bergstrasse');
});

test('marks are left out at will', async () => {
  const town = new DrawnTown();
  town.street('Triq Ħaż-Żebbuġ', [0, 0], [100, 0]);
  town.street('Mühlenstraße', [0, 500], [100, 500]);
  const open = await town.open();
  for (const query of ['haz zebbug', 'Ħaż-Żebbuġ', 'HAZ-ZEBBUG'])
    expect(open.labels(query)[0], query).toBe('Triq Ħaż-Żebbuġ');
  for (const query of ['muhlenstrasse', 'muehlenstr', 'mühlenstraße'])
    expect(open.labels(query)[0], query).toBe('Mühlenstraße');
});

test('a mapped house is found however its number is written', async () => {
  const town = village().house('High Street', '12A', [-80, 20]).house('High Street', '14', [-60, 20]);
  const open = await town.open();
  for (const query of [
    'High Street 12a',
    '12A high street',
    'high st 12 a, ashford',
    'Ashford, High Street 12А',
    '#12a high street',
    'high street no. 12a flat 3',
  ]) {
    expect(open.labels(query)[0], query).toBe('High Street 12A, Ashford');
  }
});

test('a number in a street’s name is not the house', async () => {
  const town = new DrawnTown();
  town.street('улица 8 Марта', [0, 0], [100, 0]);
  town.house('улица 8 Марта', '5', [20, 10]).house('улица 8 Марта', '8', [50, 10]);
  const open = await town.open();
  expect(open.labels('8 марта')[0]).toBe('улица 8 Марта');
  expect(open.labels('8 марта 5')[0]).toBe('улица 8 Марта 5');
  expect(open.labels('8 марта, 8')[0]).toBe('улица 8 Марта 8');
});

test('a number between known ones is put between them, along the bend of the street, and says that it is an estimate', async () => {
  const town = new DrawnTown();
  // A street with a right angle: the middle between the houses lies in the corner, not on the straight line.
  town.street('Bend Lane', [0, 0], [100, 0], [100, 100]);
  town.house('Bend Lane', '10', [0, -10]).house('Bend Lane', '30', [110, 100]);
  const [hit] = (await town.open()).search('Bend Lane 20');
  expect(hit).toMatchObject({ kind: 'address', label: 'Bend Lane ≈20' });
  const [east, north] = spotOf(hit!);
  expect(Math.hypot(east - 100, north)).toBeLessThan(3);
});

test('an estimate keeps to the side of the street that has the number', async () => {
  const town = new DrawnTown();
  town.street('Long Road', [0, 0], [400, 0]);
  for (const [number, east] of [
    ['1', 0],
    ['21', 200],
    ['2', 300],
    ['22', 400],
  ] as const)
    town.house('Long Road', number, [east, Number(number) % 2 ? 10 : -10]);
  const [hit] = (await town.open()).search('long road 11');
  expect(hit!.label).toBe('Long Road ≈11');
  expect(spotOf(hit!)[0]).toBeCloseTo(100, -1);
});

test('far beyond the known numbers nothing is invented', async () => {
  const town = village().house('High Street', '2', [0, 10]).house('High Street', '4', [20, 10]);
  const open = await town.open();
  expect(open.search('High Street 400')[0]).toMatchObject({ kind: 'street' });
  expect(open.search('High Street 6')[0]).toMatchObject({ kind: 'address', label: 'High Street ≈6, Ashford' });
});

test('a range on a door stands for the numbers of its side', async () => {
  const town = await village().house('High Street', '12-16', [50, 10]).open();
  expect(town.search('high street 14')[0]).toMatchObject({
    label: 'High Street 12-16, Ashford',
    ...near(at([50, 10])),
  });
});

test('the numbers of an interpolation line are there, evenly spaced, as estimates', async () => {
  const town = new DrawnTown();
  town.street('Oak Avenue', [0, 0], [200, 0]);
  town.house('Oak Avenue', '2', [0, 10]).house('Oak Avenue', '10', [200, 10]);
  town.way({ 'addr:interpolation': 'even' }, [0, 10], [200, 10]);
  const open = await town.open();
  expect(open.counts.addresses).toBe(5);
  const [hit] = open.search('oak avenue 4');
  expect(hit!.label).toBe('Oak Avenue ≈4');
  expect(spotOf(hit!)).toEqual([50, 10]);
});

test('a house takes its street from a relation, its place, or what is nearest', async () => {
  const town = new DrawnTown();
  const street = town.street('Elm Close', [0, 0], [100, 0]);
  town.place('hamlet', 'Nowhere', [5000, 5000]);
  const house = town.way(
    { 'building': 'yes', 'addr:housenumber': '7' },
    [300, 300],
    [310, 300],
    [310, 310],
    [300, 310],
    [300, 300],
  );
  town.relation(
    { type: 'associatedStreet' },
    { type: 'way', id: street, role: 'street' },
    { type: 'way', id: house, role: 'house' },
  );
  town.node({ 'addr:housenumber': '3', 'addr:place': 'Nowhere' }, [5010, 5010]);
  town.node({ 'addr:housenumber': '9' }, [50, 30]);
  const open = await town.open();
  expect(open.labels('elm close 7')[0]).toBe('Elm Close 7');
  expect(spotOf(open.search('elm close 7')[0]!)).toEqual([305, 305]);
  expect(open.labels('nowhere 3')[0]).toBe('Nowhere 3');
  expect(open.labels('elm close 9')[0]).toBe('Elm Close 9');
});

test('a corner is found however it is asked for, in either alphabet', async () => {
  const town = await village().open();
  const corner = { kind: 'corner', ...near(at([200, 200])) };
  for (const query of [
    'Ленина / Мира',
    'lenina i mira',
    'угол Ленина и Мира',
    'на углу улицы Мира и Ленина',
    'corner of lenina and mira',
    'lenina & mira',
    'ул. Ленина/ул. Мира',
    'угол ленина мира',
  ]) {
    expect(town.search(query)[0], query).toMatchObject(corner);
  }
  expect(town.search('corner of High St and Mill Rd')[0]).toMatchObject({
    kind: 'corner',
    label: 'High Street / Mill Road, Ashford',
    ...near(at([0, 0])),
  });
  expect(town.search('mill rd / high str, ashford')[0]).toMatchObject({
    kind: 'corner',
    label: 'Mill Road / High Street, Ashford',
  });
});

test('streets that pass each other within a square have a corner, others have none', async () => {
  const town = new DrawnTown();
  town.street('North Street', [0, 40], [0, 300]);
  town.street('South Street', [0, -20], [0, -300]);
  town.street('Far Street', [2000, 0], [2000, 300]);
  const open = await town.open();
  expect(open.search('north street / south street')[0]).toMatchObject({ kind: 'corner', ...near(at([0, 10])) });
  expect(open.search('north street / far street').filter(({ kind }) => kind === 'corner')).toEqual([]);
});

test('a street over another one has a corner with it, though no junction', async () => {
  const town = new DrawnTown();
  town.street({ name: 'High Bridge', bridge: 'yes', layer: '1' }, [-200, 0], [200, 0]);
  town.street('Underway', [0, -200], [0, 200]);
  expect((await town.open()).search('high bridge / underway')[0]).toMatchObject({
    kind: 'corner',
    ...near(at([0, 0])),
  });
});

test('streets that pass are found even where others of a like name meet', async () => {
  const town = new DrawnTown();
  town.street({ name: 'Bell Road', bridge: 'yes' }, [-200, 0], [200, 0]);
  town.street('Grand Avenue', [0, -200], [0, 200], [0, 400]);
  town.street('Bellgrande Street', [0, 400], [100, 400]);
  const [first, second] = (await town.open()).labels('bell / grand');
  expect([first, second]).toEqual(['Bell Road / Grand Avenue', 'Bellgrande Street / Grand Avenue']);
});

test('two carriageways make one corner', async () => {
  const town = new DrawnTown();
  town.street({ name: 'Ring Road', highway: 'primary', oneway: 'yes' }, [-300, 10], [0, 10], [300, 10]);
  town.street({ name: 'Ring Road', highway: 'primary', oneway: 'yes' }, [300, -10], [0, -10], [-300, -10]);
  town.street('Spur', [0, -200], [0, -10], [0, 10], [0, 200]);
  const open = await town.open();
  expect(open.search('ring road / spur').filter(({ kind }) => kind === 'corner')).toHaveLength(1);
  expect(open.search('ring road')).toHaveLength(1);
});

test('a crescent has a corner at each of its ends', async () => {
  const town = new DrawnTown();
  town.street('Main Street', [0, 0], [100, 0], [250, 0], [400, 0]);
  town.street('The Crescent', [100, 0], [120, 80], [230, 80], [250, 0]);
  const corners = (await town.open()).search('main street / the crescent').filter(({ kind }) => kind === 'corner');
  expect(
    corners
      .map(spotOf)
      .map(([east]) => east)
      .sort(),
  ).toEqual([100, 250]);
});

test('ways of one name are one street where they are near, and several where they are not', async () => {
  const town = new DrawnTown();
  town.street('Church Lane', [0, 0], [100, 0]);
  town.street('Church Lane', [180, 0], [300, 0]);
  town.street('Church Lane', [5000, 0], [5100, 0]);
  expect((await town.open()).search('church lane')).toHaveLength(2);
});

test('streets of one name in two municipalities are distinguished by them', async () => {
  const town = new DrawnTown();
  town.boundary(8, 'Westham', [-1000, -1000], [0, 1000]);
  town.boundary(8, 'Eastham', [0, -1000], [1000, 1000]);
  town.street('Main Street', [-400, 0], [0, 0]);
  town.street('Main Street', [0, 0], [400, 0]);
  const open = await town.open();
  expect(open.labels('main street').sort()).toEqual(['Main Street, Eastham', 'Main Street, Westham']);
  expect(open.labels('main street, eastham')[0]).toBe('Main Street, Eastham');
  expect(open.labels('westham main st')[0]).toBe('Main Street, Westham');
});

test('among equals the place nearest to the favoured point comes first, with its distance', async () => {
  const town = new DrawnTown();
  for (let i = 0; i < 8; i++) town.street('Station Road', [i * 2000, 0], [i * 2000 + 100, 0]);
  const open = await town.open();
  const [first] = open.search('station road', { near: [10_050, 500] });
  expect(spotOf(first!)[0]).toBe(10_050);
  expect(first!.distance).toBeCloseTo(500, -1);
});

test('among very many of one beginning those near by are still found', async () => {
  const town = new DrawnTown();
  for (let i = 0; i < 1500; i++)
    town.street(
      { name: `Triq ${i % 7} Numru ${i}`, highway: 'primary' },
      [(i % 40) * 400, 20_000 + Math.floor(i / 40) * 400],
      [(i % 40) * 400 + 200, 20_000 + Math.floor(i / 40) * 400],
    );
  town.street({ name: 'Triqat', highway: 'footway' }, [0, 0], [30, 0]);
  const open = await town.open();
  expect(open.labels('triq', { near: [0, 0], limit: 3 })).toContain('Triqat');
});

test('a place comes before the streets named after it', async () => {
  const town = village();
  town.street('Ashford Road', [500, 0], [900, 0]);
  expect((await town.open()).labels('ashford')[0]).toBe('Ashford');
});

test('an object is found by its name, and by what it is, in both languages', async () => {
  const town = village()
    .node({ amenity: 'hospital', name: 'Mater Dei' }, [100, 100])
    .node({ amenity: 'fire_station' }, [200, 150]);
  const open = await town.open();
  for (const query of ['mater dei', 'матер деи', 'mater dei hospital', 'больница матер'])
    expect(open.labels(query)[0], query).toBe('Mater Dei, Ashford');
  for (const query of ['fire station', 'пожарная часть', 'fire stat'])
    expect(open.labels(query)[0], query).toBe('Fire station, Ashford');
});

/** What a dispatcher asks for in a word, beside what is called after it. */
function clinicTown(): DrawnTown {
  const town = new DrawnTown();
  town.boundary(8, 'Ashford', [-3000, -3000], [3000, 3000]);
  town.place('town', 'Ashford', [0, 0]);
  town.node({ highway: 'bus_stop', name: 'Mater Dei 2' }, [0, 100]);
  town.node({ 'amenity': 'hospital', 'name': 'Sptar Mater Dei', 'name:en': 'Mater Dei Hospital' }, [0, 200]);
  town.node({ amenity: 'school', name: 'Mater Dei Special School' }, [0, 500]);
  town.node(
    { 'amenity': 'university', 'name': "L-Università ta' Ashford", 'name:en': 'University of Ashford' },
    [900, 0],
  );
  town.node({ amenity: 'place_of_worship', name: 'University chapel' }, [900, 300]);
  town.node({ shop: 'books', name: 'University Books' }, [900, 600]);
  town.node({ amenity: 'fire_station', name: 'East Fire Station' }, [-900, 0]);
  town.node({ amenity: 'school', name: 'St Michael School', wikidata: 'Q1' }, [-900, 300]);
  town.node({ amenity: 'place_of_worship', name: 'Saint Paul' }, [-900, 600]);
  town.node({ amenity: 'pharmacy', name: 'Linden Pharmacy' }, [1500, 0]);
  town.node({ tourism: 'attraction', name: 'Linden Gate' }, [1500, 300]);
  town.node({ highway: 'bus_stop', name: 'Linden' }, [1500, 600]);
  town.node({ railway: 'station', name: 'Ashford Central' }, [-900, 900]);
  town.street('Hospital Street', [0, 1500], [300, 1500]);
  town.street('Station Road', [0, 1700], [300, 1700]);
  town.street({ 'name': 'Triq l-Iskola', 'name:en': 'School Street' }, [0, 1900], [300, 1900]);
  town.street('Church Street', [0, 2100], [300, 2100]);
  town.street('Fire Street', [0, 2300], [300, 2300]);
  return town;
}

test('what is of the sort that was asked for comes before what only has the word in its name', async () => {
  const open = await clinicTown().open();
  expect(
    open
      .search('hospital')
      .map(({ sort }) => sort)
      .slice(0, 2),
  ).toEqual(['hospital', 'residential']);
  expect(open.search('university')[0]!.sort).toBe('university');
  expect(open.search('университет')[0]!.sort).toBe('university');
  expect(open.search('station')[0]!.label).toBe('Ashford Central, Ashford');
  expect(open.search('fire')[0]!.sort).toBe('fire_station');
  expect(open.labels('church')).toEqual([
    'University chapel, Ashford',
    'Saint Paul, Ashford',
    'Church Street, Ashford',
  ]);
});

test('a thing comes before the stop that is called after it, unless a stop is asked for', async () => {
  const open = await clinicTown().open();
  for (const query of ['mater dei', 'mater', 'Матер Деи']) expect(open.search(query)[0]!.sort, query).toBe('hospital');
  expect(open.search('mater dei 2')[0]!.sort).toBe('bus_stop');
  expect(open.search('mater dei bus stop')[0]!.sort).toBe('bus_stop');
});

test('words of a name that only say what the thing is need not be typed', async () => {
  const open = await clinicTown().open();
  expect(open.labels('linden')).toEqual(['Linden Pharmacy, Ashford', 'Linden Gate, Ashford', 'Linden, Ashford']);
});

test('a street that is called after a sort is found as a street', async () => {
  const open = await clinicTown().open();
  for (const query of ['hospital street', 'station road', 'school street'])
    expect(open.search(query)[0]!.kind, query).toBe('street');
});

test('compounds are found written apart, by their end, and by what they say the thing is', async () => {
  const draw = () => {
    const town = new DrawnTown();
    town.node({ amenity: 'pharmacy', name: 'Schloss Apotheke' }, [0, 0]);
    town.node({ amenity: 'pharmacy', name: 'Engel Apotheke' }, [500, 0]);
    town.node({ amenity: 'prison', name: 'Anstalt Nord' }, [1000, 0]);
    town.node({ amenity: 'fire_station', name: 'Wache 1' }, [1500, 0]);
    town.node({ tourism: 'museum', name: 'Landesmuseum' }, [2000, 0]);
    town.street('Rheinbrücke', [0, 500], [200, 500]);
    return town;
  };
  const open = await draw().open();
  expect(open.labels('schlossapotheke')[0]).toBe('Schloss Apotheke');
  expect(open.labels('landesgefängnis')).toEqual(['Anstalt Nord']);
  expect(open.labels('feuerwehrdepot')).toEqual(['Wache 1']);
  const larger = draw().place('village', 'Nordheim', [1500, 0]);
  larger.node({ building: 'yes', name: 'Feuerwehrdepot Alt' }, [9000, 0]);
  expect((await larger.open()).labels('feuerwehrdepot nordheim')[0]).toBe('Wache 1, Nordheim');
  expect(open.labels('brücke')[0]).toBe('Rheinbrücke');
});

test('one typing mistake does not hide a street', async () => {
  const town = await village().open();
  for (const query of ['hihg street', 'high streat', 'mlil road', 'лелина', 'улица лунина', 'hihg st / mil road'])
    expect(town.search(query).length, query).toBeGreaterThan(0);
  expect(town.labels('hgih street')[0]).toBe('High Street, Ashford');
  expect(town.labels('Хай стрит')[0]).toBe('High Street, Ashford');
});

test('a word too many does not hide a street', async () => {
  const town = await village().open();
  expect(town.labels('behind the bakery in mill road')[0]).toBe('Mill Road, Ashford');
  expect(town.labels('High Street, Atlantis')[0]).toBe('High Street, Ashford');
});

test('a pair of coordinates is that very point, with the nearest address', async () => {
  const town = await village().house('High Street', '12', [-80, 20]).open();
  const { lon, lat } = at([-90, 10]);
  for (const query of [
    `${lat.toFixed(5)}, ${lon.toFixed(5)}`,
    `${lat.toFixed(5)} ${lon.toFixed(5)}`,
    `${lon.toFixed(5)}, ${lat.toFixed(5)}`,
    `N${lat.toFixed(5)} E${lon.toFixed(5)}`,
  ]) {
    const hits = town.search(query);
    expect(hits, query).toHaveLength(1);
    expect(hits[0], query).toMatchObject({ kind: 'address', lon: Number(lon.toFixed(5)), lat: Number(lat.toFixed(5)) });
    expect(hits[0]!.label, query).toMatch(/High Street 12/);
  }
});

test('reverse gives the nearest address, else the nearest street, else nothing', async () => {
  const town = await village().house('High Street', '12', [-80, 20]).open();
  expect(town.reverse([-90, 25])).toMatchObject({
    kind: 'address',
    label: 'High Street 12, Ashford',
    ...near(at([-80, 20])),
  });
  const street = town.reverse([10, -280])!;
  expect(street).toMatchObject({ kind: 'street', label: 'Mill Road, Ashford', ...near(at([0, -280])) });
  expect(street.distance).toBeCloseTo(10, 0);
  expect(town.reverse([0, 2200])).toMatchObject({ label: 'Mill Road, Ashford' });
  expect(town.reverse([0, 2400])).toBeUndefined();
});

test('at most as many as asked for, the best first, no two alike in one spot', async () => {
  const town = village();
  for (let i = 0; i < 30; i++)
    town.street(
      `High Street ${'ABCDEFGHIJKLMNOPQRSTUVWXYZabcd'[i]!.toUpperCase()}lpha${i}`,
      [i * 100, 2000],
      [i * 100 + 50, 2000],
    );
  town
    .node({ highway: 'bus_stop', name: 'High Street' }, [0, 10])
    .node({ highway: 'bus_stop', name: 'High Street' }, [10, -10]);
  const open = await town.open();
  const hits = open.search('high street', { limit: 5 });
  expect(hits).toHaveLength(5);
  expect(hits.map(({ score }) => score)).toEqual(hits.map(({ score }) => score).sort((a, b) => b - a));
  expect(open.search('high street', { limit: 50 }).filter(({ sort }) => sort === 'bus_stop')).toHaveLength(1);
});

function near({ lon, lat }: { lon: number; lat: number }) {
  return { lon: expect.closeTo(lon, 4), lat: expect.closeTo(lat, 4) };
}

test('a short plus code is meant in the town behind it, else near the favoured point', async () => {
  const town = new DrawnTown();
  town.place('town', 'Ashford', [1000, 1000]).place('town', 'Barton', [240_000, 240_000]);
  town.street('High Street', [0, 0], [100, 0]);
  const open = await town.open();
  const near = (hit: { lon: number; lat: number }, [east, north]: readonly [number, number]): boolean =>
    Math.hypot(hit.lon - at([east, north]).lon, hit.lat - at([east, north]).lat) < 0.71;
  for (const query of ['2222+22 Ashford', '2222+22, ashford'])
    expect(near(open.search(query, { near: [240_000, 240_000] })[0]!, [1000, 1000]), query).toBe(true);
  expect(near(open.search('2222+22 Barton')[0]!, [240_000, 240_000])).toBe(true);
  expect(near(open.search('2222+22', { near: [240_000, 240_000] })[0]!, [240_000, 240_000])).toBe(true);
  expect(near(open.search('2222+22', { near: [1000, 1000] })[0]!, [1000, 1000])).toBe(true);
  // Two degrees across, and nothing says where.
  expect(open.search('2222+22').filter(({ label }) => /^\d+\.\d+, /.test(label))).toEqual([]);
});
