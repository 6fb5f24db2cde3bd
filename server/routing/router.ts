import type { Feature, LineString } from 'geojson';
import { Refusal } from '../../shared/refusal.ts';
import { STARTABLE } from '../territory/roads/index.ts';
import type { Roads } from '../territory/roads/index.ts';
import type { Point, RouteAnswer, RouteRequest, Snapped, Table, TableRequest } from './door.ts';
import { UNREACHABLE } from './door.ts';
import type { Engine } from './engine.ts';
import { drawTrip } from './drive.ts';
import type { Drive } from './drive.ts';
import { findTrip } from './find-trip.ts';
import type { Trip } from './find-trip.ts';
import { hintOf, placeOfHint } from './hints.ts';
import type { Costs } from './metric.ts';
import { Network } from './network.ts';
import { Passages } from './passages.ts';
import { presentDrive } from './present-drive.ts';
import { roadFeature } from './road-feature.ts';
import type { Place } from './snap.ts';
import { Snapper } from './snap.ts';
import { makeTable } from './table.ts';

type AskedPoint = Point & { hint?: string };

const FINEST = 18;
/** A zoom beyond all: nothing is thinned. */
const EVERYTHING = Infinity;

/** Answers questions about one set of roads at one set of costs, at once, in the thread that asks. The planner keeps it in a worker. */
export class Router {
  readonly #roads: Roads;
  readonly #costs: Costs;
  readonly #network: Network;
  readonly #snapper: Snapper;
  readonly #passages: Passages;
  readonly #engine: Engine;

  constructor(roads: Roads, engine: Engine) {
    const { costs } = engine.metric;
    this.#roads = roads;
    this.#costs = costs;
    this.#engine = engine;
    this.#network = new Network(roads);
    this.#snapper = new Snapper(roads);
    this.#passages = new Passages(roads, costs, (node) => this.#network.arcsAt(node));
  }

  get checksum(): number {
    return this.#roads.checksum;
  }

  locate(point: Point): Point | undefined {
    const node = this.#snapper.nearestNode(micro(point.lat), micro(point.lon));
    if (node === undefined) return undefined;
    const { nodeLat, nodeLon } = this.#roads.columns;
    return { lat: nodeLat[node]! / 1e6, lon: nodeLon[node]! / 1e6 };
  }

  nearest(point: Point, count = 1, profile?: string): Snapped[] {
    this.#demandProfile(profile);
    return this.#snapper.nearest(micro(point.lat), micro(point.lon), count).map((place) => this.#snapped(place));
  }

  route(request: RouteRequest): RouteAnswer {
    this.#demandProfile(request.profile);
    const places = this.#places(request.points, request.checksum);
    if (!places) return { route: undefined, alternative: undefined, snapped: [], checksum: this.checksum };
    const trip = this.#trip(places);
    const zoom = request.unthinned ? EVERYTHING : (request.z ?? FINEST);
    const answer: RouteAnswer = { route: undefined, alternative: undefined, snapped: places.map((place) => this.#snapped(place)), checksum: this.checksum };
    if (!trip) return answer;
    answer.route = presentDrive(this.#draw(trip, places), this.#roads, zoom);
    return answer;
  }

  table(request: TableRequest): Table {
    this.#demandProfile(request.profile);
    const all = this.#places([...request.sources, ...request.targets], request.checksum);
    const rows = request.sources.length;
    const columns = request.targets.length;
    if (!all) {
      const times = new Int32Array(rows * columns).fill(UNREACHABLE);
      return { times, distances: request.distances === false ? new Int32Array(0) : times.slice(), rows, columns, snappedSources: [], snappedTargets: [], checksum: this.checksum };
    }
    const sources = all.slice(0, rows);
    const targets = all.slice(rows);
    const { times, distances } = makeTable({ sources, targets, distances: request.distances !== false }, this.#roads, this.#engine, this.#passages, (from, to) => {
      const trip = this.#trip([from, to]);
      return trip && { trip, metres: this.#draw(trip, [from, to]).distance };
    });
    return {
      times, distances, rows, columns,
      snappedSources: sources.map((place) => this.#snapped(place)),
      snappedTargets: targets.map((place) => this.#snapped(place)),
      checksum: this.checksum,
    };
  }

  /** Roads that touch a box (degrees: west, south, east, north) as lines, the first `limit` of them. */
  roads([west, south, east, north]: readonly [number, number, number, number], limit: number): Feature<LineString>[] {
    return this.#snapper.within(micro(south), micro(west), micro(north), micro(east), limit).map((segment) => roadFeature(this.#roads, segment));
  }

  #demandProfile(name: string | undefined): void {
    if (name !== undefined && name !== this.#roads.facts.profile) throw new Refusal('invalid', `There is no vehicle profile ${name}.`);
  }

  #trip(places: readonly Place[]): Trip | undefined {
    return findTrip(places, this.#roads, this.#costs, this.#passages, this.#engine);
  }

  #draw(trip: Trip, places: readonly Place[]): Drive {
    return drawTrip(trip, places, this.#roads, this.#costs, this.#network.joined);
  }

  /**
   * Puts points on roads. Who stands in a small part of the network, from which there is no way out and back, is moved to the big one, unless
   * everybody stands in the same small part. Undefined when there is no road at all.
   */
  #places(points: readonly AskedPoint[], checksum: number | undefined): Place[] | undefined {
    const hinted = checksum === undefined || checksum === this.checksum;
    const { segmentComponent, segmentFlags } = this.#roads.columns;
    const candidates: { any: Place; big: Place | undefined }[] = [];
    for (const point of points) {
      const known = hinted && point.hint !== undefined ? placeOfHint(point.hint, this.#roads) : undefined;
      const found = known && segmentFlags[known.segment]! & STARTABLE ? { any: known, big: known } : this.#snapper.candidates(micro(point.lat), micro(point.lon));
      if (!found) return undefined;
      candidates.push(found);
    }
    const home = segmentComponent[candidates[0]!.any.segment];
    const together = candidates.every(({ any }) => segmentComponent[any.segment] === home);
    return candidates.map(({ any, big }) => (together ? any : (big ?? any)));
  }

  #snapped(place: Place): Snapped {
    return {
      lat: place.lat / 1e6,
      lon: place.lon / 1e6,
      name: this.#roads.name(place.segment),
      distance: place.distance,
      hint: hintOf(place, this.#roads),
    };
  }
}

/** Cut off towards zero; the little more keeps 1.000899 from becoming 1.000898. */
function micro(degrees: number): number {
  return Math.trunc(degrees * 1e6 + Math.sign(degrees) * 1e-4);
}

