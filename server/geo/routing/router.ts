import type { Feature, LineString } from 'geojson';
import { Refusal } from '../../../shared/refusal.ts';
import type { Roads } from '../territory/roads/reading.ts';
import { packAffected, type AffectedPieces } from './closures/affected-pieces.ts';
import { findAlternative } from './search/alternative.ts';
import { runToEnd } from './search/run-to-end.ts';
import { ClosedSearch } from './search/closed-search.ts';
import { ClosuresOnRoute } from './closures/closures-on-route.ts';
import type {
  Heading,
  Coordinate,
  IsochroneAnswer,
  IsochroneRequest,
  RouteAnswer,
  RouteFormat,
  RouteRequest,
  SnappedPoint,
  Table,
  TableRequest,
} from './types.ts';
import { UNREACHABLE } from './types.ts';
import type { Engine } from './search/engine.ts';
import { TripDrawer } from './answer/trip-drawer.ts';
import type { DrawnTrip } from './answer/trip-drawer.ts';
import { findTrip } from './search/find-trip.ts';
import type { SearchContext, Trip } from './search/find-trip.ts';
import type { RouteResult } from './answer/route-result.ts';
import { drawIsochrone } from './isochrone/isochrone.ts';
import { routeNames } from './answer/route-names.ts';
import { CLOSED_COST } from './metric/costs.ts';
import type { Costs } from './metric/costs.ts';
import { IncomingArcs } from './graph/incoming-arcs.ts';
import { SnappedPositions } from './snapping/snapped-positions.ts';
import { presentRoute } from './answer/present-route.ts';
import { roadFeature } from './answer/road-feature.ts';
import { micro, PointSnapping, toMicroDegrees, type SnapResult } from './snapping/point-snapping.ts';
import { Directions, noSegment } from './directions/directions.ts';
import type { DirectionsAnswer, DirectionsForm, DirectionsRequest, MatchRequest, TripRequest } from './types.ts';
import { bestOrder } from './search/best-order.ts';
import type { RoadPoint } from './snapping/snapper.ts';
import { Snapper } from './snapping/snapper.ts';
import { computeTable } from './search/table.ts';
import type { TableSearch } from './search/table-search.ts';
import { unreadableLimits } from './answer/unreadable-limits.ts';
import { simplifyTrip } from './answer/simplify-route.ts';
import { RouteWriter } from './answer/write-route.ts';

const FINEST = 18;
/** Beyond every zoom: keeps all vertices. */
const EVERYTHING = Infinity;

interface EngineContext extends SearchContext {
  readonly finder: Engine;
}

/** Answers queries about one network in the calling thread. The planner runs it in a worker. */
export class Router {
  readonly #roads: Roads;
  readonly #incomingArcs: IncomingArcs;
  readonly #snapper: Snapper;
  readonly #points: PointSnapping;
  readonly #drawer: TripDrawer;
  readonly #writer: RouteWriter;
  readonly #directions: Directions;
  /** Under the current closures, and without. */
  #current: EngineContext;
  #baseline: EngineContext;
  /** At the profile's speeds. */
  readonly #freeFlow: EngineContext;
  #closures: ClosuresOnRoute;
  /** One for queries answered in one go, one for those answered in slices. */
  readonly #closedSearch: ClosedSearch;
  readonly #slicedClosedSearch: ClosedSearch;

  /** `freeFlow` searches without closures. */
  constructor(roads: Roads, freeFlow: Engine) {
    this.#roads = roads;
    this.#incomingArcs = new IncomingArcs(roads);
    this.#snapper = new Snapper(roads);
    this.#points = new PointSnapping(roads, this.#snapper);
    this.#drawer = new TripDrawer(roads, this.#incomingArcs.degree);
    this.#writer = new RouteWriter(roads);
    this.#directions = new Directions(roads, this.#incomingArcs);
    this.#closedSearch = new ClosedSearch(roads);
    this.#slicedClosedSearch = new ClosedSearch(roads);
    this.#freeFlow = this.#contextFor(freeFlow);
    this.#baseline = this.#freeFlow;
    this.#current = this.#freeFlow;
    this.#closures = new ClosuresOnRoute(packAffected([]), roads, this.#freeFlow.costs);
  }

  /**
   * Switches to the conditions of `engine`, with the pieces that its closures lie on; undefined: no closures.
   * `baseline` searches without closures at learned speeds; undefined: at those of the profile.
   */
  setConditions(engine: Engine | undefined, affected: AffectedPieces, baseline?: Engine): void {
    this.#baseline = baseline ? this.#contextFor(baseline) : this.#freeFlow;
    this.#current = engine ? this.#contextFor(engine, this.#baseline.costs) : this.#baseline;
    this.#closures = new ClosuresOnRoute(affected, this.#roads, this.#baseline.costs);
  }

