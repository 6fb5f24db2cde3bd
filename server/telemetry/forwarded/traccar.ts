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
