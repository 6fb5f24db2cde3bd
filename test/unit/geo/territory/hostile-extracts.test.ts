import fc from 'fast-check';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { deflateSync } from 'node:zlib';
import { PbfWriter } from 'pbf';
import { expect, test } from 'vitest';
import { explain, serializeError } from '../../../../server/geo/territory/import/import-failure.ts';
import { BadExtract, ExtractBuilder, readExtract } from '../../../../server/geo/territory/index.ts';
import type { PackedExtract } from '../../../../server/geo/territory/index.ts';
import { readBlobs } from '../../../../server/geo/territory/formats/pbf-blobs.ts';
import { framed, writePbf } from '../../../town/pbf-writer.ts';
import { makersOf } from '../../../../server/geo/territory/import/makers.ts';
import { OutOfMemory, requireMemory } from '../../../../server/geo/territory/extract/memory.ts';
import { RUN, scratchDirectory } from './extracts.ts';

const scratch = scratchDirectory();
const path = join(scratch, 'try.osm.pbf');

/** A hamlet with a bit of everything that makers look at. */
function hamlet(): PackedExtract {
  const builder = new ExtractBuilder();
  for (let i = 0; i < 16; i++)
    builder.node(
      i + 1,
      1 + (i >> 2) / 1000,
      2 + (i & 3) / 1000,
      i === 5 ? { highway: 'traffic_signals' } : i === 6 ? { place: 'hamlet', name: 'Little' } : undefined,
    );
  builder.node(20, 1.0005, 2.0005, { 'addr:housenumber': '12-16', 'addr:street': 'High Street' });
  builder
    .way(1, [1, 2, 3, 4], { highway: 'residential', name: 'High Street', maxspeed: '50' })
    .way(2, [2, 6, 10], { highway: 'primary', name: 'Улица Мира', oneway: 'yes' });
  builder
    .way(3, [9, 10, 14, 13, 9], { building: 'yes', name: 'Hall' })
    .way(4, [5, 6, 7, 8], { natural: 'coastline' })
    .way(5, [3, 7, 11], { route: 'ferry', duration: '00:20' });
  builder.way(6, [1, 4, 16], { 'addr:interpolation': 'even' }).way(7, [13, 16, 4, 1], { waterway: 'river' });
  builder.relation(
    1,
    [
      { type: 'way', id: 1, role: 'from' },
      { type: 'node', id: 2, role: 'via' },
      { type: 'way', id: 2, role: 'to' },
    ],
    { type: 'restriction', restriction: 'no_left_turn' },
  );
  builder.relation(2, [{ type: 'way', id: 3, role: 'outer' }], { type: 'multipolygon', natural: 'water' });
  return builder.build();
}

/** The unpacked blocks of a file. */
async function blocksOf(extract: PackedExtract): Promise<{ type: string; data: Uint8Array }[]> {
  await writePbf(extract, path);
  const blocks: { type: string; data: Uint8Array }[] = [];
  for await (const { type, data } of readBlobs(path)) blocks.push({ type, data: Uint8Array.from(data) });
  return blocks;
}

/** Not packed: zlib's own check would find any damage before the reader does. */
function raw({ type, data }: { type: string; data: Uint8Array }): Buffer {
  const body = new PbfWriter();
  body.writeBytesField(1, data);
  return framed(type, body.finish());
}

function packed(type: string, data: Uint8Array): Buffer {
  const body = new PbfWriter();
  body.writeVarintField(2, data.length);
  body.writeBytesField(3, deflateSync(data));
  return framed(type, body.finish());
}

type Damage = { readonly at: number; readonly bytes: readonly number[]; readonly instead: number };
/** Bytes put in place of some others: changed, left out, added; numbers as long as they may be among them. */
const damage: fc.Arbitrary<Damage> = fc.record({
  at: fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
  bytes: fc.oneof(
    fc.array(fc.nat(255), { maxLength: 3 }),
    fc.constantFrom(
      [0xff, 0xff, 0xff, 0xff, 0x0f],
      [0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01],
      [0x80],
      [0],
    ),
  ),
  instead: fc.nat(4),
});

function damaged(bytes: Uint8Array, damages: readonly Damage[]): Uint8Array {
  let result = [...bytes];
  for (const { at, bytes: put, instead } of damages)
    result = result.toSpliced(Math.floor(at * result.length), instead, ...put);
  return Uint8Array.from(result);
}

async function makeAll(extract: PackedExtract): Promise<void> {
  const directory = mkdtempSync(join(scratch, 'made-'));
  for (const { make } of makersOf({})) await make(extract, directory, () => {});
  rmSync(directory, { recursive: true });
}

test('a file damaged anywhere is refused as damaged, or read and made a territory of', async () => {
  const blocks = await blocksOf(hamlet());
  let read = 0;
  await fc.assert(
    fc.asyncProperty(
      fc.nat(blocks.length - 1),
      fc.array(damage, { minLength: 1, maxLength: 4 }),
      async (which, damages) => {
        writeFileSync(
          path,
          Buffer.concat(
            blocks.map((block, i) => raw(i === which ? { ...block, data: damaged(block.data, damages) } : block)),
          ),
        );
        const extract = await readExtract(path).catch((error: unknown) => {
          expect(error).toBeInstanceOf(BadExtract);
        });
        if (!extract) return;
        read++;
        await makeAll(extract);
      },
    ),
    { ...RUN, numRuns: 150 },
  );
  expect(read, 'damage that only changes what is on the map').toBeGreaterThan(10);
}, 120_000);

