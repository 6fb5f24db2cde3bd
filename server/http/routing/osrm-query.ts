import { readPolyline, ANNOTATIONS, type DirectionsForm, type Heading } from '../../geo/routing/index.ts';

/** A request that OSRM 5 would refuse: its code, and a sentence. */
export class OsrmRefusal extends Error {
  readonly code: string;
  constructor(code: string, message: string) {
    super(message);
    this.code = code;
  }
}

export interface OsrmPoint {
  lat: number;
  lon: number;
  hint?: string;
  heading?: Heading;
  radius?: number;
}

export interface OsrmQuery {
  service: string;
  profile: string;
  points: OsrmPoint[];
  options: ReadonlyMap<string, string>;
}

const NUMBER = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?$/;

/** Options of every service, and those of each; unknown ones are refused. */
const GENERAL = [
  'bearings',
  'radiuses',
  'hints',
  'generate_hints',
  'approaches',
  'exclude',
  'snapping',
  'skip_waypoints',
];
const ROUTE = ['steps', 'annotations', 'geometries', 'overview'];
const OWN: Readonly<Record<string, readonly string[]>> = {
  route: [...ROUTE, 'alternatives', 'continue_straight', 'waypoints'],
  nearest: ['number'],
  table: ['sources', 'destinations', 'annotations', 'fallback_speed', 'fallback_coordinate', 'scale_factor'],
  match: [...ROUTE, 'timestamps', 'gaps', 'tidy', 'waypoints'],
  trip: [...ROUTE, 'roundtrip', 'source', 'destination'],
};

/** `/{service}/v1/{profile}/{coordinates}[.json]?option=value&…`, percent-decoded once. */
export function parseOsrmQuery(address: string): OsrmQuery {
  const path = address.split('?', 1)[0]!;
  const [, service = '', version = '', profile = '', ...rest] = decoded(path).split('/');
  const own = Object.hasOwn(OWN, service) ? OWN[service]! : undefined;
  if (!own) throw new OsrmRefusal('InvalidService', `Service ${service} not found!`);
  if (version !== 'v1') throw new OsrmRefusal('InvalidVersion', `Service ${service} not found for version: ${version}`);
  const options = new Map<string, string>();
  for (const part of address.slice(path.length + 1).split('&')) {
    if (part === '') continue;
    const at = part.indexOf('=');
    const name = decoded(part.slice(0, at < 0 ? part.length : at));
    if (at < 0 || ![...GENERAL, ...own, 'token'].includes(name)) throw malformed(address, part);
    options.set(name, decoded(part.slice(at + 1)));
  }
  const points = pointsOf(rest.join('/').replace(/\.json$/, ''));
  const query = { service, profile, points, options };
  addFacts(query);
  return query;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw new OsrmRefusal('InvalidUrl', 'The address is not encoded as UTF-8.');
  }
}

function malformed(address: string, part: string): OsrmRefusal {
  return new OsrmRefusal('InvalidQuery', `Query string malformed close to position ${address.indexOf(part)}`);
}

function pointsOf(text: string): OsrmPoint[] {
  const encoded = /^polyline(6?)\((.*)\)$/s.exec(text);
  const unit = encoded?.[1] === '6' ? 1e6 : 1e5;
  const points = encoded
    ? readPolyline(encoded[2]!)?.map(([lat, lon]) => ({ lat: lat / unit, lon: lon / unit }))
    : text.split(';').map((pair): OsrmPoint => {
        const [lon, lat, ...more] = pair.split(',');
        if (more.length > 0 || !NUMBER.test(lon ?? '') || !NUMBER.test(lat ?? ''))
          throw new OsrmRefusal('InvalidQuery', 'Coordinates are lon,lat;lon,lat or polyline(…).');
        return { lat: +lat!, lon: +lon! };
      });
  if (!points || points.length === 0) throw new OsrmRefusal('InvalidQuery', 'The polyline is malformed.');
  if (points.some(({ lat, lon }) => !(Math.abs(lat) <= 90 && Math.abs(lon) <= 180)))
    throw new OsrmRefusal('InvalidOptions', 'Coordinates are invalid');
  return points;
}

/** Adds the options that come once for each point. */
function addFacts({ points, options }: OsrmQuery): void {
  each(options, 'hints', points, /^[\w.-]*={0,2}$/, (point, hint) => {
    if (hint) point.hint = hint;
  });
  each(options, 'radiuses', points, /^(?:unlimited|\d+(?:\.\d+)?|)$/, (point, radius) => {
    if (radius && radius !== 'unlimited') point.radius = +radius;
  });
  each(options, 'bearings', points, /^(?:\d{1,3},\d{1,3}|)$/, (point, bearing) => {
    if (!bearing) return;
    const [degrees, range] = bearing.split(',').map(Number) as [number, number];
    if (degrees > 360 || range > 180) throw new OsrmRefusal('InvalidOptions', 'Bearings are invalid');
    point.heading = { degrees: degrees % 360, range };
  });
  each(options, 'approaches', points, /^(?:unrestricted|)$/, () => {});
  if (options.has('exclude')) throw new OsrmRefusal('InvalidValue', 'Exclude flag combination is not supported.');
  optionAmong(options, 'snapping', ['default', 'any']);
}

