import { Refusal } from '../../../shared/refusal.ts';
import { readPolyline, type Heading } from '../../geo/routing/index.ts';

/** A point of a request, in micro-degrees, parsed from the text without rounding errors. */
export interface RoutingPoint {
  lat: number;
  lon: number;
  hint?: string;
  /** U-turns are allowed here. */
  uturn?: boolean;
  /** The direction of travel here. */
  heading?: Heading;
}

export interface RoutingQuery {
  service: string;
  loc: RoutingPoint[];
  /** Rows and columns of a table that is not square. */
  src: RoutingPoint[];
  dst: RoutingPoint[];
  /** The last point, which the next hint belongs to. */
  last: RoutingPoint | undefined;
  /** Directions of travel: one for each point, or none. */
  headings: Heading[];
  /** Default of `uturn` for the points that follow. */
  uturns: boolean;
  z: number;
  output: string;
  jsonp: string | undefined;
  checksum: number | undefined;
  instructions: boolean;
  alt: boolean;
  geometry: boolean;
  compression: boolean;
  /** For a table: return distances beside the times. */
  distances: boolean;
  num_results: number;
  profile: string | undefined;
  /** For an isochrone, in ascending order. */
  minutes: number[];
}

const NAME = /[a-z_]+/y;
const MINUTES = String.raw`\d{1,4}(?:\.\d{1,3})?`;

/**
 * The options: the pattern of the value, and its effect. The last of repeated options counts; points
 * accumulate.
 */
const OPTIONS: Readonly<
  Record<string, { pattern: RegExp; apply: (query: RoutingQuery, value: RegExpExecArray) => void | 'malformed' }>
> = {
  loc: place('loc'),
  src: place('src'),
  dst: place('dst'),
  locs: {
    pattern: /[?-~]+/y,
    apply: (query, [line]) => {
      const points = readPolyline(line);
      if (!points) return 'malformed';
      query.loc = points.map(([lat, lon]) => ({ lat, lon, uturn: query.uturns }));
      query.last = query.loc.at(-1);
      return undefined;
    },
  },
  b: {
    pattern: /(3[0-5]\d|[12]\d\d|\d?\d)(?!\d)(?:,(180|1[0-7]\d|\d?\d)(?!\d))?/y,
    apply: (query, [, degrees, range]) => {
      query.headings.push({ degrees: +degrees!, range: +(range ?? 10) });
    },
  },
  hint: {
    pattern: /[A-Za-z0-9_.-]+/y,
    apply: (query, [hint]) => {
      if (query.last) query.last.hint = hint;
    },
  },
  u: {
    pattern: /true|false/y,
    apply: (query, [value]) => {
      if (query.last) query.last.uturn = value === 'true';
    },
  },
  uturns: {
    pattern: /true|false/y,
    apply: (query, [value]) => {
      if (value === 'false') return;
      query.uturns = true;
      for (const asked of query.loc) asked.uturn = true;
    },
  },
  z: {
    pattern: /[+-]?\d+/y,
    apply: (query, [value]) => {
      if (+value >= 0 && +value <= 18) query.z = +value;
    },
  },
  num_results: {
    pattern: /[+-]?\d+/y,
    apply: (query, [value]) => {
      if (+value >= 1 && +value <= 100) query.num_results = +value;
    },
  },
  checksum: {
    pattern: /[+-]?\d+/y,
    apply: (query, [value]) => {
      query.checksum = +value;
    },
  },
  output: {
    pattern: /[A-Za-z]+/y,
    apply: (query, [value]) => {
      query.output = value;
    },
  },
  jsonp: {
    pattern: /(?:[A-Za-z0-9_.\-[\]]|%[0-9A-Fa-f]{2})+/y,
    apply: (query, [value]) => {
      query.jsonp = value;
    },
  },
  instructions: flag('instructions'),
  alt: flag('alt'),
  geometry: flag('geometry'),
  compression: flag('compression'),
  distances: flag('distances'),
  profile: {
    pattern: /[a-z][a-z0-9-]*/y,
    apply: (query, [value]) => {
      query.profile = value;
    },
  },
  minutes: {
    pattern: new RegExp(`${MINUTES}(?:,${MINUTES})*`, 'y'),
    apply: (query, [value]) => {
      query.minutes = [...new Set(value.split(',').map(Number))].sort((a, b) => a - b);
    },
  },
  // Accepted for old clients; without effect.
  hl: { pattern: /[A-Za-z]+/y, apply: () => {} },
  geomformat: { pattern: /[A-Za-z]+/y, apply: () => {} },
  // Handled by the app.
  token: { pattern: /[^&]+/y, apply: () => {} },
};

