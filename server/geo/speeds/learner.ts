import { MAX_PLAUSIBLE_SPEED } from '../../../shared/geo/plausible-speed.ts';
import type { Feature, LineString } from 'geojson';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ZonedTime } from '../../../shared/zoned-time.ts';
import {
  CLOSED_COST,
  TrackMatcher,
  freeFlowCosts,
  learnedArcCost,
  type MatchedStretch,
  type LearnedSpeeds,
  type TrackFix,
} from '../routing/index.ts';
import { TrackFile } from '../../tracking/telemetry/tracks/index.ts';
import { CAR, Roads, STARTABLE, roadsFile } from '../territory/roads/reading.ts';
import { ArcKeys } from './arc-keys.ts';
import { DriveCutter, GAP } from './cut-track.ts';
import { HOURS, hourOfWeek } from './hours.ts';
import { LearnedRoads } from './learned-roads.ts';
import { TraversalStore, type Traversal, type TimedDrive } from './traversal-store.ts';

const DAY = 86_400_000;
/**
 * Maximum age of points that are learned from; until then it is known whose traversals are whose (README
 * rules 9 and 10).
 */
export const LATE = 8 * DAY;
/** Age at which traversals are deleted. */
export const KEPT = 180 * DAY;
/** How far before a late point the beginning of its drive is searched, ms. */
const LOOK_BACK = 2 * 3_600_000;
/** Silence after which a drive has ended, ms. */
const SILENT = 15 * 60_000;
/** m/s; a faster traversal is an error of matching. */
const MAX_SPEED = MAX_PLAUSIBLE_SPEED / 3.6;
/** Minimum of judged drives: metres, tenths of a second. */
const SHORTEST = 500;
const QUICKEST = 600;
/** Traversals whose vehicle is forgotten per step. */
const BATCH = 2_000;

/** A vehicle with new points, and the time of the oldest. */
export interface TrackUpdate {
  readonly vehicle: number;
  readonly from: number;
}

export interface Coverage {
  /** Metres of all roads open to a car, per direction. */
  readonly metres: number;
  /** Metres with learned times. */
  readonly knownMetres: number;
  /** By hour of the week: metres with enough traversals in this very hour, and their number. */
  readonly hours: readonly { readonly metres: number; readonly passages: number }[];
}

export interface EstimateErrors {
  /** All drives, and the judged ones: at least half of their length had learned times before. */
  readonly drives: number;
  readonly judged: number;
  /** Of the judged drives: metres, mean duration, and the mean absolute errors of both estimates, seconds. */
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
  /** Metres of all open arcs. */
  readonly metres: number;
}

/**
 * Learns travel times from tracks: cuts them into drives, matches these to roads, and stores the traversals.
 * Runs in the calling thread; long work yields.
 */
export class Learner {
  readonly #tracks: TrackFile;
  readonly #traversals: TraversalStore;
  readonly #zone: ZonedTime;
  readonly #reading = new Map<number, TrackReading>();
  /** Roads whose traversals changed since the last summary. */
  readonly #changed = new Set<number>();
  #opened: OpenTerritory | undefined;

  constructor({ tracks, book, zone }: { tracks: string; book: string; zone: ZonedTime }) {
    this.#tracks = new TrackFile(tracks);
    this.#traversals = new TraversalStore(book);
    this.#zone = zone;
  }

