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

/** Where a point was put on the road network. */
export interface SnappedPoint extends Coordinate {
  /** Display name of the road; empty when unnamed. */
  name: string;
  /** metres from the asked point */
  distance: number;
  /** Opaque token for a later request. */
  hint: string;
}

/** What a question about points may say, whatever it asks. */
export interface QueryOptions {
  /**
   * Hints count only with the checksum of the answer that they came from; undefined: whenever they are good.
   */
  checksum?: number;
  profile?: string;
  /**
   * Metres: a point that is farther from every road is not on this map. Undefined: the planner's own limit.
   */
  snapLimit?: number;
}

/** A point of a question that is not on this map: its place in the question, and the limit, metres. */
export interface OffMapPoint {
  readonly point: number;
  readonly limit: number;
}

/** A point of a question. */
export interface Waypoint extends Coordinate {
  hint?: string;
  heading?: Heading;
}

export interface RouteRequest extends QueryOptions {
  /**
   * `uturn`: at this point the vehicle may turn back; `heading`: it goes this way there, and the point lies
   * on a road where it can.
   */
  points: readonly (Waypoint & { uturn?: boolean })[];
  alternatives?: boolean;
  /** Zoom 0 to 18 for simplification. */
  z?: number;
  /** Every vertex of the way, whatever `z` says. */
  fullGeometry?: boolean;
}

export interface RouteStep {
  /** Code of `spec/routing.md` 7.4 (`1` straight on … `15` destination reached, `11-N` roundabout). */
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
  /** Position in `geometry` of each asked point. */
  viaIndices: number[];
  names: [string, string];
  start: string;
  end: string;
  /**
   * Ids of the closures that changed it, and of those whose closed roads it drives over at its ends and where
   * it stops.
   */
  closures: number[];
  /** What a driver should know of it. */
  notes: RouteNote[];
}

/** A limit of size or weight that cannot be read is not passed: the way may have gone around it. */
export interface RouteNote {
  kind: 'unreadable-limit';
  /** As it is tagged: `maxheight=…`. */
  tag: string;
  /** Of the road; empty when unnamed, or at a gate. */
  name: string;
  point: [lat: number, lon: number];
}

export interface RouteAnswer {
  /** Undefined: there is no way. */
  route: Route | undefined;
  alternative: Route | undefined;
  /** Empty when a point is on no road. */
  snapped: SnappedPoint[];
  offMap: OffMapPoint | undefined;
  checksum: number;
  /** Driving times are those that were learned, where there are such. */
  learnedSpeeds: boolean;
}

export interface TableRequest extends QueryOptions {
  sources: readonly Waypoint[];
  targets: readonly Waypoint[];
  /** ms to wait for roads that are being made; 120,000. */
  wait?: number;
  /** Distances are wanted too; without them the table is quicker. Default true. */
  distances?: boolean;
}

export interface IsochroneRequest extends QueryOptions {
  point: Waypoint;
  /** Driving times in seconds, at least one, ascending. */
  limits: readonly number[];
}

/** What is reached in time. */
export interface IsochroneArea {
  seconds: number;
  /**
   * Polygons as GeoJSON has them, outline first, then holes; each ring is longitude and latitude in turn, in
   * micro-degrees, and closed.
   */
  polygons: Int32Array[][];
}

export interface IsochroneAnswer {
  /** One for each limit; empty when the point is on no road. */
  areas: IsochroneArea[];
  /** Metres from a road that is reached which still belong to the area. */
  near: number;
  snapped: SnappedPoint | undefined;
  offMap: OffMapPoint | undefined;
}

/** A closure that is in force. */
export interface Closure {
  id: number;
  /**
   * A point closes the road it lies on, a line the roads that it crosses or runs along, a polygon those that
   * touch it.
   */
  geometry: GeoPoint | LineString | Polygon;
  /** 0 closed; 0.3: driven at 30 % of the usual speed. */
  factor: number;
}

/** The roads on which a closure would lie. */
export interface AffectedRoads {
  /** Metres of all of them; both directions of a road count once. */
  metres: number;
  /** The longest first, 20 at most; nameless ones together, with an empty name. */
  names: { name: string; metres: number }[];
  /** For drawing, longitude before latitude; 2,000 straight pieces at most. */
  lines: [lon: number, lat: number][][];
}

/**
 * What driving really takes on some roads, in the place of what their profile says. Roads of another checksum
 * have nothing of it.
 */
