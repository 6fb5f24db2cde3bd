import type { Detector, Interval, Point, Report } from './detector.ts';
import { readSensor, type Sensor, type VehicleContext } from '../context/vehicle-context.ts';

interface Switch {
  on: boolean;
  /** A change that has not lasted yet, and where the vehicle was then. */
  changed: number | null;
  at?: { lat: number; lon: number };
  open: Interval | null;
  /** Ignition: when it came on, until a key was seen or the grace is over. */
  awaitingKey: number | null;
  /** A driver's key was seen since it changed. */
  key?: boolean;
  /** A key that nobody of the crew has, seen since it changed. */
  stranger?: string;
  driverless: Interval | null;
}

type Switches = Readonly<Record<string, Switch>>;

const OFF: Switch = { on: false, changed: null, open: null, awaitingKey: null, driverless: null };

/**
 * Types 8, 15 and 12. A digital sensor, or the emergency button, that is on gives 8, the ignition 15, each
 * from on to off, debounced. An ignition that comes on without the driver's key within the grace gives 12,
 * until the key comes or the ignition goes off.
 */
export const digital: Detector<Switches> = {
  name: 'digital',
  start: {},
  lasting: (state) =>
    Object.values(state).flatMap(({ open, driverless }) => [open, driverless].filter((interval) => interval !== null)),
  step(state, point, previous, context, report) {
    let now = state;
    for (const sensor of context.sensors) {
      if (!isSwitch(sensor)) continue;
      const value = readSensor(sensor, point);
      const before = now[sensor.id] ?? OFF;
      let after = value === undefined ? before : turned(before, value !== 0, sensor, point, previous, context, report);
      if (sensor.type === 'ignition') after = driver(after, sensor, point, previous, context, report);
      if (after !== before) now = put(now, sensor.id, after);
    }
    for (const [id, { open, driverless }] of Object.entries(now)) {
      if (id === SOS || context.sensors.some((sensor) => isSwitch(sensor) && String(sensor.id) === id)) continue;
      for (const interval of [open, driverless]) if (interval) report({ ...interval, until: point.time });
      now = put(now, id, OFF);
    }
    return emergency(now, point, previous, report);
  },
};

const SOS = 'sos';

function isSwitch({ type }: Sensor): boolean {
  return type === 'digital' || type === 'ignition';
}

/**
 * The emergency button of the unit is a digital sensor that every vehicle has, as far as its device tells of
 * it. It is never debounced.
 */
function emergency(state: Switches, point: Point, previous: Point | null, report: Report): Switches {
  const isBacklogged = String(point.params['alarm']).toLowerCase() === SOS;
  const open = state[SOS]?.open;
  if (isBacklogged === Boolean(open)) return state;
  if (open) {
    report({ ...open, until: point.time });
    return put(state, SOS, OFF);
  }
  const place = point.fixed || !previous ? point : previous;
  const begun: Interval = {
    type: 8,
    subject: SOS,
    from: point.time,
    until: null,
    lat: place.lat,
    lon: place.lon,
    info: 'SOS',
    data: {},
  };
  report(begun);
  return put(state, SOS, { ...OFF, on: true, open: begun });
}

/**
 * A switch at rest is left out, so that one that was never touched and one that is at rest again are the same
 * state.
 */
function put(state: Switches, id: number | string, after: Switch): Switches {
  const { [id]: _before, ...others } = state;
  const atRest = !after.on && after.changed === null && after.awaitingKey === null && !after.open && !after.driverless;
  return atRest ? others : { ...others, [id]: after };
}

/**
 * A state counts once it has lasted as long as the sensor asks, whether one record told it or many. Devices
 * report on change, so the next record may be the one that takes it back.
 */
function turned(
  state: Switch,
  on: boolean,
  sensor: Sensor,
  point: Point,
  previous: Point | null,
  { settings }: VehicleContext,
  report: Report,
): Switch {
  const debounce = sensor.debounce ?? settings.sensorDebounce;
  const { lat, lon } = point.fixed || !previous ? point : previous;
  const lasted = (one: Switch) => one.changed !== null && point.time - one.changed >= debounce;
  const known = lasted(state) ? switched(state, sensor, { lat, lon }, report) : state;
  if (on === known.on) return known.changed === null ? known : unchanged(known);
  const changing = known.changed === null ? { ...known, changed: point.time, at: { lat, lon } } : known;
  return lasted(changing) ? switched(changing, sensor, { lat, lon }, report) : changing;
}

