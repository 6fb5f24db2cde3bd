import { expect, test } from 'vitest';
import { parseCoordinates } from '../../../../server/geo/geocoding/coordinates/coordinates.ts';
import { DrawnTown } from './drawn-town.ts';

test.each([
  'GPS: 55.8, 37.5',
  'gps 55.8 37.5',
  'координаты 55.8, 37.5',
  'Координаты: 55,8 37,5',
  'Koordinaten: 55.8, 37.5',
  'coordonnées : 55.8, 37.5',
  'Location: 55.8, 37.5',
  'GPS: N 55.8 E 37.5',
  'POINT(37.5 55.8)',
  'SRID=4326;POINT Z (37.5 55.8 120)',
  '{"type":"Point","coordinates":[37.5,55.8]}',
  '{ "type": "Feature", "geometry": { "type": "Point",\n "coordinates": [37.5, 55.8, 12.5] } }',
  '$GPGGA,123519,5548.000,N,03730.000,E,1,08,0.9,545.4,M,46.9,M,,*47',
  '$GNRMC,081836.75,A,5548.000,N,03730.000,E,000.0,360.0,130998,011.3,E*62',
  'GPGLL,5548.000,N,03730.000,E,225444,A',
])('"%s" is a point', (text) => {
  const point = parseCoordinates(text, undefined);
  expect(point?.lat).toBeCloseTo(55.8, 5);
  expect(point?.lon).toBeCloseTo(37.5, 5);
});

test.each(['POINT(200 55.8)', '{"coordinates":[37.5,95]}', '$GPRMC,081836,V,5548.000,N,03730.000,E', 'gps tracker 5'])(
  '"%s" is none',
  (text) => {
    expect(parseCoordinates(text, undefined)).toBeUndefined();
  },
);

test('number and street are distinguished where nothing stands between them', async () => {
  const town = new DrawnTown();
  town.street('Müllerstraße', [0, 0], [300, 0]);
  town.house('Müllerstraße', '43a', [100, 10]).house('Müllerstraße', '43', [80, 10]);
  town.street('улица Ленина', [0, 500], [300, 500]);
  town.house('улица Ленина', '7', [100, 510]);
  const open = await town.open();
  for (const query of ['Müllerstr.43a', 'Müllerstraße43a', 'Müllerstr43a', 'muellerstr.43A'])
    expect(open.labels(query)[0], query).toBe('Müllerstraße 43a');
  for (const query of ['ул.Ленина,д.7', 'ул.Ленина7', 'Ленина,7']) expect(open.labels(query)[0], query).toMatch(/ 7$/);
});

test('Catalan and Spanish kinds are shortened with a slash', async () => {
  const town = new DrawnTown();
  town.street('Carrer del Cedre', [0, 0], [0, 300]);
  town.street('Avinguda Meritxell', [-100, 100], [0, 100], [100, 100]);
  town.street('Cedre Petit', [0, 900], [100, 900]);
  town.house('Carrer del Cedre', '5', [10, 50]);
  const open = await town.open();
  expect(open.labels('C/ del Cedre')[0]).toBe('Carrer del Cedre');
  expect(open.labels('c/ del Cedre, 5')[0]).toBe('Carrer del Cedre 5');
  expect(open.labels('Av/ Meritxell')[0]).toBe('Avinguda Meritxell');
  for (const query of [
    'carrer del Cedre amb avinguda Meritxell',
    'Cedre cantonada Meritxell',
    'cantonada del Cedre amb Meritxell',
    'Cedre / Meritxell',
  ])
    expect(open.labels(query)[0], query).toMatch(/^(?:Carrer del Cedre|Avinguda Meritxell) \/ /);
});

test('corners are asked for with the words of many languages', async () => {
  const town = new DrawnTown();
  town.street('Lipowa', [0, 0], [0, 300]);
  town.street('Polna', [-100, 100], [0, 100], [100, 100]);
  const open = await town.open();
  for (const query of [
    'Lipowa Ecke Polna',
    'Ecke Lipowa / Polna',
    'róg Lipowa i Polna',
    'Lipowa róg Polna',
    'Липова угол Польна',
    'ріг Липова і Польна',
    'перехрестя Липова Польна',
    'incrocio Lipowa con Polna',
    'angle Lipowa et Polna',
  ])
    expect(open.search(query)[0]?.kind, query).toBe('corner');
});

test('the number of a road is found with and without its dash', async () => {
  const town = new DrawnTown();
  town.way({ highway: 'primary', ref: 'CG-2' }, [0, 0], [900, 0]);
  town.way({ highway: 'primary', ref: 'A 14', name: 'Ring' }, [0, 900], [900, 900]);
  const open = await town.open();
  for (const query of ['CG-2', 'CG2', 'cg 2']) expect(open.labels(query)[0], query).toBe('CG-2');
  for (const query of ['A14', 'A 14', 'a-14']) expect(open.labels(query)[0], query).toMatch(/^Ring/);
});

test('a street whose name is an article in another language is found', async () => {
  const town = new DrawnTown();
  town.place('city', 'München', [0, 0]);
  town.street('Tal', [0, 0], [300, 0]);
  for (let i = 0; i < 40; i++)
    town.street(`Talweg ${'abcdefgh'[i % 8]}${i}straße`, [0, 300 + i * 50], [300, 300 + i * 50]);
  town.house('Tal', '12', [100, 10]).house('Tal', '14', [110, 10]);
  const open = await town.open();
  expect(open.labels('Tal')[0]).toBe('Tal, München');
  for (const query of [
    'Tal 12',
    'Tal 12, München',
    'Tal 12, 80331 München',
    'Tal 12 80331 München',
    '80331 München, Tal 12',
  ])
    expect(open.labels(query)[0], query).toBe('Tal 12, München');
});

test('a house is found by a number that begins with a letter, and by its name', async () => {
  const town = new DrawnTown();
  town.place('town', 'Ashford', [0, 0]);
  town.street('Harbour Road', [0, 0], [300, 0]);
  town.house('Harbour Road', 'B12', [100, 10]).house('Harbour Road', 'B14', [130, 10]);
  town.house('Harbour Road', '3', [200, 10], { 'addr:housename': 'Rose Cottage' });
  const open = await town.open();
  expect(open.labels('Harbour Road B12')[0]).toBe('Harbour Road B12, Ashford');
  expect(open.labels('B14 Harbour Road, Ashford')[0]).toBe('Harbour Road B14, Ashford');
  expect(open.labels('Rose Cottage, Harbour Road, Ashford')[0]).toBe('Rose Cottage, Ashford');
});
