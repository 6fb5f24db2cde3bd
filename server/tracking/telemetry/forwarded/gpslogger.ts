import {
  deviceOf,
  numberOf,
  forwardedRecord,
  forwardedTime,
  forwardedValues,
  type ForwardedRecord,
} from './forwarded-record.ts';

/** Metres a second to km/h. */
const KMH = 3.6;
const DEVICE = ['id', 'ser', 'aid'] as const;
const KNOWN = new Set([...DEVICE, 'token', 'lat', 'lon', 'time', 'timestamp', 'spd', 'dir', 'alt', 'sat']);

/** A position of the GPSLogger app, by the names of its parameters (`%LAT`, `%SPD` …). */
export function readGpsLogger(query: Readonly<Record<string, unknown>>): ForwardedRecord {
  const { lat, lon, time, timestamp, spd, dir, alt, sat } = query;
  const speed = numberOf(spd);
  const satellites = numberOf(sat);
  return forwardedRecord({
    imei: DEVICE.map((name) => deviceOf(query[name])).find((device) => device !== undefined),
    time: forwardedTime(timestamp) ?? forwardedTime(time),
    lat: numberOf(lat),
    lon: numberOf(lon),
    speed: speed === undefined || speed < 0 ? undefined : Math.round(speed * KMH * 1000) / 1000,
    direction: numberOf(dir),
    height: numberOf(alt),
    gpsCount: Number.isInteger(satellites) ? satellites : undefined,
    params: forwardedValues(query, KNOWN),
  });
}
