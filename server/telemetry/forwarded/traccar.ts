import { deviceOf, fieldsOf, numberOf, recordOf, timeOf, valuesOf, type ForwardedRecord } from './forwarded-record.ts';

/** Knots to km/h. */
const KNOT = 1.852;

/**
 * A position or an event that a Traccar server forwards as JSON (`forward.type=json`, `event.forward.url`);
 * undefined: an event without a position.
 */
export function readTraccar(body: unknown): ForwardedRecord | undefined {
  const { position, device, event } = fieldsOf(body);
  if (event !== undefined && position === undefined) return undefined;
  const { uniqueId } = fieldsOf(device);
  const { fixTime, deviceTime, latitude, longitude, altitude, speed, course, valid, accuracy, attributes } =
    fieldsOf(position);
  const extra = fieldsOf(attributes);
  const knots = numberOf(speed);
  const satellites = numberOf(extra['sat']);
  const type = fieldsOf(event)['type'];
  return recordOf({
    imei: deviceOf(uniqueId),
    time: timeOf(fixTime ?? deviceTime),
    lat: numberOf(latitude),
    lon: numberOf(longitude),
    speed: knots === undefined || knots < 0 ? undefined : Math.round(knots * KNOT * 1000) / 1000,
    direction: numberOf(course),
    height: numberOf(altitude),
    gpsCount: valid === false ? 0 : Number.isInteger(satellites) ? satellites : undefined,
    params: {
      ...valuesOf(extra, new Set(['sat'])),
      ...(numberOf(accuracy) !== undefined && { accuracy: numberOf(accuracy)! }),
      ...(typeof type === 'string' && { event: type.slice(0, 100) }),
    },
  });
}
