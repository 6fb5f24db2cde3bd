import type { Position } from 'geojson';
import { SaxesParser } from 'saxes';
import { positionsOfText, tableOf, type PlaceGeometry, type PlaceTable } from './place-table.ts';

interface OpenRecord {
  readonly fields: Record<string, string>;
  geometry?: PlaceGeometry;
  readonly line: Position[];
}

/** Elements of KML and GPX that are one place each. */
const RECORDS: ReadonlySet<string> = new Set(['Placemark', 'wpt', 'trk', 'rte']);
/** Elements whose text is a field; that of `value` has the name of its `Data`. */
const FIELDS: ReadonlySet<string> = new Set(['name', 'description', 'desc', 'cmt', 'sym', 'type', 'address']);

/** KML (Placemark) and GPX (waypoints; tracks and routes as lines). */
export function readXmlPlaces(text: string): PlaceTable {
  const parser = new SaxesParser({ position: false });
  const records: OpenRecord[] = [];
  let record: OpenRecord | undefined;
  /** Local names of the open elements. */
  const path: string[] = [];
  let dataName = '';
  let said = '';
  parser.on('opentag', ({ name, attributes }) => {
    const local = localOf(name);
    path.push(local);
    said = '';
    const { lat, lon, name: named } = attributes as Record<string, string>;
    if (RECORDS.has(local)) record = { fields: {}, line: [] };
    if (local === 'Data' || local === 'SimpleData') dataName = named ?? '';
    if (!record || lat === undefined || lon === undefined) return;
    if (local === 'wpt') record.geometry = { type: 'Point', coordinates: [Number(lon), Number(lat)] };
    else record.line.push([Number(lon), Number(lat)]);
  });
  parser.on('text', (part) => (said += part));
  parser.on('cdata', (part) => (said += part));
  parser.on('closetag', () => {
    const local = path.pop()!;
    const parent = path.at(-1) ?? '';
    if (!record) return;
    if (RECORDS.has(local)) {
      if (record.line.length > 1) record.geometry ??= { type: 'LineString', coordinates: record.line };
      records.push(record);
      record = undefined;
    } else if (local === 'SimpleData' || (local === 'value' && parent === 'Data'))
      record.fields[dataName] = said.trim();
    else if (FIELDS.has(local) && RECORDS.has(parent)) record.fields[local] = said.trim();
    else if (local === 'coordinates') take(record, parent, positionsOfText(said));
    said = '';
  });
  parser.write(text).close();
  return tableOf(records);
}

const localOf = (name: string): string => name.slice(name.indexOf(':') + 1);

/** Of several parts the first; a ring follows the point or line that KML shows with it. */
function take(record: OpenRecord, parent: string, positions: readonly Position[]): void {
  if (record.geometry?.type === 'Polygon') return;
  if (parent === 'LinearRing' && positions.length > 3)
    record.geometry = { type: 'Polygon', coordinates: [[...positions]] };
  else if (parent === 'LineString' && positions.length > 1)
    record.geometry ??= { type: 'LineString', coordinates: [...positions] };
  else if (parent === 'Point' && positions[0]) record.geometry ??= { type: 'Point', coordinates: positions[0] };
}
