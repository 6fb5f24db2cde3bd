import { open } from 'node:fs/promises';
import { deflateSync } from 'node:zlib';
import { PbfWriter } from 'pbf';
import { MISSING } from '../../server/geo/territory/extract/extract.ts';
import type { OsmExtract, OsmRelation, Tags } from '../../server/geo/territory/extract/extract.ts';
import { MEMBER_TYPES } from '../../server/geo/territory/extract/packed-extract.ts';
import { StringTable } from '../../server/geo/territory/extract/strings.ts';

/** Things per block; 8,000 is what the format recommends. */
const PER_BLOCK = 8000;

/**
 * Writes an extract as .osm.pbf (dense nodes, zlib, sorted by type and id). The same extract gives the same
 * bytes. Nodes that a way names and the extract does not have are left out of the way, since their ids are
 * not known any more.
 */
export async function writePbf(extract: OsmExtract, path: string): Promise<void> {
  await writePbfOf([extract], path);
}

/**
 * The same of several extracts with different ids, one after the other, so that only one lies in memory. The
 * header is that of the first with these bounds.
 */
export async function writePbfOf(
  extracts: readonly OsmExtract[],
  path: string,
  { bounds = extracts[0]!.bounds, level = 9 }: { bounds?: OsmExtract['bounds']; level?: number } = {},
): Promise<void> {
  const file = await open(path, 'w');
  const [{ dataTime }] = extracts as [OsmExtract];
  try {
    await file.write(blob('OSMHeader', headerBlock(bounds, dataTime)));
    for (const blocks of [nodeBlocks, wayBlocks, relationBlocks])
      for (const extract of extracts)
        for (const block of blocks(extract)) await file.write(blob('OSMData', block, level));
  } finally {
    await file.close();
  }
}

function blob(type: string, data: Uint8Array, level = 9): Uint8Array {
  const body = new PbfWriter();
  body.writeVarintField(2, data.length);
  body.writeBytesField(3, deflateSync(data, { level }));
  return framed(type, body.finish());
}

/**
 * A blob as the format frames it: the length of its header, the header with its type, and `body`, which is
 * its message.
 */
export function framed(type: string, body: Uint8Array): Buffer {
  const head = new PbfWriter();
  head.writeStringField(1, type);
  head.writeVarintField(3, body.length);
  const header = head.finish();
  const length = Buffer.alloc(4);
  length.writeUInt32BE(header.length);
  return Buffer.concat([length, header, body]);
}

function headerBlock([west, south, east, north]: OsmExtract['bounds'], dataTime: OsmExtract['dataTime']): Uint8Array {
  const pbf = new PbfWriter();
  pbf.writeMessage(
    1,
    (box, message) => {
      box.forEach((degrees, i) => message.writeSVarintField(i + 1, Math.round(degrees * 1e7) * 100));
    },
    [west, east, north, south],
  );
  pbf.writeStringField(4, 'OsmSchema-V0.6');
  pbf.writeStringField(4, 'DenseNodes');
  pbf.writeStringField(5, 'Sort.Type_then_ID');
  pbf.writeStringField(16, 'waypost');
  if (dataTime !== undefined) pbf.writeVarintField(32, Math.floor(dataTime / 1000));
  return pbf.finish();
}

function* nodeBlocks(extract: OsmExtract): Generator<Uint8Array> {
  for (let from = 0; from < extract.nodes.count; from += PER_BLOCK)
    yield nodeBlock(extract, from, Math.min(from + PER_BLOCK, extract.nodes.count));
}

function* wayBlocks(extract: OsmExtract): Generator<Uint8Array> {
  for (let from = 0; from < extract.ways.count; from += PER_BLOCK)
    yield wayBlock(extract, from, Math.min(from + PER_BLOCK, extract.ways.count));
}

function* relationBlocks(extract: OsmExtract): Generator<Uint8Array> {
  for (let from = 0; from < extract.relations.length; from += PER_BLOCK)
    yield relationBlock(extract.relations.slice(from, from + PER_BLOCK));
}

/**
 * String 0 of a block ends the tags of a dense node, and nothing else: a text that is empty has a number of
 * its own.
 */
class BlockTable extends StringTable {
  constructor() {
    super();
    this.strings.push('');
  }
}

function block(group: (table: BlockTable, pbf: PbfWriter) => void): Uint8Array {
  const table = new BlockTable();
  const content = new PbfWriter();
  group(table, content);
  const pbf = new PbfWriter();
  pbf.writeMessage(
    1,
    (strings, message) => {
      for (const text of strings) message.writeBytesField(1, Buffer.from(text));
    },
    table.strings,
  );
  pbf.writeBytesField(2, content.finish());
  return pbf.finish();
}

function nodeBlock({ nodes }: OsmExtract, from: number, to: number): Uint8Array {
  return block((table, pbf) => {
    const ids: number[] = [];
    const lats: number[] = [];
    const lons: number[] = [];
    const texts: number[] = [];
    let tagged = false;
    for (let i = from; i < to; i++) {
      ids.push(nodes.id[i]!);
      lats.push(nodes.lat[i]!);
      lons.push(nodes.lon[i]!);
      for (const [key, value] of Object.entries(nodes.tags(i) ?? {})) {
        texts.push(table.number(key), table.number(value));
        tagged = true;
      }
      texts.push(0);
    }
    pbf.writeMessage(
      2,
      (_, dense) => {
        dense.writePackedSVarint(1, differences(ids));
        dense.writePackedSVarint(8, differences(lats));
        dense.writePackedSVarint(9, differences(lons));
        if (tagged) dense.writePackedVarint(10, texts);
      },
      undefined,
    );
  });
}

function wayBlock({ nodes, ways }: OsmExtract, from: number, to: number): Uint8Array {
  return block((table, pbf) => {
    for (let w = from; w < to; w++) {
      pbf.writeMessage(
        3,
        (_, way) => {
          way.writeVarintField(1, ways.id[w]!);
          writeTags(way, table, ways.tags(w));
          const refs = ways.refs.subarray(ways.first[w]!, ways.first[w + 1]!).filter((ref) => ref !== MISSING);
          way.writePackedSVarint(8, differences(Array.from(refs, (ref) => nodes.id[ref]!)));
        },
        undefined,
      );
    }
  });
}

function relationBlock(relations: readonly OsmRelation[]): Uint8Array {
  return block((table, pbf) => {
    for (const { id, tags, members } of relations) {
      pbf.writeMessage(
        4,
        (_, relation) => {
          relation.writeVarintField(1, id);
          writeTags(relation, table, tags);
          relation.writePackedVarint(
            8,
            members.map((member) => table.number(member.role)),
          );
          relation.writePackedSVarint(9, differences(members.map((member) => member.id)));
          relation.writePackedVarint(
            10,
            members.map((member) => MEMBER_TYPES.indexOf(member.type)),
          );
        },
        undefined,
      );
    }
  });
}

function writeTags(pbf: PbfWriter, table: BlockTable, tags: Tags): void {
  pbf.writePackedVarint(
    2,
    Object.keys(tags).map((key) => table.number(key)),
  );
  pbf.writePackedVarint(
    3,
    Object.values(tags).map((value) => table.number(value)),
  );
}

function differences(values: readonly number[]): number[] {
  return values.map((value, i) => value - (i === 0 ? 0 : values[i - 1]!));
}
