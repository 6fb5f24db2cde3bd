import {
  deviceOf,
  forwardedFields,
  numberOf,
  forwardedRecord,
  forwardedTime,
  type ForwardedRecord,
} from './forwarded-record.ts';

const PER_DEGREE = 1e7;
/** m/s to km/h. */
const KMH = 3.6;
/** Older firmware counts a course in hundredths of a degree, newer in hundred thousandths. */
const FULL_CIRCLE_OF_OLDER = 36_000;

/**
 * A position of a node, as a Meshtastic gateway publishes it with "JSON output enabled"; undefined: another packet. The
 * device is the id of the node, such as `!7efeee00`.
 */
export function readMeshtastic(body: unknown): ForwardedRecord | undefined {
  const { type, from, payload, timestamp } = forwardedFields(body);
  if (type !== 'position') return undefined;
  const fields = forwardedFields(payload);
  const [lat, lon] = [numberOf(fields['latitude_i']), numberOf(fields['longitude_i'])];
  const node = numberOf(from);
  const course = numberOf(fields['ground_track']);
  const speed = numberOf(fields['ground_speed']);
  const satellites = numberOf(fields['sats_in_view']);
  return forwardedRecord({
    imei: node === undefined || node < 0 ? undefined : deviceOf(`!${node.toString(16).padStart(8, '0')}`),
    time: forwardedTime(fields['timestamp'] || fields['time'] || timestamp),
    lat: lat === undefined ? undefined : lat / PER_DEGREE,
    lon: lon === undefined ? undefined : lon / PER_DEGREE,
    speed: speed === undefined || speed < 0 ? undefined : speed * KMH,
    direction: course === undefined ? undefined : course / (course > FULL_CIRCLE_OF_OLDER ? 1e5 : 100),
    height: numberOf(fields['altitude']),
    gpsCount: satellites !== undefined && Number.isInteger(satellites) ? satellites : undefined,
  });
}
