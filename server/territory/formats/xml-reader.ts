import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { createGunzip } from 'node:zlib';
import { pipeline } from 'node:stream/promises';
import { SaxesParser } from 'saxes';
import type { SaxesTagPlain } from 'saxes';
import { ExtractBuilder } from '../extract/extract-builder.ts';
import type { PackedExtract } from '../extract/packed-extract.ts';
import type { ReadOptions } from './read-extract.ts';
import { BadExtract } from './bad-extract.ts';
import { unpackBzip2 } from './bzip2.ts';

type XmlPacking = 'plain' | 'gzip' | 'bzip2';

/**
 * Reads an .osm file (XML), also compressed, without holding the whole text. Throws `BadExtract` with the
 * line of the damage.
 */
export async function readXml(
  path: string,
  packing: XmlPacking,
  { report, signal }: ReadOptions,
): Promise<PackedExtract> {
  const { size } = await stat(path);
  const document = new OsmDocument();
  const file = async function* (): AsyncGenerator<Buffer> {
    let read = 0;
    for await (const chunk of createReadStream(path, { highWaterMark: 1 << 18 }) as AsyncIterable<Buffer>) {
      signal?.throwIfAborted();
      yield chunk;
      read += chunk.length;
      report?.(read / size);
    }
  };
  const parse = async (source: AsyncIterable<Buffer>) => {
    const decoder = new TextDecoder();
    for await (const chunk of source) document.write(decoder.decode(chunk, { stream: true }));
    document.write(decoder.decode());
  };
  try {
    if (packing === 'gzip') await pipeline(file, createGunzip({ chunkSize: 1 << 18 }), parse);
    else if (packing === 'bzip2') await parse(unpackBzip2(file()));
    else await parse(file());
    return document.end();
  } catch (error) {
    if (signal?.aborted || error instanceof BadExtract) throw error;
    const { code, message } = error as NodeJS.ErrnoException;
    if (code?.startsWith('Z_'))
      throw new BadExtract(
        code === 'Z_BUF_ERROR' ? 'The file is cut short' : `The file is damaged: it cannot be unpacked (${message})`,
        { cause: error },
      );
    throw error;
  }
}

/**
 * https://wiki.openstreetmap.org/wiki/OSM_XML, as the editing interface, Overpass, Osmosis and JOSM write it.
 */
class OsmDocument {
  readonly #builder = new ExtractBuilder();
  readonly #parser = new SaxesParser();
  #depth = 0;
  /** The node, way or relation whose children follow, if it is used. */
  #open:
    | { readonly kind: 'node' | 'way' | 'relation'; readonly id: number; readonly lat: number; readonly lon: number }
    | undefined;

  constructor() {
    this.#parser.on('error', (error) => {
      throw new BadExtract(
        `The file is damaged at line ${error.message.replace(/^(\d+):(\d+): /, '$1, column $2: ').replace(/\.$/, '')}`,
        { cause: error },
      );
    });
    this.#parser.on('opentag', (tag) => this.#begin(tag));
    this.#parser.on('closetag', (tag) => this.#end(tag.name));
  }

  write(text: string): void {
    this.#parser.write(text);
  }

  end(): PackedExtract {
    this.#parser.close();
    return this.#builder.build();
  }

  #begin({ name, attributes }: SaxesTagPlain): void {
    if (this.#depth++ === 0 && name !== 'osm')
      throw new BadExtract(
        name === 'osmChange' ? 'The file holds changes of the map, not a map' : 'This is not an .osm file',
      );
    switch (name) {
      case 'osm':
        return this.#timeIs(attributes['timestamp']);
      case 'meta':
        return this.#timeIs(attributes['osm_base']);
      case 'bounds':
        return this.#boundsAre(attributes);
      case 'node':
      case 'way':
      case 'relation':
        return this.#beginThing(name, attributes);
      case 'nd':
        if (this.#open?.kind === 'way') this.#builder.refs.push(this.#id(attributes['ref'], 'a node of a way'));
        return;
      case 'tag':
        return this.#addTag(attributes);
      case 'member':
        return this.#addMember(attributes);
    }
  }

  #beginThing(kind: 'node' | 'way' | 'relation', attributes: Record<string, string>): void {
    // Items that an editor marked as deleted, or that no longer exist, are not on the map.
    if (attributes['visible'] === 'false' || attributes['action'] === 'delete') return;
    this.#open = {
      kind,
      id: this.#id(attributes['id'], `a ${kind}`),
      lat: Number(attributes['lat'] ?? NaN),
      lon: Number(attributes['lon'] ?? NaN),
    };
  }

  #addTag({ k, v }: Record<string, string>): void {
    if (this.#open === undefined || k === undefined || v === undefined) return;
    const { pairs } =
      this.#open.kind === 'node'
        ? this.#builder.nodes
        : this.#open.kind === 'way'
          ? this.#builder.ways
          : this.#builder.relations;
    pairs.push(this.#builder.strings.number(k));
    pairs.push(this.#builder.strings.number(v));
  }

  #addMember({ type, ref, role }: Record<string, string>): void {
    const kind = ['node', 'way', 'relation'].indexOf(type ?? '');
    if (this.#open?.kind === 'relation' && kind >= 0)
      this.#builder.addMember(kind, this.#id(ref, 'a member of a relation'), this.#builder.strings.number(role ?? ''));
  }

  #end(name: string): void {
    this.#depth--;
    const thing = this.#open;
    if (thing?.kind !== name) return;
    this.#open = undefined;
    if (name === 'node') this.#builder.addNode(thing.id, Math.round(thing.lat * 1e7), Math.round(thing.lon * 1e7));
    else if (name === 'way') this.#builder.addWay(thing.id);
    else this.#builder.addRelation(thing.id);
  }

  #id(text: string | undefined, what: string): number {
    const id = Number(text);
    if (text === undefined || text.trim() === '' || !Number.isSafeInteger(id))
      throw new BadExtract(`The file is damaged at line ${this.#parser.line}: ${what} has no id`);
    return id;
  }

  #timeIs(text: string | undefined): void {
    const time = Date.parse(text ?? '');
    if (Number.isFinite(time)) this.#builder.dataTime = time;
  }

  #boundsAre({ minlon, minlat, maxlon, maxlat }: Record<string, string>): void {
    const [west, south, east, north] = [minlon, minlat, maxlon, maxlat].map((text) => Number(text ?? NaN)) as [
      number,
      number,
      number,
      number,
    ];
    // An editor writes one for every download; together they are the extract.
    const known = this.#builder.bounds ?? [west, south, east, north];
    if (west < east && south < north && west >= -180 && east <= 180 && south >= -90 && north <= 90) {
      this.#builder.bounds = [
        Math.min(west, known[0]),
        Math.min(south, known[1]),
        Math.max(east, known[2]),
        Math.max(north, known[3]),
      ];
    }
  }
}
