import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseCoordinates } from '../../../../server/geo/geocoding/coordinates/coordinates.ts';

const MALTA = [14.1, 35.7, 14.6, 36.1] as const;

test('latitude comes first, whatever the separator', () => {
  for (const text of [
    '35.898, 14.514',
    '35.898 14.514',
    '35.898;14.514',
    '(35.898, 14.514)',
    '35,898; 14,514',
    '35,898 14,514',
    '35.898°, 14.514°',
    ' 35.898 , 14.514 ',
  ]) {
    expect(parseCoordinates(text, undefined), text).toEqual({ lat: 35.898, lon: 14.514 });
  }
});

test('letters say which is which, in Latin and Cyrillic', () => {
  for (const text of [
    'N35.5 E14.25',
    '35.5N 14.25E',
    '14.25 E, 35.5 N',
    'e14.25, n35.5',
    '35.5° с 14.25° в',
    '35°30′N 14°15′E',
    `35°30'00"N 14°15'00"E`,
    '35 30 0 N 14 15 0 E',
    "35°30.0'N, 14°15.0'E",
  ]) {
    const point = parseCoordinates(text, undefined);
    expect(point?.lat, text).toBeCloseTo(35.5, 9);
    expect(point?.lon, text).toBeCloseTo(14.25, 9);
  }
  expect(parseCoordinates('S 33.5 W 70.25', undefined)).toEqual({ lat: -33.5, lon: -70.25 });
});

test('minutes and seconds need no letters', () => {
  expect(parseCoordinates(`35°30'36", 14°15'00"`, undefined)).toEqual({ lat: 35.51, lon: 14.25 });
  expect(parseCoordinates(`-0°30', -70°15'`, undefined)).toEqual({ lat: -0.5, lon: -70.25 });
});

test('what is typed, read out or pasted in other ways is the same point', () => {
  for (const text of [
    'lat 35.5 lon 14.25',
    'lon=14.25 lat=35.5',
    'Latitude: 35.5, Longitude: 14.25',
    'широта 35.5, долгота 14.25',
    'lat 35°30′ N, long 14°15′ E',
    '35.5 north, 14.25 east',
    '35°30′ с.ш. 14°15′ в.д.',
    '35 градусов 30 минут 14 градусов 15 минут',
    '35 30 00 14 15 00',
    '35 30.0 14 15.0',
    "35°30' 14°15'",
    '35-30-00N 14-15-00E',
    '35d30m00sN 14d15m00sE',
    "35º30'00” N 14º15’00” E",
    '353000N0141500E',
    '3530N 01415E',
    '+35.5+014.25/',
    '+35.5, +14.25',
    'geo:35.5,14.25?z=17',
    'https://maps.example/@35.5,14.25,17z',
    'https://maps.example/place/x/data=!3d35.5!4d14.25',
    'https://maps.example/?q=35.5%2C14.25',
    'https://maps.example/?mlat=35.5&mlon=14.25#map=5/1/1',
    'https://maps.example/#map=17/35.5/14.25',
    'https://yandex.example/maps/?ll=14.25%2C35.5&z=17',
  ]) {
    const point = parseCoordinates(text, MALTA);
    expect(point?.lat, text).toBeCloseTo(35.5, 9);
    expect(point?.lon, text).toBeCloseTo(14.25, 9);
  }
});

