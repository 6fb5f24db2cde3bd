import { MAX_PLAUSIBLE_SPEED } from '../../../../shared/geo/plausible-speed.ts';
import type { Roads } from '../../territory/roads/reading.ts';
import { freeFlowCosts } from '../metric/costs.ts';
import { courseAt } from '../snapping/heading.ts';
import { BoundedSearch } from './bounded-search.ts';
import { runToEnd } from '../search/run-to-end.ts';
import { Snapper, flatDistance, type RoadPoint } from '../snapping/snapper.ts';

/** A position of a vehicle: epoch ms, WGS 84 degrees. */
export interface TrackFix {
  readonly time: number;
  readonly lat: number;
  readonly lon: number;
  /** Course in degrees clockwise from north; undefined: standing, or unknown to the device. */
  readonly course: number | undefined;
  /** Standard deviation in metres, if known. */
  readonly accuracy?: number | undefined;
}

/** A position of a track on its road. */
export interface MatchedPoint {
  /** Index of the fix. */
  readonly fix: number;
  readonly arc: number;
  /** Shape positions along the arc from its beginning, with the fraction inside a piece. */
  readonly at: number;
  readonly place: RoadPoint;
  /** How many roads are near. */
  readonly roads: number;
}

/** A connected part of a track. */
export interface MatchedChain {
  readonly points: MatchedPoint[];
  /** Arcs from each point to the next, those of both points among them. */
  readonly arcs: number[][];
  /** 0 to 1: how much likelier it is than alternatives that end nearby, reduced for detours. */
  readonly confidence: number;
}

/** A matched stretch of a track; between two arcs the vehicle made an allowed turn. */
export interface MatchedStretch {
  readonly arcs: readonly number[];
  /**
   * Epoch ms, with fractions, at which each arc was entered after its turn; for the first, the beginning of
   * the stretch.
   */
  readonly entered: readonly number[];
  /** Time of the last position. */
  readonly ended: number;
  /** Metres driven. The first and last arc may be driven only partly. */
  readonly metres: number;
}

/** Maximum metres between a position and a candidate road. */
const REACH = 50;
/** The same for a position that says how inaccurate it is. */
const MAX_REACH = 200;
/** Positions between two yields. */
const SLICE = 16;
/** Minimum and maximum standard deviation of positions, metres. */
const MIN_SIGMA = 4;
const MAX_SIGMA = 20;
/**
 * Concentration of the von Mises distribution of courses: a road in the opposite direction is e^-8 as likely.
 */
const COURSE_CONCENTRATION = 4;
/**
 * Mean difference between the path by road and the air distance: metres, plus metres per second between
 * positions.
 */
const BETA = 3;
const BETA_PER_SECOND = 0.6;
/** Maximum detour: metres, plus metres per metre of air distance. */
const DETOUR = 120;
const DETOUR_PER_METRE = 0.6;
/** Maximum speed, m/s. */
const MAX_SPEED = MAX_PLAUSIBLE_SPEED / 3.6;
/** Metres that a position may fall back on the same arc: jitter. */
const WAVERED = 20;

interface MatchCandidate {
  readonly arc: number;
  /** Metres from the beginning of the arc. */
  readonly metres: number;
  readonly at: number;
  readonly place: RoadPoint;
  /** Log-likelihood of the position, and of the best path here. */
  readonly emission: number;
  total: number;
  before: number;
}

interface MatchStep {
  readonly fix: TrackFix;
  readonly index: number;
  readonly candidates: MatchCandidate[];
}

/** A step, and the steps before it, when it could not be reached from them. */
interface Cut {
  readonly steps: readonly MatchStep[];
}

/**
 * Map matching by a hidden Markov model over road positions near each fix, decoded by Viterbi's algorithm
 * (Newson and Krumm, "Hidden Markov Map Matching Through Noise and Sparseness", 2009). Emission: distance,
 * and course against the road. Transition: difference between the path by road, over allowed turns, and the
 * air distance. Where no path exists, the track is cut.
 */
