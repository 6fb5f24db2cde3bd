import type { Feature, LineString } from 'geojson';
import { Refusal } from '../../shared/refusal.ts';
import { STARTABLE } from '../territory/roads/index.ts';
import type { Roads } from '../territory/roads/index.ts';
import { packAffected, type AffectedPieces } from './closures/affected.ts';
import { findAlternative } from './search/alternative.ts';
import { runToEnd } from './search/run-to-end.ts';
import { ClosedSearch } from './search/closed-search.ts';
import { ClosuresNamed } from './closures/closures-on-route.ts';
import type {
  Waypoint,
  QueryOptions,
  Heading,
  OffMapPoint,
  Coordinate,
  ReachAnswer,
  ReachRequest,
  RouteAnswer,
  RouteForm,
  RouteRequest,
  SnappedPoint,
  Table,
  TableRequest,
} from './types.ts';
import { UNREACHABLE } from './types.ts';
import type { Engine } from './search/engine.ts';
import { TripDrawer } from './answer/drive.ts';
import type { Drive } from './answer/drive.ts';
import { findTrip } from './search/find-trip.ts';
import type { SearchContext, Trip } from './search/find-trip.ts';
import type { FoundRoute } from './answer/route-result.ts';
import { hintOf, placeOfHint } from './snapping/hints.ts';
import { drawAreas } from './isochrone/isochrone.ts';
import { mainNames } from './answer/route-names.ts';
import { CLOSED } from './metric/costs.ts';
import type { Costs } from './metric/costs.ts';
import { Network } from './graph/incoming-arcs.ts';
import { SnappedPositions } from './snapping/snapped-positions.ts';
import { presentDrive } from './answer/present-route.ts';
import { roadFeature } from './answer/road-feature.ts';
import { leadsThere } from './snapping/heading.ts';
import type { RoadPoint } from './snapping/snapper.ts';
import { Snapper } from './snapping/snapper.ts';
import { computeTable } from './search/table.ts';
import type { TableSearch } from './search/table-search.ts';
import { unreadLimits } from './answer/unreadable-limits.ts';
import { thinDrive } from './answer/simplify-route.ts';
import { RouteWriter } from './answer/write-route.ts';

const FINEST = 18;
/** A zoom beyond all: nothing is thinned. */
const EVERYTHING = Infinity;

interface Traffic extends SearchContext {
  readonly finder: Engine;
}

/**
 * Answers questions about one set of roads, at once, in the thread that asks. The planner keeps it in a
 * worker.
 */
export class Router {
  readonly #roads: Roads;
  readonly #network: Network;
  readonly #snapper: Snapper;
  readonly #drawer: TripDrawer;
  readonly #writer: RouteWriter;
  /** Under the closures of now, and without any. */
  #now: Traffic;
  #usual: Traffic;
  /** At the speeds of the profile. */
  readonly #free: Traffic;
  #closures: ClosuresNamed;
  /** One for questions that are answered at once, one for those that others are answered in between of. */
  readonly #closed: ClosedSearch;
  readonly #closedInSlices: ClosedSearch;

  /** `free` searches the roads without closures. */
  constructor(roads: Roads, free: Engine) {
    this.#roads = roads;
    this.#network = new Network(roads);
    this.#snapper = new Snapper(roads);
    this.#drawer = new TripDrawer(roads, this.#network.joined);
    this.#writer = new RouteWriter(roads);
    this.#closed = new ClosedSearch(roads);
    this.#closedInSlices = new ClosedSearch(roads);
    this.#free = this.#traffic(free);
    this.#usual = this.#free;
    this.#now = this.#free;
    this.#closures = new ClosuresNamed(packAffected([]), roads, this.#free.costs);
  }

  /**
   * From now on answers as `engine` has it; `affected` tells which closures lie on which pieces of road.
   * Undefined: there are none. `usual` searches the roads without closures at the speeds that were learned;
   * undefined: at those of the profile.
   */
  setTraffic(engine: Engine | undefined, affected: AffectedPieces, usual?: Engine): void {
    this.#usual = usual ? this.#traffic(usual) : this.#free;
    this.#now = engine ? this.#traffic(engine, this.#usual.costs) : this.#usual;
    this.#closures = new ClosuresNamed(affected, this.#roads, this.#usual.costs);
  }

