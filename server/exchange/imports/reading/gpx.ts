import { Refusal } from '../../../../shared/refusal.ts';
import { addShapes, RecordsBuilder } from './rows-builder.ts';
import type { ReadRows, TableCell } from './table.ts';
import { XmlReader, type XmlListener } from '../../../platform/parsing/xml-reader.ts';
import { brokenXml } from './broken-xml.ts';

/** Elements of GPX 1.0 and 1.1 that are records. A segment of a track is a line of its own. */
const RECORDS = new Set(['wpt', 'rte', 'trk']);
const POINTS = new Set(['rtept', 'trkpt']);
const VALUES = new Set(['name', 'desc', 'cmt', 'type', 'time', 'number', 'ele', 'sym']);

/** Waypoints, routes and tracks. */
export class GpxReader implements XmlListener {
  readonly #builder = new RecordsBuilder();
  readonly #path: string[] = [];
  #values = new Map<string, TableCell>();
  #lines: [number, number][][] = [];
  #point: [number, number] = [0, 0];
  #text = '';
  #count = 0;

  open(name: string, attributes: Readonly<Record<string, string>>): void {
    if (this.#path.length === 0 && name !== 'gpx') throw new Refusal('imports.unknownFormat');
    this.#path.push(name);
    this.#text = '';
    if (RECORDS.has(name)) {
      this.#values = new Map();
      this.#lines = name === 'rte' ? [[]] : [];
      this.#point = pointOf(attributes);
    } else if (name === 'trkseg') this.#lines.push([]);
    else if (POINTS.has(name)) this.#lines.at(-1)?.push(pointOf(attributes));
  }

  text(text: string): void {
    this.#text += text;
  }

  close(name: string): void {
    this.#path.pop();
    const parent = this.#path.at(-1) ?? '';
    if (RECORDS.has(parent) && VALUES.has(name)) this.#values.set(name, this.#text.trim());
    if (RECORDS.has(name)) this.#finish(name);
  }

  finish(): ReadRows {
    const found = this.#builder.finish();
    if (found.rows.length === 0) throw new Refusal('imports.noRows');
    return { format: 'gpx', ...found };
  }

  #finish(name: string): void {
    const shapes =
      name === 'wpt'
        ? [{ type: 'Point', coordinates: this.#point }]
        : this.#lines.filter((line) => line.length > 1).map((coordinates) => ({ type: 'LineString', coordinates }));
    this.#count = addShapes(this.#builder, this.#count, shapes, this.#values);
  }
}

export function readGpx(text: string): ReadRows {
  const listener = new GpxReader();
  const reader = new XmlReader(listener, brokenXml);
  reader.write(text);
  reader.end();
  return listener.finish();
}

function pointOf({ lon, lat }: Readonly<Record<string, string>>): [number, number] {
  return [Number(lon), Number(lat)];
}
