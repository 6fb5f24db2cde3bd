import fc from 'fast-check';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { deflateSync, zstdCompressSync } from 'node:zlib';
import { PbfWriter } from 'pbf';
import { expect, test } from 'vitest';
import { BadExtract, ExtractBuilder, readExtract } from '../../../../server/geo/territory/index.ts';
import { framed, writePbf } from '../../../town/pbf-writer.ts';
import { decodeDeltas, decodeUnsigned } from '../../../../server/geo/territory/formats/varints.ts';
import { DEMO_TOWN, RUN, build, plain, realExtract, scratchDirectory, things } from './extracts.ts';

const scratch = scratchDirectory();
const path = join(scratch, 'try.osm.pbf');

test('what is written is read back', async () => {
  await fc.assert(
    fc.asyncProperty(things, async (given) => {
      const builder = build(given);
      builder.bounds = [-1.5, 2.25, 3.75, 4.1234567];
      builder.dataTime = 1_700_000_000_000;
      const extract = builder.build();
      await writePbf(extract, path);
      const read = plain(await readExtract(path));
      const written = plain(extract);
      // The id of a node that is missing is not known any more.
      expect(read).toEqual({
        ...written,
        ways: written.ways.map((way) => ({ ...way, refs: way.refs.filter((ref) => ref !== null) })),
      });
    }),
    { ...RUN, numRuns: 60 },
  );
});

test('more things than one block takes are written and read', async () => {
  const builder = new ExtractBuilder();
  for (let i = 0; i < 20_000; i++)
    builder.node(i * 3, (i % 900) / 10, (i % 1800) / 10, i % 7 === 0 ? { ref: String(i) } : undefined);
  for (let i = 0; i < 9000; i++) builder.way(i, [i * 3, (i + 1) * 3], { name: `Street ${i % 100}` });
  const extract = builder.build();
  await writePbf(extract, path);
  expect(plain(await readExtract(path))).toEqual(plain(extract));
});

test('the same extract is always written with the same bytes', async () => {
  const town = await readExtract(DEMO_TOWN);
  await writePbf(town, path);
  const first = readFileSync(path);
  await writePbf(await readExtract(path), path);
  expect(readFileSync(path).equals(first)).toBe(true);
});

test('the real extracts hold what other programs count in them', async () => {
  // Counted with osmium: see the data's own README.
  const counts = { monaco: [30_783, 4_938, 290], liechtenstein: [270_635, 28_047, 871] };
  for (const [name, expected] of Object.entries(counts)) {
    const file = realExtract(name);
    if (file === undefined) continue;
    const extract = await readExtract(file);
    expect([extract.nodes.count, extract.ways.count, extract.relations.length], name).toEqual(expected);
    expect(extract.ways.refs.includes(0xffffffff), `${name} misses no node`).toBe(false);
  }
});

/** One node 7 at 1.5, -2.25 degrees, written in each way that the format knows. */
function nodeBlock(form: { dense?: boolean; granularity?: number; offset?: number; textLast?: boolean }): Uint8Array {
  const { dense = false, granularity = 100, offset = 0, textLast = false } = form;
  const lat = (1_500_000_000 - offset) / granularity;
  const lon = (-2_250_000_000 - offset) / granularity;
  const pbf = new PbfWriter();
  const strings = () =>
    pbf.writeMessage(
      1,
      (_, table) => ['', 'name', 'Seven'].forEach((text) => table.writeStringField(1, text)),
      undefined,
    );
  if (!textLast) strings();
  pbf.writeMessage(
    2,
    (_, group) => {
      if (dense) {
        group.writeMessage(
          2,
          (__, nodes) => {
            nodes.writePackedSVarint(1, [7]);
            nodes.writePackedSVarint(8, [lat]);
            nodes.writePackedSVarint(9, [lon]);
            nodes.writePackedVarint(10, [1, 2, 0]);
          },
          undefined,
        );
      } else {
        group.writeMessage(
          1,
          (__, node) => {
            node.writeSVarintField(1, 7);
            node.writePackedVarint(2, [1]);
            node.writePackedVarint(3, [2]);
            // its version, which nobody needs
            node.writeMessage(4, (___, info) => info.writeVarintField(1, 3), undefined);
            node.writeSVarintField(8, lat);
            node.writeSVarintField(9, lon);
          },
          undefined,
        );
      }
    },
    undefined,
  );
  if (granularity !== 100) pbf.writeVarintField(17, granularity);
  if (offset !== 0) {
    pbf.writeVarintField(19, offset);
    pbf.writeVarintField(20, offset);
  }
  if (textLast) strings();
  return pbf.finish();
}

