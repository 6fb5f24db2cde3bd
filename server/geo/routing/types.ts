import type { Feature, LineString, Point as GeoPoint, Polygon } from 'geojson';

/** WGS 84 degrees. */
export interface Coordinate {
  lat: number;
  lon: number;
}

/** A direction of travel at a point: `degrees` clockwise from north, give or take `range`. */
export interface Heading {
  degrees: number;
  range: number;
}

/** A point snapped to the road network. */
export interface SnappedPoint extends Coordinate {
  /** Display name of the road; empty when unnamed. */
  name: string;
  /** metres from the queried point */
  distance: number;
  /** Opaque token for a later request. */
  hint: string;
}

/** Options of every query about points. */
export interface QueryOptions {
  /**
   * Checksum of the answer that the hints came from; hints of other roads are ignored. Undefined: any valid
   * hint counts.
   */
  checksum?: number;
  profile?: string;
  /** Metres: a point farther than this from every road is off the map. Undefined: the planner's own limit. */
  snapLimit?: number;
}

/** A query point without a road near it: its index, and the limit in metres. */
export interface OffMapPoint {
  readonly point: number;
  readonly limit: number;
}

/** A point of a query. */
export interface Waypoint extends Coordinate {
  hint?: string;
  heading?: Heading;
  /** Metres: the road is no farther than this, if that is less than `snapLimit`. */
  radius?: number;
}

export interface RouteRequest extends QueryOptions {
  /** `uturn`: the vehicle may turn back at this point. `heading`: it passes the point in this direction. */
  points: readonly (Waypoint & { uturn?: boolean })[];
  alternatives?: boolean;
  /** Zoom, 0 to 18, of the simplification. */
  z?: number;
  /** Return every vertex, whatever `z` is. */
  fullGeometry?: boolean;
}

export interface RouteStep {
  /** Maneuver code: `1` straight on … `15` destination, `11-N` roundabout (README rule 5). */
  code: string;
  name: string;
  /** metres, seconds to the next step */
  distance: number;
  time: number;
  /** Index in `geometry`. */
  position: number;
  compass: string;
  bearing: number;
  mode: number;
}

export interface Route {
  /** seconds, tenths kept */
  time: number;
  /** metres */
  distance: number;
  /** `[lat, lon]` pairs, snapped start to snapped end. */
  geometry: [number, number][];
  steps: RouteStep[];
  /** Index in `geometry` of each query point. */
  viaIndices: number[];
  names: [string, string];
  start: string;
  end: string;
  /** Ids of the closures that changed the route, and of those at its ends and via points (README rule 12). */
  closures: number[];
  /** Warnings for the driver. */
  notes: RouteNote[];
}

/** A limit of size or weight that could not be parsed; the route may avoid its place (README rule 15). */
export interface RouteNote {
  kind: 'unreadable-limit';
  /** The tag, `maxheight=…`. */
  tag: string;
  /** Name of the road; empty when unnamed, or at a gate. */
  name: string;
  point: [lat: number, lon: number];
}

export interface RouteAnswer {
  /** Undefined: no route exists. */
  route: Route | undefined;
  alternative: Route | undefined;
  /** Empty when a point has no road. */
  snapped: SnappedPoint[];
  offMap: OffMapPoint | undefined;
  checksum: number;
  /** Whether learned speeds were used. */
  learnedSpeeds: boolean;
}

export interface TableRequest extends QueryOptions {
  sources: readonly Waypoint[];
  targets: readonly Waypoint[];
  /** ms to wait while a profile's roads are built; default 120,000. */
  wait?: number;
  /** Also compute distances, which takes longer. Default true. */
  distances?: boolean;
}

export interface IsochroneRequest extends QueryOptions {
  point: Waypoint;
  /** Driving times in seconds, ascending, at least one. */
  limits: readonly number[];
}

/** The area that is reached within a time. */
export interface IsochroneArea {
  seconds: number;
  /**
   * Polygons as in GeoJSON: outline first, then holes. A ring holds longitude and latitude alternately, in
   * micro-degrees, and is closed.
   */
  polygons: Int32Array[][];
}

