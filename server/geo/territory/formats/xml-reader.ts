import { stat } from 'node:fs/promises';
import { SaxesParser } from 'saxes';
import type { SaxesTagPlain } from 'saxes';
import type { ExtractBuilder } from '../extract/extract-builder.ts';
import type { ReadOptions } from './read-extract.ts';
import { BadExtract } from './bad-extract.ts';
import { unpackText, type XmlPacking } from './packed-text.ts';

/** Changes are skipped up to this time, epoch ms: the extract has them. */
interface XmlOptions extends ReadOptions {
  readonly changesAfter?: number | undefined;
}

/**
 * Adds an .osm file (XML), or an .osc file with changes, also compressed, without holding the whole text. Throws
 * `BadExtract` with the line of the damage.
 */
export async function readXml(
  path: string,
  packing: XmlPacking,
  builder: ExtractBuilder,
  { report, signal, changesAfter = -Infinity }: XmlOptions,
): Promise<void> {
  const { size } = await stat(path);
  const document = new OsmDocument(builder, changesAfter);
  const decoder = new TextDecoder();
  await unpackText(path, packing, {
    signal,
    onRead: (bytes) => report?.(bytes / size),
    take: (chunk) => document.write(decoder.decode(chunk, { stream: true })),
  });
  document.write(decoder.decode());
  document.end();
}

/**
 * https://wiki.openstreetmap.org/wiki/OSM_XML, as the editing interface, Overpass, Osmosis and JOSM write it, and
 * https://wiki.openstreetmap.org/wiki/OsmChange.
 */
class OsmDocument {
  readonly #builder: ExtractBuilder;
  readonly #changesAfter: number;
  readonly #parser = new SaxesParser();
  #isChanges = false;
  #isDeleting = false;
  #depth = 0;
  /** The node, way or relation whose children follow, if it is used. */
  #open:
    | { readonly kind: 'node' | 'way' | 'relation'; readonly id: number; readonly lat: number; readonly lon: number }
    | undefined;

  constructor(builder: ExtractBuilder, changesAfter: number) {
    this.#builder = builder;
    this.#changesAfter = changesAfter;
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

  end(): void {
    this.#parser.close();
  }

  #begin({ name, attributes }: SaxesTagPlain): void {
    if (this.#depth++ === 0) {
      if (name !== 'osm' && name !== 'osmChange') throw new BadExtract('This is not an .osm file');
      this.#isChanges = name === 'osmChange';
    }
    switch (name) {
      case 'delete':
        this.#isDeleting = this.#isChanges;
        return;
      case 'osm':
        return this.#timeIs(attributes['timestamp']);
      case 'meta':
        return this.#timeIs(attributes['osm_base']);
      case 'bounds':
        return this.#isChanges ? undefined : this.#boundsAre(attributes);
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
    const isGone = attributes['visible'] === 'false' || attributes['action'] === 'delete';
    if (!this.#isChanges && isGone) return;
    if (this.#isChanges) {
      const time = Date.parse(attributes['timestamp'] ?? '');
      if (time <= this.#changesAfter) return;
      if (Number.isFinite(time)) this.#builder.dataIsOf(time);
      if (this.#isDeleting || isGone) return this.#builder.delete(kind, this.#id(attributes['id'], `a ${kind}`));
    }
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
    if (name === 'delete') this.#isDeleting = false;
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
    if (Number.isFinite(time) && !this.#isChanges) this.#builder.dataIsOf(time);
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
