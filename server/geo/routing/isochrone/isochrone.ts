import { STARTABLE, lonDifference } from '../../territory/roads/reading.ts';
import type { Roads } from '../../territory/roads/reading.ts';
import type { IsochroneArea } from '../types.ts';
import type { Engine } from '../search/engine.ts';
import type { SearchContext } from '../search/find-trip.ts';
import { ENTERING, LEAVING, OPEN, startPhase } from '../snapping/snapped-positions.ts';
import type { Phase } from '../snapping/snapped-positions.ts';
import type { ArcLabel } from '../search/path-finder.ts';
import { RoadGrid } from './road-grid.ts';
import type { GridBounds } from './road-grid.ts';
import type { RoadPoint } from '../snapping/snapper.ts';

/** Arcs or segments between two yields. */
const SLICE = 4096;

/** The reached part of a segment, `from` to `to` in pieces from its beginning. */
interface ReachedStretch {
  readonly segment: number;
  readonly from: number;
  readonly to: number;
}

/**
 * Areas around the roads reached from a point within each of `limits` (tenths of a second, ascending). Exact
 * on the roads (README rule 14). Ferries are used but are not part of an area. Yields regularly.
 */
export function* drawIsochrone(
  place: RoadPoint,
  limits: readonly number[],
  { roads, positions, finder: engine, closed }: SearchContext & { finder: Engine },
): Generator<undefined, { areas: IsochroneArea[]; near: number }> {
  const { turnFirst, turnHead, turnCost } = roads.columns;
  const { rank } = engine.hierarchy.columns;
  // Others may come into force between the slices.
  const { metric } = engine;
  const longest = limits.at(-1)!;
  const leaving = positions.departures(place);
  // The sources are the arcs after the vehicle's own, so that the label of its own arc is the time of coming
  // round to it.
  const sources: ArcLabel[] = [];
  const visitTurns = (arc: number, end: number, visit: (source: ArcLabel) => void): void => {
    for (let turn = turnFirst[arc]!; turn < turnFirst[arc + 1]!; turn++)
      visit({ arc: turnHead[turn]!, label: end + turnCost[turn]! });
  };
  for (const position of leaving)
    if (!positions.continuesOnClosed(position))
      visitTurns(position.arc, positions.costToEnd(position), (source) => sources.push(source));
  const out =
    closed &&
    (yield* closed.exits(
      leaving.map((position) => ({ position, total: 0 })),
      positions,
      longest,
    ));
  for (const exit of out?.exits ?? []) sources.push(exit);
  const closedReached = out?.allLabels() ?? [];
  /** Closed arcs entered from open road. */
  const closedEntries: ArcLabel[] = [];
  const enter = (source: ArcLabel): unknown => positions.isClosedArc(source.arc) && closedEntries.push(source);
  for (const { arc, cost } of out?.reentries ?? []) visitTurns(arc, cost, enter);
  const label = yield* engine.oneToAllSearch.within(metric, sources, longest);
  if (closed) {
    for (let arc = 0; arc < roads.arcs; arc++) {
      if (arc % SLICE === 0) yield;
      const begun = label[rank[arc]!]!;
      if (
        begun <= longest &&
        positions.isClosedArc(arc) &&
        positions.phaseAt(arc, 0, roads.pieces(arc >> 1), OPEN) === ENTERING
      )
        visitTurns(arc, begun + positions.drivenCosts[arc]!, enter);
    }
  }
  const entered = closed ? yield* closed.spreadInward(closedEntries, longest, positions) : [];

  function* reachedIn(limit: number): Generator<undefined, ReachedStretch[]> {
    const reached: ReachedStretch[] = [];
    const drive = (arc: number, at: number, budget: number, phase: Phase): void => {
      if (!(roads.columns.segmentFlags[arc >> 1]! & STARTABLE)) return;
      const to = positions.reachableUpTo(arc, at, budget, phase);
      const pieces = roads.pieces(arc >> 1);
      reached.push(
        arc & 1 ? { segment: arc >> 1, from: pieces - to, to: pieces - at } : { segment: arc >> 1, from: at, to },
      );
    };
    for (const position of leaving) drive(position.arc, position.at, limit, startPhase(position));
    for (let arc = 0; arc < roads.arcs; arc++) {
      if (arc % SLICE === 0) yield;
      const left = limit - label[rank[arc]!]!;
      if (left >= 0 && roads.isOpen(arc)) drive(arc, 0, left, OPEN);
    }
    for (const [sources, phase] of [
      [closedReached, LEAVING],
      [entered, ENTERING],
    ] as const) {
      for (let i = 0; i < sources.length; i++) {
        if (i % SLICE === 0) yield;
        const { arc, label } = sources[i]!;
        if (label <= limit) drive(arc, 0, limit - label, phase);
      }
    }
    return reached;
  }

  const grid = new RoadGrid(boundsOf(place, yield* reachedIn(longest), roads));
  for (let segment = 0; segment < roads.segments; segment++) {
    if (segment % SLICE === 0) yield;
    if (roads.columns.segmentFlags[segment]! & STARTABLE)
      eachPiece({ segment, from: 0, to: roads.pieces(segment) }, roads, (...piece) => grid.mark(...piece));
  }
  const areas: IsochroneArea[] = [];
  for (const limit of limits) {
    const reached = yield* reachedIn(limit);
    grid.draw(place.lat, place.lon, place.lat, place.lon);
    for (let i = 0; i < reached.length; i++) {
      if (i % (SLICE / 8) === 0) yield;
      eachPiece(reached[i]!, roads, (...piece) => grid.draw(...piece));
    }
    areas.push({ seconds: limit / 10, polygons: grid.outlines() });
    yield;
  }
  return { areas, near: grid.near };
}

/** Visits the straight pieces of a stretch by their ends, in micro-degrees. */
function eachPiece(
  { segment, from, to }: ReachedStretch,
  roads: Roads,
  visit: (lat1: number, lon1: number, lat2: number, lon2: number) => void,
): void {
  const { segmentFirst } = roads.columns;
  for (let k = Math.floor(from); k < to; k++) {
    const [lat1, lon1] = roads.along(segmentFirst[segment]! + k, Math.max(0, from - k));
    const [lat2, lon2] = roads.along(segmentFirst[segment]! + k, Math.min(1, to - k));
    visit(lat1, lon1, lat2, lon2);
  }
}

function boundsOf({ lat, lon }: RoadPoint, reached: readonly ReachedStretch[], roads: Roads): GridBounds {
  const box = { south: lat, west: lon, north: lat, east: lon };
  const take = (otherLat: number, otherLon: number): void => {
    const beside = lon + lonDifference(lon, otherLon);
    box.south = Math.min(box.south, otherLat);
    box.north = Math.max(box.north, otherLat);
    box.west = Math.min(box.west, beside);
    box.east = Math.max(box.east, beside);
  };
  for (const stretch of reached) {
    eachPiece(stretch, roads, (lat1, lon1, lat2, lon2) => {
      take(lat1, lon1);
      take(lat2, lon2);
    });
  }
  const turn = box.west < -180e6 ? 360e6 : 0;
  return { ...box, west: box.west + turn, east: box.east + turn };
}