function header(...features: string[]): Uint8Array {
  const pbf = new PbfWriter();
  for (const feature of features) pbf.writeStringField(4, feature);
  return pbf.finish();
}

type Packing = 'raw' | 'zlib' | 'zstd' | 'lzma';
function blob(type: string, data: Uint8Array, packing: Packing = 'zlib'): Buffer {
  const body = new PbfWriter();
  if (packing !== 'raw') body.writeVarintField(2, data.length);
  if (packing === 'raw') body.writeBytesField(1, data);
  else if (packing === 'zlib') body.writeBytesField(3, deflateSync(data));
  else if (packing === 'zstd') body.writeBytesField(7, zstdCompressSync(data));
  else body.writeBytesField(4, data);
  return framed(type, body.finish());
}

async function read(...blobs: Buffer[]) {
  writeFileSync(path, Buffer.concat(blobs));
  return readExtract(path);
}

const plainHeader = blob('OSMHeader', header('OsmSchema-V0.6', 'DenseNodes'));

test.each([
  ['plain nodes', {}],
  ['dense nodes', { dense: true }],
  ['a coarse grid', { granularity: 1000 }],
  ['a fine grid', { granularity: 1, dense: true }],
  ['a grid that begins elsewhere', { offset: 500_000_000 }],
  ['a grid that begins below zero', { offset: -3_000_000_000, dense: true }],
  ['its strings at the end', { textLast: true }],
])('a block with %s says the same', async (_, form) => {
  const extract = await read(plainHeader, blob('OSMData', nodeBlock(form)));
  expect(plain(extract).nodes).toEqual([{ id: 7, lat: 15_000_000, lon: -22_500_000, tags: { name: 'Seven' } }]);
});

test.each(['raw', 'zlib', 'zstd'] as const)('blocks packed as %s are read', async (packing) => {
  const extract = await read(
    blob('OSMHeader', header('OsmSchema-V0.6'), packing),
    blob('OSMData', nodeBlock({}), packing),
  );
  expect(extract.nodes.count).toBe(1);
});

test('a block of a kind that nobody knows is passed over', async () => {
  const extract = await read(plainHeader, blob('Weather', Buffer.from('rain')), blob('OSMData', nodeBlock({})));
  expect(extract.nodes.count).toBe(1);
});

test('what cannot be read is refused in a sentence that says what and where', async () => {
  const data = blob('OSMData', nodeBlock({ dense: true }));
  const at = plainHeader.length;
  await expect(read(blob('OSMHeader', header('HistoricalInformation')), data)).rejects.toThrow('history of the map');
  await expect(read(blob('OSMHeader', header('Magic')), data)).rejects.toThrow('needs the feature Magic');
  await expect(read(plainHeader, blob('OSMData', nodeBlock({}), 'lzma'))).rejects.toThrow(
    `The block at byte ${at} is packed with LZMA`,
  );
  await expect(read(data)).rejects.toThrow('not an .osm.pbf file');
  await expect(read(Buffer.from('PK\x03\x04 this is a zip'))).rejects.toThrow('not an .osm.pbf file');
  await expect(read(Buffer.alloc(0))).rejects.toThrow('The file is empty');
  await expect(read(plainHeader, data.subarray(0, data.length - 5))).rejects.toThrow(
    `cut short: a block begins at byte ${at}, and the file ends at byte ${at + data.length - 5}`,
  );
  const flipped = Buffer.from(data);
  flipped[flipped.length - 3]! ^= 0xff;
  await expect(read(plainHeader, flipped)).rejects.toThrow(`damaged at byte ${at}: its block cannot be unpacked`);
  const hugeHead = Buffer.from(data);
  hugeHead.writeUInt32BE(70_000);
  await expect(read(plainHeader, hugeHead)).rejects.toThrow(`damaged at byte ${at}: a block header of 70000 bytes`);
});

