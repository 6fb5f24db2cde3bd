import { DatabaseSync } from 'node:sqlite';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { PlacesFile } from '../../../../server/geo/geocoding/search/places-file.ts';
import { reverse } from '../../../../server/geo/geocoding/search/reverse.ts';
import { PlaceSearch } from '../../../../server/geo/geocoding/search/search.ts';
import { metresOfDistance } from '../../../../server/geo/territory/geometry/distance.ts';
import { DrawnTown, at, spotOf } from './drawn-town.ts';

/** A motorway with a bend, stones, and an exit; a named road with stones of its own crosses it. */
function motorway(): DrawnTown {
  const town = new DrawnTown();
  town.node({ highway: 'motorway_junction', ref: '4' }, [1000, 1500]);
  town.node({ highway: 'motorway_junction', ref: '5', name: 'Ashford North' }, [1000, 3000]);
  town.way({ highway: 'motorway', ref: 'A 1' }, [0, 0], [1000, 0], [1000, 1500], [1000, 3000]);
  town.way({ highway: 'motorway_link', ref: 'A 1' }, [1000, 1500], [1100, 1700]);
  town.street({ name: 'Mill Road', highway: 'secondary', ref: 'B 12' }, [-500, 500], [1500, 500]);
  town
    .node({ highway: 'milestone', distance: '12' }, [500, 8])
    .node({ highway: 'milestone', distance: '14 km', ref: 'A1' }, [1008, 1500])
    .node({ highway: 'milestone', pk: '15+500' }, [992, 3000]);
  town.node({ highway: 'milestone', distance: '3' }, [200, 506]);
  // Nearer to the lane, but it says whose it is.
  town.street('Farm Lane', [600, 20], [900, 20]);
  town.node({ highway: 'milestone', distance: '12.3', ref: 'A1' }, [800, 12]);
  return town;
}

test('a stone beside a road is found by the road and what it says', async () => {
  const open = await motorway().open();
  for (const query of [
    'A1 km 12',
    'a 1 12 km',
    'km 12 A1',
    'А1 12-й километр',
    'a1 12th km',
    'A1, 12км',
    'A1 pk 12',
    'A1 12 kilometers',
    'A1 12 kilometres',
    'A1 kilometre 12',
    'А1 12 километров',
    'А1 на 12 километре',
    'А1 у 12-го километра',
  ]) {
    const [hit] = open.search(query);
    expect(hit, query).toMatchObject({ kind: 'address', label: expect.stringMatching(/^A 1 .*km 12$|^A 1 km 12$/) });
    expect(spotOf(hit!), query).toEqual([500, 8]);
  }
  expect(spotOf(open.search('A1 km 12.03')[0]!)).toEqual([500, 8]);
  expect(spotOf(open.search('A1 km 12.3')[0]!)).toEqual([800, 12]);
  expect(open.search('farm lane km 12.3')[0]).toMatchObject({ kind: 'street' });
  expect(spotOf(open.search('A1 pk 15+500')[0]!)).toEqual([992, 3000]);
  expect(spotOf(open.search('mill road km 3')[0]!)).toEqual([200, 506]);
  expect(spotOf(open.search('b12 km 3')[0]!)).toEqual([200, 506]);
});

test('a stone of two roads that run together belongs to either', async () => {
  const town = new DrawnTown();
  town.way({ highway: 'motorway', ref: 'A 1;E45' }, [0, 0], [2000, 0]);
  town
    .node({ highway: 'milestone', distance: '10', ref: 'A1;E45' }, [500, 8])
    .node({ highway: 'milestone', distance: '11', ref: 'B 7' }, [1500, 8]);
  const open = await town.open();
  for (const query of ['A1 km 10', 'E45 km 10']) expect(spotOf(open.search(query)[0]!), query).toEqual([500, 8]);
  expect(open.search('A1 km 11')[0]).toMatchObject({ kind: 'street' });
});

test('between two stones one is on the road, and it says so', async () => {
  const open = await motorway().open();
  // From the stone at 800, 0 to that at 1000, 1500 there are 1700 m on the ground: 700 m from the first is
  // 500 m beyond the bend.
  const [hit] = open.search('A1 km 13');
  expect(hit!.label).toBe('A 1 km ≈13');
  expect(spotOf(hit!)).toEqual([1000, 500]);
  expect(spotOf(open.search('a1 13,5 km')[0]!)).toEqual([1000, 1000]);
});

