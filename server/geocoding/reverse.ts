import { around, metresBetween, nearestOnLine } from '../territory/places/metres.ts';
import type { Hit } from './door.ts';
import { documentHit, houseHit } from './hits.ts';
import type { AddressRow, PlacesFile } from './places-file.ts';

/** Further away nothing is "at" a point. */
const FARTHEST = 2000;
/** An address within this distance is the answer even when a street is nearer: houses stand beside streets. */
const AT_THE_HOUSE = 150;
const RINGS = [60, AT_THE_HOUSE, 500, FARTHEST];

/**
 * The nearest address; where there is none within 150 m, whatever is nearer, an address or a street; undefined when there is neither
 * within 2 km. Degrees.
 */
export function reverse(file: PlacesFile, point: { lon: number; lat: number }): Hit | undefined {
  const lon = Math.round(point.lon * 1e7), lat = Math.round(point.lat * 1e7);
  for (const metres of RINGS) {
    const address = nearestAddress(file, lon, lat, metres);
    if (address && metres <= AT_THE_HOUSE) return ofAddress(file, address);
    const street = metres >= AT_THE_HOUSE ? nearestStreet(file, lon, lat, metres) : undefined;
    if (street && (!address || street.metres < address.metres)) {
      const hit = documentHit(file.document(street.document), 1);
      return { ...hit, lon: street.lon / 1e7, lat: street.lat / 1e7, distance: street.metres };
    }
    if (address) return ofAddress(file, address);
  }
  return undefined;
}

function ofAddress(file: PlacesFile, { row, metres }: { row: AddressRow; metres: number }): Hit {
  const house = { id: row.id, number: row.number, lon: row.lon, lat: row.lat, estimated: row.estimated === 1, likeness: 1 };
  return { ...houseHit(file.document(row.document), house, 1), distance: metres };
}

function nearestAddress(file: PlacesFile, lon: number, lat: number, within: number): { row: AddressRow; metres: number } | undefined {
  let best: { row: AddressRow; metres: number } | undefined;
  for (const row of file.addressesIn(around(lon, lat, within))) {
    const metres = metresBetween(lon, lat, row.lon, row.lat);
    if (metres <= within && (!best || metres < best.metres || (metres === best.metres && row.estimated < best.row.estimated))) best = { row, metres };
  }
  return best;
}

function nearestStreet(file: PlacesFile, lon: number, lat: number, within: number): { document: number; lon: number; lat: number; metres: number } | undefined {
  let best: { document: number; lon: number; lat: number; metres: number } | undefined;
  for (const { document, points } of file.piecesIn(around(lon, lat, within))) {
    const foot = nearestOnLine(points, lon, lat);
    if (foot.metres <= within && (!best || foot.metres < best.metres)) best = { document, lon: foot.lon, lat: foot.lat, metres: foot.metres };
  }
  return best;
}
