import { UNREACHABLE, type OffMapPoint, type Table } from '../types.ts';
import { TrackMatcher, type MatchedChain } from '../matching/match-track.ts';
import type { IncomingArcs } from '../graph/incoming-arcs.ts';
import type { Roads } from '../../territory/roads/reading.ts';
import type { Trip, TripLeg } from '../search/find-trip.ts';
import type { SnappedPosition, SnappedPositions } from '../snapping/snapped-positions.ts';
import { flatDistance, type RoadPoint } from '../snapping/snapper.ts';
import { notOnMap } from '../answer/not-on-map.ts';
import { DirectionsPresenter } from './present-directions.ts';
import { traceLeg, type TracedLeg } from './trace-leg.ts';
import type { DirectionsAnswer, DirectionsFailure, DirectionsForm, MatchRequest } from '../types.ts';

const utf8 = new TextEncoder();

/** Metres between positions that are next to each other. */
const NEXT_TO = 5;
/** m/s of a track without times: slow enough that no road between two positions is too long. */
const SLOWLY = 8;

/** Encodes what the router found in the dialect of OSRM 5. */
export class Directions {
  readonly #roads: Roads;
  readonly #presenter: DirectionsPresenter;
  #matcher: TrackMatcher | undefined;

  constructor(roads: Roads, incoming: IncomingArcs) {
    this.#roads = roads;
    this.#presenter = new DirectionsPresenter(roads, incoming);
  }

