import { Refusal } from '../../../../shared/refusal.ts';
import { addShapes, RecordsBuilder } from './rows-builder.ts';
import type { ReadRows, TableCell } from './table.ts';
import { readXmlText, type XmlListener } from '../../../platform/parsing/xml-reader.ts';
import { brokenXml } from './broken-xml.ts';

type Position = [number, number];

interface KmlShape {
  readonly type: 'Point' | 'LineString' | 'Polygon';
  readonly coordinates: unknown;
}

const VALUES = new Set(['name', 'description', 'address', 'phoneNumber']);

/** Placemarks of KML 2.2. A placemark of several shapes becomes a row for each. */
class KmlReader implements XmlListener {
  readonly #builder = new RecordsBuilder();
  readonly #path: string[] = [];
  #values = new Map<string, TableCell>();
  #shapes: KmlShape[] = [];
  #rings: Position[][] = [];
  #positions: Position[] = [];
  #dataName = '';
  #text = '';
  #count = 0;

  open(name: string, attributes: Readonly<Record<string, string>>): void {
    if (this.#path.length === 0 && name !== 'kml') throw new Refusal('imports.unknownFormat');
    this.#path.push(name);
    this.#text = '';
    if (name === 'Placemark') {
      this.#values = new Map();
      this.#shapes = [];
    } else if (name === 'Polygon') this.#rings = [];
    else if (name === 'Track') this.#positions = [];
    else if (name === 'Data' || name === 'SimpleData') this.#dataName = attributes['name'] ?? '';
  }

  text(text: string): void {
    this.#text += text;
  }

  close(name: string): void {
    this.#path.pop();
    const parent = this.#path.at(-1) ?? '';
    switch (name) {
      case 'coordinates':
        this.#positions = positionsOf(this.#text);
        return;
      case 'coord':
        this.#positions.push(positionOf(this.#text.trim().split(/\s+/)));
        return;
      case 'LinearRing':
        this.#rings.push(this.#positions);
        return;
      case 'Point':
        this.#shapes.push({ type: 'Point', coordinates: this.#positions[0] });
        return;
      case 'LineString':
      case 'Track':
        this.#shapes.push({ type: 'LineString', coordinates: this.#positions });
        return;
      case 'Polygon':
        this.#shapes.push({ type: 'Polygon', coordinates: this.#rings });
        return;
      case 'SimpleData':
        this.#values.set(this.#dataName.slice(0, 200), this.#text.trim());
        return;
      case 'value':
        if (parent === 'Data') this.#values.set(this.#dataName.slice(0, 200), this.#text.trim());
        return;
      case 'Placemark':
        this.#count = addShapes(this.#builder, this.#count, this.#shapes, this.#values);
        return;
      default:
        if (parent === 'Placemark' && VALUES.has(name)) this.#values.set(name, this.#text.trim());
    }
  }

  finish(): ReadRows {
    const found = this.#builder.finish();
    if (found.rows.length === 0) throw new Refusal('imports.noRows');
    return { format: 'kml', ...found };
  }
}

/** Reads the placemarks of the documents of one file: those of a KMZ may link to each other. */
export function readKml(documents: readonly string[]): ReadRows {
  const listener = new KmlReader();
  for (const text of documents) readXmlText(text, listener, brokenXml);
  return listener.finish();
}

/** `lon,lat,altitude` and white space. */
function positionsOf(text: string): Position[] {
  return text
    .trim()
    .split(/\s+/)
    .map((each) => positionOf(each.split(',')));
}

function positionOf([lon, lat]: readonly string[]): Position {
  return [Number(lon || NaN), Number(lat || NaN)];
}