test('beyond the stones the road is the answer, and of another road no stone', async () => {
  const open = await motorway().open();
  expect(open.search('A1 km 40')[0]).toMatchObject({ kind: 'street' });
  expect(open.search('mill road km 12')[0]).toMatchObject({ kind: 'street' });
});

test('a kilometre is of the road that was asked for, and of no other whose number begins so', async () => {
  const town = new DrawnTown();
  town.way({ highway: 'motorway', ref: 'A 1' }, [0, 20_000], [10_000, 20_000]);
  town.way({ highway: 'motorway', ref: 'A 10' }, [0, 0], [10_000, 0]);
  town
    .node({ highway: 'milestone', distance: '2' }, [2000, 20_008])
    .node({ highway: 'milestone', distance: '8' }, [8000, 20_008]);
  town
    .node({ highway: 'milestone', distance: '4' }, [4000, 8])
    .node({ highway: 'milestone', distance: '7' }, [7000, 8]);
  const open = await town.open();
  for (const near of [
    [4000, 0],
    [4000, 20_000],
  ] as const) {
    for (const kilometre of [4, 5]) {
      const [hit] = open.search(`A1 km ${kilometre}`, { near });
      expect(hit!.label).toBe(`A 1 km ≈${kilometre}`);
      expect(spotOf(hit!)).toEqual([kilometre * 1000, 20_000]);
    }
  }
  expect(open.labels('A10 km 4', { near: [4000, 20_000] })[0]).toBe('A 10 km 4');
});

test('of two roads of one name each has its own stones', async () => {
  const draw = () => {
    const town = new DrawnTown();
    town.place('town', 'Ashford', [3000, 0]).place('town', 'Barton', [25_000, 0]);
    town.street({ name: 'Main Road', highway: 'secondary' }, [0, 0], [9000, 0]);
    town.street({ name: 'Main Road', highway: 'secondary' }, [22_000, 0], [31_000, 0]);
    return town
      .node({ highway: 'milestone', distance: '3' }, [3000, 5])
      .node({ highway: 'milestone', distance: '7' }, [29_000, 5]);
  };
  // Between the third kilometre of one and the seventh of the other there is nothing.
  expect((await draw().open()).search('main road km 5')[0]).toMatchObject({ kind: 'street' });
  const town = draw()
    .node({ highway: 'milestone', distance: '6' }, [6000, 5])
    .node({ highway: 'milestone', distance: '2' }, [24_000, 5]);
  const open = await town.open();
  for (const [near, spot] of [
    [
      [3000, 0],
      [5000, 0],
    ],
    [
      [25_000, 0],
      [27_000, 0],
    ],
  ] as const) {
    const hits = open.search('main road km 5', { near });
    expect(spotOf(hits[0]!)).toEqual(spot);
    expect(hits.filter(({ label }) => label.includes('km'))).toHaveLength(2);
  }
});

test('distances as they stand on stones', () => {
  for (const [text, metres] of [
    ['12', 12_000],
    ['12.5', 12_500],
    ['12,25', 12_250],
    ['12+300', 12_300],
    ['12 km', 12_000],
    ['7 mi', 11_265],
    ['7 Miles', 11_265],
    ['12KM', 12_000],
  ] as const)
    expect(metresOfDistance(text), text).toBe(metres);
  for (const text of ['', 'x', '12 m', '12345', '1.2.3', 'km 12']) expect(metresOfDistance(text), text).toBeUndefined();
});

test('an exit is found by its number and its road', async () => {
  const open = await motorway().open();
  for (const query of ['exit 4', 'junction 4', 'A1 exit 4', 'A1 junction 4', 'съезд 4', 'exit 4 a 1'])
    expect(open.labels(query)[0], query).toMatch(/^Junction 4 \(A 1\)/);
  for (const query of ['exit 5', 'A1 exit 5', 'ashford north'])
    expect(open.labels(query)[0], query).toMatch(/^Ashford North/);
});