test('frames damaged anywhere are refused as damaged, or read', async () => {
  const blocks = await blocksOf(hamlet());
  const whole = Buffer.concat(blocks.map(raw));
  await fc.assert(
    fc.asyncProperty(fc.array(damage, { minLength: 1, maxLength: 3 }), async (damages) => {
      writeFileSync(path, damaged(whole, damages));
      await readExtract(path).catch((error: unknown) => expect(error).toBeInstanceOf(BadExtract));
    }),
    { ...RUN, numRuns: 150 },
  );
});

test('a file of random bytes is refused', async () => {
  await fc.assert(
    fc.asyncProperty(fc.uint8Array({ maxLength: 200 }), async (bytes) => {
      writeFileSync(path, bytes);
      await expect(readExtract(path)).rejects.toThrow(BadExtract);
    }),
    { ...RUN, numRuns: 100 },
  );
});

const HEADER = (await blocksOf(hamlet()))[0]!;

async function reading(...groups: ((pbf: PbfWriter) => void)[]) {
  const block = new PbfWriter();
  block.writeMessage(
    1,
    (_, table) => ['', 'name', 'Seven'].forEach((text) => table.writeStringField(1, text)),
    undefined,
  );
  for (const group of groups) block.writeMessage(2, (_, pbf) => group(pbf), undefined);
  writeFileSync(path, Buffer.concat([raw(HEADER), packed('OSMData', block.finish())]));
  return readExtract(path);
}

const dense =
  (ids: readonly number[], lats: readonly number[], lons: readonly number[], tags: readonly number[] = []) =>
  (pbf: PbfWriter): void => {
    pbf.writeMessage(
      2,
      (_, nodes) => {
        nodes.writePackedSVarint(1, [...ids]);
        nodes.writePackedSVarint(8, [...lats]);
        nodes.writePackedSVarint(9, [...lons]);
        nodes.writePackedVarint(10, [...tags]);
      },
      undefined,
    );
  };

test('blocks that hold nothing are nothing', async () => {
  writeFileSync(
    path,
    Buffer.concat([
      raw(HEADER),
      raw({ type: 'OSMData', data: new Uint8Array(0) }),
      packed('OSMData', new Uint8Array(0)),
    ]),
  );
  const extract = await readExtract(path);
  expect([extract.nodes.count, extract.ways.count]).toEqual([0, 0]);
  await makeAll(extract);
});

test.each([
  ['fewer latitudes than nodes', dense([1, 1], [5], [5, 5]), 'nodes and their coordinates differ in number'],
  ['more longitudes than nodes', dense([1], [5], [5, 5]), 'nodes and their coordinates differ in number'],
  ['a key without a value', dense([1], [5], [5], [1]), 'a tag has no value'],
  ['a string that is not in the table', dense([1], [5], [5], [1, 9, 0]), 'string 9 is asked for, but the table has 3'],
  [
    'an id beyond 2^53',
    dense([2 ** 51, 2 ** 51, 2 ** 51, 2 ** 51, 2 ** 51], [0, 0, 0, 0, 0], [0, 0, 0, 0, 0]),
    'is not an id of OpenStreetMap',
  ],
])('a dense block with %s is refused with its place', async (_, group, sentence) => {
  await expect(reading(group)).rejects.toThrow(`The file is damaged in the block at byte ${raw(HEADER).length} (`);
  await expect(reading(group)).rejects.toThrow(sentence);
});

test('a list whose last number is cut short, and a part that is longer than its block, are refused', async () => {
  const cut = (pbf: PbfWriter): void =>
    pbf.writeMessage(
      2,
      (_, nodes) => [1, 8, 9].forEach((field) => nodes.writeBytesField(field, Uint8Array.of(2, 0x80))),
      undefined,
    );
  await expect(reading(cut)).rejects.toThrow('a list of numbers is cut short');
  const GROUP = 0x12;
  writeFileSync(path, Buffer.concat([raw(HEADER), raw({ type: 'OSMData', data: Uint8Array.of(GROUP, 100, 0) })]));
  await expect(readExtract(path)).rejects.toThrow('a part is longer than its block');
});

test('a small block that unpacks to one endless list is refused', async () => {
  const endless = new Uint8Array(20 * 2 ** 20);
  const way = (pbf: PbfWriter): void =>
    pbf.writeMessage(
      3,
      (_, message) => {
        message.writeVarintField(1, 1);
        message.writeBytesField(8, endless);
      },
      undefined,
    );
  await expect(reading(way)).rejects.toThrow('a list of 20971520 bytes');
  expect(readFileSync(path).length).toBeLessThan(100_000);
});

test('no more memory than available is requested, and the file is refused as too large', () => {
  const gigabyte = 2 ** 30;
  expect(() => requireMemory(gigabyte, () => gigabyte)).toThrow(OutOfMemory);
  expect(() => requireMemory(gigabyte, () => 4 * gigabyte)).not.toThrow();
  expect(() => requireMemory(2 ** 20, () => 0)).not.toThrow();
  const told = (() => {
    try {
      return requireMemory(2 ** 60);
    } catch (error) {
      return serializeError(error);
    }
  })();
  expect(explain(told!, ['planet.osm.pbf'], '/data').message).toBe(
    'planet.osm.pbf needs more memory than this machine has; use a smaller extract.',
  );
});
