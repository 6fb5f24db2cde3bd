/**
 * Deepest nesting and most positions of one geometry: a drawn zone has hundreds, a country's border some
 * thousands.
 */
const MAX_POSITIONS = 100_000;
const DEEPEST_COLLECTION = 4;

/**
 * What is wrong with a GeoJSON geometry (RFC 7946), in words; undefined: valid. Positions are longitude and
 * latitude in degrees, with an optional altitude; rings are closed and have at least four positions.
 */
export function geometryFault(value: unknown): string | undefined {
  const budget = { positions: MAX_POSITIONS };
  return faultOf(value, budget, 0);
}

function faultOf(value: unknown, budget: { positions: number }, depth: number): string | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return 'a geometry is an object with type and coordinates';
  const { type, coordinates, geometries } = value as Record<string, unknown>;
  if (type === 'GeometryCollection') {
    if (depth >= DEEPEST_COLLECTION) return 'collections are nested too deeply';
    if (!Array.isArray(geometries)) return 'a GeometryCollection has an array of geometries';
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
      return 'the type of a geometry is Point, LineString, Polygon, their Multi forms or GeometryCollection';
  }
}

function position(value: unknown, budget: { positions: number }): string | undefined {
  if (--budget.positions < 0) return `a geometry has at most ${MAX_POSITIONS} positions`;
  if (
    !Array.isArray(value) ||
    value.length < 2 ||
    value.length > 3 ||
    !value.every((number) => typeof number === 'number' && Number.isFinite(number))
  )
    return 'a position is an array of longitude and latitude';
  const [lon, lat] = value as [number, number];
  if (Math.abs(lon) > 180 || Math.abs(lat) > 90) return 'longitude is from -180 to 180, latitude from -90 to 90';
  return undefined;
}

function line(value: unknown, budget: { positions: number }): string | undefined {
  return list(value, 2, (part) => position(part, budget));
}

function polygon(value: unknown, budget: { positions: number }): string | undefined {
  return list(
    value,
    1,
    (ring) =>
      list(ring, 4, (part) => position(part, budget)) ??
      (closed(ring as number[][]) ? undefined : 'a ring ends where it begins'),
  );
}

function closed(ring: number[][]): boolean {
  const [start, end] = [ring[0]!, ring.at(-1)!];
  return start[0] === end[0] && start[1] === end[1];
}

function list(value: unknown, least: number, fault: (part: unknown) => string | undefined): string | undefined {
  if (!Array.isArray(value)) return 'coordinates are arrays of positions';
  if (value.length < least)
    return least === 4
      ? 'a ring has at least 4 positions'
      : least === 2
        ? 'a line has at least 2 positions'
        : 'a polygon has a ring';
  return first(value, fault);
}

function first(values: unknown[], fault: (part: unknown) => string | undefined): string | undefined {
  for (const value of values) {
    const found = fault(value);
    if (found) return found;
  }
  return undefined;
}
