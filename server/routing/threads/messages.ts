import type { RefusalCode } from '../../../shared/refusal.ts';
import type { AffectedPieces } from '../closures/affected-pieces.ts';
import type { Metric } from '../metric/customize.ts';
import type { Closure, AnswerFormat, LearnedSpeeds, AffectedRoads, RouteFormat } from '../types.ts';
import type { HierarchyColumns } from '../graph/hierarchy.ts';
import type { Router } from '../router.ts';

/**
 * What the planner's main side asks its workers, by the names of the router's own methods; with a form, the
 * answer is wanted as it is sent.
 */
export type RouterRequest = {
  [M in keyof FormatByMethod]: { method: M; args: Parameters<Router[M]>; form?: FormatByMethod[M] };
}[keyof FormatByMethod];

interface FormatByMethod {
  locate: never;
  nearest: never;
  route: RouteFormat;
  table: AnswerFormat;
  isochrone: AnswerFormat;
  roads: never;
}

export interface SearchRequest {
  id: number;
  /** Undefined, or one that the territory was not made for: the first. */
  profile: string | undefined;
  request: RouterRequest;
}

/**
 * The conditions for one profile. `metric` undefined: no closures. `usual`: what driving costs without them,
 * when that was learned.
 */
export interface TrafficConditions {
  metric: Metric | undefined;
  affected: AffectedPieces;
  baseline: Metric | undefined;
}

/**
 * New conditions for a search worker, in the order of its networks; the questions after it obey them. It
 * tells when it has let go of the ones before.
 */
export interface ConditionsChange {
  id: number;
  conditions: readonly TrafficConditions[];
}

export interface Released {
  released: number;
}

export type SearchResponse =
  | { id: number; kind: 'answer'; value: unknown }
  | { id: number; kind: 'refusal'; code: RefusalCode; message: string }
  | { id: number; kind: 'failure'; message: string };

/** The roads of one profile, ready to search; all memory is shared. */
export interface PreparedNetwork {
  profile: string;
  roads: SharedArrayBuffer;
  arcMetres: Float64Array;
  hierarchy: HierarchyColumns;
  metric: Metric;
}

/**
 * Sent by the preparing worker whenever it has got a step further with what it was asked, and by a search
 * worker now and then while it answers something that takes long.
 */
export type Heartbeat = 'alive';

/** What a search worker is started with, made by the preparing worker. */
export interface PreparedTerritory {
  networks: readonly PreparedNetwork[];
  /** Profiles whose roads can be made yet. */
  makeable: readonly string[];
  conditions: readonly TrafficConditions[];
}

/** One more profile, whose roads have been made, for a search worker; its number is the next. */
export interface AddedNetwork {
  network: PreparedNetwork;
  conditions: TrafficConditions;
}

/** Closures and learned speeds for the preparing worker, and what it makes of them. */
export interface ConditionsRequest {
  id: number;
  closures: readonly Closure[];
  speeds: LearnedSpeeds | undefined;
}

export type ConditionsResponse =
  { id: number; traffic: readonly TrafficConditions[] } | { id: number; failure: string };

/** A profile for the preparing worker to take in, and the answer. */
export interface AddProfileRequest {
  id: number;
  profile: string;
}

export type AddProfileResponse = ({ id: number } & AddedNetwork) | { id: number; failure: string };

/**
 * A geometry of which the preparing worker tells the roads that a closure there would lie on, and the answer.
 */
export interface AffectedRoadsRequest {
  id: number;
  geometry: Closure['geometry'];
}

export type AffectedRoadsResponse = { id: number; under: AffectedRoads } | { id: number; failure: string };
