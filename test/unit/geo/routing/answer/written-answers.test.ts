import { expect, test } from 'vitest';
import { UNREACHABLE } from '../../../../../server/geo/routing/types.ts';
import type {
  IsochroneAnswer,
  Route,
  RouteAnswer,
  RouteFormat,
  RouteRequest,
  Table,
} from '../../../../../server/geo/routing/types.ts';
import { readPolyline, encodePolyline } from '../../../../../server/geo/routing/answer/polyline.ts';
import { writeIsochrone } from '../../../../../server/geo/routing/answer/write-isochrone.ts';
import { writeTable } from '../../../../../server/geo/routing/answer/write-table.ts';
import { ExtractBuilder } from '../../../../../server/geo/territory/index.ts';
import { Roads, buildRoads } from '../../../../../server/geo/territory/roads/index.ts';
import { SEED, numbers } from '../../../../support/chance.ts';
import { closeRoads } from '../close-roads.ts';
import { randomRoads } from '../random.ts';
import { drawRoads, testbot } from '../town.ts';

const text = (bytes: Uint8Array): string => new TextDecoder('utf-8', { fatal: true }).decode(bytes);

test('a table is written number by number as JSON has it', () => {
  for (const [rows, columns] of [
    [1, 1],
    [1, 500],
    [3, 2],
    [170, 49],
  ] as const) {
    const times = Int32Array.from({ length: rows * columns }, (_, i) =>
      i % 97 === 96 ? UNREACHABLE : [0, 9, 10, 99, 100, 2147483646, i * 7][i % 7]!,
    );
    const distances = times.map((time) => (time === UNREACHABLE ? UNREACHABLE : time + 1));
    const table = { times, distances, rows, columns } as Table;
    const matrix = (cells: Int32Array, none: number | null): (number | null)[][] =>
      Array.from({ length: rows }, (_, row) =>
        [...cells.subarray(row * columns, (row + 1) * columns)].map((cell) => (cell === UNREACHABLE ? none : cell)),
      );
    const whole = { status: 0, distance_table: matrix(times, 2147483647), distances: matrix(distances, null) };
    expect(text(writeTable(table, true, {}))).toBe(JSON.stringify(whole));
    expect(text(writeTable(table, false, { jsonp: 'app.on[0]' }))).toBe(
      `app.on[0](${JSON.stringify({ status: 0, distance_table: whole.distance_table })})`,
    );
  }
  const unreachable = {
    times: new Int32Array(6).fill(UNREACHABLE),
    distances: new Int32Array(6).fill(UNREACHABLE),
    rows: 2,
    columns: 3,
  } as Table;
  expect(JSON.parse(text(writeTable(unreachable, true, {}))).distances).toEqual([
    [null, null, null],
    [null, null, null],
  ]);
});

test('a route is written in bytes of its own, which go to another thread without a copy, names in any script as they are', () => {
  const town = drawRoads('a---b', { ways: { ab: { name: 'Улица "東京" \\ 🚒\u2028' } } });
  const form: RouteFormat = { gpx: false, instructions: true, geometry: true, compression: true };
  const written = (form: RouteFormat): Uint8Array =>
    town.router.writtenRoute({ points: [town.at('a'), town.at('b')] }, form);
  const bytes = written(form);
  expect(bytes.byteOffset).toBe(0);
  expect(bytes.buffer.byteLength).toBe(bytes.length);
  const told = JSON.parse(text(bytes)) as { route_summary: { start_point: string }; route_geometry: string };
  expect(told.route_summary.start_point).toBe('Улица "東京" \\ 🚒\u2028');
  expect(Object.keys(JSON.parse(text(written({ ...form, instructions: false, geometry: false }))))).not.toContain(
    'route_geometry',
  );
  expect(text(written({ ...form, gpx: true, jsonp: 'f' }))).toMatch(/^<\?xml .*<\/gpx>$/s);
});

test('a way of any length is written whole, after a short one and before the next', () => {
  const random = numbers(1);
  const builder = new ExtractBuilder();
  const places = Array.from({ length: 16_000 }, (_, i) => ({
    lat: 1 + Math.round(random() * 10_000) / 1e6,
    lon: 1 + i * 0.002,
  }));
  places.forEach(({ lat, lon }, i) => builder.node(i + 1, lat, lon));
  builder.way(
    1,
    places.map((_, i) => i + 1),
    { highway: 'primary' },
  );
  const router = closeRoads(
    Roads.from(buildRoads(builder.build(), { profile: testbot, minComponent: 1 }).bytes.buffer),
    [],
  );
  const form: RouteFormat = { gpx: false, instructions: true, geometry: true, compression: true };
  const [start, near, far] = [places[0], places[2], places.at(-1)];
  for (const end of [near!, far!, near!]) {
    const request = { points: [start!, end], fullGeometry: true };
    const { geometry } = router.route(request).route!;
    expect(geometry.length).toBe(end === far ? 16_000 : 3);
    const told = JSON.parse(text(router.writtenRoute(request, form))) as {
      route_geometry: string;
      via_indices: number[];
    };
    expect(readPolyline(told.route_geometry)?.map(([lat, lon]) => [lat / 1e6, lon / 1e6])).toEqual(geometry);
    expect(told.via_indices).toEqual([0, geometry.length - 1]);
    expect(
      (JSON.parse(text(router.writtenRoute(request, { ...form, compression: false }))) as { route_geometry: unknown })
        .route_geometry,
    ).toEqual(geometry);
    expect(text(router.writtenRoute(request, { ...form, gpx: true })).match(/<rtept /g)).toHaveLength(geometry.length);
  }
});

