import { record, type DeviceRecord, type HttpDecoder, type PositionReport } from './decoder.ts';

/** Knots to km/h. */
const KNOT = 1.852;
/** Below this many metres a claimed accuracy counts as this value; the point is kept either way. */
const MIN_ACCURACY = 10;
const KNOWN = new Set([
  'id',
  'deviceid',
  'valid',
  'timestamp',
  'lat',
  'lon',
  'location',
  'speed',
  'bearing',
  'heading',
  'altitude',
  'accuracy',
  'hdop',
  'batt',
  'driverUniqueId',
  'charge',
  'notificationToken',
  'cell',
  'wifi',
  'token',
]);

/** The OsmAnd protocol over HTTP: one position a request, as a query, a form or JSON. */
export const osmand: HttpDecoder<'osmand'> = {
  name: 'osmand',
  transport: 'http',
  devices: 'phone tracker apps (OsmAnd protocol; they expect 5055)',
  decode: (request, now) =>
    request.kind === 'json' ? readOsmandJson(request.body, now) : readOsmandForm(request.form, now),
  deviceIn: (query) => query.get('id') ?? query.get('deviceid') ?? '',
};

/**
 * The OsmAnd protocol: one position as query or form parameters. Repeated names arrive as arrays. Returns
 * faults as text. A missing time is now; missing coordinates are the last known ones.
 */
export function readOsmandForm(
  form: Readonly<Record<string, string | readonly string[]>>,
  now: number,
): PositionReport | string {
  const one = (name: string): string | undefined => {
    const value = form[name];
    return typeof value === 'string' ? value : value?.at(-1);
  };
  const device = one('id') ?? one('deviceid');
  if (!device) return 'id is missing';
  const time = timeOf(one('timestamp'), now);
  if (time === undefined) return 'timestamp is not a time';
  const [latText, lonText] = one('location')?.split(',') ?? [one('lat'), one('lon')];
  const [lat, lon] = [number(latText), number(lonText)];
  if ((latText !== undefined && lat === undefined) || (lonText !== undefined && lon === undefined))
    return 'lat and lon are degrees';
  if ((lat === undefined) !== (lon === undefined)) return 'lat and lon go together';
  if (Math.abs(lat ?? 0) > 90 || Math.abs(lon ?? 0) > 180) return 'lat is from -90 to 90, lon from -180 to 180';
  const speed = number(one('speed'));
  const params = attributes(form);
  for (const [name, stored] of [
    ['hdop', 'hdop'],
    ['batt', 'battery_level'],
  ] as const) {
    const value = number(one(name));
    if (value !== undefined) params[stored] = value;
  }
  const accuracy = number(one('accuracy'));
  if (accuracy !== undefined) params['accuracy'] = accuracyOf(accuracy);
  const charge = one('charge');
  if (charge !== undefined) params['charge'] = charge === 'true' || charge === '1';
  const key = one('driverUniqueId');
  if (key) params['driver_key'] = key.slice(0, 64);
  const valid = one('valid');
  const believed = valid === undefined || valid === 'true' || valid === '1';
  return {
    device,
    record: record({
      time,
      position: lat === undefined || lon === undefined ? undefined : { lat, lon },
      speed: speed === undefined || speed < 0 ? undefined : Math.round(speed * KNOT * 1000) / 1000,
      direction: number(one('bearing') ?? one('heading')) ?? 0,
      height: number(one('altitude')) ?? 0,
      ...(believed ? {} : { gpsCount: 0 }),
      params,
    }),
  };
}