  /** Switches to other roads. Times of roads that are unchanged stay. Undefined: no territory. */
  open(directory: string | undefined): void {
    this.#opened = undefined;
    this.#reading.clear();
    this.#changed.clear();
    if (directory === undefined) return;
    const roads = Roads.from(new Uint8Array(readFileSync(join(directory, roadsFile(CAR)))).buffer);
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

  /** Learns from new points of these vehicles; yields after every page of points. */
  *learn(heard: readonly TrackUpdate[], now: number): Generator<undefined> {
    if (!this.#opened) return;
    for (const { vehicle, from } of heard) {
      this.#rewind(vehicle, from, now);
      const reading = this.#readingOf(vehicle);
      for (const page of this.#tracks.pages(vehicle, reading.until + 1, now + DAY)) {
        for (const point of page) reading.cutter.add(point);
        reading.until = page.at(-1)!.time;
        reading.mayContinue = false;
        this.#learnFinished(vehicle, reading);
        yield undefined;
      }
      this.#endWhenSilent(vehicle, reading, now);
    }
    this.#summarize();
  }

  /** Ends the drives of silent vehicles, and deletes old traversals and old vehicle ids. */
  *tidy(now: number): Generator<undefined> {
    for (const [vehicle, reading] of this.#reading) {
      if (!this.#endWhenSilent(vehicle, reading, now)) continue;
      yield undefined;
    }
    this.#summarize();
    while (this.#traversals.forgetVehicles(now - LATE, BATCH) === BATCH) yield undefined;
    this.#traversals.forgetBefore(now - KEPT);
  }

  /** Deletes everything; tracks are learned from again as vehicles are reported. */
  forgetAll(): void {
    this.#traversals.forgetAll();
    this.#reading.clear();
    this.#changed.clear();
    this.#opened?.learned.clear();
  }

  get revision(): number {
    return this.#opened?.learned.revision ?? 0;
  }

  /** Travel times of an hour of the week for the router, or undefined. */
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

  facts(): { roads: number; passages: number; from: number | null; until: number | null } {
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
   * Roads with learned times in a box (degrees: west, south, east, north) at an hour of the week; above
   * `limit`, those driven most.
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
   * Errors of both estimates for drives since a time; each drive was estimated before anything was learned
   * from it.
   */
  effect(since: number): EstimateErrors {
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
      until: this.#traversals.cursor(vehicle) ?? 0,
      mayContinue: true,
    };
    this.#reading.set(vehicle, reading);
    return reading;
  }

  /**
   * If a point is late, or continues a drive that was ended, deletes the traversals of that drive and all
   * after it, so that they are learned again (README rule 9).
   */
  #rewind(vehicle: number, from: number, now: number): void {
    const reading = this.#readingOf(vehicle);
    if (from > reading.until + (reading.mayContinue ? GAP : 0) || from < now - LATE) return;
    const cutter = new DriveCutter(() => {});
    for (const page of this.#tracks.pages(vehicle, from - LOOK_BACK, from - 1))
      for (const point of page) cutter.add(point);
    const until = Math.min(from - 1, cutter.doneUntil ?? from - 1);
    this.#traversals.transaction(() => {
      for (const road of this.#traversals.deleteFrom(vehicle, until + 1)) this.#changed.add(road);
      this.#traversals.setCursor(vehicle, until);
    });
    this.#reading.delete(vehicle);
  }

  /** Ends the drive of a vehicle that has been silent for long. False: nothing to end. */
  #endWhenSilent(vehicle: number, reading: TrackReading, now: number): boolean {
    if (reading.mayContinue || now - (reading.cutter.lastTime ?? now) <= SILENT) return false;
    reading.cutter.end();
    reading.mayContinue = true;
    this.#learnFinished(vehicle, reading);
    return true;
  }

  /**
   * Learns from ended drives and stores the position in the track in one transaction, so that each counts
   * once.
   */
  #learnFinished(vehicle: number, reading: TrackReading): void {
    if (reading.drives.length === 0) return;
    this.#summarize();
    this.#traversals.transaction(() => {
      for (const drive of reading.drives.splice(0))
        for (const driven of this.#opened!.matcher.match(drive)) this.#record(vehicle, driven);
      this.#traversals.setCursor(vehicle, reading.cutter.doneUntil ?? reading.until);
    });
  }

  /** The first and last arc may be driven only partly. */
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
      if (metres * 10 > MAX_SPEED * took) continue;
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

/** State of learning from a track. */
interface TrackReading {
  readonly cutter: DriveCutter;
  /** Ended drives that were not learned from yet. */
  readonly drives: (readonly TrackFix[])[];
  until: number;
  /** The last drive was ended by silence or a restart: points soon after it belong to it. */
  mayContinue: boolean;
}

function isDriven(roads: Roads, freeFlow: Int32Array, arc: number): boolean {
  return freeFlow[arc]! < CLOSED_COST && (roads.columns.segmentFlags[arc >> 1]! & STARTABLE) !== 0;
}

/** Longitude and latitude along an arc. */
function lineOf(arc: number, roads: Roads): [number, number][] {
  const { segmentFirst, shape, nodeLat, nodeLon } = roads.columns;
  const nodes = shape.subarray(segmentFirst[arc >> 1]!, segmentFirst[(arc >> 1) + 1]!);
  const line = Array.from(nodes, (node): [number, number] => [nodeLon[node]! / 1e6, nodeLat[node]! / 1e6]);
  return arc & 1 ? line.reverse() : line;
}

function kmh(metres: number, tenths: number): number {
  return Math.round((metres / tenths) * 360) / 10;
}
