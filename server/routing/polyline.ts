/** Encoded polyline with six decimals, latitude first; the first point absolute, then differences. */
export function encodePolyline(points: readonly (readonly [lat: number, lon: number])[]): string {
  let text = '';
  let lat = 0;
  let lon = 0;
  for (const point of points) {
    const nextLat = Math.round(point[0] * 1e6);
    const nextLon = Math.round(point[1] * 1e6);
    text += encoded(nextLat - lat) + encoded(nextLon - lon);
    lat = nextLat;
    lon = nextLon;
  }
  return text;
}

function encoded(difference: number): string {
  // Zig-zag without bit shifts that would overflow at 360 degrees.
  let rest = difference < 0 ? -2 * difference - 1 : 2 * difference;
  let text = '';
  while (rest >= 32) {
    text += String.fromCharCode((rest % 32) + 32 + 63);
    rest = Math.floor(rest / 32);
  }
  return text + String.fromCharCode(rest + 63);
}
