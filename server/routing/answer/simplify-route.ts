import type { DrawnTrip } from './trip-drawer.ts';
import { simplify } from './simplify.ts';

/**
 * Leaves out what the zoom of `spec/routing.md` 6 does not show; vertices of `via` and `rows` count what is
 * left. The line that comes out is its own, not the drawer's.
 */
export function simplifyTrip(trip: DrawnTrip, zoom: number): DrawnTrip {
  const { lat, lon, instructions, via } = trip;
  const keep = new Uint8Array(lat.length);
  keep[0] = keep[lat.length - 1] = 1;
  for (const vertex of via) keep[vertex] = 1;
  for (const next of instructions) keep[next.vertex] = 1;
  simplify(lat, lon, keep, zoom);
  let count = 0;
  for (let i = 0; i < keep.length; i++) count += keep[i]!;
  const kept = { lat: new Int32Array(count), lon: new Int32Array(count) };
  const keptVia: number[] = [];
  let next = 0;
  let point = 0;
  let at = 0;
  // Rows and points come in the order of the vertices.
  for (let i = 0; i < keep.length; i++) {
    if (keep[i] === 0) continue;
    kept.lat[at] = lat[i]!;
    kept.lon[at] = lon[i]!;
    for (; next < instructions.length && instructions[next]!.vertex === i; next++) instructions[next]!.vertex = at;
    for (; point < via.length && via[point] === i; point++) keptVia.push(at);
    at++;
  }
  return { ...trip, ...kept, via: keptVia };
}
