import { Refusal } from '../../../../shared/refusal.ts';
import { readXmlText } from '../../../platform/parsing/xml-reader.ts';

/** Numbers of a point in the packed form: time (epoch ms), lat, lon, speed (km/h), direction, height; NaN: none. */
export const NUMBERS_OF_POINT = 6;
export const MOST_POINTS = 200_000;
/** m/s to km/h. */
const KMH = 3.6;

/** Reads a track of GPX, KML (`gx:Track`), GeoJSON or CSV; the content tells which. The points are packed. */
export function readTrackFile(bytes: Uint8Array): Float64Array {
  const text = new TextDecoder('utf-8').decode(bytes);
  const start = text.slice(0, 4_000).trimStart();
  const points = new Points();
  if (start.startsWith('{')) readGeoJson(text, points);
  else if (/<([a-z]+:)?gpx[\s>]/.test(start)) readXml(text, new GpxTrack(points));
  else if (/<([a-z]+:)?kml[\s>]/.test(start)) readXml(text, new KmlTrack(points));
  else if (start.startsWith('<')) throw new Refusal('telemetry.trackFileUnknown');
  else readCsv(text, points);
  return points.packed();
}

interface TrackFilePoint {
  readonly time: number;
  readonly lat: number;
  readonly lon: number;
  readonly speed?: number | undefined;
  readonly direction?: number | undefined;
  readonly height?: number | undefined;
}

/** The points of a file that have a time and a place. */
class Points {
  readonly #numbers: number[] = [];