test('the number of a junction is no street', async () => {
  const town = motorway();
  town.street('4th Street', [9000, 1500], [9200, 1500]);
  town.street('Carmel Street', [9000, 1700], [9200, 1700]);
  const open = await town.open();
  expect(open.labels('junction 4', { near: [9000, 1500] })[0]).toBe('Junction 4 (A 1)');
  // Answered in part at most.
  for (const query of ['crossing 4', 'angle 4'])
    expect(open.search(query, { near: [9000, 1500] })[0]!.score, query).toBeLessThan(0.6);
  expect(open.labels('corner carmel')[0]).toBe('Carmel Street');
});

test('hydrants, defibrillators and access points are found without a name, by their number, and each for itself', async () => {
  const town = new DrawnTown();
  town
    .node({ emergency: 'fire_hydrant', ref: '17' }, [0, 0])
    .node({ emergency: 'fire_hydrant', ref: '18', operator: 'Waterworks' }, [20, 0])
    .node({ emergency: 'fire_hydrant' }, [60, 0])
    .node({ emergency: 'fire_hydrant' }, [100, 0]);
  town
    .node({ emergency: 'defibrillator' }, [500, 0])
    .node({ highway: 'emergency_access_point', ref: 'GP-117' }, [900, 0]);
  town
    .node({ office: 'diplomatic', diplomatic: 'embassy', name: 'Freedonia' }, [0, 900])
    .node({ amenity: 'embassy', diplomatic: 'honorary_consulate', name: 'Sylvania' }, [500, 900]);
  const open = await town.open();
  for (const query of ['hydrant 17', 'гидрант 17', 'fire hydrant no 17', 'hydrant №17'])
    expect(open.labels(query)[0], query).toBe('Fire hydrant 17');
  expect(open.labels('hydrant', { near: [101, 0] })[0]).toBe('Fire hydrant');
  expect(spotOf(open.search('hydrant', { near: [101, 0] })[0]!)).toEqual([100, 0]);
  expect(open.search('hydrant')).toHaveLength(4);
  expect(open.labels('AED')[0]).toBe('Defibrillator');
  for (const query of ['rettungspunkt GP-117', 'access point 117', 'gp 117'])
    expect(open.labels(query)[0], query).toMatch(/GP-117/);
  expect(open.labels('embassy')).toEqual(['Freedonia']);
  expect(open.labels('консульство')).toEqual(['Sylvania']);
});

test('behind a name stands the number on the sign, and of nothing else', async () => {
  const town = motorway();
  town
    .node({ highway: 'bus_stop', name: 'Школа', ref: '12Б' }, [0, -500])
    .node({ highway: 'bus_stop', name: 'Mill', ref: '12A' }, [500, -500])
    .node({ highway: 'bus_stop', name: 'Quay', ref: '77;78' }, [900, -500]);
  town
    .node({ amenity: 'police', name: 'Central', operator: 'District 5 Police' }, [0, -900])
    .node({ shop: 'convenience', name: 'Corner', brand: '7-Eleven' }, [500, -900]);
  const open = await town.open();
  for (const [query, label] of [
    ['остановка 12б', 'Школа (12Б)'],
    ['stop 12a', 'Mill (12A)'],
    ['stop 78', 'Quay (78)'],
    ['police 5', 'Central'],
    ['shop 7', 'Corner'],
    ['A1 exit 5', 'Ashford North (5)'],
  ] as const)
    expect(open.labels(query)[0], query).toBe(label);
});

test('a water source for fire engines is named as such, and a tank in a garden is not one', async () => {
  const town = new DrawnTown();
  town
    .node({ emergency: 'water_tank' }, [0, 0])
    .node({ emergency: 'suction_point' }, [500, 0])
    .node({ emergency: 'fire_water_pond', ref: '3' }, [1000, 0])
    .node({ man_made: 'water_tank' }, [1500, 0])
    .node({ man_made: 'water_tank', name: 'Old Tank' }, [2000, 0]);
  const open = await town.open();
  expect(open.labels('Löschwasser').sort()).toEqual(['Fire water pond 3', 'Fire water tank', 'Suction point']);
  expect(open.labels('пожарный водоём').sort()).toEqual(['Fire water pond 3', 'Fire water tank']);
  expect(open.labels('old tank')[0]).toBe('Old Tank');
});

