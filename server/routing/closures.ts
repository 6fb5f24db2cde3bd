import type { Position } from 'geojson';
import { CLOSURE_REACH } from '../../shared/closure-reach.ts';
import { MICRO, lonDifference } from '../territory/roads/index.ts';
import type { Roads } from '../territory/roads/index.ts';
import type { Affected } from './affected.ts';
import { copyTo } from './breather.ts';
import type { Closure } from './door.ts';
import { CLOSED, arcCosts } from './metric.ts';
import type { Costs } from './metric.ts';
import { flatDistance } from './snap.ts';
import type { Snapper } from './snap.ts';

/** Metres: a point closes the road that it lies on, when one is as near as the first; a line the roads along it, those that keep as near as the second, in nearly its direction. */
const { Point: POINT_REACH, LineString: LINE_REACH } = CLOSURE_REACH;
/** Roads that are no further than the nearest one by this are one junction: coordinates are rounded to a micro-degree. */
const TOUCHING = 0.25;
/** Degrees between a line and the roads along it. */
const LINE_ANGLE = 35;
/** Roads are looked at every so many metres. */
const STEP = 4;
/** Roads along a line are looked for in parts of it that are no longer than this; metres. */
const SHORT = 500;
/** Slower than at this share of its speed no road is driven: a year for one street would be as good as closed, and more costs than can be added up. */
const SLOWEST = 0.001;

/** Finds the pieces of road that closures lie on. */
export function affectedBy(closures: readonly Closure[], roads: Roads, snapper: Snapper): Affected[] {
  return closures.flatMap(({ id, geometry, factor }) => piecesOf(geometry, roads, snapper).map((piece) => ({ piece, id, factor })));
}

/** Pieces or roads between two breaths. */
const OFTEN = 1024;

/** The costs of the roads under closures; where several lie on a piece, the slowest counts. Written over `into`. `breathe` is called time and again. */
export function costsUnder(affected: readonly Affected[], roads: Roads, free: Costs, into?: Costs, breathe?: () => void): Costs {
  const forward = written(free.forward, into?.forward, breathe);
  const backward = written(free.backward, into?.backward, breathe);
  const arc = written(free.arc, into?.arc, breathe);
  const segments = new Set<number>();
  for (const [i, { piece, factor }] of affected.entries()) {
    if (i % OFTEN === 0) breathe?.();
    segments.add(roads.segmentOf(piece));
    for (const [costs, usual] of [[forward, free.forward], [backward, free.backward]] as const) {
      if (usual[piece] === 0) continue;
      costs[piece] = Math.max(costs[piece]!, costUnder(factor, usual[piece]!));
    }
  }
  let done = 0;
  for (const segment of segments) {
    if (done++ % OFTEN === 0) breathe?.();
    arcCosts(roads, segment, forward, backward, arc);
  }
  return { forward, backward, arc };
}

/** What a piece costs under one closure that usually costs `usual`: at most a thousand times that where it is not closed. */
export function costUnder(factor: number, usual: number): number {
  return factor <= 0 ? CLOSED : Math.min(CLOSED, Math.round(usual / Math.max(SLOWEST, factor)));
}

function piecesOf(geometry: Closure['geometry'], roads: Roads, snapper: Snapper): number[] {
  switch (geometry.type) {
    case 'Point': {
      const [lon, lat] = micro(geometry.coordinates);
      const [place] = snapper.nearest(lat, lon);
      if (!place || place.distance > POINT_REACH) return [];
      return [...new Set(snapper.around(lat, lon, place.distance + TOUCHING).map(({ piece }) => piece))];
    }
    case 'LineString': return piecesAlong(geometry.coordinates.map(micro), roads, snapper);
    case 'Polygon': {
      const rings = geometry.coordinates.map((ring) => ring.map(micro));
      const inside = insideOf(rings);
      return near(rings.flat(), 0, snapper).filter((piece) => samples(piece, roads).some(([lon, lat]) => inside(lon, lat)));
    }
  }
}

type Spot = readonly [lon: number, lat: number];

/** Pieces near the bounding box of some points. */
function near(points: readonly Spot[], reach: number, snapper: Snapper): number[] {
  return snapper.piecesWithin(...boxAround(points, reach));
}

