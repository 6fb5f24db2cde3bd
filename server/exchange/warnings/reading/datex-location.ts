import type { Geometry } from 'geojson';
import type { LonLat } from '../../../../shared/geo/shapes.ts';
import { joinedGeometry, lonLatAt, lonLatsOf, ringOf } from './areas.ts';
import { attributeAt, childAt, textAt, within, type XmlElement } from './elements.ts';
import { MOST_POSITIONS } from './read-warning.ts';

interface FoundShapes {
  readonly rings: LonLat[][];
  readonly lines: LonLat[][];
  readonly points: LonLat[];
  hasEndsOnly: boolean;
}

/** Where a record of DATEX II is. */
export interface DatexLocation {
  readonly geometry: Geometry | null;
  readonly hasEndsOnly: boolean;
  /** Numbers and names of its roads. */
  readonly roads: readonly string[];
  /** Codes of ALERT-C, which need the table of the country. */
  readonly codes: readonly string[];
}

/**
 * The place of a record of DATEX II 2 (`groupOfLocations`) or 3 (`locationReference`): by GML, by coordinates, by the
 * points of TPEG-Loc or by the location reference points of OpenLR. ALERT-C alone gives no place.
 */
export function readLocation(record: XmlElement): DatexLocation {
  const locations = record.children.filter(({ name }) => name === 'groupOfLocations' || name === 'locationReference');
  const shapes: FoundShapes = { rings: [], lines: [], points: [], hasEndsOnly: false };
  for (const location of locations) addShapes(location, shapes);
  const roads = locations.flatMap((location) => [...roadsOf(location)]);
  return {
    geometry: joinedGeometry(shapes),
    hasEndsOnly: shapes.hasEndsOnly && shapes.rings.length === 0,
    roads: [...new Set(roads)].slice(0, 5),
    codes: [...new Set(locations.flatMap(codesOf))].slice(0, 20),
  };
}

const CONTAINERS = new Set(['locationContainedInGroup', 'locationContainedInItinerary', 'location']);

function addShapes(location: XmlElement, shapes: FoundShapes): void {
  const parts = location.children.filter(({ name }) => CONTAINERS.has(name));
  if (parts.length > 0) return parts.forEach((part) => addShapes(part, shapes));
  const rings = [...within(location, 'exterior')].map((ring) => ringOf(lonLatsOfList(ring))).filter(isGiven);
  if (rings.length > 0) return add(shapes.rings, rings);
  const lines = [...within(location, 'gmlLineString')].map(lonLatsOfList).filter(isLine);
  if (lines.length > 0) return add(shapes.lines, lines);
  const ends = endsOf(location);
  if (ends.length > 0) {
    shapes.hasEndsOnly = true;
    return add(shapes.lines, ends);
  }
  const point = pointOf(location);
  if (point) shapes.points.push(point);
}

/** Lines of which only the ends, or a few points, are known. */
function endsOf(location: XmlElement): LonLat[][] {
  const openLr = [...within(location, 'openlrLineLocationReference')].map((line) => [...coordinatesIn(line)]);
  const [first] = openLr.filter(isLine);
  if (first) return [first];
  return [...within(location, 'tpegLinearLocation')]
    .map((line) => ['from', 'to'].map((end) => firstCoordinates(childAt(line, end))).filter(isGiven))
    .filter(isLine);
}

function pointOf(location: XmlElement): LonLat | undefined {
  for (const name of ['pointByCoordinates', 'framedPoint', 'point', 'openlrPointLocationReference'])
    for (const element of within(location, name)) {
      const place = firstCoordinates(element);
      if (place) return place;
    }
  const display = location.children.find(
    ({ name }) => name === 'locationForDisplay' || name === 'coordinatesForDisplay',
  );
  return firstCoordinates(display) ?? firstCoordinates(location);
}

function firstCoordinates(element: XmlElement | undefined): LonLat | undefined {
  if (!element) return undefined;
  for (const place of coordinatesIn(element)) return place;
}

/** Elements with a latitude and a longitude, in the order of the document. */
function* coordinatesIn(element: XmlElement): Generator<LonLat> {
  const [lat, lon] = [textAt(element, 'latitude'), textAt(element, 'longitude')];
  const place = lat === '' || lon === '' ? undefined : lonLatAt(Number(lat), Number(lon));
  if (place) yield place;
  for (const child of element.children) yield* coordinatesIn(child);
}

function lonLatsOfList(element: XmlElement): LonLat[] | undefined {
  const [list] = within(element, 'posList');
  return list && lonLatsOf(list.text.trim().split(/\s+/));
}

function* roadsOf(location: XmlElement): Generator<string> {
  for (const name of ['roadNumber', 'roadName'])
    for (const element of within(location, name)) {
      const [value] = within(element, 'value');
      const text = (value ?? element).text.trim();
      if (text !== '') yield text.slice(0, 100);
    }
}

function codesOf(location: XmlElement): string[] {
  return [...within(location, 'specificLocation')].map(({ text }) => `ALERT-C=${text.trim()}`.slice(0, 60));
}

function add(to: LonLat[][], lines: readonly LonLat[][]): void {
  let positions = to.reduce((sum, { length }) => sum + length, 0);
  for (const line of lines) if ((positions += line.length) <= MOST_POSITIONS) to.push(line);
}

const isGiven = <T>(value: T | undefined): value is T => value !== undefined;
const isLine = (line: LonLat[] | undefined): line is LonLat[] => line !== undefined && line.length >= 2;

/** Whether the record is for some kinds of vehicles only, such as heavy ones. */
export function isForSomeVehicles(record: XmlElement): boolean {
  return [...within(record, 'forVehiclesWithCharacteristicsOf')].some(
    ({ children, attributes }) => children.length > 0 || attributeAt({ attributes } as XmlElement, 'nil') === '',
  );
}