test('whatever of the emergency services has a name is found', async () => {
  const town = new DrawnTown();
  town
    .node({ emergency: 'emergency_ward_entrance', name: 'Rescue Ward' }, [0, 0])
    .node({ emergency: 'marine_rescue', name: 'Harbour Crew' }, [500, 0])
    .node({ emergency: 'first_aid', name: 'Beach Post' }, [1000, 0]);
  // Without a name they are furniture; and who may pass is not what a thing is.
  town
    .node({ emergency: 'life_ring' }, [1500, 0])
    .node({ emergency: 'designated', building: 'barn', name: 'Wide Barn' }, [2000, 0]);
  const open = await town.open();
  for (const [query, sort] of [
    ['rescue ward', 'emergency_ward_entrance'],
    ['harbour crew', 'marine_rescue'],
    ['beach post', 'first_aid'],
    ['wide barn', 'barn'],
  ] as const)
    expect(open.search(query)[0]?.sort, query).toBe(sort);
  expect(open.labels('life ring')).toEqual([]);
});

test('of thousands of hydrants the nearest is found, beside a favoured point and beside a house', async () => {
  const town = new DrawnTown();
  town.street('High Street', [-40, 0], [40, 0]);
  // The last of them, by its number in the map, is the nearest.
  for (let i = 1; i <= 900; i++)
    town.node({ emergency: 'fire_hydrant' }, [(i % 2 === 0 ? 90 : -90) * ((i % 30) + 1), 90 * Math.ceil(i / 30)]);
  town.node({ emergency: 'fire_hydrant' }, [0, 30]);
  const open = await town.open();
  const [hit] = open.search('hydrant', { near: [0, 20] });
  expect(spotOf(hit!)).toEqual([0, 30]);
  expect(spotOf(open.search('hydrant near high street')[0]!)).toEqual([0, 30]);
});

/** A river with houses on one bank, a bridge with a name of its own, one without, and a square. */
function riverside(): DrawnTown {
  const town = new DrawnTown();
  town.street('Main Street', [-300, 0], [-60, 0]);
  town.street({ 'name': 'Main Street', 'bridge': 'yes', 'bridge:name': 'Old Bridge' }, [-60, 0], [60, 0]);
  town.street('Main Street', [60, 0], [300, 0]);
  town.street({ name: 'Mill Road', bridge: 'viaduct' }, [-60, 1000], [60, 1000]);
  town.street(
    { highway: 'pedestrian', area: 'yes', name: 'Market Square' },
    [500, 500],
    [600, 500],
    [600, 600],
    [500, 600],
    [500, 500],
  );
  town.street('Ring', [800, 800], [900, 800], [900, 900], [800, 900], [800, 800]);
  // A block of houses with one pedestrian side, and a pedestrian street all around another.
  town.street('Park Ring', [1200, 800], [1300, 800], [1300, 900]);
  town.street({ highway: 'pedestrian', name: 'Park Ring' }, [1300, 900], [1200, 900], [1200, 800]);
  town.street(
    { highway: 'pedestrian', name: 'Garden Ring' },
    [1600, 800],
    [1700, 800],
    [1700, 900],
    [1600, 900],
    [1600, 800],
  );
  town.street(
    { place: 'square', name: 'Well Square' },
    [2000, 800],
    [2100, 800],
    [2100, 900],
    [2000, 900],
    [2000, 800],
  );
  town
    .house('Park Ring', '8', [1305, 850])
    .house('Garden Ring', '8', [1705, 850])
    .house('Well Square', '8', [2105, 850]);
  town
    .house('Main Street', '1', [-70, 30])
    .house('Main Street', '2', [70, 30])
    .house('Mill Road', '5', [-70, 1000])
    .house('Market Square', '3', [610, 550])
    .house('Ring', '8', [905, 850]);
  return town;
}

test('on a bridge one is on the bridge, not at the house on the bank', async () => {
  const town = await riverside().open();
  expect(town.reverse([0, 3])).toMatchObject({
    kind: 'object',
    sort: 'bridge',
    label: 'Old Bridge',
    distance: expect.closeTo(3, 0),
  });
  expect(town.reverse([0, 1003])).toMatchObject({ kind: 'street', label: 'Mill Road' });
  // In the water beside it, and before a door, it is the house.
  expect(town.reverse([0, 40])).toMatchObject({ kind: 'address' });
  expect(town.reverse([-58, 15])).toMatchObject({ label: 'Main Street 1' });
  expect(town.labels('old bridge')[0]).toBe('Old Bridge');
});

