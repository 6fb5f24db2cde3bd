import { reason, type Reason } from '../refusals/reason.ts';

/**
 * Deepest nesting and most positions of one geometry: a drawn zone has hundreds, a country's border some
 * thousands.
 */
const MAX_POSITIONS = 100_000;
const DEEPEST_COLLECTION = 4;

/**
 * The fault of a GeoJSON geometry (RFC 7946); undefined: valid. Positions are longitude and latitude in
 * degrees, with an optional altitude; rings are closed and have at least four positions.
 */
export function geometryFault(value: unknown): Reason | undefined {
  const budget = { positions: MAX_POSITIONS };
  return faultOf(value, budget, 0);
}

function faultOf(value: unknown, budget: { positions: number }, depth: number): Reason | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return reason('geometry.notObject');
  const { type, coordinates, geometries } = value as Record<string, unknown>;
  if (type === 'GeometryCollection') {
    if (depth >= DEEPEST_COLLECTION) return reason('geometry.nested');
    if (!Array.isArray(geometries)) return reason('geometry.noGeometries');
    return first(geometries, (part) => faultOf(part, budget, depth + 1));
  }
  switch (type) {
    case 'Point':
      return position(coordinates, budget);
    case 'MultiPoint':
      return list(coordinates, 0, (part) => position(part, budget));
    case 'LineString':
      return line(coordinates, budget);
    case 'MultiLineString':
      return list(coordinates, 0, (part) => line(part, budget));
    case 'Polygon':
      return polygon(coordinates, budget);
    case 'MultiPolygon':
      return list(coordinates, 0, (part) => polygon(part, budget));
    default:
      return reason('geometry.type');
  }
}

function position(value: unknown, budget: { positions: number }): Reason | undefined {
  if (--budget.positions < 0) return reason('geometry.tooLarge', { most: MAX_POSITIONS });
  if (
    !Array.isArray(value) ||
    value.length < 2 ||
    value.length > 3 ||
    !value.every((number) => typeof number === 'number' && Number.isFinite(number))
  )
    return reason('geometry.position');
  const [lon, lat] = value as [number, number];
  if (Math.abs(lon) > 180 || Math.abs(lat) > 90) return reason('geometry.outside');
  return undefined;
}

function line(value: unknown, budget: { positions: number }): Reason | undefined {
  return list(value, 2, (part) => position(part, budget));
}

function polygon(value: unknown, budget: { positions: number }): Reason | undefined {
  return list(
    value,
    1,
    (ring) =>
      list(ring, 4, (part) => position(part, budget)) ??
      (closed(ring as number[][]) ? undefined : reason('geometry.ringOpen')),
  );
}

function closed(ring: number[][]): boolean {
  const [start, end] = [ring[0]!, ring.at(-1)!];
  return start[0] === end[0] && start[1] === end[1];
}

function list(value: unknown, least: number, fault: (part: unknown) => Reason | undefined): Reason | undefined {
  if (!Array.isArray(value)) return reason('geometry.coordinates');
  if (value.length < least)
    return least === 4
      ? reason('geometry.ringShort')
      : least === 2
        ? reason('geometry.lineShort')
        : reason('geometry.noRing');
  return first(value, fault);
}

function first(values: unknown[], fault: (part: unknown) => Reason | undefined): Reason | undefined {
  for (const value of values) {
    const found = fault(value);
    if (found) return found;
  }
  return undefined;
}
