import { expect, test } from 'vitest';
import { ExtractBuilder, readExtract } from '../../../../server/geo/territory/index.ts';
import { roadBounds } from '../../../../server/geo/territory/import/road-bounds.ts';
import { realExtract } from './extracts.ts';

const island = () => new ExtractBuilder().node(1, 36, 14).node(2, 36.1, 14.3).node(3, 35.5, 13).node(4, 36.3, 14.9);

test('a ferry line does not widen the picture of an island', () => {
  const extract = island().way(1, [1, 2], { highway: 'primary' }).way(2, [3, 2, 4], { route: 'ferry' }).build();
  expect(extract.bounds).toEqual([13, 35.5, 14.9, 36.3]);
  expect(roadBounds(extract)).toEqual([14, 36, 14.3, 36.1]);
});

test('roads that were cut by the edge of the extract end there, and a missing node is passed over', () => {
  const builder = island().way(1, [1, 2, 3, 99], { highway: 'motorway' });
  builder.bounds = [13.5, 35.8, 14.2, 36.2];
  expect(roadBounds(builder.build())).toEqual([13.5, 35.8, 14.2, 36.1]);
});

test('without roads, and with a single point of them, the bounds are those of the file', () => {
  expect(roadBounds(island().way(1, [1, 2], { waterway: 'river' }).build())).toEqual([13, 35.5, 14.9, 36.3]);
  expect(roadBounds(island().way(1, [1], { highway: 'primary' }).build())).toEqual([13, 35.5, 14.9, 36.3]);
});

const malta = realExtract('malta');
test.runIf(malta)('Malta is framed from Gozo to Delimara', async () => {
  const [west, south, east, north] = roadBounds(await readExtract(malta!, { report: () => {} }));
  expect([west, south, east, north].map((degrees) => Math.round(degrees * 10) / 10)).toEqual([14.2, 35.8, 14.6, 36.1]);
});