test('a block that unpacks to more than the format allows is refused, not held in memory', async () => {
  await expect(read(plainHeader, blob('OSMData', Buffer.alloc(40 * 1024 * 1024)))).rejects.toThrow(
    'cannot be unpacked',
  );
});

test('a file cut anywhere is refused, or ends between two blocks', async () => {
  const town = readFileSync(DEMO_TOWN);
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 1, max: town.length - 1 }), async (length) => {
      writeFileSync(path, town.subarray(0, length));
      const outcome = await readExtract(path).catch((error: unknown) => error);
      const betweenBlocks = town.toString('latin1', length + 6, length + 13) === 'OSMData';
      if (!betweenBlocks) expect(outcome).toBeInstanceOf(BadExtract);
    }),
    { ...RUN, numRuns: 40 },
  );
});

test('no bytes in a block make the reader hang or fail in any other way than by saying that the file is damaged', async () => {
  const sound = nodeBlock({ dense: true });
  const spoilt = fc.oneof(
    fc.uint8Array({ maxLength: 60 }),
    fc.array(fc.tuple(fc.nat(sound.length - 1), fc.nat(255)), { minLength: 1, maxLength: 4 }).map((changes) => {
      const bytes = Uint8Array.from(sound);
      for (const [at, byte] of changes) bytes[at] = byte;
      return bytes;
    }),
  );
  await fc.assert(
    fc.asyncProperty(spoilt, async (bytes) => {
      // Not packed by zlib, whose own check would find the damage.
      await read(plainHeader, blob('OSMData', bytes, 'raw')).catch((error: unknown) =>
        expect(error).toBeInstanceOf(BadExtract),
      );
    }),
    { ...RUN, numRuns: 400 },
  );
});

test('what is reported grows up to the whole, and what the report throws ends the reading', async () => {
  const seen: number[] = [];
  await readExtract(DEMO_TOWN, { report: (done) => seen.push(done) });
  expect(seen).toEqual([...seen].sort((a, b) => a - b));
  expect(seen.at(-1)).toBe(1);
  await expect(
    readExtract(DEMO_TOWN, {
      report: () => {
        throw new Error('enough');
      },
    }),
  ).rejects.toThrow('enough');
  await expect(readExtract(DEMO_TOWN, { signal: AbortSignal.abort(new Error('stopped')) })).rejects.toThrow('stopped');
});

test('packed numbers are decoded as the protocol-buffer library writes them', () => {
  const value = fc.oneof(
    fc.integer({ min: -300, max: 300 }),
    fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 }),
    fc.integer({ min: -(2 ** 45), max: 2 ** 45 }),
  );
  fc.assert(
    fc.property(fc.array(value), (differences) => {
      const pbf = new PbfWriter();
      for (const difference of differences) pbf.writeSVarint(difference);
      const bytes = pbf.finish();
      const out = new Float64Array(bytes.length);
      expect(decodeDeltas(bytes, 0, bytes.length, out)).toBe(differences.length);
      let sum = 0;
      expect([...out.subarray(0, differences.length)]).toEqual(differences.map((difference) => (sum += difference)));
    }),
    RUN,
  );
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: 2 ** 32 - 1 })), (values) => {
      const pbf = new PbfWriter();
      for (const each of values) pbf.writeVarint(each);
      const bytes = pbf.finish();
      const out = new Uint32Array(bytes.length);
      expect(decodeUnsigned(bytes, 0, bytes.length, out)).toBe(values.length);
      expect([...out.subarray(0, values.length)]).toEqual(values);
    }),
    RUN,
  );
});
