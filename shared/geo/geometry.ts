/** Mean radius of the earth, metres (IUGG). */
const EARTH_RADIUS = 6_371_008.8;

/** Great-circle distance in metres (haversine, which stays exact for near points). */
export function airDistance(a: { lat: number; lon: number }, b: { lat: number; lon: number }): number {
  const halfHeight = Math.sin(radians(b.lat - a.lat) / 2);
  const halfWidth = Math.sin(radians(b.lon - a.lon) / 2);
  const chord = halfHeight * halfHeight + Math.cos(radians(a.lat)) * Math.cos(radians(b.lat)) * halfWidth * halfWidth;
  return 2 * EARTH_RADIUS * Math.asin(Math.min(1, Math.sqrt(chord)));
}

/** Initial course from one point to another, degrees clockwise from north, 0 up to 360. */
export function bearing(a: { lat: number; lon: number }, b: { lat: number; lon: number }): number {
  const east = radians(b.lon - a.lon);
  const x = Math.sin(east) * Math.cos(radians(b.lat));
  const y =
    Math.cos(radians(a.lat)) * Math.sin(radians(b.lat)) -
    Math.sin(radians(a.lat)) * Math.cos(radians(b.lat)) * Math.cos(east);
  const degrees = (Math.atan2(x, y) * 180) / Math.PI;
  return degrees < 0 ? degrees + 360 : degrees;
}

function radians(degrees: number): number {
  return (degrees * Math.PI) / 180;
}
