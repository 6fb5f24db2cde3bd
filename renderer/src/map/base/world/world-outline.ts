import { feature, mesh } from 'topojson-client';

type Topology = Parameters<typeof mesh>[0];

/** A line or a ring, and the box around it. */
export interface WorldLine {
  /** x and y in turn. */
  readonly points: Float64Array;
  readonly box: Box;
}
interface Box {
  readonly west: number;
  readonly north: number;
  readonly east: number;
  readonly south: number;
}
export interface WorldCountry {
  /** ISO 3166-1, two letters. */
  readonly code: string;
  readonly x: number;
  readonly y: number;
  /** Of its largest part. */
  readonly width: number;
}

/** Land, coasts, frontiers and names of the world, in pixels of `WORLD_ZOOM` from the north-west corner. */
export interface WorldOutline {
  readonly land: readonly WorldLine[];
  readonly coasts: readonly WorldLine[];
  readonly frontiers: readonly WorldLine[];
  readonly countries: readonly WorldCountry[];
}

/** Above this zoom the outline is coarser than a few pixels, so it is not drawn. */
export const WORLD_ZOOM = 9;
const SIZE = 256 * 2 ** WORLD_ZOOM;
/** Web Mercator ends here. */
const LAST_LATITUDE = 85.05;

type Position = number[];
interface Geometry {
  readonly type: string;
  readonly coordinates: unknown;
}
interface Shape {
  readonly id?: string | number | undefined;
  readonly geometry: Geometry;
}

/** Reads the countries of Natural Earth as `world-atlas` has them. */
export function readWorld(topology: Topology): WorldOutline {
  const { countries, land: all } = topology.objects as Record<string, Parameters<typeof feature>[1]>;
  const shapes = (feature(topology, countries!) as unknown as { readonly features: readonly Shape[] }).features;
  const lands = feature(topology, all!) as unknown as Shape | { readonly features: readonly Shape[] };
  const rings = ('features' in lands ? lands.features : [lands]).flatMap(({ geometry }) => ringsOf(geometry));
  const between = mesh(topology, countries as Parameters<typeof mesh>[1], (one, other) => one !== other);
  return {
    land: rings.flatMap((ring) => repeated(lineOf(closed(unwrapped(ring))))),
    coasts: rings.flatMap((ring) => cutAtPole(unwrapped(ring)).flatMap((line) => repeated(lineOf(line)))),
    frontiers: (between.coordinates as Position[][]).flatMap((line) => repeated(lineOf(unwrapped(line)))),
    // Islands of a country may be a shape of their own with its code: the largest shape comes last, and stays.
    countries: [
      ...new Map(
        shapes
          .flatMap(countryOf)
          .toSorted((one, other) => one.width - other.width)
          .map((country) => [country.code, country]),
      ).values(),
    ],
  };
}

export function touches({ west, north, east, south }: Box, other: Box): boolean {
  return west <= other.east && east >= other.west && north <= other.south && south >= other.north;
}

const ringsOf = ({ type, coordinates }: Geometry): Position[][] =>
  type === 'Polygon' ? (coordinates as Position[][]) : (coordinates as Position[][][]).flat();

/** A line that crosses 180° continues beyond it, instead of back around the world. */
function unwrapped(line: Position[]): Position[] {
  let turns = 0;
  return line.map(([lon, lat], index) => {
    const step = index === 0 ? 0 : lon! - line[index - 1]![0]!;
    if (step > 180) turns--;
    if (step < -180) turns++;
    return [lon! + 360 * turns, lat!];
  });
}

/** Antarctica's ring goes around the world: it is closed along the pole. */
function closed(ring: Position[]): Position[] {
  const [first, last] = [ring[0]!, ring.at(-1)!];
  return Math.abs(last[0]! - first[0]!) < 180 ? ring : [...ring, [last[0]!, -90], [first[0]!, -90], first];
}

/** Without what runs along the edge of the projection, which is no coast. */
function cutAtPole(line: Position[]): Position[][] {
  const isAtPole = ([, lat]: Position) => lat! < -LAST_LATITUDE;
  if (!line.some(isAtPole)) return [line];
  const pieces: Position[][] = [[]];
  line.forEach((position, index) => {
    if (index > 0 && isAtPole(position) && isAtPole(line[index - 1]!)) pieces.push([]);
    pieces.at(-1)!.push(position);
  });
  return pieces.filter(({ length }) => length > 1);
}

/** The line, and again at the other end of the world where it goes beyond 180°. */
function repeated(line: WorldLine): WorldLine[] {
  const { points, box } = line;
  const shiftedBy = (by: number): WorldLine => ({
    points: points.map((value, index) => (index % 2 === 0 ? value + by : value)),
    box: { ...box, west: box.west + by, east: box.east + by },
  });
  return [line, ...(box.east > SIZE ? [shiftedBy(-SIZE)] : []), ...(box.west < 0 ? [shiftedBy(SIZE)] : [])];
}

function lineOf(positions: Position[]): WorldLine {
  const points = new Float64Array(positions.length * 2);
  const box = { west: Infinity, north: Infinity, east: -Infinity, south: -Infinity };
  for (let i = 0; i < positions.length; i++) {
    const [lon, lat] = positions[i]!;
    const sine = Math.sin((Math.max(-LAST_LATITUDE, Math.min(LAST_LATITUDE, lat!)) * Math.PI) / 180);
    const x = ((lon! + 180) / 360) * SIZE;
    const y = (0.5 - Math.log((1 + sine) / (1 - sine)) / (4 * Math.PI)) * SIZE;
    points[2 * i] = x;
    points[2 * i + 1] = y;
    if (x < box.west) box.west = x;
    if (x > box.east) box.east = x;
    if (y < box.north) box.north = y;
    if (y > box.south) box.south = y;
  }
  return { points, box };
}

/** The name of a country is in the middle of its largest part. Areas without an ISO code have none. */
function countryOf({ id, geometry }: Shape): WorldCountry[] {
  const code = id === undefined ? undefined : new Intl.Locale(`und-${String(id).padStart(3, '0')}`).region;
  if (code === undefined || /\d/.test(code)) return [];
  const outer =
    geometry.type === 'Polygon'
      ? [(geometry.coordinates as Position[][])[0]!]
      : (geometry.coordinates as Position[][][]).map(([ring]) => ring!);
  const parts = outer.map(unwrapped);
  const largest = parts.reduce((one, other) => (areaOf(one) < areaOf(other) ? other : one));
  const { points, box } = lineOf(largest);
  const { x, y } = centroidOf(points);
  return [{ code, x: (x + SIZE) % SIZE, y, width: box.east - box.west }];
}

function areaOf(ring: Position[]): number {
  let area = 0;
  for (let i = 1; i < ring.length; i++) area += ring[i - 1]![0]! * ring[i]![1]! - ring[i]![0]! * ring[i - 1]![1]!;
  return Math.abs(area);
}

/** Centroid of a polygon by the shoelace formula. */
function centroidOf(points: Float64Array): { readonly x: number; readonly y: number } {
  let area = 0;
  let x = 0;
  let y = 0;
  for (let i = 0; i + 3 < points.length; i += 2) {
    const cross = points[i]! * points[i + 3]! - points[i + 2]! * points[i + 1]!;
    area += cross;
    x += (points[i]! + points[i + 2]!) * cross;
    y += (points[i + 1]! + points[i + 3]!) * cross;
  }
  return { x: x / (3 * area), y: y / (3 * area) };
}