function boxAround(points: readonly Spot[], reach: number): [south: number, west: number, north: number, east: number] {
  const lons = points.map(([lon]) => lon);
  const lats = points.map(([, lat]) => lat);
  const up = reach * 10;
  const across = up / Math.max(0.01, Math.cos(Math.max(...lats.map(Math.abs)) * MICRO * (Math.PI / 180)));
  return [Math.min(...lats) - up, Math.min(...lons) - across, Math.max(...lats) + up, Math.max(...lons) + across];
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

/** A piece near a line: points along it, and which of them are beside a stretch of the line that has nearly its direction. */
interface Candidate {
  readonly spots: readonly Spot[];
  readonly course: number;
  readonly isBeside: Uint8Array;
}

/** Pieces of which half, or a good stretch, runs along the line. */
function piecesAlong(line: readonly Spot[], roads: Roads, snapper: Snapper): number[] {
  const candidates = new Map<number, Candidate>();
  const candidate = (piece: number): Candidate => {
    let known = candidates.get(piece);
    if (!known) {
      const spots = samples(piece, roads);
      candidates.set(piece, (known = { spots, course: direction(spots[0]!, spots.at(-1)!), isBeside: new Uint8Array(spots.length) }));
    }
    return known;
  };
  for (let i = 1; i < line.length; i++) {
    const from = line[i - 1]!;
    const to = line[i]!;
    const course = direction(from, to);
    for (const piece of piecesBeside(from, [from[0] + lonDifference(from[0], to[0]), to[1]], snapper)) {
      const { spots, course: own, isBeside } = candidate(piece);
      if (Math.abs(((course - own + 270) % 180) - 90) > LINE_ANGLE) continue;
      for (let k = 0; k < spots.length; k++) if (isBeside[k] === 0 && distanceTo(spots[k]!, from, to) <= LINE_REACH) isBeside[k] = 1;
    }
  }
  return [...candidates].filter(([, { isBeside }]) => {
    const beside = isBeside.reduce((sum, one) => sum + one, 0);
    return beside * 2 >= isBeside.length || (beside - 1) * STEP >= 2 * LINE_REACH;
  }).map(([piece]) => piece);
}

/** Pieces near a straight line, which may go beyond the 180th meridian. It is halved until its parts are short: the box of one that slants through a territory has most of it inside. */
function piecesBeside(from: Spot, to: Spot, snapper: Snapper, found = new Set<number>()): Set<number> {
  const [south, west, north, east] = boxAround([from, to], LINE_REACH);
  const turns = [0, ...(east > 180e6 ? [-360e6] : []), ...(west < -180e6 ? [360e6] : [])];
  const inBox = turns.filter((turn) => snapper.within(south, west + turn, north, east + turn, 1).length > 0);
  if (inBox.length === 0) return found;
  if (flatDistance(from[1], from[0], to[1], to[0]) <= SHORT) {
    for (const turn of inBox) for (const piece of snapper.piecesWithin(south, west + turn, north, east + turn)) found.add(piece);
    return found;
  }
  const middle: Spot = [(from[0] + to[0]) / 2, (from[1] + to[1]) / 2];
  piecesBeside(from, middle, snapper, found);
  return piecesBeside(middle, to, snapper, found);
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

/** Even-odd rule over all rings: a hole is outside. Sides are kept by bands of latitude, so that a spot is compared with few of them. */
function insideOf(rings: readonly (readonly Spot[])[]): (lon: number, lat: number) => boolean {
  const sides = rings.flatMap((ring) => ring.map((spot, i) => [spot, ring[(i || ring.length) - 1]!] as const));
  const lats = sides.map(([[, lat]]) => lat);
  const south = Math.min(...lats);
  const height = (Math.max(...lats) - south) / sides.length + 1;
  const band = (lat: number): number => Math.floor((lat - south) / height);
  const gathered = Array.from({ length: sides.length + 1 }, (): number[] => []);
  for (const [[lonA, latA], [lonB, latB]] of sides) {
    for (let i = band(Math.min(latA, latB)); i <= band(Math.max(latA, latB)); i++) gathered[i]!.push(lonA, latA, lonB, latB);
  }
  const bands = gathered.map((numbers) => Float64Array.from(numbers));
  return (lon, lat) => {
    const near = bands[band(lat)];
    if (!near) return false;
    let odd = false;
    for (let i = 0; i < near.length; i += 4) {
      const latA = near[i + 1]!;
      const latB = near[i + 3]!;
      if (latA > lat !== latB > lat && lon < ((near[i + 2]! - near[i]!) * (lat - latA)) / (latB - latA) + near[i]!) odd = !odd;
    }
    return odd;
  };
}

function micro([lon, lat]: Position): Spot {
  return [Math.round((lon ?? 0) * 1e6), Math.round((lat ?? 0) * 1e6)];
}

function written(values: Int32Array, into: Int32Array | undefined, breathe: (() => void) | undefined): Int32Array {
  const copy = into ?? new Int32Array(new SharedArrayBuffer(values.byteLength));
  copyTo(copy, values, breathe);
  return copy;
}