test('of a link the pin is taken before what is looked at, and of a way its end', () => {
  for (const link of [
    'geo:0,0?q=35.5,14.25(Here)',
    'geo:1,2?z=17&q=35.5,14.25',
    'https://yandex.example/maps/?ll=14.3,35.8&z=12&pt=14.25,35.5',
    'https://yandex.example/maps/?ll=14.3%2C35.8&mode=whatshere&whatshere%5Bpoint%5D=14.25%2C35.5&whatshere%5Bzoom%5D=17',
    'https://yandex.example/maps/?ll=14.3%2C35.8&text=35.5%2C14.25',
    'https://yandex.example/maps/?ll=14.3%2C35.8&rtext=35.6%2C14.2~35.5%2C14.25&rtt=auto',
    'https://2gis.example/geo/1234/14.25%2C35.5?m=14.3%2C35.8%2F12',
    'https://2gis.example/?m=14.25%2C35.5%2F12',
    'https://maps.example/?ll=35.8,14.3&q=35.5,14.25',
    'https://maps.example/maps/place/X/@35.8,14.3,12z/data=!3d35.5!4d14.25',
    'https://maps.example/maps/search/35.5,+14.25?entry=tts',
    'https://maps.example/maps/dir/35.81,14.31/35.5,14.25/@35.85,14.4,13z',
    'https://maps.example/maps/dir/X/35.5,14.25',
    'https://maps.example/maps/dir/A/B/@35.85,14.4,13z/data=!4m14!4m13!1m5!1m1!1s0x1!2m2!1d14.1!2d35.1!1m5!1m1!1s0x2!2m2!1d14.25!2d35.5!3e0',
    'https://map.example/directions?engine=x&route=35.81%2C14.31%3B35.5%2C14.25#map=13/35.85/14.4',
    'https://map.example/?mlat=35.5&mlon=14.25#map=13/35.85/14.4',
  ])
    expect(parseCoordinates(link, MALTA), link).toEqual({ lat: 35.5, lon: 14.25 });
  // No point, one beyond the globe, and a way whose end is a name.
  for (const link of [
    'geo:0,0',
    'geo:0,0?q=Valletta+12',
    'https://maps.example/@95.8,14.3,12z',
    'https://maps.example/?q=114.5,35.9',
    'https://maps.example/maps/dir/35.81,14.31/Valletta/@35.85,14.4,13z',
  ])
    expect(parseCoordinates(link, undefined), link).toBeUndefined();
});

test('Russian read out: one minute, two minutes, five minutes; hemispheres behind words', () => {
  for (const text of [
    '35 градусов 51 минута 14 градусов 31 минута',
    '35 градусов 51 минуту 0 секунд, 14 градусов 31 минуту 0 секунд',
    'широта 35.85 с.ш., долгота 14.516666667 в.д.',
    'Широта: 35°51′00″ с. ш., Долгота: 14°31′0″ в. д.',
    'широта   35.85   долгота   14.516666667',
    'LAT 35.85N; LON 14.516666667E',
  ]) {
    const point = parseCoordinates(text, undefined);
    expect(point?.lat, text).toBeCloseTo(35.85, 7);
    expect(point?.lon, text).toBeCloseTo(14 + 31 / 60, 7);
  }
  expect(parseCoordinates('35 градусов 1 минута 1 секунда 14 градусов 31 минута 21 секунда', undefined)).toEqual({
    lat: expect.closeTo(35 + 1 / 60 + 1 / 3600, 9),
    lon: expect.closeTo(14 + 31 / 60 + 21 / 3600, 9),
  });
  expect(parseCoordinates('широта 35.85 ю.ш. долгота 14.5 з.д.', undefined)).toEqual({ lat: -35.85, lon: -14.5 });
});

test('the UTM and military grids, of a square its middle', () => {
  // On a central meridian northing is the meridian's length: at 45° 4,984,944.378 m of WGS 84, times 0.9996.
  expect(parseCoordinates('33T 500000 4982950.4', undefined)).toEqual({
    lat: expect.closeTo(45, 8),
    lon: expect.closeTo(15, 9),
  });
  // The Eiffel tower.
  for (const text of ['31U 448252 5411943', '31U DQ 48252 11943', '31UDQ4825211943', '31u dq 4825 1194'])
    expect(parseCoordinates(text, undefined), text).toEqual({
      lat: expect.closeTo(48.8583, 3),
      lon: expect.closeTo(2.2945, 3),
    });
  // Halves of unequal length are a slip of the finger, and what was meant nobody can tell.
  for (const text of ['33S VV 55000 720', '31U DQ 482 11943', '31UDQ 4825 119', '31U DQ 48252 119'])
    expect(parseCoordinates(text, undefined), text).toBeUndefined();
  // Sydney's opera house, south of the equator.
  expect(parseCoordinates('56H LH 34900 52300', undefined)).toEqual({
    lat: expect.closeTo(-33.857, 2),
    lon: expect.closeTo(151.215, 2),
  });
  // Far from the territory the letters mean something else.
  expect(parseCoordinates('31U DQ 48252 11943', MALTA)).toBeUndefined();
});

