import type { RoadClosure } from '../../../shared/records/index.ts';
import { planeAt, type LonLat } from '../../../shared/geo/shapes.ts';

/** Metres to either side of a closed line, and around a closed point: alerts have areas, no lines. */
const WIDTH = 25;
const METRES_PER_DEGREE = 111_194.93;
/** Digits behind the point: about a decimetre. */
const DIGITS = 6;

/** The area of a closure in CAP: pairs `lat,lon`; holes are left out. */
export function capArea({ geometry }: Pick<RoadClosure, 'geometry'>): { circle: string } | { polygon: string } {
  if (geometry.type === 'Point') return { circle: `${pair(geometry.coordinates)} ${WIDTH / 1000}` };
  const ring = geometry.type === 'Polygon' ? geometry.coordinates[0]! : around(geometry.coordinates);
  return { polygon: closedRing(ring).map(pair).join(' ') };
}

/** The place of a closure as an element of GeoRSS Simple: `lat lon` with spaces; holes are left out. */
export function geoRssOf({ geometry }: Pick<RoadClosure, 'geometry'>): string {
  if (geometry.type === 'Point') return `<georss:point>${spaced([geometry.coordinates])}</georss:point>`;
  if (geometry.type === 'LineString') return `<georss:line>${spaced(geometry.coordinates)}</georss:line>`;
  return `<georss:polygon>${spaced(closedRing(geometry.coordinates[0]!))}</georss:polygon>`;
}

function spaced(points: readonly (readonly number[])[]): string {
  return points.map((point) => pair(point).replace(',', ' ')).join(' ');
}

function closedRing(ring: readonly (readonly number[])[]): readonly (readonly number[])[] {
  return samePlace(ring[0]!, ring.at(-1)!) ? ring : [...ring, ring[0]!];
}

/** A band around a line: its points moved to the left, and back on the right. */
function around(line: readonly (readonly number[])[]): (readonly number[])[] {
  const points = line.map(([lon, lat]): LonLat => [lon!, lat!]);
  const sides = points.map((point, index) => {
    const plane = planeAt(point);
    const [x0, y0] = plane(points[Math.max(0, index - 1)]!);
    const [x1, y1] = plane(points[Math.min(points.length - 1, index + 1)]!);
    const length = Math.hypot(x1 - x0, y1 - y0);
    // A line that turns back on itself has no direction there: any will do.
    const [across, up] = length === 0 ? [0, 1] : [-(y1 - y0) / length, (x1 - x0) / length];
    return [moved(point, across * WIDTH, up * WIDTH), moved(point, -across * WIDTH, -up * WIDTH)] as const;
  });
  return [...sides.map(([left]) => left), ...sides.map(([, right]) => right).reverse()];
}

function moved([lon, lat]: LonLat, east: number, north: number): LonLat {
  const across = METRES_PER_DEGREE * Math.max(0.01, Math.cos((lat * Math.PI) / 180));
  const movedLon = lon + east / across;
  const wrapped = movedLon > 180 ? movedLon - 360 : movedLon < -180 ? movedLon + 360 : movedLon;
  return [wrapped, Math.min(90, Math.max(-90, lat + north / METRES_PER_DEGREE))];
}

function samePlace(a: readonly number[], b: readonly number[]): boolean {
  return a[0] === b[0] && a[1] === b[1];
}

function pair(point: readonly number[]): string {
  return `${Number(point[1]!.toFixed(DIGITS))},${Number(point[0]!.toFixed(DIGITS))}`;
}
