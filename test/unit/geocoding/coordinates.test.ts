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

test('what can only be the other way round is taken the other way round', () => {
  expect(parseCoordinates('114.5, 35.9', undefined)).toEqual({ lat: 35.9, lon: 114.5 });
  expect(parseCoordinates('14.514, 35.898', MALTA)).toEqual({ lat: 35.898, lon: 14.514 });
  expect(parseCoordinates('14.514, 35.898', undefined)).toEqual({ lat: 14.514, lon: 35.898 });
});

test('house numbers and dates are no coordinates', () => {
  for (const text of ['12', '12 14', '95.1, 181.2', '200.5 300.5', '12-14', '1.2.3', 'Route 35.5, 14.2', '35.5N 14.2N', '35°75′N 14°E', '', '°', '25 de abril 12', '12/14', '12.5']) {
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