  /** `legsAt`: the points at which legs begin or end. */
  routes(
    trips: readonly Trip[],
    places: readonly RoadPoint[],
    legsAt: readonly number[],
    positions: SnappedPositions,
    form: DirectionsForm,
  ): DirectionsAnswer {
    return encode({
      code: 'Ok',
      routes: trips.map((trip) => this.#route(trip.legs, places, legsAt, positions, form)),
      ...(form.waypoints && { waypoints: legsAt.map((i) => this.#presenter.waypoint(places[i]!, form)) }),
    });
  }

  /** `order` lists the points in the order of the trip. */
  trip(
    trip: Trip,
    all: readonly RoadPoint[],
    order: readonly number[],
    positions: SnappedPositions,
    form: DirectionsForm,
  ): DirectionsAnswer {
    // A round has one leg more than an open trip.
    const stops = trip.legs.map((_, i) => all[order[i]!]!);
    const places = [...stops, all[order[trip.legs.length % order.length]!]!];
    return encode({
      code: 'Ok',
      trips: [this.#route(trip.legs, places, [...places.keys()], positions, form)],
      ...(form.waypoints && {
        waypoints: all.map((place, i) => ({
          ...this.#presenter.waypoint(place, form),
          trips_index: 0,
          waypoint_index: order.indexOf(i),
        })),
      }),
    });
  }

  table(table: Table, wanted: { durations: boolean; distances: boolean }, form: DirectionsForm): DirectionsAnswer {
    const { rows, columns, snappedSources, snappedTargets } = table;
    const matrix = (cells: Int32Array, unit: number): (number | null)[][] =>
      Array.from({ length: rows }, (_, row) =>
        Array.from(cells.subarray(row * columns, (row + 1) * columns), (cell) =>
          cell === UNREACHABLE ? null : cell / unit,
        ),
      );
    const shown = (points: Table['snappedSources']): object[] =>
      points.map(({ lat, lon, name, distance, hint }) => ({
        ...(form.hints && { hint }),
        distance: Math.round(distance * 10) / 10,
        name,
        location: [lon, lat],
      }));
    return encode({
      code: 'Ok',
      ...(wanted.durations && { durations: matrix(table.times, 10) }),
      ...(wanted.distances && { distances: matrix(table.distances, 1) }),
      ...(form.waypoints && { sources: shown(snappedSources), destinations: shown(snappedTargets) }),
    });
  }

  /** Matches a track; yields between its stretches. */
  *match(
    { points, ignoreGaps, tidy, legsAt }: MatchRequest,
    positions: SnappedPositions,
    form: DirectionsForm,
  ): Generator<undefined, DirectionsAnswer> {
    const kept = tidy ? tidied(points) : [...points.keys()];
    const times = timesOf(points);
    const fixes = kept.map((i) => {
      const { lat, lon, heading, accuracy } = points[i]!;
      return { time: times[i]!, lat, lon, course: heading?.degrees, accuracy };
    });
    yield;
    this.#matcher ??= new TrackMatcher(this.#roads);
    const chains = yield* this.#matcher.chains(fixes, ignoreGaps);
    const matchings: object[] = [];
    const tracepoints: (object | null)[] = points.map(() => null);
    for (const chain of chains) {
      if (chain.points.length < 2) continue;
      const places = chain.points.map(({ place }) => place);
      const inputs = chain.points.map(({ fix }) => kept[fix]!);
      const ends = inputs.flatMap((input, i) =>
        i === 0 || i === inputs.length - 1 || !legsAt || legsAt.includes(input) ? [i] : [],
      );
      chain.points.forEach(({ place, roads }, i) => {
        const leg = ends.indexOf(i);
        tracepoints[inputs[i]!] = {
          ...this.#presenter.waypoint(place, form),
          matchings_index: matchings.length,
          waypoint_index: leg < 0 ? null : leg,
          alternatives_count: roads - 1,
        };
      });
      const legs = this.#legsOf(chain, positions);
      matchings.push({
        ...this.#route(legs, places, ends, positions, form),
        confidence: Math.round(chain.confidence * 1e4) / 1e4,
      });
      yield;
    }
    if (matchings.length === 0) return { code: 'NoMatch', message: 'Could not match the trace.' };
    return encode({ code: 'Ok', matchings, ...(form.waypoints && { tracepoints }) });
  }

  #legsOf({ points, arcs }: MatchedChain, positions: SnappedPositions): TripLeg[] {
    return arcs.map((way, i) => {
      const [from, to] = [points[i]!, points[i + 1]!];
      // On one arc a position may fall back a little.
      const start = i > 0 && way.length === 1 ? Math.min(from.at, to.at) : from.at;
      const end = way.length === 1 ? Math.max(start, to.at) : to.at;
      const at = (arc: number, at: number): SnappedPosition => ({ arc, at, cost: 0, delay: 0, isClosed: false });
      return {
        from: at(from.arc, start),
        to: at(to.arc, end),
        arcs: way,
        cost: way.length === 1 ? positions.costBetween(to.arc, start, end) : 0,
      };
    });
  }

  #route(
    legs: readonly TripLeg[],
    places: readonly RoadPoint[],
    legsAt: readonly number[],
    positions: SnappedPositions,
    form: DirectionsForm,
  ): Record<string, unknown> {
    const traced: TracedLeg[] = [];
    for (let i = 1; i < legsAt.length; i++) {
      const [from, to] = [legsAt[i - 1]!, legsAt[i]!];
      traced.push(traceLeg(legs.slice(from, to), places.slice(from, to + 1), this.#roads, positions));
    }
    return this.#presenter.route(traced, form);
  }
}

/** The failure of a query with a point without a road. */
export function noSegment(offMap: OffMapPoint | undefined, index: number): DirectionsFailure {
  const sentence = offMap ? `. ${notOnMap(offMap)}` : '';
  return { code: 'NoSegment', message: `Could not find a matching segment for coordinate ${index}${sentence}` };
}

function encode(value: object): Uint8Array<ArrayBuffer> {
  return utf8.encode(JSON.stringify(value));
}

/** Epoch ms: strictly ascending. Without times, as of a slow vehicle. */
function timesOf(points: MatchRequest['points']): number[] {
  const times: number[] = [];
  points.forEach(({ lat, lon, time }, i) => {
    const before = points[i - 1];
    if (!before) times.push((time ?? 0) * 1000);
    else if (time !== undefined) times.push(Math.max(time * 1000, times[i - 1]! + 1));
    else times.push(times[i - 1]! + (metresApart(before, { lat, lon }) / SLOWLY) * 1000 + 1000);
  });
  return times;
}

/** Indexes of the points that are not next to the last one kept; the last point stays. */
function tidied(points: MatchRequest['points']): number[] {
  const kept = [0];
  for (let i = 1; i < points.length; i++)
    if (i === points.length - 1 || metresApart(points[kept.at(-1)!]!, points[i]!) > NEXT_TO) kept.push(i);
  return kept;
}

function metresApart(a: { lat: number; lon: number }, b: { lat: number; lon: number }): number {
  return flatDistance(a.lat * 1e6, a.lon * 1e6, b.lat * 1e6, b.lon * 1e6);
}
