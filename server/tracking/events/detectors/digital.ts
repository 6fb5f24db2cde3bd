import type { Detector, Interval, Point, ReportInterval } from './detector.ts';
import { readSensor, type ContextSensor, type VehicleContext } from '../context/vehicle-context.ts';

interface SwitchState {
  on: boolean;
  /** A change that has not lasted long enough, and the vehicle's place then. */
  changed: number | null;
  at?: { lat: number; lon: number };
  open: Interval | null;
  /** Ignition: when it came on, until a key was read or the grace ended. */
  awaitingKey: number | null;
  /** A driver's key was read since the change. */
  key?: boolean;
  /** A key of nobody in the crew, read since the change. */
  stranger?: string;
  driverless: Interval | null;
}

type Switches = Readonly<Record<string, SwitchState>>;

const OFF: SwitchState = { on: false, changed: null, open: null, awaitingKey: null, driverless: null };

/**
 * Types 8, 15 and 12, debounced. A digital sensor or the emergency button gives 8, the ignition 15, each from
 * on to off. An ignition without a driver's key within the grace gives 12, until a key is read or the
 * ignition goes off.
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

function isSwitch({ type }: ContextSensor): boolean {
  return type === 'digital' || type === 'ignition';
}

/**
 * The emergency button is a digital sensor of every vehicle whose device reports it. It is never debounced.
 */
function emergency(state: Switches, point: Point, previous: Point | null, report: ReportInterval): Switches {
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

/** Omits switches at rest, so that a switch never used and one at rest again give the same state. */
function put(state: Switches, id: number | string, after: SwitchState): Switches {
  const { [id]: _before, ...others } = state;
  const atRest = !after.on && after.changed === null && after.awaitingKey === null && !after.open && !after.driverless;
  return atRest ? others : { ...others, [id]: after };
}

/**
 * A state counts once it has lasted as long as the sensor requires, over any number of records: devices
 * report on change, so the next record may revert it.
 */
function turned(
  state: SwitchState,
  on: boolean,
  sensor: ContextSensor,
  point: Point,
  previous: Point | null,
  { settings }: VehicleContext,
  report: ReportInterval,
): SwitchState {
  const debounce = sensor.debounce ?? settings.sensorDebounce;
  const { lat, lon } = point.fixed || !previous ? point : previous;
  const lasted = (one: SwitchState) => one.changed !== null && point.time - one.changed >= debounce;
  const known = lasted(state) ? switched(state, sensor, { lat, lon }, report) : state;
  if (on === known.on) return known.changed === null ? known : unchanged(known);
  const changing = known.changed === null ? { ...known, changed: point.time, at: { lat, lon } } : known;
  return lasted(changing) ? switched(changing, sensor, { lat, lon }, report) : changing;
}

/** The pending change has lasted long enough. */
function switched(
  state: SwitchState,
  sensor: ContextSensor,
  place: { lat: number; lon: number },
  report: ReportInterval,
): SwitchState {
  const changed = state.changed!;
  const rest = unchanged(state);
  if (state.on) {
    for (const lasting of [state.open, state.driverless]) if (lasting) report({ ...lasting, until: changed });
    return { ...withoutStranger(rest), on: false, open: null, awaitingKey: null, driverless: null };
  }
  const ignition = sensor.type === 'ignition';
  const { lat, lon } = state.at ?? place; // states of older programs have no place
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

function unchanged({ at: _at, key: _key, ...state }: SwitchState): SwitchState {
  return { ...state, changed: null };
}

function driver(
  state: SwitchState,
  sensor: ContextSensor,
  point: Point,
  previous: Point | null,
  context: VehicleContext,
  report: ReportInterval,
): SwitchState {
  const { settings, sensors } = context;
  const seen = keyIn(point, context);
  // Keys are reported on change, too: one read with the ignition counts for it.
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
  // Without a key reader every drive would have no driver.
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

/** The event for a key of nobody in the crew. */
function accused(event: Interval, stranger: string | undefined): Interval {
  return stranger === undefined
    ? event
    : { ...event, info: `unknown key ${stranger}`, data: { ...event.data, key: stranger } };
}

function withoutStranger({ stranger: _stranger, ...state }: SwitchState): SwitchState {
  return state;
}

/**
 * The owner of a record's key: a driver assigned at that time, or nobody in the crew. Undefined: no key. A
 * contact that only detects a key counts as a driver's.
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

/** A key in comparable form, from a number or a text, or empty. */
function keyText(value: number | string | boolean | undefined): string {
  if (value === undefined || typeof value === 'boolean') return '';
  const text = String(value).trim().toUpperCase().slice(0, LONGEST_KEY);
  return /^0*$/.test(text) ? '' : text;
}
