import type { Feature, LineString } from 'geojson';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ZonedTime } from '../../shared/zoned-time.ts';
import {
  CLOSED,
  TrackMatcher,
  freeFlowCosts,
  learnedArcCost,
  type MatchedStretch,
  type LearnedSpeeds,
  type TrackFix,
} from '../routing/index.ts';
import { TrackFile } from '../telemetry/index.ts';
import { Roads, STARTABLE, car, roadsFile } from '../territory/roads/index.ts';
import { ArcKeys } from './arc-keys.ts';
import { DriveCutter, GAP } from './cut-track.ts';
import { HOURS, hourOfWeek } from './hours.ts';
import { LearnedRoads } from './learned-roads.ts';
import { TraversalStore, type Traversal, type TimedDrive } from './traversal-store.ts';

const DAY = 86_400_000;
/**
 * Points that come later than this are not learned from any more; up to then it is known whose passages are
 * whose, and after that it is forgotten.
 */
export const LATE = 8 * DAY;
/** Passages count so long. */
export const KEPT = 180 * DAY;
/** How far before a late point the beginning of its drive is looked for, ms. */
const LOOK_BACK = 2 * 3_600_000;
/** A vehicle that has not been heard of for so long has ended its drive, ms. */
const SILENT = 15 * 60_000;
/** m/s; a passage that is quicker is a mistake. */
const FASTEST = 70;
/** Drives that are shorter say nothing about estimates: metres, tenths of a second. */
const SHORTEST = 500;
const QUICKEST = 600;
/** Passages that are made nobody's before others get a turn. */
const BATCH = 2_000;

/** A vehicle to learn from, and the oldest of its points that have come since it was last told. */
export interface TrackUpdate {
  readonly vehicle: number;
  readonly from: number;
}

export interface Coverage {
  /** Metres of all roads that a car may drive, each direction for itself. */
  readonly metres: number;
  /** Of these, where anything was learned. */
  readonly knownMetres: number;
  /** By hour of the week: metres with enough passages in this very hour, and how many passages those are. */
  readonly hours: readonly { readonly metres: number; readonly passages: number }[];
}

export interface Effect {
  /**
   * Drives, and those of them of which half or more went over roads on which something had been learned
   * before.
   */
  readonly drives: number;
  readonly judged: number;
  /** Of the judged ones: metres, what they took, and the mean absolute errors of both estimates, seconds. */
  readonly metres: number;
  readonly meanTook: number;
  readonly usualError: number;
  readonly learnedError: number;
}

interface OpenTerritory {
  readonly roads: Roads;
  readonly freeFlow: Int32Array;
  readonly keys: ArcKeys;
  readonly matcher: TrackMatcher;
  readonly learned: LearnedRoads;
  /** Metres of all arcs that may be driven. */
  readonly metres: number;
}

/**
 * Learns what driving takes from tracks: cuts them into drives, finds the roads of these, and keeps how long
 * each was driven on. Works at once, in the thread that asks; what may take long is done in steps.
 */
export class Learner {
  readonly #tracks: TrackFile;
  readonly #traversals: TraversalStore;
  readonly #zone: ZonedTime;
  readonly #reading = new Map<number, TrackReading>();
  /** Roads of which passages came or went since they were last summed up. */
  readonly #changed = new Set<number>();
  #opened: OpenTerritory | undefined;

  constructor({ tracks, book, zone }: { tracks: string; book: string; zone: ZonedTime }) {
    this.#tracks = new TrackFile(tracks);
    this.#traversals = new TraversalStore(book);
    this.#zone = zone;
  }

