import type { DrawnTrip } from './trip-drawer.ts';
import { simplify } from './simplify.ts';

/**
 * Removes vertices below the zoom's threshold (README rule 4) and renumbers `via` and `instructions`. The
 * result has arrays of its own.
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
  // Instructions and via points are in vertex order.
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