/** The JSON form of newer tracker apps. */
export function readOsmandJson(body: unknown, now: number): PositionReport | string {
  const root = object(body);
  const device = root?.['device_id'];
  if (typeof device !== 'string' && typeof device !== 'number') return 'device_id is missing';
  const location = object(root!['location']);
  if (!location) return 'location is missing';
  const time = timeOf(location['timestamp'] === undefined ? undefined : String(location['timestamp']), now);
  if (time === undefined) return 'timestamp is not a time';
  const coords = object(location['coords']);
  const [lat, lon] = [finite(coords?.['latitude']), finite(coords?.['longitude'])];
  if ((lat === undefined) !== (lon === undefined) || Math.abs(lat ?? 0) > 90 || Math.abs(lon ?? 0) > 180)
    return 'latitude and longitude are degrees';
  const params: DeviceRecord['params'] = {};
  const accuracy = finite(coords?.['accuracy']);
  if (accuracy !== undefined) params['accuracy'] = accuracyOf(accuracy);
  const battery = object(location['battery']);
  const level = finite(battery?.['level']);
  if (level !== undefined && level >= 0) params['battery_level'] = Math.round(level * 100);
  if (typeof battery?.['is_charging'] === 'boolean') params['charge'] = battery['is_charging'];
  for (const [name, stored] of [
    ['is_moving', 'motion'],
    ['odometer', 'odometer'],
    ['event', 'event'],
    ['mock', 'mock'],
    ['alarm', 'alarm'],
  ] as const) {
    const value = location[name] ?? root![name];
    if (typeof value === 'number' || typeof value === 'string' || typeof value === 'boolean')
      params[stored] = plain(value);
  }
  const activity = object(location['activity'])?.['type'];
  if (typeof activity === 'string') params['activity'] = activity.slice(0, 64);
  for (const [name, value] of Object.entries(object(location['extras']) ?? {}).slice(0, 100)) {
    if (name.length <= 64 && (typeof value === 'number' || typeof value === 'string' || typeof value === 'boolean'))
      params[name] = plain(value);
  }
  const [speed, heading] = [finite(coords?.['speed']), finite(coords?.['heading'])];
  return {
    device: String(device),
    record: record({
      time,
      position: lat === undefined || lon === undefined ? undefined : { lat, lon },
      speed: speed === undefined || speed < 0 ? undefined : speed * 3.6,
      direction: heading === undefined || heading < 0 ? 0 : heading,
      height: finite(coords?.['altitude']) ?? 0,
      params,
    }),
  };
}

/** Seconds below 2³¹ − 1, else milliseconds; ISO 8601 with a `T`; `yyyy-MM-dd HH:mm:ss` in UTC. */
function timeOf(text: string | undefined, now: number): number | undefined {
  if (text === undefined || text === '') return now;
  if (/^\d{1,16}(?:\.\d+)?$/.test(text)) {
    const value = Number(text);
    return Math.floor(value < 2 ** 31 - 1 ? value * 1000 : value);
  }
  const iso = /^\d{4}-\d{2}-\d{2} \d{2}:\d{2}:\d{2}$/.test(text)
    ? `${text.replace(' ', 'T')}Z`
    : text.includes('T')
      ? text
      : undefined;
  const time = iso === undefined ? NaN : Date.parse(iso);
  return Number.isFinite(time) && time >= 0 ? time : undefined;
}

/** Further parameters: numbers, flags or text. Cells and wireless networks keep their form. */
function attributes(
  form: Readonly<Record<string, string | readonly string[]>>,
): Record<string, number | string | boolean> {
  const params: Record<string, number | string | boolean> = {};
  for (const [name, value] of Object.entries(form).slice(0, 200)) {
    if (name.length === 0 || name.length > 64) continue;
    const text = typeof value === 'string' ? value : value.join(';');
    if (name === 'cell' || name === 'wifi') params[name] = text.slice(0, 1344);
    else if (!KNOWN.has(name))
      params[name] = plain(number(text) ?? (text === 'true' ? true : text === 'false' ? false : text));
  }
  return params;
}

function accuracyOf(metres: number): number {
  return metres < MIN_ACCURACY ? 0 : metres;
}

function plain(value: number | string | boolean): number | string | boolean {
  return typeof value === 'string' ? value.slice(0, 1344) : value;
}

function number(text: string | undefined): number | undefined {
  return text !== undefined && /^[+-]?\d{1,15}(?:\.\d+)?(?:[eE][+-]?\d{1,2})?$/.test(text.trim())
    ? Number(text)
    : undefined;
}

function finite(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined;
}

function object(value: unknown): Record<string, unknown> | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : undefined;
}
