import {
  deviceOf,
  forwardedFields,
  numberOf,
  forwardedRecord,
  forwardedTime,
  forwardedValues,
  type ForwardedRecord,
} from './forwarded-record.ts';

const KNOWN = new Set(['_type', 'lat', 'lon', 'tst', 'vel', 'cog', 'alt', 'tid', 'topic', '_id', 'created_at']);

/**
 * A location of the OwnTracks app; undefined: another message, such as a waypoint.
 * @param named the device as the request or the topic names it: `owntracks/USER/DEVICE`
 */
export function readOwnTracks(body: unknown, named: string | undefined): ForwardedRecord | undefined {
  const fields = forwardedFields(body);
  if (fields['_type'] !== 'location') return undefined;
  const { lat, lon, tst, vel, cog, alt, tid, topic } = fields;
  const speed = numberOf(vel);
  const ofTopic = typeof topic === 'string' ? topic.split('/')[2] : undefined;
  return forwardedRecord({
    imei: deviceOf(named) ?? deviceOf(ofTopic) ?? deviceOf(tid),
    time: forwardedTime(tst),
    lat: numberOf(lat),
    lon: numberOf(lon),
    speed: speed === undefined || speed < 0 ? undefined : speed,
    direction: numberOf(cog),
    height: numberOf(alt),
    params: forwardedValues(fields, KNOWN),
  });
}
