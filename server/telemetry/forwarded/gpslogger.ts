import { deviceOf, numberOf, recordOf, timeOf, valuesOf, type ForwardedRecord } from './forwarded-record.ts';

/** Metres a second to km/h. */
const KMH = 3.6;
const DEVICE = ['id', 'ser', 'aid'] as const;
const KNOWN = new Set([...DEVICE, 'token', 'lat', 'lon', 'time', 'timestamp', 'spd', 'dir', 'alt', 'sat']);

/** A position of the GPSLogger app, by the names of its parameters (`%LAT`, `%SPD` …). */
export function readGpsLogger(query: Readonly<Record<string, unknown>>): ForwardedRecord {
  const { lat, lon, time, timestamp, spd, dir, alt, sat } = query;
  const speed = numberOf(spd);
  const satellites = numberOf(sat);
  return recordOf({
    imei: DEVICE.map((name) => deviceOf(query[name])).find((device) => device !== undefined),
    time: timeOf(timestamp) ?? timeOf(time),
    lat: numberOf(lat),
    lon: numberOf(lon),
    speed: speed === undefined || speed < 0 ? undefined : Math.round(speed * KMH * 1000) / 1000,
    direction: numberOf(dir),
    height: numberOf(alt),
    gpsCount: Number.isInteger(satellites) ? satellites : undefined,
    params: valuesOf(query, KNOWN),
  });
}
