import { bearingMicro } from '../../territory/roads/reading.ts';
import type { Roads } from '../../territory/roads/reading.ts';
import { encodeLine } from '../answer/polyline.ts';
import { simplify } from '../answer/simplify.ts';
import type { IncomingArcs } from '../graph/incoming-arcs.ts';
import { encodeHint } from '../snapping/hints.ts';
import type { RoadPoint } from '../snapping/snapper.ts';
import { DrivingSides, type DrivingSide } from './driving-side.ts';
import { intersectionAt, wholeBearing } from './intersections.ts';
import { StepFinder, type TracedStep } from './steps.ts';
import type { Crossing, TracedLeg } from './trace-leg.ts';
import type { Annotation, DirectionsForm } from '../types.ts';

const MODES: Readonly<Record<number, string>> = { 2: 'ferry', 3: 'driving', 5: 'pushing bike', 6: 'pushing bike' };
const DRIVEN_ON: Readonly<Record<string, string>> = { foot: 'walking' };

/** Pixels of a map on a screen, for the simplified overview. */
const SCREEN = 512;

type Json = Record<string, unknown>;

/** Presents traced legs as OSRM 5 does: seconds, metres, longitude first. */
export class DirectionsPresenter {
  readonly #roads: Roads;
  readonly #incoming: IncomingArcs;
  readonly #steps: StepFinder;
  readonly #sides: DrivingSides;

  constructor(roads: Roads, incoming: IncomingArcs) {
    this.#roads = roads;
    this.#incoming = incoming;
    this.#steps = new StepFinder(roads, incoming);
    this.#sides = new DrivingSides(roads);
  }