test.each([
  ['one way', 1],
  ['the other way', -1],
] as const)('a bridge that is drawn as a surface gives its name to the road over it, drawn %s', async (_, way) => {
  const town = new DrawnTown();
  const along = (...spots: [number, number][]): [number, number][] => (way === 1 ? spots : spots.reverse());
  town.street({ name: 'Main Street', bridge: 'yes' }, ...along([-60, 0], [60, 0]));
  town.way({ man_made: 'bridge', name: 'Old Bridge' }, [-60, -10], [60, -10], [60, 10], [-60, 10], [-60, -10]);
  // Longer than a kilometre, drawn in pieces, as a relation.
  town.street({ name: 'Sea Road', bridge: 'yes' }, ...along([0, 1000], [1000, 1000]));
  town.street({ name: 'Sea Road', bridge: 'yes' }, ...along([1000, 1000], [2000, 1000]));
  town.relation(
    { type: 'multipolygon', man_made: 'bridge', name: 'Sea Bridge' },
    { type: 'way', id: town.way({}, [0, 990], [2000, 990], [2000, 1010], [0, 1010], [0, 990]), role: 'outer' },
  );
  // Beside both, with no name of its own.
  town.street({ name: 'Mill Road', bridge: 'yes' }, ...along([-60, 300], [60, 300]));
  const open = await town.open();
  expect(open.reverse([0, 3])).toMatchObject({ kind: 'object', sort: 'bridge', label: 'Old Bridge' });
  expect(spotOf(open.search('old bridge')[0]!)).toEqual([0, 0]);
  for (const east of [100, 900, 1900])
    expect(open.reverse([east, 1003]), `${east}`).toMatchObject({ label: 'Sea Bridge' });
  expect(open.reverse([0, 303])).toMatchObject({ kind: 'street', label: 'Mill Road' });
});

test('a bridge without a surface is found in its middle', async () => {
  expect(spotOf((await riverside().open()).search('old bridge')[0]!)).toEqual([0, 0]);
});

test('in the middle of a square one is in the square, at its edge before a door', async () => {
  const town = await riverside().open();
  expect(town.reverse([540, 550])).toMatchObject({ kind: 'street', label: 'Market Square', distance: 0 });
  expect(spotOf(town.reverse([540, 550])!)).toEqual([540, 550]);
  expect(town.reverse([595, 550])).toMatchObject({ label: 'Market Square 3' });
  // A street that runs in a ring is no square.
  expect(town.reverse([850, 850])).toMatchObject({ label: 'Ring 8' });
  expect(town.reverse([1250, 850])).toMatchObject({ label: 'Park Ring 8' });
  expect(town.reverse([1650, 850])).toMatchObject({ label: 'Garden Ring 8' });
  expect(town.reverse([2050, 850])).toMatchObject({ label: 'Well Square', distance: 0 });
});

test('a territory made before there were bridges, squares and stones in it is searched like any other', async () => {
  const town = await riverside().node({ highway: 'bus_stop', name: 'Pit', ref: '431' }, [0, -900]).open();
  const database = new DatabaseSync(join(town.directory, 'places.db'));
  database.exec(
    'DROP TABLE bridge; DROP TABLE bridge_box; DROP TABLE square; DROP TABLE square_box; DROP TABLE milestone; ALTER TABLE document DROP COLUMN ref',
  );
  database.close();
  const file = PlacesFile.open(town.directory);
  expect(reverse(file, at([0, 3]))).toMatchObject({ kind: 'address' });
  expect(reverse(file, at([540, 550]))).toMatchObject({ kind: 'address' });
  expect(new PlaceSearch(file).run({ query: 'main street km 3', limit: 5 }, () => false)[0]).toMatchObject({
    label: 'Main Street',
  });
  expect(new PlaceSearch(file).run({ query: 'stop 431', limit: 5 }, () => false)[0]).toMatchObject({ label: 'Pit' });
  file.close();
});
