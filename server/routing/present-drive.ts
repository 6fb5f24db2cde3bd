import type { Roads } from '../territory/roads/index.ts';
import { compassName } from './compass.ts';
import type { Route, RouteStep } from './door.ts';
import type { Drive, Row } from './drive.ts';
import { simplify } from './simplify.ts';

/** A drive as the planner answers it: thinned for the zoom, names as text. `others` are the names on the alternative. */
export function presentDrive(drive: Drive, roads: Roads, zoom: number, others: ReadonlySet<number> = new Set()): Route {
  const last = drive.lat.length - 1;
  const fixed = Uint32Array.from([0, ...drive.via, ...drive.rows.map((row) => row.vertex), last]).sort();
  const keep = simplify(drive.lat, drive.lon, fixed, zoom);
  const position = new Uint32Array(drive.lat.length);
  const geometry: [number, number][] = [];
  for (let i = 0; i <= last; i++) {
    position[i] = geometry.length;
    if (keep[i]) geometry.push([drive.lat[i]! / 1e6, drive.lon[i]! / 1e6]);
  }
  return {
    time: drive.time / 10,
    distance: drive.distance,
    geometry,
    steps: drive.rows.map((row) => presentRow(row, roads, position)),
    viaIndices: drive.via.map((vertex) => position[vertex]!),
    names: mainNames(drive.rows, others).map((name) => roads.nameText(name)) as [string, string],
    start: roads.nameText(drive.startName),
    end: roads.nameText(drive.endName),
    closures: [],
  };
}

function presentRow(row: Row, roads: Roads, position: Uint32Array): RouteStep {
  return {
    code: row.code,
    name: roads.nameText(row.name),
    distance: row.distance,
    time: row.time / 10,
    position: position[row.vertex]!,
    compass: compassName(row.bearing),
    bearing: Math.round(row.bearing),
    mode: row.mode,
  };
}

/** The road with the longest stretch and the longest other one that the alternative has not, in the order of travel; name 0 where there is none. */
function mainNames(rows: readonly Row[], others: ReadonlySet<number>): [number, number] {
  const longest = (fits: (row: Row) => boolean): Row | undefined =>
    rows.reduce<Row | undefined>((best, row) => (row.name !== 0 && fits(row) && (!best || row.distance > best.distance) ? row : best), undefined);
  const first = longest(() => true);
  const second = longest((row) => row.name !== first?.name && !others.has(row.name));
  if (!first || !second) return [first?.name ?? 0, 0];
  return first.vertex <= second.vertex ? [first.name, second.name] : [second.name, first.name];
}
