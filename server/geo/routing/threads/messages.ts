import type { Reason } from '../../../../shared/refusals/reason.ts';
import type { AffectedPieces } from '../closures/affected-pieces.ts';
import type { Metric } from '../metric/customize.ts';
import type { Closure, AnswerFormat, LearnedSpeeds, AffectedRoads, RouteFormat } from '../types.ts';
import type { HierarchyColumns } from '../graph/hierarchy.ts';
import type { Router } from '../router.ts';

/** A query for a search worker, by the router's method. With a format, the answer is encoded bytes. */
export type RouterRequest = {
  [M in keyof FormatByMethod]: { method: M; args: Parameters<Router[M]>; form?: FormatByMethod[M] };
}[keyof FormatByMethod];

interface FormatByMethod {
  directions: never;
  durations: never;
  trip: never;
  match: never;
  locate: never;
  nearest: never;
  route: RouteFormat;
  table: AnswerFormat;
  isochrone: AnswerFormat;
  roads: never;
}

export interface SearchRequest {
  id: number;
  /** Undefined or unknown: the first profile. */
  profile: string | undefined;
  request: RouterRequest;
}

/**
 * Conditions of one profile. `metric` undefined: no closures. `baseline`: the metric without closures at
 * learned speeds.
 */
export interface TrafficConditions {
  metric: Metric | undefined;
  affected: AffectedPieces;
  baseline: Metric | undefined;
}

/**
 * New conditions for a search worker, in the order of its networks, used from the next query on. The worker
 * replies when it has released the previous ones.
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
  | { id: number; kind: 'refusal'; reason: Reason }
  | { id: number; kind: 'failure'; message: string };

/** Data that a preparing worker starts with. One that follows a rest has the order of profiles, and the conditions. */
export interface PreparingData {
  directory: string;
  profiles: readonly string[] | undefined;
  closures: readonly Closure[];
  speeds: LearnedSpeeds | undefined;
}

/** The network of one profile, ready to search, in shared memory. */
export interface PreparedNetwork {
  profile: string;
  roads: SharedArrayBuffer;
  arcMetres: Float64Array;
  hierarchy: HierarchyColumns;
  metric: Metric;
}

/** Sent by the preparing worker after every step, and by a search worker during long queries. */
export type Heartbeat = 'alive';

/** Data that a search worker starts with, from the preparing worker. */
export interface PreparedTerritory {
  networks: readonly PreparedNetwork[];
  /** Profiles whose roads can be built. */
  makeable: readonly string[];
  conditions: readonly TrafficConditions[];
  /** ms of processor time that preparing took. */
  work: number;
}

/** A further network for a search worker; it gets the next index. */
export interface AddedNetwork {
  network: PreparedNetwork;
  conditions: TrafficConditions;
}

/** Closures and learned speeds for the preparing worker, and its response. */
export interface ConditionsRequest {
  id: number;
  closures: readonly Closure[];
  speeds: LearnedSpeeds | undefined;
}

export type ConditionsResponse =
  { id: number; conditions: readonly TrafficConditions[] } | { id: number; failure: string };

/** A built profile for the preparing worker to load, and its response. */
export interface AddProfileRequest {
  id: number;
  profile: string;
}

export type AddProfileResponse = ({ id: number } & AddedNetwork) | { id: number; failure: string };

/** A geometry whose affected roads the preparing worker finds, and its response. */
export interface AffectedRoadsRequest {
  id: number;
  geometry: Closure['geometry'];
}

export type AffectedRoadsResponse = { id: number; under: AffectedRoads } | { id: number; failure: string };
