import type { Roads } from '../../territory/roads/reading.ts';
import { compassName } from './compass.ts';
import type { Route, RouteStep } from '../types.ts';
import type { Instruction } from './trip-drawer.ts';
import type { ResultRoute } from './route-result.ts';

/** Converts a result route to the planner's answer: its units, names as text. */
export function presentRoute({ drawn, names, closures, notes }: ResultRoute, roads: Roads): Route {
  const { lat, lon } = drawn;
  return {
    time: drawn.time / 10,
    distance: drawn.distance,
    geometry: Array.from(lat, (value, i) => [value / 1e6, lon[i]! / 1e6]),
    steps: drawn.instructions.map((instruction) => presentStep(instruction, roads)),
    viaIndices: drawn.via,
    names: [roads.nameText(names[0]), roads.nameText(names[1])],
    start: roads.nameText(drawn.startName),
    end: roads.nameText(drawn.endName),
    closures,
    notes,
  };
}

function presentStep(instruction: Instruction, roads: Roads): RouteStep {
  return {
    code: instruction.code,
    name: roads.nameText(instruction.name),
    distance: instruction.distance,
    time: instruction.time / 10,
    position: instruction.vertex,
    compass: compassName(instruction.bearing),
    bearing: Math.round(instruction.bearing),
    mode: instruction.mode,
  };
}
