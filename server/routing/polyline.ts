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

/** The points of an encoded polyline in whole micro-degrees; undefined when it ends within a number or in the middle of a point. */
export function decodePolyline(text: string): [lat: number, lon: number][] | undefined {
  const points: [number, number][] = [];
  let lat = 0;
  let lon = 0;
  let isLon = false;
  for (let at = 0; at < text.length; isLon = !isLon) {
    let value = 0;
    let weight = 1;
    let part;
    do {
      part = text.charCodeAt(at++) - 63;
      // More than 360 degrees take six parts at most.
      if (!(part >= 0 && part < 64) || weight > 32 ** 6) return undefined;
      value += (part % 32) * weight;
      weight *= 32;
    } while (part >= 32);
    const difference = value % 2 === 1 ? -(value + 1) / 2 : value / 2;
    if (isLon) points.push([lat, (lon += difference)]);
    else lat += difference;
  }
  return isLon ? undefined : points;
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