export interface IsochroneAnswer {
  /** One per limit; empty when the point has no road. */
  areas: IsochroneArea[];
  /** Metres around a reached road that belong to the area. */
  near: number;
  snapped: SnappedPoint | undefined;
  offMap: OffMapPoint | undefined;
}

/** A closure that is in force. */
export interface Closure {
  id: number;
  /**
   * A point closes the road it lies on, a line the roads that it crosses or runs along, a polygon those that
   * it touches (README rule 10).
   */
  geometry: GeoPoint | LineString | Polygon;
  /** 0: closed; 0.3: driven at 30 % of the baseline speed. */
  factor: number;
}

/** The roads that a closure would affect. */
export interface AffectedRoads {
  /** Total metres; both directions of a road count once. */
  metres: number;
  /** The 20 longest, longest first; unnamed roads are summed under an empty name. */
  names: { name: string; metres: number }[];
  /** Lines to draw, longitude first; at most 2,000. */
  lines: [lon: number, lat: number][][];
}

/**
 * Learned travel times, which replace those of the profile. They apply only to roads with the same checksum.
 */
export interface LearnedSpeeds {
  /** Checksum of the roads that they were learned on. */
  readonly checksum: number;
  /** Changes with every change of the times. */
  readonly version: number;
  /** Arcs without duplicates, and the tenths of a second for each from end to end; in shared memory. */
  readonly arcs: Uint32Array;
  readonly tenths: Uint32Array;
}

/**
 * Travel times in tenths of a second and distances in metres, row by row; `UNREACHABLE` where no route
 * exists.
 */
export interface Table {
  times: Int32Array;
  /** Empty unless requested. */
  distances: Int32Array;
  rows: number;
  columns: number;
  /**
   * Snapped points in query order, without those off the map, whose cells are `UNREACHABLE`. Empty when one
   * has no road at all.
   */
  snappedSources: SnappedPoint[];
  snappedTargets: SnappedPoint[];
  /** The first point off the map, sources before targets. */
  offMap: OffMapPoint | undefined;
  checksum: number;
}
export const UNREACHABLE = 2147483647;

/** Format of an answer of area C, the OSRM-compatible paths. */
export interface AnswerFormat {
  /** JSONP: the function of which the JSON becomes the argument. */
  jsonp?: string | undefined;
}

export interface RouteFormat extends AnswerFormat {
  /** GPX instead of JSON. */
  gpx: boolean;
  instructions: boolean;
  geometry: boolean;
  /** Encode the geometry as a polyline instead of pairs. */
  compression: boolean;
}

/** Annotations of every straight piece of a leg. */
export const ANNOTATIONS = ['duration', 'distance', 'speed', 'weight', 'datasources'] as const;
export type Annotation = (typeof ANNOTATIONS)[number];

/** The shape of an answer in the dialect of OSRM 5. */
export interface DirectionsForm {
  steps: boolean;
  annotations: readonly Annotation[];
  geometries: 'polyline' | 'polyline6' | 'geojson';
  overview: 'simplified' | 'full' | 'false';
  hints: boolean;
  /** Return the snapped points of the query. */
  waypoints: boolean;
}

export interface DirectionsRequest extends RouteRequest {
  /** Indexes of the points at which a leg begins or ends, ascending, both ends among them. Undefined: all. */
  legsAt?: readonly number[];
}

export interface TripRequest extends QueryOptions {
  points: readonly Waypoint[];
  /** The trip returns to where it began. */
  roundtrip: boolean;
  /** The trip begins at the first point, ends at the last. */
  fromFirst: boolean;
  toLast: boolean;
}

export interface MatchRequest extends QueryOptions {
  points: readonly (Waypoint & {
    /** Epoch seconds, ascending; undefined in all points or in none. */
    time?: number;
    /** Standard deviation of the position, metres. */
    accuracy?: number;
  })[];
  /** Leave out positions that cannot be reached instead of cutting the track there. */
  ignoreGaps: boolean;
  /** Leave out positions that are next to the one before. */
  tidy: boolean;
  /** Indexes of the points at which a leg begins or ends, ascending. Undefined: all. */
  legsAt?: readonly number[];
}

