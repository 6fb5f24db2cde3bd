import { buffer } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { guessPlaceColumns, placeOrders } from '../../../../renderer/src/lib/places/files/place-orders.ts';
import { workbook } from '../../../../server/reporting/reports/index.ts';
import { ZonedTime } from '../../../../shared/zoned-time.ts';
import { readPlaceFile } from '../../../../renderer/src/lib/places/files/read-place-file.ts';

const bytesOf = (text: string): ArrayBuffer => new TextEncoder().encode(text).buffer;
const given = {
  layer: 'Hydrants',
  sort: 'hydrant',
  sortNames: (sort: string) => (sort === 'gate' ? ['Gate', 'Ворота'] : []),
} as const;
async function orders(file: string | ArrayBuffer, language = 'en') {
  const table = await readPlaceFile(typeof file === 'string' ? bytesOf(file) : file, language);
  return placeOrders(table, guessPlaceColumns(table), given);
}

test('CSV: separators, quotes, comma decimals, and column names in the languages of lists', async () => {
  const expected = [
    {
      name: 'Hydrant 1',
      lat: 47.14,
      lon: 9.52,
      externalId: '7',
      notes: 'By the "well", left',
      sort: 'hydrant',
      layer: 'Hydrants',
    },
    { name: 'Tor Nord', lat: 47.2, lon: 9.6, externalId: '8', notes: '', sort: 'gate', layer: 'Hydrants' },
  ];
  const english = `Number,Name,Latitude,Longitude,Type,Description\r\n7,Hydrant 1,47.14,9.52,,"By the ""well"", left"\r\n8,Tor Nord,47.2,9.6,gate,\r\n`;
  const russian = `\uFEFFНомер;Название;Широта;Долгота;Вид;Примечание\n7;Hydrant 1;47,14;9,52;;"By the ""well"", left"\n8;Tor Nord;47,2;9,6;ворота;\n\n`;
  const german = `Nr\tBezeichnung\tBreite\tLänge\tArt\tBemerkung\n7\tHydrant 1\t47.14\t9.52\t\t"By the ""well"", left"\n8\tTor Nord\t47.2\t9.6\tGate\t`;
  for (const text of [english, russian, german]) expect((await orders(text)).orders, text).toEqual(expected);
});

test('what is not UTF-8 is read in the code page of the language', async () => {
  const name = Uint8Array.from([0xc3, 0xe8, 0xe4, 0xf0, 0xe0, 0xed, 0xf2]); // Гидрант
  const head = new TextEncoder().encode('name,lat,lon\n');
  const tail = new TextEncoder().encode(',1,2\n');
  const bytes = Uint8Array.from([...head, ...name, ...tail]).buffer;
  expect((await orders(bytes, 'ru')).orders[0]).toMatchObject({ name: 'Гидрант', lat: 1, lon: 2 });
});

test('GeoJSON: properties are columns; points, areas and lines, of several parts the largest', async () => {
  const ring = [
    [0, 0],
    [1, 0],
    [1, 1],
    [0, 0],
  ];
  const feature = (name: string, geometry: object | null) => ({
    type: 'Feature',
    properties: { name, ref: name },
    geometry,
  });
  const { orders: found, skipped } = await orders(
    JSON.stringify({
      type: 'FeatureCollection',
      features: [
        feature('a', { type: 'Point', coordinates: [9.5, 47.1, 400] }),
        feature('b', { type: 'MultiPolygon', coordinates: [[ring], [[...ring.slice(0, 3), [0, 1], [0, 0]]]] }),
        feature('c', {
          type: 'LineString',
          coordinates: [
            [0, 0],
            [1, 1],
          ],
        }),
        feature('d', null),
        feature('e', { type: 'Point', coordinates: [500, 0] }),
        feature('', { type: 'Point', coordinates: [1, 1] }),
        feature('a', { type: 'Point', coordinates: [1, 1] }),
      ],
    }),
  );
  expect(found).toMatchObject([
    { name: 'a', externalId: 'a', lat: 47.1, lon: 9.5, geometry: null },
    { name: 'b', geometry: { type: 'Polygon', coordinates: [[...ring.slice(0, 3), [0, 1], [0, 0]]] } },
    { name: 'c', geometry: { type: 'LineString' } },
  ]);
  expect([...skipped]).toEqual([
    ['place', 2],
    ['name', 1],
    ['twice', 1],
  ]);
});

test('KML and GPX: points, lines and areas with their names and notes', async () => {
  const kml = `<?xml version="1.0"?><kml xmlns="http://www.opengis.net/kml/2.2"><Document><name>List</name>
    <Placemark><name>Gate 4 &amp; 5</name><description><![CDATA[Ring <b>twice</b>]]></description>
      <ExtendedData><Data name="number"><value>4</value></Data></ExtendedData>
      <Point><coordinates>9.52,47.14,0</coordinates></Point></Placemark>
    <Placemark><name>Yard</name><Polygon><outerBoundaryIs><LinearRing><coordinates>
      0,0 1,0 1,1 0,0</coordinates></LinearRing></outerBoundaryIs></Polygon></Placemark></Document></kml>`;
  expect((await orders(kml)).orders).toMatchObject([
    { name: 'Gate 4 & 5', notes: 'Ring <b>twice</b>', externalId: '4', lat: 47.14, lon: 9.52 },
    {
      name: 'Yard',
      geometry: {
        type: 'Polygon',
        coordinates: [
          [
            [0, 0],
            [1, 0],
            [1, 1],
            [0, 0],
          ],
        ],
      },
    },
  ]);
  const gpx = `<gpx xmlns="http://www.topografix.com/GPX/1/1"><wpt lat="47.14" lon="9.52"><name>H 1</name><desc>Red</desc></wpt>
    <trk><name>Forest road</name><trkseg><trkpt lat="1" lon="2"/><trkpt lat="1" lon="3"/></trkseg></trk></gpx>`;
  expect((await orders(gpx)).orders).toMatchObject([
    { name: 'H 1', notes: 'Red', lat: 47.14, lon: 9.52 },
    {
      name: 'Forest road',
      geometry: {
        type: 'LineString',
        coordinates: [
          [2, 1],
          [3, 1],
        ],
      },
    },
  ]);
});

test('XLSX: the first sheet', async () => {
  const rows = [
    ['7', 'Hydrant 1', 47.14, 9.52],
    ['8', 'Gate', 47.2, 9.6],
  ] as const;
  const columns = ['Number', 'Name', 'Lat', 'Lon'].map((header, index) => ({
    header,
    kind: index < 2 ? ('text' as const) : ('number' as const),
    value: (row: (typeof rows)[number]) => row[index],
  }));
  const zone = new ZonedTime('UTC');
  const bytes = await buffer(workbook([{ name: 'Places', columns, rows }] as never, { language: 'en', zone }));
  const file = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength) as ArrayBuffer;
  expect((await orders(file)).orders).toMatchObject([
    { name: 'Hydrant 1', lat: 47.14, lon: 9.52, externalId: '7' },
    { name: 'Gate', lat: 47.2, lon: 9.6, externalId: '8' },
  ]);
});

test('a broken file says so', async () => {
  await expect(orders('{"type": "Feature')).rejects.toThrow();
  await expect(orders('<kml><Placemark></kml>')).rejects.toThrow();
  expect((await orders('')).orders).toEqual([]);
});
