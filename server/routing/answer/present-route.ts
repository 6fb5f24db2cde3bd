import type { Roads } from '../../territory/roads/index.ts';
import { compassName } from './compass.ts';
import type { Route, RouteStep } from '../types.ts';
import type { Row } from './drive.ts';
import type { FoundDrive } from './route-result.ts';

/** A drive as the planner answers it: numbers in the units of the door, names as text. */
export function presentDrive({ drive, names, closures, notes }: FoundDrive, roads: Roads): Route {
  const { lat, lon } = drive;
  return {
    time: drive.time / 10,
    distance: drive.distance,
    geometry: Array.from(lat, (value, i) => [value / 1e6, lon[i]! / 1e6]),
    steps: drive.rows.map((row) => presentRow(row, roads)),
    viaIndices: drive.via,
    names: [roads.nameText(names[0]), roads.nameText(names[1])],
    start: roads.nameText(drive.startName),
    end: roads.nameText(drive.endName),
    closures,
    notes,
  };
}

function presentRow(row: Row, roads: Roads): RouteStep {
  return {
    code: row.code,
    name: roads.nameText(row.name),
    distance: row.distance,
    time: row.time / 10,
    position: row.vertex,
    compass: compassName(row.bearing),
    bearing: Math.round(row.bearing),
    mode: row.mode,
  };
}
