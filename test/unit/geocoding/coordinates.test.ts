import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseCoordinates } from '../../../server/geocoding/coordinates.ts';

const MALTA = [14.1, 35.7, 14.6, 36.1] as const;

test('latitude comes first, whatever the separator', () => {
  for (const text of ['35.898, 14.514', '35.898 14.514', '35.898;14.514', '(35.898, 14.514)', '35,898; 14,514', '35,898 14,514', '35.898°, 14.514°', ' 35.898 , 14.514 ']) {
    expect(parseCoordinates(text, undefined), text).toEqual({ lat: 35.898, lon: 14.514 });
  }
});

test('letters say which is which, in Latin and Cyrillic', () => {
  for (const text of ['N35.5 E14.25', '35.5N 14.25E', '14.25 E, 35.5 N', 'e14.25, n35.5', '35.5° с 14.25° в', '35°30′N 14°15′E', `35°30'00"N 14°15'00"E`, '35 30 0 N 14 15 0 E', "35°30.0'N, 14°15.0'E"]) {
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
    'lat 35.5 lon 14.25', 'lon=14.25 lat=35.5', 'Latitude: 35.5, Longitude: 14.25', 'широта 35.5, долгота 14.25', 'lat 35°30′ N, long 14°15′ E', '35.5 north, 14.25 east', '35°30′ с.ш. 14°15′ в.д.', '35 градусов 30 минут 14 градусов 15 минут',
    '35 30 00 14 15 00', '35 30.0 14 15.0', "35°30' 14°15'", '35-30-00N 14-15-00E', '35d30m00sN 14d15m00sE', "35º30'00” N 14º15’00” E", '353000N0141500E', '3530N 01415E', '+35.5+014.25/', '+35.5, +14.25',
    'geo:35.5,14.25?z=17', 'https://maps.example/@35.5,14.25,17z', 'https://maps.example/place/x/data=!3d35.5!4d14.25', 'https://maps.example/?q=35.5%2C14.25', 'https://maps.example/?mlat=35.5&mlon=14.25#map=5/1/1', 'https://maps.example/#map=17/35.5/14.25', 'https://yandex.example/maps/?ll=14.25%2C35.5&z=17',
  ]) {
    const point = parseCoordinates(text, MALTA);
    expect(point?.lat, text).toBeCloseTo(35.5, 9);
    expect(point?.lon, text).toBeCloseTo(14.25, 9);
  }
});

test('the UTM and military grids, of a square its middle', () => {
  // On a central meridian northing is the meridian's length: at 45° 4,984,944.378 m of WGS 84, times 0.9996.
  expect(parseCoordinates('33T 500000 4982950.4', undefined)).toEqual({ lat: expect.closeTo(45, 8), lon: expect.closeTo(15, 9) });
  // The Eiffel tower.
  for (const text of ['31U 448252 5411943', '31U DQ 48252 11943', '31UDQ4825211943', '31u dq 4825 1194']) expect(parseCoordinates(text, undefined), text).toEqual({ lat: expect.closeTo(48.8583, 3), lon: expect.closeTo(2.2945, 3) });
  // Sydney's opera house, south of the equator.
  expect(parseCoordinates('56H LH 34900 52300', undefined)).toEqual({ lat: expect.closeTo(-33.857, 2), lon: expect.closeTo(151.215, 2) });
  // Far from the territory the letters mean something else.
  expect(parseCoordinates('31U DQ 48252 11943', MALTA)).toBeUndefined();
});

test('plus codes, short ones within the territory', () => {
  expect(parseCoordinates('8FVC2222+22', undefined)).toEqual({ lat: expect.closeTo(47.0000625, 9), lon: expect.closeTo(8.0000625, 9) });
  expect(parseCoordinates('7fg49qcj+2v', undefined)).toEqual({ lat: expect.closeTo(20.3700625, 6), lon: expect.closeTo(2.7821875, 6) });
  const [west, south, east, north] = [7.5, 46.7, 8.6, 47.4];
  expect(parseCoordinates('2222+22 Town', [west, south, east, north])).toEqual({ lat: expect.closeTo(47.0000625, 9), lon: expect.closeTo(8.0000625, 9) });
  // The nearest of the cells of that code is beyond the next degree.
  expect(parseCoordinates('2222+22', [7.8, 47.9, 8.3, 48.1])).toEqual({ lat: expect.closeTo(48.0000625, 9), lon: expect.closeTo(8.0000625, 9) });
  expect(parseCoordinates('2222+22', [7.8, 47.6, 8.0, 47.9])).toEqual({ lat: expect.closeTo(48.0000625, 9), lon: expect.closeTo(8.0000625, 9) });
  expect(parseCoordinates('2222+22', undefined)).toBeUndefined();
});

test('what can only be the other way round is taken the other way round', () => {
  expect(parseCoordinates('114.5, 35.9', undefined)).toEqual({ lat: 35.9, lon: 114.5 });
  expect(parseCoordinates('14.514, 35.898', MALTA)).toEqual({ lat: 35.898, lon: 14.514 });
  expect(parseCoordinates('14.514, 35.898', undefined)).toEqual({ lat: 14.514, lon: 35.898 });
});

test('house numbers and dates are no coordinates', () => {
  for (const text of ['12', '12 14', '95.1, 181.2', '200.5 300.5', '12-14', '1.2.3', 'Route 35.5, 14.2', '35.5N 14.2N', '35°75′N 14°E', '', '°', '25 de abril 12', '12/14', '12.5', '12 14 12 14', '1 2 3', '4I FJ 123 456', '12 S 455000', 'https://maps.example/?page=12,5', 'http://', 'geo:', 'lat 35.5', 'lat 35 lat 14']) {
    expect(parseCoordinates(text, undefined), text).toBeUndefined();
  }
});

test('every point that is written is read again', () => {
  fc.assert(fc.property(fc.double({ min: -90, max: 90, noNaN: true }), fc.double({ min: -180, max: 180, noNaN: true }), (lat, lon) => {
    const point = parseCoordinates(`${lat.toFixed(6)}, ${lon.toFixed(6)}`, undefined);
    expect(point?.lat).toBeCloseTo(lat, 5);
    expect(point?.lon).toBeCloseTo(lon, 5);
  }), { seed: Number(process.env.WAYPOST_SEED ?? Date.now() % 1e9) });
});