  waypoint(place: RoadPoint, { hints }: Pick<DirectionsForm, 'hints'>): Json {
    return {
      ...(hints && { hint: encodeHint(place, this.#roads) }),
      distance: tenth(place.distance),
      name: this.#roads.name(place.segment),
      location: position(place.lat, place.lon),
    };
  }

  route(legs: readonly TracedLeg[], form: DirectionsForm): Json {
    const seconds = sum(legs.map(({ time }) => time)) / 10;
    return {
      distance: tenth(sum(legs.flatMap(({ metres }) => metres))),
      duration: seconds,
      weight: seconds,
      weight_name: 'duration',
      ...(form.overview !== 'false' && { geometry: this.#overview(legs, form) }),
      legs: legs.map((leg) => this.#leg(leg, form)),
    };
  }

  #overview(legs: readonly TracedLeg[], form: DirectionsForm): unknown {
    const lat = legs.flatMap((leg, i) => (i === 0 ? leg.lat : leg.lat.slice(1)));
    const lon = legs.flatMap((leg, i) => (i === 0 ? leg.lon : leg.lon.slice(1)));
    if (form.overview === 'full') return line(lat, lon, 0, lat.length - 1, form);
    const keep = new Uint8Array(lat.length);
    keep[0] = keep[lat.length - 1] = 1;
    simplify(lat, lon, keep, zoomOf(lat, lon));
    const kept = [...keep.keys()].filter((i) => keep[i] === 1);
    const [lats, lons] = [kept.map((i) => lat[i]!), kept.map((i) => lon[i]!)];
    return line(lats, lons, 0, lats.length - 1, form);
  }

  #leg(leg: TracedLeg, form: DirectionsForm): Json {
    const seconds = leg.time / 10;
    const steps = form.steps ? this.#steps.stepsOf(leg) : [];
    const side = form.steps ? this.#sides.at(leg.lat[0]!, leg.lon[0]!) : 'right';
    return {
      steps: steps.map((step, i) => this.#step(step, leg, side, form, i > 0 ? steps[i - 1] : undefined)),
      weight: seconds,
      distance: tenth(sum(leg.metres)),
      summary: this.#summary(steps, leg),
      duration: seconds,
      ...(form.annotations.length > 0 && { annotation: annotationOf(leg, form.annotations) }),
    };
  }

  /** The two longest named roads, in the order of travel. */
  #summary(steps: readonly TracedStep[], { metres }: TracedLeg): string {
    const lengths = new Map<number, number>();
    for (const { arc, vertex, end } of steps) {
      const name = this.#roads.columns.segmentName[arc >> 1]!;
      if (name !== 0) lengths.set(name, (lengths.get(name) ?? 0) + sum(metres.slice(vertex, end)));
    }
    const longest = [...lengths].sort(([, one], [, other]) => other - one).slice(0, 2);
    return [...lengths.keys()]
      .filter((name) => longest.some(([chosen]) => chosen === name))
      .map((name) => this.#roads.nameText(name))
      .join(', ');
  }

  #step(
    step: TracedStep,
    leg: TracedLeg,
    side: DrivingSide,
    form: DirectionsForm,
    before: TracedStep | undefined,
  ): Json {
    const { vertex, end, exit, rotary, type, modifier } = step;
    const seconds = (leg.elapsed[end]! - leg.elapsed[vertex]!) / 10;
    const [into, outOf] = [bearingInto(leg, vertex), type === 'arrive' ? 0 : bearingOutOf(leg, vertex)];
    return {
      geometry: line(leg.lat, leg.lon, vertex, end, form),
      maneuver: {
        bearing_after: outOf,
        bearing_before: before ? into : 0,
        location: position(leg.lat[vertex]!, leg.lon[vertex]!),
        ...(modifier !== undefined && { modifier }),
        type,
        ...(exit !== undefined && { exit }),
      },
      mode: MODES[step.mode] ?? DRIVEN_ON[this.#roads.facts.profile] ?? 'driving',
      driving_side: side,
      name: this.#roads.nameText(step.name),
      ...(rotary !== undefined && { rotary_name: this.#roads.nameText(rotary) }),
      intersections: this.#intersections(step, leg),
      weight: seconds,
      duration: seconds,
      distance: tenth(sum(leg.metres.slice(vertex, end))),
    };
  }

  #intersections({ type, vertex, crossings }: TracedStep, leg: TracedLeg): Json[] {
    const here = position(leg.lat[vertex]!, leg.lon[vertex]!);
    if (type === 'arrive') {
      const back = (bearingInto(leg, vertex) + 180) % 360;
      return [{ in: 0, entry: [true], bearings: [back], location: here }];
    }
    const all: Json[] = [];
    if (type === 'depart') all.push({ out: 0, entry: [true], bearings: [bearingOutOf(leg, vertex)], location: here });
    for (const crossing of crossings) {
      const shown = this.#intersection(crossing, leg, crossing.vertex === vertex && type !== 'depart');
      if (shown) all.push(shown);
    }
    return all;
  }

  /** Undefined for a node where no other road leads away, unless the step begins there. */
  #intersection(crossing: Crossing, leg: TracedLeg, isManeuver: boolean): Json | undefined {
    const location = position(leg.lat[crossing.vertex]!, leg.lon[crossing.vertex]!);
    if (this.#roads.head(crossing.from) !== this.#roads.tail(crossing.onto)) {
      const bearing = bearingOutOf(leg, crossing.vertex);
      return { in: 0, out: 0, entry: [true], bearings: [bearing], location };
    }
    const { roads, in: arriving, out } = intersectionAt(crossing, this.#roads, this.#incoming);
    if (roads.length <= 2 && !isManeuver) return undefined;
    return {
      in: arriving,
      out,
      entry: roads.map(({ entry }, i) => entry || i === out),
      bearings: roads.map(({ bearing }) => bearing),
      location,
    };
  }
}

function annotationOf(leg: TracedLeg, wanted: readonly Annotation[]): Json {
  const all: Readonly<Record<Annotation, () => number[]>> = {
    duration: () => leg.tenths.map((tenths) => tenths / 10),
    distance: () => leg.metres.map((metres) => Math.round(metres * 1e3) / 1e3),
    speed: () => leg.metres.map((metres, i) => (leg.tenths[i]! > 0 ? tenth((metres / leg.tenths[i]!) * 10) : 0)),
    weight: () => leg.tenths.map((tenths) => tenths / 10),
    datasources: () => leg.metres.map(() => 0),
  };
  return {
    ...Object.fromEntries(wanted.map((name) => [name, all[name]()])),
    ...(wanted.includes('datasources') && { metadata: { datasource_names: ['roads'] } }),
  };
}

/** Bearing of the first piece with a length from a vertex on. */
function bearingOutOf({ lat, lon, metres }: TracedLeg, vertex: number): number {
  for (let i = vertex; i < metres.length; i++)
    if (metres[i]! > 0) return wholeBearing(bearingMicro(lon[i]!, lat[i]!, lon[i + 1]!, lat[i + 1]!));
  return 0;
}

function bearingInto({ lat, lon, metres }: TracedLeg, vertex: number): number {
  for (let i = vertex - 1; i >= 0; i--)
    if (metres[i]! > 0) return wholeBearing(bearingMicro(lon[i]!, lat[i]!, lon[i + 1]!, lat[i + 1]!));
  return 0;
}

/** A part of a line; one point alone is doubled, since a line has two. */
function line(
  lat: readonly number[],
  lon: readonly number[],
  from: number,
  to: number,
  { geometries }: Pick<DirectionsForm, 'geometries'>,
): unknown {
  const indexes = from === to ? [from, from] : Array.from({ length: to - from + 1 }, (_, i) => from + i);
  if (geometries === 'geojson')
    return { type: 'LineString', coordinates: indexes.map((i) => position(lat[i]!, lon[i]!)) };
  const unit = geometries === 'polyline' ? 10 : 1;
  return encodeLine(
    Int32Array.from(indexes, (i) => Math.round(lat[i]! / unit)),
    Int32Array.from(indexes, (i) => Math.round(lon[i]! / unit)),
  );
}

/** The zoom at which a line fills a screen. */
function zoomOf(lat: readonly number[], lon: readonly number[]): number {
  let [south, north, west, east] = [Infinity, -Infinity, Infinity, -Infinity];
  for (let i = 0; i < lat.length; i++) {
    south = Math.min(south, lat[i]!);
    north = Math.max(north, lat[i]!);
    west = Math.min(west, lon[i]!);
    east = Math.max(east, lon[i]!);
  }
  const degrees = Math.max(north - south, east - west, 1) / 1e6;
  return Math.max(0, Math.min(18, Math.floor(Math.log2((360 / degrees) * (SCREEN / 256)))));
}

function position(lat: number, lon: number): [lon: number, lat: number] {
  return [lon / 1e6, lat / 1e6];
}

function tenth(value: number): number {
  return Math.round(value * 10) / 10;
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