/** The change that waited has lasted. */
function switched(state: Switch, sensor: Sensor, place: { lat: number; lon: number }, report: Report): Switch {
  const changed = state.changed!;
  const rest = unchanged(state);
  if (state.on) {
    for (const lasting of [state.open, state.driverless]) if (lasting) report({ ...lasting, until: changed });
    return { ...withoutStranger(rest), on: false, open: null, awaitingKey: null, driverless: null };
  }
  const ignition = sensor.type === 'ignition';
  const { lat, lon } = state.at ?? place; // a state of an older program tells no place
  const open: Interval = {
    type: ignition ? 15 : 8,
    subject: `sensor:${sensor.id}`,
    from: changed,
    until: null,
    lat,
    lon,
    info: sensor.name,
    data: { sensorId: sensor.id },
  };
  report(open);
  return { ...rest, on: true, open, awaitingKey: ignition && !state.key ? changed : null };
}

function unchanged({ at: _at, key: _key, ...state }: Switch): Switch {
  return { ...state, changed: null };
}

function driver(
  state: Switch,
  sensor: Sensor,
  point: Point,
  previous: Point | null,
  context: VehicleContext,
  report: Report,
): Switch {
  const { settings, sensors } = context;
  const seen = keyIn(point, context);
  // Keys are told on change, too: one that comes with the ignition counts for it once it has lasted.
  if (!state.on && state.changed === null) return state;
  if (seen === 'driver') {
    if (state.driverless) report({ ...state.driverless, until: point.time });
    if (!state.on) return state.key ? state : { ...state, key: true };
    return state.awaitingKey === null && !state.driverless
      ? state
      : { ...withoutStranger(state), awaitingKey: null, driverless: null };
  }
  const known =
    seen !== undefined && seen.unknown !== state.stranger && !state.key ? { ...state, stranger: seen.unknown } : state;
  if (!known.on) return known;
  if (known.driverless) {
    const named = accused(known.driverless, known.stranger);
    if (known.stranger === state.stranger) return known;
    report(named);
    return { ...known, driverless: named };
  }
  // Without anything that could read a key, every drive would be one without a driver.
  const isOver =
    known.awaitingKey !== null && (known.changed ?? point.time) - known.awaitingKey >= settings.driverGrace;
  if (!isOver || !sensors.some((one) => one.type === 'driver-key')) return known.awaitingKey === null ? state : known;
  const { lat, lon } = point.fixed || !previous ? point : previous;
  const nobody: Interval = {
    type: 12,
    subject: `sensor:${sensor.id}`,
    from: known.awaitingKey!,
    until: null,
    lat,
    lon,
    info: 'no driver',
    data: { sensorId: sensor.id },
  };
  const driverless = accused(nobody, known.stranger);
  report(driverless);
  return { ...known, awaitingKey: null, driverless };
}

/** The event with the key that nobody of the crew has. */
function accused(event: Interval, stranger: string | undefined): Interval {
  return stranger === undefined
    ? event
    : { ...event, info: `unknown key ${stranger}`, data: { ...event.data, key: stranger } };
}

function withoutStranger({ stranger: _stranger, ...state }: Switch): Switch {
  return state;
}

/**
 * Whose key a record tells: a driver's, who was assigned to the vehicle then; or one that nobody of them has.
 * Undefined: none. A contact that only tells that there is a key names nobody, and counts as a driver's.
 */
function keyIn(
  point: Point,
  { sensors, crews = [] }: VehicleContext,
): 'driver' | { readonly unknown: string } | undefined {
  const keys: string[] = [];
  for (const sensor of sensors) {
    if (sensor.type !== 'driver-key') continue;
    const { input } = sensor;
    if (input.kind === 'input' && (readSensor(sensor, point) ?? 0) !== 0) return 'driver';
    if (input.kind === 'adc') keys.push(keyText(readSensor(sensor, point)));
    if (input.kind === 'param')
      keys.push(keyText(Object.hasOwn(point.params, input.name) ? point.params[input.name] : undefined));
  }
  keys.push(keyText(point.params['driver_key']));
  const read = keys.filter((key) => key !== '');
  if (read.some((key) => crews.some((crew) => crew.keys.some((own) => keyText(own) === key)))) return 'driver';
  return read[0] === undefined ? undefined : { unknown: read[0] };
}

const LONGEST_KEY = 100;

/** A key as it is compared and named, whether it came as a number or as a text; empty: none. */
function keyText(value: number | string | boolean | undefined): string {
  if (value === undefined || typeof value === 'boolean') return '';
  const text = String(value).trim().toUpperCase().slice(0, LONGEST_KEY);
  return /^0*$/.test(text) ? '' : text;
}