  get #usesLearnedSpeeds(): boolean {
    return this.#baseline !== this.#freeFlow;
  }

  get checksum(): number {
    return this.#roads.checksum;
  }

  /** `within`: maximum metres to the nearest road. */
  locate(point: Coordinate, within?: number): Coordinate | undefined {
    const node = this.#snapper.nearestNode(...toMicroDegrees(point));
    if (node === undefined || !this.#snapper.isRoadWithin(...toMicroDegrees(point), within)) return undefined;
    const { nodeLat, nodeLon } = this.#roads.columns;
    return { lat: nodeLat[node]! / 1e6, lon: nodeLon[node]! / 1e6 };
  }

  nearest(point: Coordinate, count?: number, heading?: Heading, within?: number): SnappedPoint[] {
    return this.#points.nearest(point, count, heading, within);
  }

  route(request: RouteRequest): RouteAnswer {
    const found = this.#findRoute(request, true);
    return {
      route: found.best && presentRoute(found.best, this.#roads),
      alternative: found.alternative && presentRoute(found.alternative, this.#roads),
      snapped: found.places.map((place) => this.#points.snapped(place)),
      offMap: found.offMap,
      checksum: this.checksum,
      learnedSpeeds: found.learnedSpeeds,
    };
  }

  /** The same encoded for area C, in UTF-8 and in memory of its own. */
  writtenRoute(request: RouteRequest, form: RouteFormat): Uint8Array<ArrayBuffer> {
    return this.#writer.write(this.#findRoute(request, form.instructions), form);
  }

  #findRoute(request: RouteRequest, withInstructions: boolean): RouteResult {
    if (request.points.length < 2) throw new Refusal('routing.fewPoints');
    const learnedSpeeds = this.#usesLearnedSpeeds;
    const { all, places, offMap } = this.#points.snapAll(request.points, request);
    if (places.length < all.length)
      return { places: [], offMap, best: undefined, alternative: undefined, learnedSpeeds };
    const mayTurnAt = (point: number): boolean => request.points[point]!.uturn === true;
    const trip = findTrip(places, this.#current, mayTurnAt);
    if (!trip) return { places, offMap, best: undefined, alternative: undefined, learnedSpeeds };
    const zoom = request.fullGeometry ? EVERYTHING : (request.z ?? FINEST);
    const other =
      request.alternatives && places.length === 2
        ? findAlternative(trip, [places[0]!, places[1]!], this.#current)
        : undefined;
    const baseline = this.#closures.isEmpty ? undefined : findTrip(places, this.#baseline, mayTurnAt);
    const drive = simplifyTrip(this.#draw(trip, places, withInstructions), zoom);
    const otherDrive = other && simplifyTrip(this.#draw(other, places, withInstructions), zoom);
    return {
      places,
      offMap,
      best: {
        drawn: drive,
        names: routeNames(drive.instructions, otherDrive?.instructions),
        closures: this.#closures.of(trip, baseline),
        notes: unreadableLimits(places, drive.distance, this.#roads),
      },
      alternative: other &&
        otherDrive && {
          drawn: otherDrive,
          names: routeNames(otherDrive.instructions, drive.instructions),
          closures: this.#closures.of(other, baseline),
          notes: unreadableLimits(places, otherDrive.distance, this.#roads),
        },
      learnedSpeeds,
    };
  }

  table(request: TableRequest): Table {
    return runToEnd(this.tableExclusive(request));
  }

  /**
   * Yields regularly when it takes long, and may be abandoned there. Send no other query before it is
   * answered or abandoned.
   */
  tableExclusive(request: TableRequest): Generator<undefined, Table> {
    return this.#table(request, this.#current, this.#current.finder.tableSearch);
  }

  /** Yields as well. Other queries may be answered in between, except sliced ones. */
  tableInSlices(request: TableRequest): Generator<undefined, Table> {
    return this.#table(request, this.#currentSliced, this.#current.finder.slicedTableSearch);
  }

  *#table(request: TableRequest, now: EngineContext, tables: TableSearch): Generator<undefined, Table> {
    const { all, offMap } = this.#points.snapAll([...request.sources, ...request.targets], request);
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
      snappedSources: onRow.map((place) => this.#points.snapped(place)),
      snappedTargets: onColumn.map((place) => this.#points.snapped(place)),
      offMap,
      checksum: this.checksum,
    };
  }

  /**
   * Takes long on a large territory and yields regularly. Other queries may be answered in between, except
   * sliced ones.
   */
  *isochrone({ point, limits, ...asking }: IsochroneRequest): Generator<undefined, IsochroneAnswer> {
    if (limits.length === 0 || limits.some((limit, i) => !(limit > (limits[i - 1] ?? 0))))
      throw new Refusal('routing.times');
    const {
      places: [place],
      offMap,
    } = this.#points.snapAll([point], asking);
    if (!place) return { areas: [], near: 0, snapped: undefined, offMap };
    const tenths = limits.map((seconds) => Math.round(seconds * 10));
    return {
      ...(yield* drawIsochrone(place, tenths, this.#currentSliced)),
      snapped: this.#points.snapped(place),
      offMap,
    };
  }

  get #currentSliced(): EngineContext {
    return { ...this.#current, closed: this.#current.closed && this.#slicedClosedSearch };
  }

  /** A route in the dialect of OSRM 5, encoded. */
  directions(request: DirectionsRequest, form: DirectionsForm): DirectionsAnswer {
    const { all, places, offMap } = this.#points.snapAll(request.points, request);
    if (places.length < all.length) return noSegment(offMap, all.indexOf(undefined));
    const trip = findTrip(places, this.#current, (point) => request.points[point]!.uturn === true);
    if (!trip) return { code: 'NoRoute', message: 'Impossible route between points' };
    const other =
      request.alternatives && places.length === 2
        ? findAlternative(trip, [places[0]!, places[1]!], this.#current)
        : undefined;
    const legsAt = request.legsAt ?? [...places.keys()];
    return this.#directions.routes(other ? [trip, other] : [trip], places, legsAt, this.#current.positions, form);
  }

  /** The quickest trip over all points in the best order. Yields as `tableInSlices` does. */
  *trip(request: TripRequest, form: DirectionsForm): Generator<undefined, DirectionsAnswer> {
    const now = this.#currentSliced;
    const { all, places, offMap } = this.#points.snapAll(request.points, request);
    if (places.length < all.length) return noSegment(offMap, all.indexOf(undefined));
    const asked = { sources: places, targets: places, distances: false };
    const { times } = yield* computeTable(asked, now.finder.slicedTableSearch, now);
    const order = yield* bestOrder(times, places.length, UNREACHABLE, request);
    const stops = order && [...order, ...(request.roundtrip ? [order[0]!] : [])].map((i) => places[i]!);
    // At every stop the vehicle may turn back, as the table supposes.
    const trip = stops && findTrip(stops, this.#current, () => true);
    if (!trip) return { code: 'NoTrips', message: 'No trip visiting all destinations possible.' };
    return this.#directions.trip(trip, places, order, this.#current.positions, form);
  }

  /** A table in the dialect of OSRM 5. Yields as `tableInSlices` does. */
  *durations(
    request: TableRequest,
    form: DirectionsForm & { durations: boolean },
  ): Generator<undefined, DirectionsAnswer> {
    const table = yield* this.tableInSlices(request);
    const known = table.snappedSources.length + table.snappedTargets.length;
    if (known < table.rows + table.columns) return noSegment(table.offMap, table.offMap?.point ?? 0);
    return this.#directions.table(table, { durations: form.durations, distances: request.distances !== false }, form);
  }

  /** The roads that a track was driven on. Yields as `tableInSlices` does. */
  match(request: MatchRequest, form: DirectionsForm): Generator<undefined, DirectionsAnswer> {
    return this.#directions.match(request, this.#current.positions, form);
  }

  /** Roads whose boxes intersect the bounds (degrees: west, south, east, north) as lines, at most `limit`. */
  roads([west, south, east, north]: readonly [number, number, number, number], limit: number): Feature<LineString>[] {
    return this.#snapper
      .within(micro(south), micro(west), micro(north), micro(east), limit)
      .map((segment) => roadFeature(this.#roads, segment));
  }

  /** Under closures: `baseline` are the costs without them. */
  #contextFor(engine: Engine, baseline?: Costs): EngineContext {
    const { costs } = engine.metric;
    return {
      roads: this.#roads,
      costs,
      finder: engine,
      positions: new SnappedPositions(this.#roads, costs, (node) => this.#incomingArcs.arcsAt(node), baseline),
      closed: baseline && this.#closedSearch,
    };
  }

  #draw(trip: Trip, places: readonly RoadPoint[], withInstructions: boolean): DrawnTrip {
    const { costs, positions, closed } = this.#current;
    const isOpen = !closed || trip.legs.every(({ arcs }) => arcs.every((arc) => costs.arc[arc]! < CLOSED_COST));
    return this.#drawer.draw(
      trip,
      places,
      isOpen ? this.#current : { costs: { ...costs, arc: positions.drivenCosts }, positions },
      withInstructions,
    );
  }
}

const isOnRoad = (place: RoadPoint | undefined): place is RoadPoint => place !== undefined;

/** Spreads the cells of snapped points over the table of all points. */
function spreadCells(
  cells: Int32Array,
  sources: SnapResult['all'],
  targets: SnapResult['all'],
  size: number,
): Int32Array {
  const all = new Int32Array(size).fill(UNREACHABLE);
  let from = 0;
  sources.forEach((source, row) =>
    targets.forEach((target, column) => {
      if (source && target) all[row * targets.length + column] = cells[from++]!;
    }),
  );
  return all;
}