test('plus codes, short ones within the territory', () => {
  expect(parseCoordinates('8FVC2222+22', undefined)).toEqual({
    lat: expect.closeTo(47.0000625, 9),
    lon: expect.closeTo(8.0000625, 9),
  });
  expect(parseCoordinates('7fg49qcj+2v', undefined)).toEqual({
    lat: expect.closeTo(20.3700625, 6),
    lon: expect.closeTo(2.7821875, 6),
  });
  const [west, south, east, north] = [7.5, 46.7, 8.4, 47.4];
  expect(parseCoordinates('2222+22 Town', [west, south, east, north])).toEqual({
    lat: expect.closeTo(47.0000625, 9),
    lon: expect.closeTo(8.0000625, 9),
  });
  // The nearest of the cells of that code is beyond the next degree.
  expect(parseCoordinates('2222+22', [7.8, 47.9, 8.3, 48.1])).toEqual({
    lat: expect.closeTo(48.0000625, 9),
    lon: expect.closeTo(8.0000625, 9),
  });
  expect(parseCoordinates('2222+22', [7.8, 47.6, 8.0, 47.9])).toEqual({
    lat: expect.closeTo(48.0000625, 9),
    lon: expect.closeTo(8.0000625, 9),
  });
  expect(parseCoordinates('2222+22', undefined)).toBeUndefined();
  // Where a territory has several of a code, the text behind it says which is meant; without one nobody can
  // tell.
  const large = [6, 45, 11, 50] as const;
  expect(parseCoordinates('2222+22', large)).toBeUndefined();
  expect(
    parseCoordinates('2222+22, Town', large, (town) => (town.trim() === 'Town' ? { lon: 9.8, lat: 48.9 } : undefined)),
  ).toEqual({ lat: expect.closeTo(49.0000625, 9), lon: expect.closeTo(10.0000625, 9) });
});

test('what can only be the other way round is taken the other way round', () => {
  expect(parseCoordinates('114.5, 35.9', undefined)).toEqual({ lat: 35.9, lon: 114.5 });
  expect(parseCoordinates('14.514, 35.898', MALTA)).toEqual({ lat: 35.898, lon: 14.514 });
  expect(parseCoordinates('14.514, 35.898', undefined)).toEqual({ lat: 14.514, lon: 35.898 });
});

test('house numbers and dates are no coordinates', () => {
  for (const text of [
    '12',
    '12 14',
    '95.1, 181.2',
    '200.5 300.5',
    '12-14',
    '1.2.3',
    'Route 35.5, 14.2',
    '35.5N 14.2N',
    '35°75′N 14°E',
    '',
    '°',
    '25 de abril 12',
    '12/14',
    '12.5',
    '12 14 12 14',
    '1 2 3',
    '4I FJ 123 456',
    '12 S 455000',
    'https://maps.example/?page=12,5',
    'http://',
    'geo:',
    'lat 35.5',
    'lat 35 lat 14',
  ]) {
    expect(parseCoordinates(text, undefined), text).toBeUndefined();
  }
});

test('every point that is written is read again', () => {
  fc.assert(
    fc.property(
      fc.double({ min: -90, max: 90, noNaN: true }),
      fc.double({ min: -180, max: 180, noNaN: true }),
      (lat, lon) => {
        const point = parseCoordinates(`${lat.toFixed(6)}, ${lon.toFixed(6)}`, undefined);
        expect(point?.lat).toBeCloseTo(lat, 5);
        expect(point?.lon).toBeCloseTo(lon, 5);
      },
    ),
    { seed: Number(process.env.WAYPOST_SEED ?? Date.now() % 1e9) },
  );
});
