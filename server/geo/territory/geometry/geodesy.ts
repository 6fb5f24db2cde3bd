/** Metres. Distances in answers of the router are on this sphere. */
export const EARTH_RADIUS = 6372797.560856;

/** Per degree. */
export const RADIANS = Math.PI / 180;

/** Degrees per micro-degree unit: coordinates of roads are whole micro-degrees. */
export const MICRO = 1e-6;

/** Metres of a micro-degree of latitude. */
export const METRES = EARTH_RADIUS * MICRO * RADIANS;

/**
 * Radians below which the series of sine and arc sine, cut after the fifth power, are exact in double
 * precision: a dozen kilometres.
 */
const NEAR = 0.001;

/** Great-circle distance in metres between two points in micro-degrees (haversine). */
export function metresBetweenMicro(lon1: number, lat1: number, lon2: number, lat2: number): number {
  const up = ((lat2 - lat1) * MICRO * RADIANS) / 2;
  const across = ((lon2 - lon1) * MICRO * RADIANS) / 2;
  const cosine = Math.cos(((lat1 + lat2) * MICRO * RADIANS) / 2);
  const isNear = up < NEAR && up > -NEAR && across < NEAR && across > -NEAR;
  const sinUp = isNear ? up * (1 - ((up * up) / 6) * (1 - (up * up) / 20)) : Math.sin(up);
  const sinAcross = isNear ? across * (1 - ((across * across) / 6) * (1 - (across * across) / 20)) : Math.sin(across);
  // The cosines of both latitudes multiplied are the square of that of the mean one less the square of this
  // sine.
  const h = sinUp * sinUp + (cosine * cosine - sinUp * sinUp) * sinAcross * sinAcross;
  const chord = Math.min(1, Math.sqrt(h));
  return (
    2 * EARTH_RADIUS * (isNear ? chord * (1 + chord * chord * (1 / 6 + (chord * chord * 3) / 40)) : Math.asin(chord))
  );
}

/** Difference of two longitudes in micro-degrees, the short way round the globe. */
export function lonDifference(from: number, to: number): number {
  const difference = to - from;
  return difference > 180e6 ? difference - 360e6 : difference < -180e6 ? difference + 360e6 : difference;
}

/**
 * Mercator ordinate in degrees of a latitude in micro-degrees; clamped near the poles, where it has no end.
 */
export function mercator(lat: number): number {
  const degrees = Math.max(-89.99, Math.min(89.99, lat * MICRO));
  return Math.log(Math.tan(((degrees + 90) * RADIANS) / 2)) / RADIANS;
}

/** Latitude in micro-degrees (not rounded) of a Mercator ordinate in degrees. */
export function latitudeOf(ordinate: number): number {
  return ((Math.atan(Math.exp(ordinate * RADIANS)) * 2) / RADIANS - 90) / MICRO;
}

/** Initial course from one point to another in degrees clockwise from north, 0 up to 360. */
export function bearingMicro(lon1: number, lat1: number, lon2: number, lat2: number): number {
  const a = lat1 * MICRO * RADIANS;
  const b = lat2 * MICRO * RADIANS;
  const east = (lon2 - lon1) * MICRO * RADIANS;
  const degrees =
    Math.atan2(Math.sin(east) * Math.cos(b), Math.cos(a) * Math.sin(b) - Math.sin(a) * Math.cos(b) * Math.cos(east)) /
    RADIANS;
  return degrees < 0 ? degrees + 360 : degrees;
}

/** Between these angles of `turnAngle`, round over 0, a turn is a U-turn. */
export const UTURN_FROM = 336;
export const UTURN_BELOW = 23;

export function isUTurn(angle: number): boolean {
  return angle < UTURN_BELOW || angle >= UTURN_FROM;
}

/**
 * Angle at `b` from the way back to `a` round to `c`, counter-clockwise in the Mercator plane, 0 up to 360:
 * 180 is straight on, less is to the right, more to the left.
 */
export function turnAngle(lonA: number, latA: number, lonB: number, latB: number, lonC: number, latC: number): number {
  const yB = mercator(latB);
  const back = Math.atan2(mercator(latA) - yB, lonDifference(lonB, lonA) * MICRO);
  const ahead = Math.atan2(mercator(latC) - yB, lonDifference(lonB, lonC) * MICRO);
  const degrees = (ahead - back) / RADIANS;
  return degrees < 0 ? degrees + 360 : degrees;
}