/** Why there is no answer: the word of the dialect, and a sentence. */
export interface DirectionsFailure {
  code: 'NoSegment' | 'NoRoute' | 'NoTrips' | 'NoMatch' | 'NoTable';
  message: string;
}

/** Encoded JSON, or the reason why there is none. */
export type DirectionsAnswer = Uint8Array<ArrayBuffer> | DirectionsFailure;

/**
 * Client of the routing workers. Every query is answered or refused (`no-territory`, `busy`), even if a
 * worker dies. A peer or a routing cluster could implement this interface.
 */
export interface Planner {
  /**
   * Vehicle profiles of the open territory; the first is the default and answers queries that name no profile
   * or an unknown one. The first query with a profile whose roads have not been built waits for them, at most
   * two minutes; then it is refused as `busy`.
   */
  readonly profiles: readonly string[];
  /** Metres: the default `snapLimit` of queries. */
  readonly snapLimit: number;
  /** Nearest node of the network; undefined when no road is near enough. */
  locate(point: Coordinate, options?: Omit<QueryOptions, 'checksum'>): Promise<Coordinate | undefined>;
  nearest(
    point: Coordinate,
    options?: Omit<QueryOptions, 'checksum'> & { z?: number; count?: number; heading?: Heading },
  ): Promise<SnappedPoint[]>;
  route(request: RouteRequest): Promise<RouteAnswer>;
  table(request: TableRequest): Promise<Table>;
  /** Areas around all roads reached from a point in time, under the current closures (README rule 14). */
  isochrone(request: IsochroneRequest): Promise<IsochroneAnswer>;
  /**
   * The same three encoded for area C in UTF-8, in the thread that found the answer: a long answer does not
   * block the event loop.
   */
  writtenRoute(request: RouteRequest, form: RouteFormat): Promise<Uint8Array>;
  writtenTable(request: TableRequest, form: AnswerFormat): Promise<Uint8Array>;
  writtenIsochrone(request: IsochroneRequest, form: AnswerFormat): Promise<Uint8Array>;
  /** Routes and tables in the dialect of OSRM 5, encoded; or the reason why there are none. */
  directions(request: DirectionsRequest, form: DirectionsForm): Promise<DirectionsAnswer>;
  durations(request: TableRequest, form: DirectionsForm & { durations: boolean }): Promise<DirectionsAnswer>;
  /** The quickest order of points, and the way. */
  trip(request: TripRequest, form: DirectionsForm): Promise<DirectionsAnswer>;
  /** Map matching of a track. */
  match(request: MatchRequest, form: DirectionsForm): Promise<DirectionsAnswer>;
  /**
   * Builds the roads of these profiles, one after the other, unless they exist. Resolves when done, or when
   * it failed.
   */
  makeRoads(profiles: Iterable<string>): Promise<void>;
  /**
   * Switches to another territory; running queries are answered from the old one. Undefined: no territory.
   */
  open(directory: string | undefined): Promise<void>;
  /**
   * Replaces all closures. Every query sent after this resolves uses them. When it rejects, the previous ones
   * still hold.
   */
  setClosures(closures: readonly Closure[]): Promise<void>;
  /** The roads that a closure with this geometry would affect, for the profile with most metres. */
  affectedRoads(geometry: Closure['geometry']): Promise<AffectedRoads>;
  /**
   * Replaces the learned speeds; undefined: only the profile's. Every query sent after this resolves uses
   * them, with closures on top. When it rejects, the previous ones still hold.
   */
  setSpeeds(speeds: LearnedSpeeds | undefined): Promise<void>;
  /** Roads of the territory as GeoJSON lines, at most `limit`. */
  roads?(bounds: [number, number, number, number], limit: number): Promise<Feature[]>;
  /** The closures that the next query uses. */
  readonly closuresInForce: readonly Closure[];
  /**
   * Called when closures, speeds or roads changed, once the next query uses them. Returns the unsubscribe
   * function.
   */
  onConditions(listener: () => void): () => void;
  close(): Promise<void>;
}