function each(
  options: ReadonlyMap<string, string>,
  name: string,
  points: readonly OsrmPoint[],
  pattern: RegExp,
  apply: (point: OsrmPoint, value: string) => void,
): void {
  const text = options.get(name);
  if (text === undefined) return;
  const values = text.split(';');
  // Some clients end the list of hints with a separator, or leave it empty.
  if (text === '') return;
  if (values.length !== points.length)
    throw new OsrmRefusal('InvalidOptions', `Number of ${name} does not match number of coordinates`);
  values.forEach((value, i) => {
    if (!pattern.test(value)) throw new OsrmRefusal('InvalidValue', `${name} cannot be ${value.slice(0, 50)}.`);
    apply(points[i]!, value);
  });
}

/** The value of an option, the first of `values` when it is not given. */
export function optionAmong<Value extends string>(
  options: ReadonlyMap<string, string>,
  name: string,
  values: readonly Value[],
): Value {
  const text = options.get(name) ?? values[0]!;
  const value = values.find((one) => one === text);
  if (value === undefined) throw new OsrmRefusal('InvalidValue', `${name} is one of ${values.join(', ')}.`);
  return value;
}

export function optionFlag(options: ReadonlyMap<string, string>, name: string, otherwise: boolean): boolean {
  return optionAmong(options, name, [String(otherwise), String(!otherwise)]) === 'true';
}

/** A whole number within bounds. */
export function wholeOf(options: ReadonlyMap<string, string>, name: string, otherwise: number, most: number): number {
  const text = options.get(name) ?? String(otherwise);
  if (!/^\d{1,9}$/.test(text) || +text < 1 || +text > most)
    throw new OsrmRefusal('InvalidValue', `${name} is a whole number from 1 to ${most}.`);
  return +text;
}

/** Indexes of points, ascending unless `anyOrder`; undefined when not given or `all`. */
export function indexesOf({ options, points }: OsrmQuery, name: string, anyOrder = false): number[] | undefined {
  const text = options.get(name);
  if (text === undefined || text === 'all') return undefined;
  const indexes = text.split(';').map((index) => (/^\d{1,6}$/.test(index) ? +index : NaN));
  if (!indexes.every((index) => index < points.length))
    throw new OsrmRefusal('InvalidOptions', `${name} are numbers of coordinates, from 0 on.`);
  if (!anyOrder && indexes.some((index, i) => i > 0 && index <= indexes[i - 1]!))
    throw new OsrmRefusal('InvalidOptions', `${name} must ascend.`);
  return indexes;
}

/** The points at which legs begin or end: both ends must be among them. */
export function legEndsOf(query: OsrmQuery): number[] | undefined {
  const indexes = indexesOf(query, 'waypoints');
  if (!indexes) return undefined;
  if (indexes[0] !== 0 || indexes.at(-1) !== query.points.length - 1 || indexes.length < 2)
    throw new OsrmRefusal('InvalidValue', 'First and last coordinates must be specified as waypoints.');
  return indexes;
}

export function formOf({ options, service }: OsrmQuery): DirectionsForm {
  const isTable = service === 'table';
  return {
    steps: optionFlag(options, 'steps', false),
    annotations: isTable ? [] : annotationsOf(options),
    geometries: optionAmong(options, 'geometries', ['polyline', 'polyline6', 'geojson']),
    overview: optionAmong(options, 'overview', ['simplified', 'full', 'false']),
    hints: optionFlag(options, 'generate_hints', true),
    waypoints: !optionFlag(options, 'skip_waypoints', false),
  };
}

function annotationsOf(options: ReadonlyMap<string, string>): DirectionsForm['annotations'] {
  const text = options.get('annotations') ?? 'false';
  if (text === 'false') return [];
  if (text === 'true') return ANNOTATIONS;
  const names = text.split(',');
  const known = ANNOTATIONS.filter((name) => names.includes(name));
  const unknown = names.find((name) => !ANNOTATIONS.some((one) => one === name));
  if (unknown === 'nodes')
    throw new OsrmRefusal('InvalidValue', 'The roads keep no node ids of OpenStreetMap: there is no annotation nodes.');
  if (unknown !== undefined) throw new OsrmRefusal('InvalidValue', `There is no annotation ${unknown.slice(0, 50)}.`);
  return known;
}

/** Epoch seconds of every point, ascending; undefined when not given. */
export function timestampsOf({ options, points }: OsrmQuery): number[] | undefined {
  const text = options.get('timestamps');
  if (text === undefined || text === '') return undefined;
  const times = text.split(';').map((time) => (/^\d{1,12}$/.test(time) ? +time : NaN));
  if (times.length !== points.length)
    throw new OsrmRefusal('InvalidOptions', 'Number of timestamps does not match number of coordinates');
  if (times.some(Number.isNaN)) throw new OsrmRefusal('InvalidValue', 'Timestamps are whole seconds.');
  if (times.some((time, i) => i > 0 && time < times[i - 1]!))
    throw new OsrmRefusal('InvalidValue', 'Timestamps need to be monotonically increasing.');
  return times;
}
