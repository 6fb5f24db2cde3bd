import { around, metresBetweenE7, nearestOnLine } from '../../territory/geometry/metres.ts';
import { areaOfRing } from '../../territory/places/surfaces.ts';
import type { Hit } from '../types.ts';
import { documentHit, houseHit } from './hits.ts';
import type { AddressRow, LineRow, PlacesFile } from './places-file.ts';

/** Nothing further away is "at" a point. */
const FARTHEST = 2000;
/** An address within this distance is the answer even if a street is nearer: houses stand beside streets. */
const AT_THE_HOUSE = 150;
const RINGS = [60, AT_THE_HOUSE, 500, FARTHEST];
/** On a bridge or a square a house further away than this is on the bank, or around it. */
const BEFORE_BRIDGE = 25;
/** Half the width of a road on a bridge, and the error of a position. */
const ON_BRIDGE = 15;

/**
 * The nearest address; on a bridge or in a square, with no house within 25 m, that; where there is no address
 * within 150 m, whatever is nearer, an address or a street; undefined when there is neither within 2 km.
 * Degrees.
 */
export function reverse(file: PlacesFile, point: { lon: number; lat: number }): Hit | undefined {
  const lon = Math.round(point.lon * 1e7),
    lat = Math.round(point.lat * 1e7);
  const atDoor = nearestAddress(file, lon, lat, BEFORE_BRIDGE);
  if (atDoor) return ofAddress(file, atDoor);
  const open = bridgeAt(file, lon, lat) ?? squareAt(file, lon, lat);
  if (open) return open;
  for (const metres of RINGS) {
    const address = nearestAddress(file, lon, lat, metres);
    if (address && metres <= AT_THE_HOUSE) return ofAddress(file, address);
    const street = metres >= AT_THE_HOUSE ? nearestStreet(file, lon, lat, metres) : undefined;
    if (street && (!address || street.metres < address.metres)) {
      return ofLine(file, street);
    }
    if (address) return ofAddress(file, address);
  }
  return undefined;
}

function ofAddress(file: PlacesFile, { row, metres }: { row: AddressRow; metres: number }): Hit {
  const house = {
    id: row.id,
    number: row.number,
    lon: row.lon,
    lat: row.lat,
    estimated: row.estimated === 1,
    likeness: 1,
    exact: true,
    postcode: row.postcode ?? undefined,
  };
  return { ...houseHit(file.document(row.document), house, 1), distance: metres };
}

interface FootOn {
  document: number;
  lon: number;
  lat: number;
  metres: number;
}

function ofLine(file: PlacesFile, { document, lon, lat, metres }: FootOn): Hit {
  return { ...documentHit(file.document(document), 1), lon: lon / 1e7, lat: lat / 1e7, distance: metres };
}

/** The bridge at the point; of several the one whose middle line is nearest. */
function bridgeAt(file: PlacesFile, lon: number, lat: number): Hit | undefined {
  const bridge = nearestOf(file.bridgesIn(around(lon, lat, ON_BRIDGE)), lon, lat, ON_BRIDGE);
  return bridge && ofLine(file, bridge);
}

/** The smallest square around the point. */
function squareAt(file: PlacesFile, lon: number, lat: number): Hit | undefined {
  let best: { document: number; size: number } | undefined;
  for (const { document, points } of file.squaresIn({ west: lon, south: lat, east: lon, north: lat })) {
    const area = areaOfRing(points);
    if (area.contains(lon, lat) && (!best || area.size() < best.size)) best = { document, size: area.size() };
  }
  return best && { ...documentHit(file.document(best.document), 1), lon: lon / 1e7, lat: lat / 1e7, distance: 0 };
}

function nearestAddress(
  file: PlacesFile,
  lon: number,
  lat: number,
  within: number,
): { row: AddressRow; metres: number } | undefined {
  let best: { row: AddressRow; metres: number } | undefined;
  for (const row of file.addressesIn(around(lon, lat, within))) {
    const metres = metresBetweenE7(lon, lat, row.lon, row.lat);
    if (
      metres <= within &&
      (!best || metres < best.metres || (metres === best.metres && row.estimated < best.row.estimated))
    )
      best = { row, metres };
  }
  return best;
}

function nearestStreet(file: PlacesFile, lon: number, lat: number, within: number): FootOn | undefined {
  return nearestOf(file.piecesIn(around(lon, lat, within)), lon, lat, within);
}

function nearestOf(lines: readonly LineRow[], lon: number, lat: number, within: number): FootOn | undefined {
  let best: FootOn | undefined;
  for (const { document, points } of lines) {
    const foot = nearestOnLine(points, lon, lat);
    if (foot.metres <= within && (!best || foot.metres < best.metres))
      best = { document, lon: foot.lon, lat: foot.lat, metres: foot.metres };
  }
  return best;
}