  add({ time, lat, lon, speed = NaN, direction = NaN, height = NaN }: TrackFilePoint): void {
    if (![time, lat, lon].every(Number.isFinite) || time < 0) return;
    if (this.#numbers.length >= MOST_POINTS * NUMBERS_OF_POINT)
      throw new Refusal('telemetry.trackFileLong', { most: MOST_POINTS });
    this.#numbers.push(Math.round(time), lat, lon, speed, direction, height);
  }

  packed(): Float64Array {
    if (this.#numbers.length === 0) throw new Refusal('telemetry.trackFileEmpty');
    return Float64Array.from(this.#numbers);
  }
}

interface TrackListener {
  open(name: string, attributes: Readonly<Record<string, string>>): void;
  /** @param text what stood in the element */
  close(name: string, text: string): void;
}

function readXml(text: string, listener: TrackListener): void {
  let inside = '';
  const reader = {
    open: (name: string, attributes: Readonly<Record<string, string>>) => {
      inside = '';
      listener.open(name, attributes);
    },
    text: (piece: string) => (inside += piece),
    close: (name: string) => {
      listener.close(name, inside.trim());
      inside = '';
    },
  };
  readXmlText(text, reader, broken);
}

/** Points of tracks; speed and course as GPX 1.0 has them, or in an extension. */
class GpxTrack implements TrackListener {
  readonly #points: Points;
  #place: { lat: number; lon: number } | undefined;
  #values = new Map<string, string>();

  constructor(points: Points) {
    this.#points = points;
  }

  open(name: string, { lat, lon }: Readonly<Record<string, string>>): void {
    if (name !== 'trkpt') return;
    this.#place = { lat: numberOf(lat) ?? NaN, lon: numberOf(lon) ?? NaN };
    this.#values = new Map();
  }

  close(name: string, text: string): void {
    if (!this.#place) return;
    if (name !== 'trkpt') return void this.#values.set(name, text);
    const [speed, direction, height] = ['speed', 'course', 'ele'].map((field) => numberOf(this.#values.get(field)));
    this.#points.add({
      ...this.#place,
      time: Date.parse(this.#values.get('time') ?? ''),
      speed: speed === undefined ? undefined : speed * KMH,
      ...{ direction, height },
    });
    this.#place = undefined;
  }
}

/** `gx:Track`: times and places in the same order. */
class KmlTrack implements TrackListener {
  readonly #points: Points;
  #times: number[] = [];
  #places: (readonly [number, number, number])[] = [];

  constructor(points: Points) {
    this.#points = points;
  }

  open(name: string): void {
    if (name === 'Track') [this.#times, this.#places] = [[], []];
  }

  close(name: string, text: string): void {
    if (name === 'when') this.#times.push(Date.parse(text));
    else if (name === 'coord') {
      const [lon, lat, height] = text.split(/\s+/).map(numberOf);
      this.#places.push([lon ?? NaN, lat ?? NaN, height ?? NaN]);
    } else if (name === 'Track')
      this.#places.forEach(([lon, lat, height], index) =>
        this.#points.add({ time: this.#times[index] ?? NaN, lat, lon, height }),
      );
  }
}

/** Points with `time`, or lines with a list of times beside their coordinates. */
function readGeoJson(text: string, points: Points): void {
  let root: unknown;
  try {
    root = JSON.parse(text);
  } catch (error) {
    throw broken((error as Error).message);
  }
  const { type, features } = fieldsOf(root);
  const all = type === 'FeatureCollection' ? features : [root];
  if (!Array.isArray(all)) throw new Refusal('telemetry.trackFileUnknown');
  for (const feature of all as unknown[]) {
    const { geometry, properties } = fieldsOf(feature);
    const { type: shape, coordinates } = fieldsOf(geometry);
    const { time, speed, direction, coordTimes, times } = fieldsOf(properties);
    const moments = coordTimes ?? times;
    if (shape === 'Point')
      addPosition(points, coordinates, time, { speed: numberOf(speed), direction: numberOf(direction) });
    else if (shape === 'LineString' && Array.isArray(coordinates) && Array.isArray(moments))
      (coordinates as unknown[]).forEach((position, index) => addPosition(points, position, moments[index]));
  }
}

function addPosition(
  points: Points,
  position: unknown,
  time: unknown,
  values: Pick<TrackFilePoint, 'speed' | 'direction'> = {},
): void {
  if (!Array.isArray(position)) return;
  const [lon, lat, height] = position.map(numberOf);
  points.add({ time: timeOf(time), lat: lat ?? NaN, lon: lon ?? NaN, height, ...values });
}

/** Heads by which a column is known. Speeds are km/h. */
const HEADS: Readonly<Record<string, keyof TrackFilePoint>> = {
  time: 'time',
  timestamp: 'time',
  lat: 'lat',
  latitude: 'lat',
  lon: 'lon',
  lng: 'lon',
  longitude: 'lon',
  speed: 'speed',
  direction: 'direction',
  course: 'direction',
  height: 'height',
  ele: 'height',
  altitude: 'height',
};

/** Lines with a head: comma, semicolon or tab, no line breaks in values. */
function readCsv(text: string, points: Points): void {
  const end = /\r?\n/g;
  const head = text.slice(0, text.search(end));
  const delimiter = [';', '\t', ','].find((sign) => head.includes(sign)) ?? ',';
  const cellsOf = (line: string) => line.split(delimiter).map((cell) => cell.trim().replace(/^"(.*)"$/, '$1'));
  const fields = cellsOf(head.replace(/^\uFEFF/, '')).map((name) => HEADS[name.toLowerCase()]);
  if (!['time', 'lat', 'lon'].every((field) => fields.includes(field as keyof TrackFilePoint)))
    throw new Refusal('telemetry.trackFileUnknown');
  for (const line of text.slice(head.length).split(end)) {
    if (line === '') continue;
    const point: Partial<Record<keyof TrackFilePoint, number>> = {};
    cellsOf(line).forEach((cell, index) => {
      const field = fields[index];
      const value = field === 'time' ? timeOf(cell) : numberOf(cell);
      if (field !== undefined && value !== undefined) point[field] = value;
    });
    points.add({ ...point, time: point.time ?? NaN, lat: point.lat ?? NaN, lon: point.lon ?? NaN });
  }
}

/** Epoch ms of an ISO time, of seconds or of ms. */
function timeOf(value: unknown): number {
  const number = numberOf(value);
  if (number !== undefined) return number < 1e11 ? number * 1000 : number;
  return typeof value === 'string' ? Date.parse(value) : NaN;
}

function numberOf(value: unknown): number | undefined {
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  return typeof number === 'number' && Number.isFinite(number) ? number : undefined;
}

function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}

function broken(problem: string): Refusal {
  return new Refusal('telemetry.trackFileBroken', { problem: problem.slice(0, 200) });
}
