import {
  deviceOf,
  forwardedFields,
  numberOf,
  forwardedRecord,
  forwardedTime,
  forwardedValues,
  type ForwardedRecord,
} from './forwarded-record.ts';

/** Knots to km/h. */
const KNOT = 1.852;

/**
 * A position or an event that a Traccar server forwards as JSON (`forward.type=json`, `event.forward.url`);
 * undefined: an event without a position.
 */
export function readTraccar(body: unknown): ForwardedRecord | undefined {
  const { position, device, event } = forwardedFields(body);
  if (event !== undefined && position === undefined) return undefined;
  const { uniqueId } = forwardedFields(device);
  const { fixTime, deviceTime, latitude, longitude, altitude, speed, course, valid, accuracy, attributes } =
    forwardedFields(position);
  const extra = forwardedFields(attributes);
  const knots = numberOf(speed);
  const satellites = numberOf(extra['sat']);
  const type = forwardedFields(event)['type'];
  return forwardedRecord({
    imei: deviceOf(uniqueId),
    time: forwardedTime(fixTime ?? deviceTime),
    lat: numberOf(latitude),
    lon: numberOf(longitude),
    speed: knots === undefined || knots < 0 ? undefined : Math.round(knots * KNOT * 1000) / 1000,
    direction: numberOf(course),
    height: numberOf(altitude),
    gpsCount: valid === false ? 0 : Number.isInteger(satellites) ? satellites : undefined,
    params: {
      ...forwardedValues(extra, new Set(['sat'])),
      ...(numberOf(accuracy) !== undefined && { accuracy: numberOf(accuracy)! }),
      ...(typeof type === 'string' && { event: type.slice(0, 100) }),
    },
  });
}

/** Texts of devices that are kept of an answer. */
const LONGEST_ANSWER = 4_000;

/** News of a device and of a command to it, in a message of Traccar. */
export interface TraccarReport {
  readonly device: string;
  readonly event?: { kind: 'answered'; text: string } | { kind: 'passedOn'; keptAs: number } | undefined;
}

/** undefined: the message names no device. */
export function readTraccarReport(body: unknown): TraccarReport | undefined {
  const { device, event } = forwardedFields(body);
  const named = deviceOf(forwardedFields(device)['uniqueId']);
  if (named === undefined) return undefined;
  const { type, attributes } = forwardedFields(event);
  const { id, result } = forwardedFields(attributes);
  if (type === 'commandResult')
    return {
      device: named,
      event: { kind: 'answered', text: typeof result === 'string' ? result.slice(0, LONGEST_ANSWER) : '' },
    };
  if (type === 'queuedCommandSent' && typeof id === 'number' && Number.isSafeInteger(id) && id > 0)
    return { device: named, event: { kind: 'passedOn', keptAs: id } };
  return { device: named };
}