test('a route says in the words of area C what it says as an object, whatever is asked for', () => {
  const random = numbers(SEED + 40);
  const flag = (): boolean => random() < 0.5;
  let found = 0;
  for (let i = 0; i < 20; i++) {
    const roads = randomRoads(random, 7, 7);
    if (roads.segments === 0) continue;
    const closures = flag()
      ? [{ id: 7, geometry: { type: 'Point' as const, coordinates: lonLat(roads, random) }, factor: 0.2 }]
      : [];
    const router = closeRoads(roads, closures);
    for (let k = 0; k < 10; k++) {
      const points = Array.from({ length: flag() ? 2 : 3 }, () => lonLat(roads, random)).map(([lon, lat]) => ({
        lat,
        lon,
      }));
      const form: RouteFormat = {
        gpx: false,
        instructions: flag(),
        geometry: flag(),
        compression: flag(),
        jsonp: flag() ? 'app.on[0]' : undefined,
      };
      const request: RouteRequest = { points, alternatives: flag(), z: Math.floor(random() * 19) };
      const answer = router.route(request);
      if (answer.route) found++;
      const json = JSON.stringify(inWordsOfAreaC(answer, form));
      expect(text(router.writtenRoute(request, form)), `seed ${SEED + 40}`).toBe(
        form.jsonp === undefined ? json : `${form.jsonp}(${json})`,
      );
      if (points.length > 2) continue;
      const points6 = (answer.route?.geometry ?? [])
        .map(([lat, lon]) => `<rtept lat="${lat.toFixed(6)}" lon="${lon.toFixed(6)}"></rtept>`)
        .join('');
      expect(text(router.writtenRoute(request, { ...form, gpx: true }))).toContain(`<rte>${points6}</rte>`);
    }
  }
  expect(found, `seed ${SEED + 40}`).toBeGreaterThan(20);
});

function lonLat(roads: Roads, random: () => number): [number, number] {
  const node = Math.floor(random() * roads.nodes);
  return [roads.columns.nodeLon[node]! / 1e6, roads.columns.nodeLat[node]! / 1e6];
}

/** The fields of `/viaroute`, one by one. */
function inWordsOfAreaC({ route, alternative, snapped, checksum }: RouteAnswer, form: RouteFormat): object {
  if (!route) return { status: 207, status_message: 'Cannot find route between points' };
  const geometry = (of: Route): unknown => (form.compression ? encodePolyline(of.geometry) : of.geometry);
  const summary = (of: Route): object => ({
    total_distance: Math.round(of.distance),
    total_time: Math.round(of.time),
    start_point: of.start,
    end_point: of.end,
  });
  const steps = (of: Route): unknown[] => {
    let tenths = 0;
    let told = 0;
    return of.steps.map((step) => {
      tenths += Math.round(step.time * 10);
      const seconds = Math.round(tenths / 10) - told;
      told += seconds;
      return [
        step.code,
        step.name,
        Math.round(step.distance),
        step.position,
        seconds,
        `${Math.round(step.distance)}m`,
        step.compass,
        step.bearing,
        step.mode,
      ];
    });
  };
  return {
    status: 0,
    status_message: 'Found route between points',
    ...(form.geometry && { route_geometry: geometry(route) }),
    ...(form.instructions && { route_instructions: steps(route) }),
    route_summary: summary(route),
    route_name: route.names,
    via_points: snapped.map(({ lat, lon }) => [lat, lon]),
    via_indices: route.viaIndices,
    found_alternative: alternative !== undefined,
    ...(alternative && {
      ...(form.geometry && { alternative_geometries: [geometry(alternative)] }),
      ...(form.instructions && { alternative_instructions: [steps(alternative)] }),
      alternative_summaries: [summary(alternative)],
      alternative_names: [alternative.names],
      alternative_indices: [alternative.viaIndices[0], alternative.viaIndices.at(-1)],
      alternative_closures: [alternative.closures],
    }),
    hint_data: { locations: snapped.map(({ hint }) => hint), checksum },
    closures: route.closures,
  };
}

test('areas are written one after the other, with a pause after each', () => {
  const ring = Int32Array.of(1_000_000, 2_000_000, 1_500_000, 2_000_000, 1_500_000, 2_500_001, 1_000_000, 2_000_000);
  const answer: IsochroneAnswer = {
    areas: [300, 600].map((seconds) => ({ seconds, polygons: [[ring]] })),
    near: 74.6,
    snapped: { lat: 2, lon: 1, name: '', distance: 0, hint: '' },
    offMap: undefined,
  };
  const steps = writeIsochrone(answer, {});
  expect([steps.next().done, steps.next().done]).toEqual([false, false]);
  const last = steps.next();
  expect(last.done).toBe(true);
  const geometry = {
    type: 'MultiPolygon',
    coordinates: [
      [
        [
          [1, 2],
          [1.5, 2],
          [1.5, 2.500001],
          [1, 2],
        ],
      ],
    ],
  };
  expect(JSON.parse(text(last.value as Uint8Array))).toEqual({
    status: 0,
    type: 'FeatureCollection',
    near: 75,
    mapped_coordinate: [2, 1],
    features: [5, 10].map((minutes) => ({ type: 'Feature', properties: { minutes }, geometry })),
  });
});
