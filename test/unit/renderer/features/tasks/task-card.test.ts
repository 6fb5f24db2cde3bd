import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { HistoryLine } from '../../../../../renderer/src/lib/api/types.ts';
import { fromGeoJson, toGeoJson, centreOf } from '../../../../../renderer/src/map/draw/geojson.ts';
import { uploadFieldOf } from '../../../../../renderer/src/features/task/attachments/uploads.ts';
import { steps } from '../../../../../renderer/src/features/task/history-lines.ts';
import { FITTED, movedView, zoomed } from '../../../../../renderer/src/features/task/attachments/photo-view.ts';

const line = (field: string, from: unknown, to: unknown, date = '2026-03-05 14:30:00+00', user = '1'): HistoryLine => ({
  field,
  from,
  to,
  date,
  user_id: user,
  fio: 'Anna',
  station: 1,
  note: '',
  news_id: '1',
});

test('the history lists newest changes first, and one step as one entry', () => {
  const told = steps([
    line('assigned_status', 1, 2),
    line('custom_fields.callers', 3, 4, '2026-03-05 14:31:00+00'),
    line('custom_fields.injured', null, true, '2026-03-05 14:31:00+00'),
    line('title', 'a', 'b', '2026-03-05 14:31:00+00'),
    line('title', 'b', 'c', '2026-03-05 14:31:00+00', '2'),
  ]);
  expect(
    told.map(({ line: { user_id: by }, changes }) => [by, ...changes.map(({ field, from, to }) => [field, from, to])]),
  ).toEqual([
    ['2', ['title', 'b', 'c']],
    ['1', ['title', 'a', 'b'], ['custom_fields.injured', null, true], ['custom_fields.callers', 3, 4]],
    ['1', ['assigned_status', 1, 2]],
  ]);
});

test('a zoom keeps the point under the pointer where it is, and ends at the fitted picture', () => {
  const around = { x: 120, y: -40 };
  const view = zoomed(zoomed(FITTED, 2, around), 1.5, around);
  // What lies under the pointer: the point of the picture that is drawn there.
  expect((around.x - view.x) / view.scale).toBeCloseTo(around.x);
  expect((around.y - view.y) / view.scale).toBeCloseTo(around.y);
  expect(zoomed(view, 0.01, around)).toEqual(FITTED);
  expect(zoomed(FITTED, 1000).scale).toBe(12);
});

test('a photo cannot be dragged out of sight, and a fitted one does not move', () => {
  expect(movedView(FITTED, { x: 50, y: 50 }, { width: 100, height: 100 })).toEqual(FITTED);
  expect(movedView({ scale: 2, x: 0, y: 0 }, { x: 5_000, y: -5_000 }, { width: 100, height: 60 })).toEqual({
    scale: 2,
    x: 100,
    y: -60,
  });
});

test('a drawing converts to GeoJSON and back', () => {
  const place = fc
    .tuple(fc.integer({ min: -1_790_000_000, max: 1_790_000_000 }), fc.integer({ min: -890_000_000, max: 890_000_000 }))
    .map(([lon, lat]): [number, number] => [lon / 1e7, lat / 1e7]);
  fc.assert(
    fc.property(
      fc.constantFrom('point', 'line', 'polygon'),
      fc.array(place, { minLength: 3, maxLength: 8 }),
      (kind, places) => {
        const drawing = { kind, vertices: kind === 'point' ? places.slice(0, 1) : places, radius: 0 };
        expect(fromGeoJson(toGeoJson(drawing))).toEqual(drawing);
      },
    ),
  );
  // the hole would be lost
  expect(
    fromGeoJson({
      type: 'Polygon',
      coordinates: [
        [
          [0, 0],
          [4, 0],
          [4, 4],
          [0, 0],
        ],
        [
          [1, 1],
          [2, 1],
          [2, 2],
          [1, 1],
        ],
      ],
    }),
  ).toBeUndefined();
  expect(
    centreOf({
      type: 'LineString',
      coordinates: [
        [0, 10],
        [4, 20],
      ],
    }),
  ).toEqual({ lon: 2, lat: 15 });
});

test('the station tells what an upload is, not its name', () => {
  expect(['image/heic', 'video/mp4', 'audio/mpeg', 'application/pdf', ''].map(uploadFieldOf)).toEqual([
    'photos',
    'videos',
    'sounds',
    'files',
    'files',
  ]);
});
