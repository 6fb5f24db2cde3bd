import type { Position } from 'geojson';
import { MICRO, lonDifference } from '../territory/roads/index.ts';
import type { Roads } from '../territory/roads/index.ts';
import type { Closure } from './door.ts';
import { CLOSED, arcCosts } from './metric.ts';
import type { Costs } from './metric.ts';
import { flatDistance } from './snap.ts';
import type { Snapper } from './snap.ts';

/** One straight piece of road that a closure lies on; by shape position. */
export interface Affected {
  piece: number;
  id: number;
  factor: number;
}

/** A point closes the road that it lies on, when one is as near as this; metres. */
const POINT_REACH = 30;
/** A line closes the roads along it: those that keep this near, metres, in nearly its direction. */
const LINE_REACH = 15;
const LINE_ANGLE = 35;
/** Roads are looked at every so many metres. */
const STEP = 4;

/** Finds the pieces of road that closures lie on. */
export function affectedBy(closures: readonly Closure[], roads: Roads, snapper: Snapper): Affected[] {
  return closures.flatMap(({ id, geometry, factor }) => piecesOf(geometry, roads, snapper).map((piece) => ({ piece, id, factor })));
}

/** The costs of the roads under closures; where several lie on a piece, the slowest counts. */
export function costsUnder(affected: readonly Affected[], roads: Roads, free: Costs): Costs {
  const forward = shared(free.forward);
  const backward = shared(free.backward);
  for (const { piece, factor } of affected) {
    for (const [costs, usual] of [[forward, free.forward], [backward, free.backward]] as const) {
      if (usual[piece] === 0) continue;
      const cost = factor <= 0 ? CLOSED : Math.min(CLOSED, Math.round(usual[piece]! / factor));
      costs[piece] = Math.max(costs[piece]!, cost);
    }
  }
  return { forward, backward, arc: arcCosts(roads, forward, backward) };
}

function piecesOf(geometry: Closure['geometry'], roads: Roads, snapper: Snapper): number[] {
  switch (geometry.type) {
    case 'Point': {
      const [lon, lat] = micro(geometry.coordinates);
      const [place] = snapper.nearest(lat, lon);
      return place && place.distance <= POINT_REACH ? [place.piece] : [];
    }
    case 'LineString': {
      const line = geometry.coordinates.map(micro);
      return near(line, LINE_REACH, snapper).filter((piece) => alongLine(piece, line, roads));
    }
    case 'Polygon': {
      const rings = geometry.coordinates.map((ring) => ring.map(micro));
      return near(rings.flat(), 0, snapper).filter((piece) => samples(piece, roads).some(([lon, lat]) => inside(lon, lat, rings)));
    }
  }
}

type Spot = readonly [lon: number, lat: number];

/** Pieces near the bounding box of some points. */
function near(points: readonly Spot[], reach: number, snapper: Snapper): number[] {
  const lons = points.map(([lon]) => lon);
  const lats = points.map(([, lat]) => lat);
  const up = reach * 10;
  const across = up / Math.max(0.01, Math.cos(Math.max(...lats.map(Math.abs)) * MICRO * (Math.PI / 180)));
  return snapper.piecesWithin(Math.min(...lats) - up, Math.min(...lons) - across, Math.max(...lats) + up, Math.max(...lons) + across);
}

/** Points along a piece, both ends among them. */
function samples(piece: number, roads: Roads): Spot[] {
  const { shape, nodeLat, nodeLon } = roads.columns;
  const a = shape[piece]!;
  const b = shape[piece + 1]!;
  const steps = Math.min(500, Math.max(2, Math.ceil(flatDistance(nodeLat[a]!, nodeLon[a]!, nodeLat[b]!, nodeLon[b]!) / STEP)));
  return Array.from({ length: steps + 1 }, (_, i) => [
    nodeLon[a]! + (lonDifference(nodeLon[a]!, nodeLon[b]!) * i) / steps,
    nodeLat[a]! + ((nodeLat[b]! - nodeLat[a]!) * i) / steps,
  ]);
}

/** Whether half of a piece, or a good stretch of it, runs along the line. */
function alongLine(piece: number, line: readonly Spot[], roads: Roads): boolean {
  const spots = samples(piece, roads);
  const [first, last] = [spots[0]!, spots.at(-1)!];
  const course = direction(first, last);
  let beside = 0;
  for (const spot of spots) {
    for (let i = 1; i < line.length; i++) {
      const turned = Math.abs(((direction(line[i - 1]!, line[i]!) - course + 270) % 180) - 90);
      if (turned <= LINE_ANGLE && distanceTo(spot, line[i - 1]!, line[i]!) <= LINE_REACH) {
        beside++;
        break;
      }
    }
  }
  return beside * 2 >= spots.length || (beside - 1) * STEP >= 2 * LINE_REACH;
}

/** Degrees, 0 up to 360; only compared with each other. */
function direction([lon1, lat1]: Spot, [lon2, lat2]: Spot): number {
  const east = lonDifference(lon1, lon2) * Math.cos(lat1 * MICRO * (Math.PI / 180));
  return ((Math.atan2(east, lat2 - lat1) * 180) / Math.PI + 360) % 360;
}

/** Metres from a spot to a straight line between two others. */
function distanceTo([lon, lat]: Spot, [lonA, latA]: Spot, [lonB, latB]: Spot): number {
  const shrink = Math.cos(lat * MICRO * (Math.PI / 180));
  const dx = lonDifference(lonA, lonB) * shrink;
  const dy = latB - latA;
  const length = dx * dx + dy * dy;
  const share = length === 0 ? 0 : Math.max(0, Math.min(1, (lonDifference(lonA, lon) * shrink * dx + (lat - latA) * dy) / length));
  return flatDistance(lat, lon, latA + share * dy, lonA + (share * dx) / Math.max(1e-9, shrink));
}

/** Even-odd rule over all rings: a hole is outside. */
function inside(lon: number, lat: number, rings: readonly (readonly Spot[])[]): boolean {
  let odd = false;
  for (const ring of rings) {
    for (let i = 0, j = ring.length - 1; i < ring.length; j = i++) {
      const [lonA, latA] = ring[i]!;
      const [lonB, latB] = ring[j]!;
      if (latA > lat !== latB > lat && lon < ((lonB - lonA) * (lat - latA)) / (latB - latA) + lonA) odd = !odd;
    }
  }
  return odd;
}

function micro([lon, lat]: Position): Spot {
  return [Math.round((lon ?? 0) * 1e6), Math.round((lat ?? 0) * 1e6)];
}

function shared(values: Int32Array): Int32Array {
  const copy = new Int32Array(new SharedArrayBuffer(values.byteLength));
  copy.set(values);
  return copy;
}