  get #areLearned(): boolean {
    return this.#usual !== this.#free;
  }

  get checksum(): number {
    return this.#roads.checksum;
  }

  /** `within`: metres to the nearest road, at most. */
  locate(point: Coordinate, within?: number): Coordinate | undefined {
    const node = this.#snapper.nearestNode(...spot(point));
    if (node === undefined || !this.#snapper.isRoadWithin(...spot(point), within)) return undefined;
    const { nodeLat, nodeLon } = this.#roads.columns;
    return { lat: nodeLat[node]! / 1e6, lon: nodeLon[node]! / 1e6 };
  }

  nearest(point: Coordinate, count = 1, heading?: Heading, within?: number): SnappedPoint[] {
    return this.#snapper.nearest(...spot(point), count, { heading, within }).map((place) => this.#snapped(place));
  }

  route(request: RouteRequest): RouteAnswer {
    const found = this.#found(request, true);
    return {
      route: found.best && presentDrive(found.best, this.#roads),
      alternative: found.alternative && presentDrive(found.alternative, this.#roads),
      snapped: found.places.map((place) => this.#snapped(place)),
      offMap: found.offMap,
      checksum: this.checksum,
      learnedSpeeds: found.learnedSpeeds,
    };
  }

  /** The same in the words of area C, in UTF-8 and in memory of its own. */
  writtenRoute(request: RouteRequest, form: RouteForm): Uint8Array<ArrayBuffer> {
    return this.#writer.write(this.#found(request, form.instructions), form);
  }

  #found(request: RouteRequest, isTold: boolean): FoundRoute {
    if (request.points.length < 2) throw new Refusal('invalid', 'A route needs at least two points.');
    const learnedSpeeds = this.#areLearned;
    const { all, places, offMap } = this.#places(request.points, request);
    if (places.length < all.length)
      return { places: [], offMap, best: undefined, alternative: undefined, learnedSpeeds };
    const mayTurnAt = (point: number): boolean => request.points[point]!.uturn === true;
    const trip = findTrip(places, this.#now, mayTurnAt);
    if (!trip) return { places, offMap, best: undefined, alternative: undefined, learnedSpeeds };
    const zoom = request.unthinned ? EVERYTHING : (request.z ?? FINEST);
    const other =
      request.alternatives && places.length === 2
        ? findAlternative(trip, [places[0]!, places[1]!], this.#now)
        : undefined;
    const usual = this.#closures.isEmpty ? undefined : findTrip(places, this.#usual, mayTurnAt);
    const drive = thinDrive(this.#draw(trip, places, isTold), zoom);
    const otherDrive = other && thinDrive(this.#draw(other, places, isTold), zoom);
    return {
      places,
      offMap,
      best: {
        drive,
        names: mainNames(drive.rows, otherDrive?.rows),
        closures: this.#closures.of(trip, usual),
        notes: unreadLimits(places, drive.distance, this.#roads),
      },
      alternative: other &&
        otherDrive && {
          drive: otherDrive,
          names: mainNames(otherDrive.rows, drive.rows),
          closures: this.#closures.of(other, usual),
          notes: unreadLimits(places, otherDrive.distance, this.#roads),
        },
      learnedSpeeds,
    };
  }

  table(request: TableRequest): Table {
    return runToEnd(this.tableAtOnce(request));
  }

  /**
   * Yields now and then where it takes long, and may be given up there; nothing else is to be asked before it
   * is answered or given up.
   */
  tableAtOnce(request: TableRequest): Generator<undefined, Table> {
    return this.#table(request, this.#now, this.#now.finder.tableSearch);
  }

  /** Yields as well, so that other questions can be answered in between, but no other one in slices. */
  tableInSlices(request: TableRequest): Generator<undefined, Table> {
    return this.#table(request, this.#nowInSlices, this.#now.finder.slicedTableSearch);
  }

  *#table(request: TableRequest, now: Traffic, tables: TableSearch): Generator<undefined, Table> {
    const { all, offMap } = this.#places([...request.sources, ...request.targets], request);
    const rows = request.sources.length;
    const columns = request.targets.length;
    const sources = all.slice(0, rows);
    const targets = all.slice(rows);
    const isKnown = offMap !== undefined || all.every(isOnRoad);
    const [onRow, onColumn] = isKnown ? [sources.filter(isOnRoad), targets.filter(isOnRoad)] : [[], []];
    const made = yield* computeTable(
      { sources: onRow, targets: onColumn, distances: request.distances !== false },
      tables,
      now,
    );
    const isWhole = onRow.length + onColumn.length === all.length;
    const spread = (cells: Int32Array): Int32Array =>
      isWhole ? cells : spreadCells(cells, isKnown ? sources : [], targets, rows * columns);
    return {
      times: spread(made.times),
      distances: request.distances === false ? made.distances : spread(made.distances),
      rows,
      columns,
      snappedSources: onRow.map((place) => this.#snapped(place)),
      snappedTargets: onColumn.map((place) => this.#snapped(place)),
      offMap,
      checksum: this.checksum,
    };
  }

  /**
   * Takes long on a large territory; yields now and then, so that other questions can be answered in between,
   * but no other one in slices.
   */
  *reach({ point, limits, ...asking }: ReachRequest): Generator<undefined, ReachAnswer> {
    if (limits.length === 0 || limits.some((limit, i) => !(limit > (limits[i - 1] ?? 0))))
      throw new Refusal('invalid', 'Driving times must be given, ascending and above zero.');
    const {
      places: [place],
      offMap,
    } = this.#places([point], asking);
    if (!place) return { areas: [], near: 0, snapped: undefined, offMap };
    const tenths = limits.map((seconds) => Math.round(seconds * 10));
    return { ...(yield* drawAreas(place, tenths, this.#nowInSlices)), snapped: this.#snapped(place), offMap };
  }

  get #nowInSlices(): Traffic {
    return { ...this.#now, closed: this.#now.closed && this.#closedInSlices };
  }

  /** Roads that touch a box (degrees: west, south, east, north) as lines, the first `limit` of them. */
  roads([west, south, east, north]: readonly [number, number, number, number], limit: number): Feature<LineString>[] {
    return this.#snapper
      .within(micro(south), micro(west), micro(north), micro(east), limit)
      .map((segment) => roadFeature(this.#roads, segment));
  }

  /** Under closures: with what driving costs without them. */
  #traffic(engine: Engine, usual?: Costs): Traffic {
    const { costs } = engine.metric;
    return {
      roads: this.#roads,
      costs,
      finder: engine,
      positions: new SnappedPositions(this.#roads, costs, (node) => this.#network.arcsAt(node), usual),
      closed: usual && this.#closed,
    };
  }

  #draw(trip: Trip, places: readonly RoadPoint[], isTold: boolean): Drive {
    const { costs, positions, closed } = this.#now;
    const isOpen = !closed || trip.legs.every(({ arcs }) => arcs.every((arc) => costs.arc[arc]! < CLOSED));
    return this.#drawer.draw(
      trip,
      places,
      isOpen ? this.#now : { costs: { ...costs, arc: positions.drivenCosts }, positions },
      isTold,
    );
  }

  /**
   * Puts points on roads. Who stands in a small part of the network, from which there is no way out and back,
   * is moved to the big one, unless everybody stands in the same small part.
   */
  #places(points: readonly Waypoint[], { checksum, snapLimit = Infinity }: QueryOptions): Put {
    const { segmentComponent } = this.#roads.columns;
    const candidates = points.map((point) => this.#candidates(point, checksum, snapLimit));
    const found = candidates.filter((candidate) => candidate !== undefined);
    const home = found[0] && segmentComponent[found[0].any.segment];
    const together = found.every(({ any }) => segmentComponent[any.segment] === home);
    const put = ({ any, big }: Candidates): RoadPoint => (together ? any : (big ?? any));
    const places = found.map(put);
    if (found.length === points.length) return { all: places, places, offMap: undefined };
    const offMap = snapLimit < Infinity ? { point: candidates.indexOf(undefined), limit: snapLimit } : undefined;
    return { all: candidates.map((candidate) => candidate && put(candidate)), places, offMap };
  }

  #candidates(point: Waypoint, checksum: number | undefined, within: number): Candidates | undefined {
    const { heading, hint } = point;
    const hinted = checksum === undefined || checksum === this.checksum;
    const known = hinted && hint !== undefined ? placeOfHint(hint, this.#roads) : undefined;
    const isGood =
      known &&
      this.#roads.columns.segmentFlags[known.segment]! & STARTABLE &&
      (!heading || leadsThere(known.segment, known.piece, heading, this.#roads));
    const found = isGood ? { any: known, big: known } : this.#snapper.candidates(...spot(point), heading, within);
    if (!found || !heading) return found;
    return { any: { ...found.any, heading }, big: found.big && { ...found.big, heading } };
  }

  #snapped(place: RoadPoint): SnappedPoint {
    return {
      lat: place.lat / 1e6,
      lon: place.lon / 1e6,
      name: this.#roads.name(place.segment),
      distance: place.distance,
      hint: hintOf(place, this.#roads),
    };
  }
}

interface Candidates {
  readonly any: RoadPoint;
  readonly big: RoadPoint | undefined;
}

/**
 * The points of a question on roads: `all` has undefined for one that is on none, `places` only the others.
 */
interface Put {
  readonly all: readonly (RoadPoint | undefined)[];
  readonly places: readonly RoadPoint[];
  readonly offMap: OffMapPoint | undefined;
}

const isOnRoad = (place: RoadPoint | undefined): place is RoadPoint => place !== undefined;

/** The cells of a table of those places that are on a road, among those of all places. */
function spreadCells(cells: Int32Array, sources: Put['all'], targets: Put['all'], size: number): Int32Array {
  const all = new Int32Array(size).fill(UNREACHABLE);
  let from = 0;
  sources.forEach((source, row) =>
    targets.forEach((target, column) => {
      if (source && target) all[row * targets.length + column] = cells[from++]!;
    }),
  );
  return all;
}

/** Micro-degrees of a point; refuses what is no point of the globe. */
function spot({ lat, lon }: Coordinate): [lat: number, lon: number] {
  if (!(Math.abs(lat) <= 90 && Math.abs(lon) <= 180))
    throw new Refusal('invalid', `${lat}, ${lon} is no point on the globe.`);
  return [micro(lat), micro(lon)];
}

/** Cut off towards zero; the little more keeps 1.000899 from becoming 1.000898. */
function micro(degrees: number): number {
  return Math.trunc(degrees * 1e6 + Math.sign(degrees) * 1e-4);
}
