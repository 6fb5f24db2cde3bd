/**
 * Decodes `route_geometry` of area C: latitude before longitude, differences in millionths of a degree, five
 * bits a letter.
 */
export function decodePolyline(text: string): [lat: number, lon: number][] {
  const points: [number, number][] = [];
  let at = 0;
  let lat = 0;
  let lon = 0;
  const next = (): number => {
    let result = 0;
    let shift = 0;
    for (;;) {
      const letter = text.charCodeAt(at++) - 63;
      if (Number.isNaN(letter)) throw new Error('The geometry of the route ends in the middle of a number.');
      result |= (letter & 31) << shift;
      if (letter < 32) return result & 1 ? ~(result >> 1) : result >> 1;
      shift += 5;
    }
  };
  while (at < text.length) {
    lat += next();
    lon += next();
    points.push([lat / 1e6, lon / 1e6]);
  }
  return points;
}