export class TrackMatcher {
  readonly #roads: Roads;
  readonly #snapper: Snapper;
  readonly #search: BoundedSearch;
  readonly #freeFlow: Int32Array;

  constructor(roads: Roads) {
    this.#roads = roads;
    this.#snapper = new Snapper(roads);
    this.#search = new BoundedSearch(roads);
    this.#freeFlow = freeFlowCosts(roads).arc;
  }

  /** Matched stretches of one drive. Positions must be in strictly ascending order of time. */
  match(fixes: readonly TrackFix[]): MatchedStretch[] {
    return runToEnd(this.#decode(fixes, false)).flatMap(({ steps }) => this.#trace(steps));
  }

  /**
   * The same with the point of each position. `ignoreGaps`: a position that cannot be reached is left out and does
   * not cut the track. Yields regularly.
   */
  *chains(fixes: readonly TrackFix[], ignoreGaps: boolean): Generator<undefined, MatchedChain[]> {
    const parts = yield* this.#decode(fixes, ignoreGaps);
    return parts.map(({ steps }) => this.#chain(steps));
  }

  *#decode(fixes: readonly TrackFix[], ignoreGaps: boolean): Generator<undefined, Cut[]> {
    const near = fixes
      .map((fix, index) => ({
        fix,
        index,
        places: this.#snapper.around(Math.round(fix.lat * 1e6), Math.round(fix.lon * 1e6), reachOf(fix)),
      }))
      .filter(({ places }) => places.length > 0);
    const sigma = sigmaOf(near.map(({ places }) => Math.min(...places.map(({ distance }) => distance))));
    const parts: Cut[] = [];
    let steps: MatchStep[] = [];
    for (const { fix, index, places } of near) {
      if (index % SLICE === SLICE - 1) yield;
      const candidates = places.flatMap((place) => this.#candidatesAt(place, fix, fix.accuracy ?? sigma));
      if (candidates.length === 0) continue;
      const last = steps.at(-1);
      if (last && !this.#advance(last, fix, candidates)) {
        if (ignoreGaps) continue;
        parts.push({ steps });
        for (const candidate of candidates) candidate.total = candidate.emission;
        steps = [];
      }
      steps.push({ fix, index, candidates });
    }
    return [...parts, ...(steps.length > 0 ? [{ steps }] : [])];
  }

  #candidatesAt(place: RoadPoint, { course }: TrackFix, sigma: number): MatchCandidate[] {
    const { segment, piece, ratio, distance } = place;
    const offset = piece - this.#roads.columns.segmentFirst[segment]! + ratio;
    const found: MatchCandidate[] = [];
    for (const arc of [segment * 2, segment * 2 + 1]) {
      if (!this.#roads.isOpen(arc)) continue;
      const at = arc & 1 ? this.#roads.pieces(segment) - offset : offset;
      const ahead = this.#roads.metres(segment, 0, offset);
      const metres = arc & 1 ? Math.max(0, this.#roads.arcMetres[arc]! - ahead) : ahead;
      const turned =
        course === undefined
          ? 0
          : COURSE_CONCENTRATION * (1 - Math.cos(((courseAt(arc, at, this.#roads) - course) * Math.PI) / 180));
      const emission = -0.5 * (distance / sigma) ** 2 - turned;
      found.push({ arc, metres, at, place, emission, total: emission, before: -1 });
    }
    return found;
  }

  /** Sets the best predecessor of each candidate. False when no candidate is reachable. */
  #advance(last: MatchStep, fix: TrackFix, candidates: MatchCandidate[]): boolean {
    const seconds = (fix.time - last.fix.time) / 1000;
    const air = airBetween(last.fix, fix);
    const beta = BETA + BETA_PER_SECOND * Math.min(60, seconds);
    const most = maxBetween(last.fix, fix);
    for (const candidate of candidates) candidate.total = -Infinity;
    last.candidates.forEach((from, before) => {
      if (from.total === -Infinity) return;
      const rest = this.#roads.arcMetres[from.arc]! - from.metres;
      this.#search.search(from.arc, most - rest);
      for (const to of candidates) {
        const total = from.total + to.emission - Math.abs(this.#metres(from, to, rest) - air) / beta;
        if (total > to.total) {
          to.total = total;
          to.before = before;
        }
      }
    });
    return candidates.some(({ total }) => total > -Infinity);
  }

  /** Metres by road between two candidates; the arc of the first must be the searched one. */
  #metres(from: MatchCandidate, to: MatchCandidate, rest: number): number {
    if (from.arc === to.arc && to.metres >= from.metres - WAVERED) return Math.max(0, to.metres - from.metres);
    return rest + this.#search.metresTo(to.arc) + to.metres;
  }

  #trace(steps: readonly MatchStep[]): MatchedStretch[] {
    if (steps.length < 2) return [];
    const chosen = likeliest(steps);
    const drawn = new StretchBuilder(this.#roads, this.#freeFlow, chosen[0]!, steps[0]!.fix.time);
    for (let i = 1; i < steps.length; i++) {
      const [from, to] = [chosen[i - 1]!, chosen[i]!];
      if (from.arc === to.arc && to.metres >= from.metres - WAVERED) {
        drawn.onSameArc(to.metres, steps[i]!.fix.time);
        continue;
      }
      drawn.over(this.#wayBetween(from, to, steps[i - 1]!, steps[i]!), to.metres, steps[i]!.fix.time);
    }
    return [drawn.done()];
  }

  /** Arcs after that of one candidate up to that of the next. */
  #wayBetween(from: MatchCandidate, to: MatchCandidate, before: MatchStep, after: MatchStep): number[] {
    const rest = this.#roads.arcMetres[from.arc]! - from.metres;
    this.#search.search(from.arc, maxBetween(before.fix, after.fix) - rest);
    return this.#search.pathTo(to.arc);
  }

  #chain(steps: readonly MatchStep[]): MatchedChain {
    const chosen = likeliest(steps);
    const arcs: number[][] = [];
    let driven = 0;
    let air = 0;
    for (let i = 1; i < steps.length; i++) {
      const [from, to] = [chosen[i - 1]!, chosen[i]!];
      const isSame = from.arc === to.arc && to.metres >= from.metres - WAVERED;
      const way = isSame ? [] : this.#wayBetween(from, to, steps[i - 1]!, steps[i]!);
      arcs.push([from.arc, ...way]);
      air += airBetween(steps[i - 1]!.fix, steps[i]!.fix);
      driven += isSame ? Math.max(0, to.metres - from.metres) : this.#driven(from, way, to);
    }
    return {
      points: chosen.map(({ arc, at, place }, i) => ({
        fix: steps[i]!.index,
        arc,
        at,
        place,
        roads: new Set(steps[i]!.candidates.map((one) => one.arc >> 1)).size,
      })),
      arcs,
      confidence: likelihoodOf(steps) * Math.min(1, (air + DETOUR) / (driven + DETOUR)),
    };
  }

  #driven(from: MatchCandidate, way: readonly number[], to: MatchCandidate): number {
    const { arcMetres } = this.#roads;
    const between = way.slice(0, -1).reduce((sum, arc) => sum + arcMetres[arc]!, 0);
    return arcMetres[from.arc]! - from.metres + between + to.metres;
  }
}

/**
 * Collects arcs and entry times of a stretch; between positions, time passes in proportion to free-flow
 * costs.
 */
class StretchBuilder {
  readonly #roads: Roads;
  readonly #freeFlow: Int32Array;
  readonly #arcs: number[];
  readonly #entered: number[];
  #at: number;
  #time: number;
  #metres = 0;

  constructor(roads: Roads, free: Int32Array, { arc, metres }: MatchCandidate, time: number) {
    this.#roads = roads;
    this.#freeFlow = free;
    this.#arcs = [arc];
    this.#entered = [time];
    this.#at = metres;
    this.#time = time;
  }

  onSameArc(metres: number, time: number): void {
    const at = Math.max(this.#at, metres);
    this.#metres += at - this.#at;
    this.#at = at;
    this.#time = time;
  }

  over(arcs: readonly number[], metres: number, time: number): void {
    const { arcMetres } = this.#roads;
    const first = this.#arcs.at(-1)!;
    const costs: number[] = [];
    let before = first;
    let cost = this.#cost(first, arcMetres[first]! - this.#at);
    let length = arcMetres[first]! - this.#at;
    for (const [i, arc] of arcs.entries()) {
      cost += this.#roads.turnBetween(before, arc);
      costs.push(cost);
      const driven = i === arcs.length - 1 ? metres : arcMetres[arc]!;
      cost += this.#cost(arc, driven);
      length += driven;
      before = arc;
    }
    const pace = cost > 0 ? (time - this.#time) / cost : 0;
    for (const [i, arc] of arcs.entries()) {
      this.#arcs.push(arc);
      this.#entered.push(this.#time + costs[i]! * pace);
    }
    this.#at = metres;
    this.#time = time;
    this.#metres += length;
  }

  done(): MatchedStretch {
    return { arcs: this.#arcs, entered: this.#entered, ended: this.#time, metres: this.#metres };
  }

  #cost(arc: number, metres: number): number {
    const all = this.#roads.arcMetres[arc]!;
    return all > 0 ? (this.#freeFlow[arc]! * metres) / all : 0;
  }
}

/** The candidates of the likeliest path (Viterbi). */
function likeliest(steps: readonly MatchStep[]): MatchCandidate[] {
  const chosen: MatchCandidate[] = [];
  let at = steps.at(-1)!.candidates.reduce((best, { total }, i, all) => (total > all[best]!.total ? i : best), 0);
  for (let i = steps.length - 1; i >= 0; i--) {
    chosen[i] = steps[i]!.candidates[at]!;
    at = chosen[i]!.before;
  }
  return chosen;
}

/** Share of the likeliest path among the best paths to each road at the end. */
function likelihoodOf(steps: readonly MatchStep[]): number {
  const byRoad = new Map<number, number>();
  for (const { arc, total } of steps.at(-1)!.candidates)
    byRoad.set(arc >> 1, Math.max(total, byRoad.get(arc >> 1) ?? -Infinity));
  const best = Math.max(...byRoad.values());
  return 1 / [...byRoad.values()].reduce((sum, total) => sum + Math.exp(total - best), 0);
}

/** Metres in which roads are candidates for a position. */
function reachOf({ accuracy }: TrackFix): number {
  return accuracy === undefined ? REACH : Math.min(MAX_REACH, Math.max(REACH, accuracy * 3));
}

function airBetween(a: TrackFix, b: TrackFix): number {
  return flatDistance(a.lat * 1e6, a.lon * 1e6, b.lat * 1e6, b.lon * 1e6);
}

/** Maximum metres by road to the next position. */
function maxBetween(a: TrackFix, b: TrackFix): number {
  return DETOUR + Math.min(airBetween(a, b) * (1 + DETOUR_PER_METRE), (MAX_SPEED * (b.time - a.time)) / 1000);
}

/** Standard deviation from the median distance to the nearest road (Newson and Krumm, section 4.1). */
function sigmaOf(distances: readonly number[]): number {
  const sorted = distances.toSorted((a, b) => a - b);
  const median = sorted[sorted.length >> 1] ?? 0;
  return Math.max(MIN_SIGMA, Math.min(MAX_SIGMA, 1.4826 * median));
}