  /**
   * Goes over to other roads. What was learned on those that are still the same stays. Undefined: no
   * territory.
   */
  open(directory: string | undefined): void {
    this.#opened = undefined;
    this.#reading.clear();
    this.#changed.clear();
    if (directory === undefined) return;
    const roads = Roads.from(new Uint8Array(readFileSync(join(directory, roadsFile(car.name)))).buffer);
    const freeFlow = freeFlowCosts(roads).arc;
    let metres = 0;
    for (let arc = 0; arc < roads.arcs; arc++) if (isDriven(roads, freeFlow, arc)) metres += roads.arcMetres[arc]!;
    const opened = {
      roads,
      freeFlow,
      keys: new ArcKeys(roads),
      matcher: new TrackMatcher(roads),
      learned: new LearnedRoads(this.#zone, freeFlow),
      metres,
    };
    let road: number | undefined;
    let passages: Traversal[] = [];
    const sumUp = (): void => {
      const arc = road === undefined ? undefined : opened.keys.arc(road);
      if (arc !== undefined) opened.learned.set(arc, passages);
    };
    for (const passage of this.#traversals.all()) {
      if (passage.road !== road) {
        sumUp();
        passages = [];
        road = passage.road;
      }
      passages.push(passage);
    }
    sumUp();
    this.#opened = opened;
  }

  /** Looks through what has come of the tracks of these vehicles, and yields after every page of points. */
  *learn(heard: readonly TrackUpdate[], now: number): Generator<undefined> {
    if (!this.#opened) return;
    for (const { vehicle, from } of heard) {
      this.#rewind(vehicle, from, now);
      const reading = this.#readingOf(vehicle);
      for (const page of this.#tracks.pages(vehicle, reading.till + 1, now + DAY)) {
        for (const point of page) reading.cutter.add(point);
        reading.till = page.at(-1)!.time;
        reading.mayContinue = false;
        this.#learnFinished(vehicle, reading);
        yield undefined;
      }
      this.#endWhenSilent(vehicle, reading, now);
    }
    this.#summarize();
  }

  /** Ends the drives of vehicles that are silent, and forgets what is too old and who drove. */
  *tidy(now: number): Generator<undefined> {
    for (const [vehicle, reading] of this.#reading) {
      if (!this.#endWhenSilent(vehicle, reading, now)) continue;
      yield undefined;
    }
    this.#summarize();
    while (this.#traversals.forgetVehicles(now - LATE, BATCH) === BATCH) yield undefined;
    this.#traversals.forgetBefore(now - KEPT);
  }

  /** Forgets everything; all tracks are looked through again from their beginnings as they are told of. */
  forgetAll(): void {
    this.#traversals.forgetAll();
    this.#reading.clear();
    this.#changed.clear();
    this.#opened?.learned.clear();
  }

  get revision(): number {
    return this.#opened?.learned.revision ?? 0;
  }

  /** Travel times of an hour of the week, for the router; undefined: nothing was learned. */
  speeds(hour: number): Omit<LearnedSpeeds, 'version'> | undefined {
    const opened = this.#opened;
    if (!opened) return undefined;
    const known = [...opened.learned.arcs].flatMap((arc) => {
      const learned = opened.learned.at(arc, hour);
      return learned ? [{ arc, tenths: learnedArcCost(arc, learned.tenths, opened.roads) }] : [];
    });
    if (known.length === 0) return undefined;
    const arcs = new Uint32Array(new SharedArrayBuffer(known.length * 4));
    const tenths = new Uint32Array(new SharedArrayBuffer(known.length * 4));
    known.forEach((road, i) => {
      arcs[i] = road.arc;
      tenths[i] = road.tenths;
    });
    return { checksum: opened.roads.checksum, arcs, tenths };
  }

  facts(): { roads: number; passages: number; from: number | null; till: number | null } {
    return { roads: this.#opened?.learned.size ?? 0, ...this.#traversals.facts() };
  }

  coverage(): Coverage {
    const hours = Array.from({ length: HOURS }, () => ({ metres: 0, passages: 0 }));
    let knownMetres = 0;
    if (this.#opened) {
      const { learned, roads } = this.#opened;
      for (const arc of learned.arcs) {
        knownMetres += roads.arcMetres[arc]!;
        for (const [hour, passages] of learned.hoursOf(arc)) {
          hours[hour]!.metres += roads.arcMetres[arc]!;
          hours[hour]!.passages += passages;
        }
      }
    }
    return { metres: this.#opened?.metres ?? 0, knownMetres, hours };
  }

  /**
   * Roads in a box (degrees: west, south, east, north) of which something was learned for an hour of the
   * week, in the direction that is driven; of more than `limit` those that were driven most.
   */
  roads(
    [west, south, east, north]: readonly [number, number, number, number],
    hour: number,
    limit: number,
  ): { features: Feature<LineString>[]; complete: boolean } {
    const opened = this.#opened;
    if (!opened) return { features: [], complete: true };
    const found = [...opened.learned.arcs].flatMap((arc) => {
      const learned = opened.learned.at(arc, hour);
      if (!learned) return [];
      const line = lineOf(arc, opened.roads);
      const lons = line.map(([lon]) => lon);
      const lats = line.map(([, lat]) => lat);
      if (
        Math.min(...lons) > east ||
        Math.max(...lons) < west ||
        Math.min(...lats) > north ||
        Math.max(...lats) < south
      )
        return [];
      return [{ arc, learned, line }];
    });
    const complete = found.length <= limit;
    if (!complete) found.sort((a, b) => b.learned.passages - a.learned.passages || a.arc - b.arc);
    const features = found.slice(0, limit).map(({ arc, learned, line }): Feature<LineString> => {
      const metres = opened.roads.arcMetres[arc]!;
      return {
        type: 'Feature',
        id: arc,
        properties: {
          name: opened.roads.name(arc >> 1),
          level: learned.level,
          passages: learned.passages,
          speed: kmh(metres, learnedArcCost(arc, learned.tenths, opened.roads)),
          usualSpeed: kmh(metres, opened.freeFlow[arc]!),
        },
        geometry: { type: 'LineString', coordinates: line },
      };
    });
    return { features, complete };
  }

  /**
   * How far estimates were from what drives since then really took; each was estimated before anything was
   * learned from it.
   */
  effect(since: number): Effect {
    const drives = this.#traversals.drives(since);
    const judged = drives.filter(({ known, metres }) => known * 2 >= metres);
    const mean = (of: (drive: TimedDrive) => number): number =>
      judged.length === 0 ? 0 : judged.reduce((sum, drive) => sum + of(drive), 0) / judged.length;
    return {
      drives: drives.length,
      judged: judged.length,
      metres: judged.reduce((sum, { metres }) => sum + metres, 0),
      meanTook: mean(({ took }) => took / 10),
      usualError: mean(({ took, baseline }) => Math.abs(baseline - took) / 10),
      learnedError: mean(({ took, learned }) => Math.abs(learned - took) / 10),
    };
  }

  close(): void {
    this.#tracks.close();
    this.#traversals.close();
  }

  #readingOf(vehicle: number): TrackReading {
    const known = this.#reading.get(vehicle);
    if (known) return known;
    const drives: (readonly TrackFix[])[] = [];
    const reading: TrackReading = {
      drives,
      cutter: new DriveCutter((drive) => drives.push(drive)),
      till: this.#traversals.cursor(vehicle) ?? 0,
      mayContinue: true,
    };
    this.#reading.set(vehicle, reading);
    return reading;
  }

  /**
   * When points came before the place up to which a track was looked through, or go on with a drive that was
   * taken for ended, the drive they belong to and all after it are taken back, to be looked through again.
   */
  #rewind(vehicle: number, from: number, now: number): void {
    const reading = this.#readingOf(vehicle);
    if (from > reading.till + (reading.mayContinue ? GAP : 0) || from < now - LATE) return;
    const cutter = new DriveCutter(() => {});
    for (const page of this.#tracks.pages(vehicle, from - LOOK_BACK, from - 1))
      for (const point of page) cutter.add(point);
    const till = Math.min(from - 1, cutter.doneTill ?? from - 1);
    this.#traversals.transaction(() => {
      for (const road of this.#traversals.deleteFrom(vehicle, till + 1)) this.#changed.add(road);
      this.#traversals.setCursor(vehicle, till);
    });
    this.#reading.delete(vehicle);
  }

  /**
   * A vehicle that has been silent for long has ended its drive, as far as one knows. False: it has not, or
   * had before.
   */
  #endWhenSilent(vehicle: number, reading: TrackReading, now: number): boolean {
    if (reading.mayContinue || now - (reading.cutter.lastTime ?? now) <= SILENT) return false;
    reading.cutter.end();
    reading.mayContinue = true;
    this.#learnFinished(vehicle, reading);
    return true;
  }

  /**
   * Learns from the drives that have ended, and notes how far the track has been looked through, in one
   * transaction: so each counts once, however the process ends.
   */
  #learnFinished(vehicle: number, reading: TrackReading): void {
    if (reading.drives.length === 0) return;
    this.#summarize();
    this.#traversals.transaction(() => {
      for (const drive of reading.drives.splice(0))
        for (const driven of this.#opened!.matcher.match(drive)) this.#record(vehicle, driven);
      this.#traversals.setCursor(vehicle, reading.cutter.doneTill ?? reading.till);
    });
  }

  /** The first and the last arc were perhaps not driven from end to end. */
  #record(vehicle: number, { arcs, entered }: MatchedStretch): void {
    const { roads, freeFlow, keys, learned } = this.#opened!;
    const drive = { start: entered[1] ?? 0, metres: 0, took: 0, baseline: 0, learned: 0, known: 0 };
    for (let i = 1; i + 1 < arcs.length; i++) {
      const arc = arcs[i]!;
      const turn = roads.turnBetween(arc, arcs[i + 1]!);
      const took = (entered[i + 1]! - entered[i]!) / 100;
      const metres = roads.arcMetres[arc]!;
      const expected = learned.at(arc, hourOfWeek(entered[i]!, this.#zone));
      drive.metres += metres;
      drive.took += took;
      drive.baseline += freeFlow[arc]! + turn;
      drive.learned += (expected?.tenths ?? freeFlow[arc]!) + turn;
      drive.known += expected ? metres : 0;
      if (metres * 10 > FASTEST * took) continue;
      const road = keys.key(arc);
      this.#traversals.add(vehicle, { road, time: entered[i]!, tenths: Math.max(1, Math.round(took - turn)) });
      this.#changed.add(road);
    }
    if (drive.metres >= SHORTEST && drive.took >= QUICKEST)
      this.#traversals.addDrive(vehicle, { ...drive, took: Math.round(drive.took) });
  }

  #summarize(): void {
    if (!this.#opened) return; // without roads there is nothing to sum up
    const { keys, learned } = this.#opened;
    for (const road of this.#changed) {
      const arc = keys.arc(road);
      if (arc !== undefined) learned.set(arc, this.#traversals.of(road));
    }
    this.#changed.clear();
  }
}

/** How far a track has been looked through. */
interface TrackReading {
  readonly cutter: DriveCutter;
  /** Drives that have ended and were not learned from yet. */
  readonly drives: (readonly TrackFix[])[];
  till: number;
  /**
   * Its last drive was taken for ended since nothing came, or the process began anew: points that come soon
   * after it belong to it.
   */
  mayContinue: boolean;
}

function isDriven(roads: Roads, freeFlow: Int32Array, arc: number): boolean {
  return freeFlow[arc]! < CLOSED && (roads.columns.segmentFlags[arc >> 1]! & STARTABLE) !== 0;
}

/** Longitude and latitude from the beginning of an arc to its end. */
function lineOf(arc: number, roads: Roads): [number, number][] {
  const { segmentFirst, shape, nodeLat, nodeLon } = roads.columns;
  const nodes = shape.subarray(segmentFirst[arc >> 1]!, segmentFirst[(arc >> 1) + 1]!);
  const line = Array.from(nodes, (node): [number, number] => [nodeLon[node]! / 1e6, nodeLat[node]! / 1e6]);
  return arc & 1 ? line.reverse() : line;
}

function kmh(metres: number, tenths: number): number {
  return Math.round((metres / tenths) * 360) / 10;
}
