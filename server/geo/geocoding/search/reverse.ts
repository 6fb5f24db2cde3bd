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
/** Closer to its point than this, one is at the house, on any road. */
const AT_THE_DOOR = 6;
/** Half the width of a road, and the error of a drawn one: one is on it. */
const ON_ROAD = 8;
/** On a bridge or a square a house further away than this is on the bank, or around it. */
const BEFORE_BRIDGE = 25;
/** Half the width of a road on a bridge, and the error of a position. */
const ON_BRIDGE = 15;

/**
 * On a street the nearest house of that street within 150 m, else the street. On a bridge or in a square without a
 * house within 25 m: that. Elsewhere the nearest address that does not lie beyond another street; where there is
 * none within 150 m, whatever is nearer, an address or a street. Undefined when there is neither within 2 km.
 * Degrees.
 */
export function reverse(file: PlacesFile, point: { lon: number; lat: number }): Hit | undefined {
  const lon = Math.round(point.lon * 1e7),
    lat = Math.round(point.lat * 1e7);
  const atDoor = nearestAddress(file, lon, lat, AT_THE_DOOR);
  if (atDoor) return ofAddress(file, atDoor);
  const road = nearestStreet(file, lon, lat, ON_ROAD);
  const ofRoad = road && nearestAddress(file, lon, lat, AT_THE_HOUSE, isOfStreet(file, road.document));
  if (ofRoad && ofRoad.metres <= BEFORE_BRIDGE) return ofAddress(file, ofRoad);
  if (!road) {
    const before = nearestAddress(file, lon, lat, BEFORE_BRIDGE, isBefore(file, lon, lat));
    if (before) return ofAddress(file, before);
  }
  const open = bridgeAt(file, lon, lat) ?? squareAt(file, lon, lat);
  if (open) return open;
  if (road) return ofRoad ? ofAddress(file, ofRoad) : ofLine(file, road);
  for (const metres of RINGS) {
    const address =
      nearestAddress(file, lon, lat, metres, isBefore(file, lon, lat)) ??
      (metres > AT_THE_HOUSE ? nearestAddress(file, lon, lat, metres) : undefined);
    if (address && metres <= AT_THE_HOUSE) return ofAddress(file, address);
    const street = metres >= AT_THE_HOUSE ? nearestStreet(file, lon, lat, metres) : undefined;
    if (street && (!address || street.metres < address.metres)) {
      return ofLine(file, street);
    }
    if (address) return ofAddress(file, address);
  }
  return undefined;
}

/** Whether an address is of the street: its document, or another part of it with the same name. */
function isOfStreet(file: PlacesFile, document: number): (row: AddressRow) => boolean {
  const name = file.document(document).name_words;
  const known = new Map([[document, true]]);
  return (row) => {
    const isOf = known.get(row.document) ?? file.document(row.document).name_words === name;
    known.set(row.document, isOf);
    return isOf;
  };
}

/** Whether no other street lies between the point and an address. */
function isBefore(file: PlacesFile, lon: number, lat: number): (row: AddressRow) => boolean {
  return (row) => {
    const box = {
      west: Math.min(lon, row.lon),
      south: Math.min(lat, row.lat),
      east: Math.max(lon, row.lon),
      north: Math.max(lat, row.lat),
    };
    const isOf = isOfStreet(file, row.document);
    return !file
      .piecesIn(box)
      .some((piece) => crosses(piece.points, lon, lat, row) && !isOf({ ...row, document: piece.document }));
  };
}

/** Whether a line crosses the way from a point to an address. */
function crosses(line: LineRow['points'], lon: number, lat: number, to: { lon: number; lat: number }): boolean {
  const side = (ax: number, ay: number, bx: number, by: number, x: number, y: number): number =>
    Math.sign((bx - ax) * (y - ay) - (by - ay) * (x - ax));
  for (let i = 2; i + 1 < line.length; i += 2) {
    const [ax, ay, bx, by] = [line[i - 2]!, line[i - 1]!, line[i]!, line[i + 1]!];
    if (
      side(lon, lat, to.lon, to.lat, ax, ay) !== side(lon, lat, to.lon, to.lat, bx, by) &&
      side(ax, ay, bx, by, lon, lat) !== side(ax, ay, bx, by, to.lon, to.lat)
    )
      return true;
  }
  return false;
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

/** The nearest address that passes; real ones before estimates at the same place. */
function nearestAddress(
  file: PlacesFile,
  lon: number,
  lat: number,
  within: number,
  passes: (row: AddressRow) => boolean = () => true,
): { row: AddressRow; metres: number } | undefined {
  return file
    .addressesIn(around(lon, lat, within))
    .map((row) => ({ row, metres: metresBetweenE7(lon, lat, row.lon, row.lat) }))
    .filter(({ metres }) => metres <= within)
    .sort((a, b) => a.metres - b.metres || a.row.estimated - b.row.estimated)
    .find(({ row }) => passes(row));
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