export interface LearnedSpeeds {
  /** Of the roads that it was learned on. */
  readonly checksum: number;
  /** Another one for other numbers. */
  readonly version: number;
  /** Arcs, each once, and how many tenths of a second each takes from end to end; in shared memory. */
  readonly arcs: Uint32Array;
  readonly tenths: Uint32Array;
}

/**
 * Travel times in tenths of a second and distances in metres, row by row; `UNREACHABLE` where there is no
 * way.
 */
export interface Table {
  times: Int32Array;
  /** Empty when they were not asked for. */
  distances: Int32Array;
  rows: number;
  columns: number;
  /**
   * Those of the points that are on this map, in their order; the cells of the others are `UNREACHABLE`.
   * Empty when one has no road at all.
   */
  snappedSources: SnappedPoint[];
  snappedTargets: SnappedPoint[];
  /** The first of all points, sources before targets, that is not on this map. */
  offMap: OffMapPoint | undefined;
  checksum: number;
}
export const UNREACHABLE = 2147483647;

/** How area C writes an answer (`spec/routing.md` 2.1). */
export interface AnswerFormat {
  /** Name of a function of the client: the JSON comes as a call of it. */
  jsonp?: string | undefined;
}

export interface RouteFormat extends AnswerFormat {
  /** GPX in the place of JSON. */
  gpx: boolean;
  instructions: boolean;
  geometry: boolean;
  /** The geometry as an encoded polyline, not as pairs. */
  compression: boolean;
}

/**
 * Asks the routing workers; every question is answered or refused (`no-territory`, `busy`), never left
 * hanging, also when a worker dies. A peer or a routing cluster could stand behind this interface.
 */
export interface Planner {
  /**
   * Vehicle profiles of the open territory, the usual one first. A question with another name, or none, is
   * answered for the usual one. The first question with a profile whose roads have not been made waits for
   * them, for two minutes at most: then it is refused as `busy`.
   */
  readonly profiles: readonly string[];
  /** Metres: the `snapLimit` of questions that have none of their own. */
  readonly snapLimit: number;
  /** Nearest node of the network; undefined where the point is on no road. */
  locate(point: Coordinate, options?: Omit<QueryOptions, 'checksum'>): Promise<Coordinate | undefined>;
  nearest(
    point: Coordinate,
    options?: Omit<QueryOptions, 'checksum'> & { z?: number; count?: number; heading?: Heading },
  ): Promise<SnappedPoint[]>;
  route(request: RouteRequest): Promise<RouteAnswer>;
  table(request: TableRequest): Promise<Table>;
  /**
   * The areas around all roads that are reached from a point in time, under the closures of now; what lies
   * between them and has no road is no hole.
   */
  isochrone(request: IsochroneRequest): Promise<IsochroneAnswer>;
  /**
   * The same three in the words of area C, in UTF-8: written by the thread that found the answer, so that a
   * long one holds up nobody who does not ask for it.
   */
  writtenRoute(request: RouteRequest, form: RouteFormat): Promise<Uint8Array>;
  writtenTable(request: TableRequest, form: AnswerFormat): Promise<Uint8Array>;
  writtenIsochrone(request: IsochroneRequest, form: AnswerFormat): Promise<Uint8Array>;
  /**
   * Makes the roads of these profiles where they have not been made, one after the other. Resolves when that
   * is done or has failed.
   */
  makeRoads(profiles: Iterable<string>): Promise<void>;
  /** Goes over to another territory; questions under way are answered from the old one. Undefined: none. */
  open(directory: string | undefined): Promise<void>;
  /**
   * The closures that are in force now; every question asked after this has resolved obeys them. The ones
   * given before are forgotten. When it rejects, they still hold.
   */
  setClosures(closures: readonly Closure[]): Promise<void>;
  /** The roads on which a closure so drawn would lie, for the kind of vehicle that has most of them. */
  affectedRoads(geometry: Closure['geometry']): Promise<AffectedRoads>;
  /**
   * From when this has resolved, every question is answered with these speeds, and with those of the profile
   * where there are none; undefined: with none. Closures lie on top. When it rejects, those before still
   * hold.
   */
  setSpeeds(speeds: LearnedSpeeds | undefined): Promise<void>;
  /** Roads of the territory as GeoJSON lines for drawing and for the simulator; bounded. */
  roads?(bounds: [number, number, number, number], limit: number): Promise<Feature[]>;
  /** The closures that every question asked now obeys. */
  readonly closuresInForce: readonly Closure[];
  /**
   * Hears of other closures, speeds or roads, as soon as every question asked from then on obeys them.
   * Returns the way to stop listening.
   */
  onConditions(listener: () => void): () => void;
  close(): Promise<void>;
}
