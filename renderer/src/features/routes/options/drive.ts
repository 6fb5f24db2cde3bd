import { airDistance } from '../../../../../shared/geo/geometry.ts';
import type { Client } from '../../../lib/api/client.ts';
import { decodePolyline } from '../../../map/polyline.ts';
import { readSteps, type InstructionStep } from '../plan/instructions.ts';
import type { StopPlace } from '../plan/stops.ts';

/** One way through all stops. */
export interface PlannedDrive {
  readonly points: readonly (readonly [lat: number, lon: number])[];
  /** seconds */
  readonly time: number;
  /** metres */
  readonly distance: number;
  readonly steps: readonly InstructionStep[];
  /** The two roads that tell it from another way; empty for unnamed ones. */
  readonly names: readonly string[];
  /** Vertices of the stops in `points`. */
  readonly viaIndices: readonly number[];
  /** Ids of the closures that changed it. */
  readonly closures: readonly number[];
  /** Posted limits that cannot be parsed, which the route may avoid; of the best route only. */
  readonly unreadLimits?: readonly UnreadLimit[];
}

interface UnreadLimit {
  /** `maxheight=…` */
  readonly tag: string;
  /** Of the road; empty if it has no name. */
  readonly name: string;
}

export interface DriveQuestion {
  readonly places: readonly StopPlace[];
  readonly profile: string;
  /** The state of the closures at the time of the question; undefined: not known yet. */
  readonly closureVersion?: ReadonlySet<string> | undefined;
}

export interface DriveAnswer {
  readonly question: DriveQuestion;
  /** The best first; empty: there is no way. */
  readonly drives: readonly PlannedDrive[];
  /** The stops as the station has put them on roads, in their order; empty where there is no way. */
  readonly onRoads: readonly { readonly lat: number; readonly lon: number }[];
  /** The stop that lies too far from every road, by its place in the question. */
  readonly offMap?: number | undefined;
  /** Stops that lie off the road, by their place in the question, with the metres to it. */
  readonly offRoad: readonly { readonly index: number; readonly metres: number }[];
}

/** From this distance on, a stop counts as off the road: wider than any street, narrower than a yard. */
const OFF_ROAD_M = 60;

type Summary = { readonly total_time: number; readonly total_distance: number };
type InstructionRow = readonly (string | number)[];
interface ViarouteAnswer {
  readonly status: number;
  readonly status_message?: string;
  readonly route_geometry: string;
  readonly route_instructions: readonly InstructionRow[];
  readonly route_summary: Summary;
  readonly route_name: readonly string[];
  readonly via_points: readonly (readonly [number, number])[];
  readonly via_indices: readonly number[];
  readonly closures?: readonly number[];
  readonly notes?: readonly ({ readonly kind: string } & UnreadLimit)[];
  readonly alternative_geometries?: readonly string[];
  readonly alternative_instructions?: readonly (readonly InstructionRow[])[];
  readonly alternative_summaries?: readonly Summary[];
  readonly alternative_names?: readonly (readonly string[])[];
  readonly alternative_indices?: readonly number[];
  readonly alternative_closures?: readonly (readonly number[])[];
}
const FOUND = 0;

/** The address of a question in area C's own grammar. */
export function viarouteAddress({ places, profile }: DriveQuestion, options = 'instructions=true&alt=true'): string {
  const points = places.map(({ lat, lon }) => `loc=${lat.toFixed(6)},${lon.toFixed(6)}`).join('&');
  return `/viaroute?${points}&${options}${profile ? `&profile=${profile}` : ''}`;
}

/** Which of its points an answer of area C calls farther from every road than the station allows. */
export function offMapPoint({ status_message: said = '' }: { readonly status_message?: string }): number | undefined {
  const point = /^Point (\d+) is not on this map/.exec(said)?.[1];
  return point === undefined ? undefined : Number(point) - 1;
}

export async function fetchDrive(client: Client, question: DriveQuestion): Promise<DriveAnswer> {
  return readDrives(question, await client.ask<ViarouteAnswer>(viarouteAddress(question)));
}

export function readDrives(question: DriveQuestion, answer: ViarouteAnswer): DriveAnswer {
  if (answer.status !== FOUND) return { question, drives: [], onRoads: [], offRoad: [], offMap: offMapPoint(answer) };
  const main: PlannedDrive = {
    points: decodePolyline(answer.route_geometry),
    time: answer.route_summary.total_time,
    distance: answer.route_summary.total_distance,
    steps: readSteps(answer.route_instructions),
    names: answer.route_name,
    viaIndices: answer.via_indices,
    closures: answer.closures ?? [],
    ...(answer.notes && { unreadLimits: answer.notes.filter(({ kind }) => kind === 'unreadable-limit') }),
  };
  const others = (answer.alternative_geometries ?? []).map((geometry, index): PlannedDrive => {
    const points = decodePolyline(geometry);
    return {
      points,
      time: answer.alternative_summaries![index]!.total_time,
      distance: answer.alternative_summaries![index]!.total_distance,
      steps: readSteps(answer.alternative_instructions?.[index] ?? []),
      names: answer.alternative_names?.[index] ?? [],
      viaIndices: [0, points.length - 1],
      closures: answer.alternative_closures?.[index] ?? [],
    };
  });
  const onRoads = answer.via_points.map(([lat, lon]) => ({ lat, lon }));
  const offRoad = onRoads
    .map((place, index) => ({ index, metres: airDistance(place, question.places[index]!) }))
    .filter(({ metres }) => metres > OFF_ROAD_M);
  return { question, drives: [main, ...others], onRoads, offRoad };
}

/**
 * Seconds from the start to each stop. Time that the steps leave out, such as on roundabouts, is divided over
 * the legs in proportion to their time.
 */
export function driveArrivals({ steps, time }: PlannedDrive): readonly number[] {
  const legs: number[] = [];
  let running = 0;
  for (const step of steps) {
    if (step.turn === 'via' || step.turn === 'arrived') legs.push(running);
    running += step.seconds;
  }
  const total = legs.at(-1) ?? 0;
  return legs.map((at) => (total > 0 ? (at / total) * time : time));
}
