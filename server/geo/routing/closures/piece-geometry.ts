import type { Position } from 'geojson';
import { MICRO, lonDifference } from '../../territory/roads/reading.ts';
import type { Roads } from '../../territory/roads/reading.ts';
import { flatDistance } from '../snapping/snapper.ts';

/** Longitude and latitude in micro-degrees. */
export type MicroPosition = readonly [lon: number, lat: number];

/** Metres between two samples of a piece, at most. */
export const STEP = 4;
const MAX_SAMPLES = 500;

export function toMicroPosition([lon, lat]: Position): MicroPosition {
  return [Math.round((lon ?? 0) * 1e6), Math.round((lat ?? 0) * 1e6)];
}

/** The bounding box of points, with a margin of `reach` metres. */
export function boxAround(
  points: readonly MicroPosition[],
  reach: number,
): [south: number, west: number, north: number, east: number] {
  const lons = points.map(([lon]) => lon);
  const lats = points.map(([, lat]) => lat);
  const up = reach * 10;
  const across = up / Math.max(0.01, Math.cos(Math.max(...lats.map(Math.abs)) * MICRO * (Math.PI / 180)));
  return [Math.min(...lats) - up, Math.min(...lons) - across, Math.max(...lats) + up, Math.max(...lons) + across];
}

/** Both ends of a piece; the second may be beyond the 180th meridian. */
export function endsOf(piece: number, roads: Roads): readonly [MicroPosition, MicroPosition] {
  const { shape, nodeLat, nodeLon } = roads.columns;
  const a = shape[piece]!;
  const b = shape[piece + 1]!;
  return [
    [nodeLon[a]!, nodeLat[a]!],
    [nodeLon[a]! + lonDifference(nodeLon[a]!, nodeLon[b]!), nodeLat[b]!],
  ];
}

/** Points along a piece, both ends among them. */
export function samples(piece: number, roads: Roads): MicroPosition[] {
  const [[lonA, latA], [lonB, latB]] = endsOf(piece, roads);
  const steps = Math.min(MAX_SAMPLES, Math.max(2, Math.ceil(flatDistance(latA, lonA, latB, lonB) / STEP)));
  return Array.from({ length: steps + 1 }, (_, i) => [
    lonA + ((lonB - lonA) * i) / steps,
    latA + ((latB - latA) * i) / steps,
  ]);
}

/** Course in degrees, 0 to 360; approximate, for comparison only. */
export function direction([lon1, lat1]: MicroPosition, [lon2, lat2]: MicroPosition): number {
  const east = lonDifference(lon1, lon2) * Math.cos(lat1 * MICRO * (Math.PI / 180));
  return ((Math.atan2(east, lat2 - lat1) * 180) / Math.PI + 360) % 360;
}

/** Degrees between two courses regardless of direction: 0 to 90. */
export function angleBetween(one: number, other: number): number {
  return Math.abs(((one - other + 270) % 180) - 90);
}

/**
 * Distance in metres from a point to a straight line, and the foot along the line: below 0 before it, above 1
 * behind it.
 */
export function projectOnto(
  [lon, lat]: MicroPosition,
  [lonA, latA]: MicroPosition,
  [lonB, latB]: MicroPosition,
): { readonly metres: number; readonly along: number } {
  const shrink = Math.cos(lat * MICRO * (Math.PI / 180));
  const dx = lonDifference(lonA, lonB) * shrink;
  const dy = latB - latA;
  const length = dx * dx + dy * dy;
  const along = length === 0 ? 0 : (lonDifference(lonA, lon) * shrink * dx + (lat - latA) * dy) / length;
  const share = Math.max(0, Math.min(1, along));
  return { metres: flatDistance(lat, lon, latA + share * dy, lonA + (share * dx) / Math.max(1e-9, shrink)), along };
}

/**
 * Intersection of two straight lines, ends included; undefined without one, or when parallel. All points must
 * be on one side of the 180th meridian.
 */
export function crossing(
  [lonA, latA]: MicroPosition,
  [lonB, latB]: MicroPosition,
  [lonC, latC]: MicroPosition,
  [lonD, latD]: MicroPosition,
): MicroPosition | undefined {
  const [dx, dy, ex, ey] = [lonB - lonA, latB - latA, lonD - lonC, latD - latC];
  const area = dx * ey - dy * ex;
  if (area === 0) return undefined;
  const onFirst = ((lonC - lonA) * ey - (latC - latA) * ex) / area;
  const onSecond = ((lonC - lonA) * dy - (latC - latA) * dx) / area;
  if (!(onFirst >= 0 && onFirst <= 1 && onSecond >= 0 && onSecond <= 1)) return undefined;
  return [lonA + onFirst * dx, latA + onFirst * dy];
}
