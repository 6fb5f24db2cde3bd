import { expect, test } from 'vitest';
import { Snapper } from '../../../../../server/geo/routing/snapping/snapper.ts';
import { drawRoads } from '../town.ts';

/** Places around the digit: each is a corner (its letter), or lies between two of them. */
function placesAround(drawing: string, way: string, metres: number): string[] {
  const { roads, places } = drawRoads(drawing, { grid: 30, ways: { [way]: {} } });
  const { shape, nodeLat, nodeLon } = roads.columns;
  const names = new Map(
    [...places].map(([letter, { lat, lon }]) => [`${Math.round(lat * 1e6)},${Math.round(lon * 1e6)}`, letter]),
  );
  const nameOf = (position: number) => names.get(`${nodeLat[shape[position]!]},${nodeLon[shape[position]!]}`)!;
  const { lat, lon } = places.get('1')!;
  return new Snapper(roads)
    .around(Math.round(lat * 1e6), Math.round(lon * 1e6), metres)
    .map(({ piece, ratio }) =>
      ratio === 0 || ratio === 1 ? nameOf(piece + ratio) : [nameOf(piece), nameOf(piece + 1)].sort().join(''),
    )
    .sort();
}

test('the end of a road is a place of it, also where another piece of the same road is nearer', () => {
  const hook = `
    a-------b
      1     |
            |
        d---c
  `;
  expect(placesAround(hook, 'abcd', 60)).toEqual(['ab', 'bc', 'd']);
});

test('outside of a bend its corner is a place, once; a corner with a nearer piece beside it is none', () => {
  const bend = `
    a---------------b
        1           |
                    |
        c           |
       / \\          |
      d   e---------f
  `;
  expect(placesAround(bend, 'abfecd', 300)).toEqual(['ab', 'bf', 'c']);
});