/**
 * Parses the URL of a routing request: percent-decoded once, then options joined by `&` (README rule 9). A
 * refusal names the position of the first character that belongs to no complete option.
 */
export function parseRoutingQuery(address: string): RoutingQuery {
  const text = percentDecoded(address);
  const service = /^\/([A-Za-z]+)/.exec(text)?.[1];
  if (service === undefined) throw malformedAt(0);
  const query: RoutingQuery = {
    service,
    loc: [],
    src: [],
    dst: [],
    last: undefined,
    headings: [],
    uturns: false,
    z: 18,
    output: 'json',
    jsonp: undefined,
    checksum: undefined,
    instructions: false,
    alt: true,
    geometry: true,
    compression: true,
    distances: false,
    num_results: 1,
    profile: undefined,
    minutes: [],
  };
  let at = service.length + 1;
  if (at === text.length) return query;
  if (text[at] !== '?') throw malformedAt(at);
  for (let joint = '?'; at < text.length; joint = '&') {
    NAME.lastIndex = at + 1;
    const word = text[at] === joint ? NAME.exec(text)?.[0] : undefined;
    const option = word !== undefined && Object.hasOwn(OPTIONS, word) ? OPTIONS[word] : undefined;
    if (!option || text[NAME.lastIndex] !== '=') throw malformedAt(at);
    option.pattern.lastIndex = NAME.lastIndex + 1;
    const value = option.pattern.exec(text);
    if (!value) throw malformedAt(at);
    if (option.apply(query, value) === 'malformed') throw malformedAt(at);
    at = option.pattern.lastIndex;
  }
  const points = [...query.loc, ...query.src, ...query.dst];
  for (const { lat, lon } of points)
    if (Math.abs(lat) > 90e6 || Math.abs(lon) > 180e6) throw new Refusal('routing.badRequest');
  if (query.headings.length > 0) {
    if (query.headings.length !== points.length)
      throw new Refusal('routing.headings', { count: query.headings.length, points: points.length });
    points.forEach((point, i) => (point.heading = query.headings[i]!));
  }
  return query;
}

function malformedAt(position: number): Refusal {
  return new Refusal('routing.malformedAt', { position });
}

/** Micro-degrees of a decimal, truncated towards zero. Never NaN: the text has matched the pattern. */
function microDegrees(text: string): number {
  const [, sign, whole, fraction = '', exponent] = /^([+-]?)(\d*)(?:\.(\d*))?(?:[eE]([+-]?\d+))?$/.exec(text)!;
  const shift = 6 + Math.max(-400, Math.min(400, +(exponent ?? 0)));
  const digits = whole! + fraction;
  const point = whole!.length + shift;
  const value = point <= 0 ? 0 : Number(digits.slice(0, point).padEnd(point, '0'));
  return sign === '-' ? -value : value;
}

function decimals(count: number): RegExp {
  // Unambiguous for a run of digits: backtracking over 30,000 digits would block the station for a second.
  const one = String.raw`([+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?)`;
  return new RegExp(Array.from({ length: count }, () => one).join(','), 'y');
}

function place(name: 'loc' | 'src' | 'dst'): (typeof OPTIONS)[string] {
  return {
    pattern: decimals(2),
    apply: (query, [, lat, lon]) => {
      query.last = { lat: microDegrees(lat!), lon: microDegrees(lon!), uturn: query.uturns };
      query[name].push(query.last);
    },
  };
}

function flag(name: 'instructions' | 'alt' | 'geometry' | 'compression' | 'distances'): (typeof OPTIONS)[string] {
  return {
    pattern: /true|false/y,
    apply: (query, [value]) => {
      query[name] = value === 'true';
    },
  };
}

/** Decodes `%XX` once. Incomplete escapes stay; invalid UTF-8 becomes replacement characters. */
function percentDecoded(address: string): string {
  if (!address.includes('%')) return address;
  return address.replace(/(?:%[0-9A-Fa-f]{2})+/g, (escapes) =>
    Buffer.from(escapes.replaceAll('%', ''), 'hex').toString('utf8'),
  );
}
