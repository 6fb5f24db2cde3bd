import { expect, test } from 'vitest';
import { UNREACHABLE } from '../../../server/routing/door.ts';
import type { ReachAnswer, RouteForm, Table } from '../../../server/routing/door.ts';
import { writeAreas } from '../../../server/routing/write-areas.ts';
import { writeRoute } from '../../../server/routing/write-route.ts';
import { writeTable } from '../../../server/routing/write-table.ts';
import { drawRoads } from './town.ts';

const text = (bytes: Uint8Array): string => new TextDecoder('utf-8', { fatal: true }).decode(bytes);

test('a table is written number by number as JSON has it', () => {
  for (const [rows, columns] of [[1, 1], [1, 500], [3, 2], [170, 49]] as const) {
    const times = Int32Array.from({ length: rows * columns }, (_, i) => (i % 97 === 96 ? UNREACHABLE : [0, 9, 10, 99, 100, 2147483646, i * 7][i % 7]!));
    const distances = times.map((time) => (time === UNREACHABLE ? UNREACHABLE : time + 1));
    const table = { times, distances, rows, columns } as Table;
    const matrix = (cells: Int32Array, none: number | null): (number | null)[][] =>
      Array.from({ length: rows }, (_, row) => [...cells.subarray(row * columns, (row + 1) * columns)].map((cell) => (cell === UNREACHABLE ? none : cell)));
    const whole = { status: 0, distance_table: matrix(times, 2147483647), distances: matrix(distances, null) };
    expect(text(writeTable(table, true, {}))).toBe(JSON.stringify(whole));
    expect(text(writeTable(table, false, { jsonp: 'app.on[0]' }))).toBe(`app.on[0](${JSON.stringify({ status: 0, distance_table: whole.distance_table })})`);
  }
  const unreachable = { times: new Int32Array(6).fill(UNREACHABLE), distances: new Int32Array(6).fill(UNREACHABLE), rows: 2, columns: 3 } as Table;
  expect(JSON.parse(text(writeTable(unreachable, true, {}))).distances).toEqual([[null, null, null], [null, null, null]]);
});

test('a route is written in bytes of its own, which go to another thread without a copy, names in any script as they are', () => {
  const town = drawRoads('a---b', { ways: { ab: { name: 'Улица "東京" \\ 🚒\u2028' } } });
  const form: RouteForm = { gpx: false, instructions: true, geometry: true, compression: true };
  const bytes = writeRoute(town.answer('a', 'b'), form);
  expect(bytes.byteOffset).toBe(0);
  expect(bytes.buffer.byteLength).toBe(bytes.length);
  const told = JSON.parse(text(bytes)) as { route_summary: { start_point: string }; route_geometry: string };
  expect(told.route_summary.start_point).toBe('Улица "東京" \\ 🚒\u2028');
  expect(Object.keys(JSON.parse(text(writeRoute(town.answer('a', 'b'), { ...form, instructions: false, geometry: false }))))).not.toContain('route_geometry');
  expect(text(writeRoute(town.answer('a', 'b'), { ...form, gpx: true, jsonp: 'f' }))).toMatch(/^<\?xml .*<\/gpx>$/s);
});

test('areas are written one after the other, with a pause after each', () => {
  const ring = Int32Array.of(1_000_000, 2_000_000, 1_500_000, 2_000_000, 1_500_000, 2_500_001, 1_000_000, 2_000_000);
  const answer: ReachAnswer = { areas: [300, 600].map((seconds) => ({ seconds, polygons: [[ring]] })), near: 74.6, snapped: { lat: 2, lon: 1, name: '', distance: 0, hint: '' } };
  const steps = writeAreas(answer, {});
  expect([steps.next().done, steps.next().done]).toEqual([false, false]);
  const last = steps.next();
  expect(last.done).toBe(true);
  const geometry = { type: 'MultiPolygon', coordinates: [[[[1, 2], [1.5, 2], [1.5, 2.500001], [1, 2]]]] };
  expect(JSON.parse(text(last.value as Uint8Array))).toEqual({
    status: 0, type: 'FeatureCollection', near: 75, mapped_coordinate: [2, 1],
    features: [5, 10].map((minutes) => ({ type: 'Feature', properties: { minutes }, geometry })),
  });
});
