import { readXmlText } from '../../platform/parsing/xml-reader.ts';

/** A place in PIDF-LO: the point, the address in words, or both. */
export interface PidfPlace {
  readonly point: { readonly lat: number; readonly lon: number } | undefined;
  readonly address: string;
}

/** Characters of a document. */
const LONGEST = 100_000;
/** Elements of a civic address (RFC 4119, 5139) in the order in which an address is spoken. */
const STREET = ['PRD', 'HNO', 'HNS', 'RD', 'STS', 'POD', 'A6'];
const REST = ['LOC', 'NAM', 'FLR', 'ROOM', 'A4', 'A3', 'PC', 'A1', 'country'];

/** Reads a presence document with a location (RFC 4119, RFC 5491); any other document has no place. */
export function readPidfLo(document: string): PidfPlace {
  const parts = new Map<string, string>();
  let position = '';
  let inside = '';
  const take = (name: string): void => {
    const text = inside.trim();
    if (name === 'pos' && position === '') position = text;
    if (text !== '' && !parts.has(name)) parts.set(name, text);
    inside = '';
  };
  try {
    const listener = { open: () => (inside = ''), text: (piece: string) => (inside += piece), close: take };
    readXmlText(document.slice(0, LONGEST).trim(), listener, (problem) => new Error(problem));
  } catch {
    // The elements before the damage may have told the place.
  }
  return { point: pointOf(position), address: addressOf(parts) };
}

/** Writes a presence document with a point (WGS 84). */
export function writePidfLo(entity: string, { lat, lon }: { readonly lat: number; readonly lon: number }): string {
  return [
    '<?xml version="1.0" encoding="UTF-8"?><presence xmlns="urn:ietf:params:xml:ns:pidf"',
    ' xmlns:dm="urn:ietf:params:xml:ns:pidf:data-model" xmlns:gp="urn:ietf:params:xml:ns:pidf:geopriv10"',
    ` xmlns:gml="http://www.opengis.net/gml" entity="pres:${entity}"><dm:device id="task"><gp:geopriv>`,
    '<gp:location-info><gml:Point srsName="urn:ogc:def:crs:EPSG::4326">',
    `<gml:pos>${lat} ${lon}</gml:pos></gml:Point></gp:location-info><gp:usage-rules/></gp:geopriv></dm:device>`,
    '</presence>',
  ].join('');
}

function pointOf(position: string): PidfPlace['point'] {
  const [lat, lon] = position.split(/\s+/).map(Number);
  const isPlace = position !== '' && Math.abs(lat ?? NaN) <= 90 && Math.abs(lon ?? NaN) <= 180;
  return isPlace ? { lat: lat!, lon: lon! } : undefined;
}

function addressOf(parts: ReadonlyMap<string, string>): string {
  const [street, ...rest] = [
    STREET.flatMap((name) => parts.get(name) ?? []).join(' '),
    ...REST.map((name) => parts.get(name) ?? ''),
  ];
  return [street, ...rest].filter(Boolean).join(', ').slice(0, 500);
}
