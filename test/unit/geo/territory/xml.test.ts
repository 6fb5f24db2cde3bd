import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { BadExtract, readExtract } from '../../../../server/geo/territory/index.ts';
import { plain, scratchDirectory } from './extracts.ts';

const scratch = scratchDirectory();
const path = join(scratch, 'try.osm');

const VILLAGE = `<?xml version='1.0' encoding='UTF-8'?>
<osm version="0.6" generator="by hand">
  <note>Data by people.</note>
  <meta osm_base="2024-05-06T07:08:09Z"/>
  <bounds minlat="1.0" minlon="2.0" maxlat="1.5" maxlon="2.5"/>
  <node id="8" visible="true" version="1" lat="1.1" lon="2.1" user="A &amp; B"><tag k="name" v="Caf&#233; &quot;Å&quot; ул."/></node>
  <node id="-3" lat="1.2" lon="2.2"/>
  <node id="12345678901" lat="1.3" lon="2.3"></node>
  <node id="9" visible="false"/>
  <node id="10" lat="1" lon="2" action="delete"><tag k="name" v="Gone"/></node>
  <way id="4"><nd ref="8"/><nd ref="-3"/><nd ref="12345678901"/><nd ref="99"/><tag k="highway" v="track"/></way>
  <relation id="5"><member type="way" ref="4" role="from"/><member type="node" ref="8" role=""/><member type="area" ref="1" role="odd"/><tag k="type" v="restriction"/></relation>
</osm>
`;

async function read(content: string | Uint8Array) {
  writeFileSync(path, content);
  return readExtract(path);
}

test('an .osm file is read: entities, long and negative ids, what is deleted left out', async () => {
  expect(plain(await read(VILLAGE))).toEqual({
    bounds: [2, 1, 2.5, 1.5],
    dataTime: Date.UTC(2024, 4, 6, 7, 8, 9),
    nodes: [
      { id: -3, lat: 12_000_000, lon: 22_000_000, tags: {} },
      { id: 8, lat: 11_000_000, lon: 21_000_000, tags: { name: 'Café "Å" ул.' } },
      { id: 12_345_678_901, lat: 13_000_000, lon: 23_000_000, tags: {} },
    ],
    ways: [{ id: 4, refs: [8, -3, 12_345_678_901, null], tags: { highway: 'track' } }],
    relations: [
      {
        id: 5,
        members: [
          { type: 'way', id: 4, role: 'from' },
          { type: 'node', id: 8, role: '' },
        ],
        tags: { type: 'restriction' },
      },
    ],
  });
});

test('packing makes no difference, and neither does the name', async () => {
  const expected = plain(await read(VILLAGE));
  expect(plain(await read(gzipSync(VILLAGE)))).toEqual(expected);
  const halves = [VILLAGE.slice(0, 500), VILLAGE.slice(500)];
  expect(plain(await read(Buffer.concat(halves.map((half) => gzipSync(half)))))).toEqual(expected);
  expect(plain(await read(`\uFEFF${VILLAGE}`))).toEqual(expected);
  expect(plain(await read(Buffer.from(SMALL_BZIP2, 'base64')))).toEqual(plain(await read(SMALL)));
});

test('a large bzip2 file of several blocks is read as the packer packed it', async ({ skip }) => {
  const nodes = Array.from(
    { length: 40_000 },
    (_, i) => `<node id="${i + 1}" lat="${i / 1000}" lon="${(i * 7) % 180}"/>\n`,
  );
  writeFileSync(path, `<osm>${nodes.join('')}</osm>`);
  try {
    execFileSync('bzip2', ['-k1f', path]);
  } catch {
    return skip('skipped: no bzip2 is found on this machine; the small file above was packed elsewhere');
  }
  const extract = await readExtract(`${path}.bz2`);
  expect(extract.nodes.count).toBe(40_000);
  expect(extract.nodes.lat[39_999]).toBe(399_990_000);
});

test('several bounds are one, and a senseless one is passed over', async () => {
  const extract = await read(
    '<osm><bounds minlat="1" minlon="1" maxlat="2" maxlon="2"/><bounds minlat="0" minlon="1.5" maxlat="1" maxlon="3"/><bounds minlat="9" minlon="0" maxlat="8" maxlon="1"/></osm>',
  );
  expect(extract.bounds).toEqual([1, 0, 3, 2]);
});

test.each([
  ['cut in the middle', VILLAGE.slice(0, 700), 'damaged at line'],
  ['with tags crossed', '<osm>\n<way id="1"></osm></way>', 'damaged at line 2'],
  ['with a node that has no id', '<osm>\n\n<node lat="1" lon="1"/></osm>', 'damaged at line 3: a node has no id'],
  ['with a reference that is a word', '<osm><way id="1"><nd ref="x"/></way></osm>', 'a node of a way has no id'],
  ['of changes', '<osmChange><create/></osmChange>', 'holds changes of the map'],
  ['of web page', '<html><body>404</body></html>', 'not an .osm file'],
])('a file %s is refused in a sentence', async (_, text, sentence) => {
  await expect(read(text)).rejects.toThrow(sentence);
  await expect(read(gzipSync(text))).rejects.toThrow(BadExtract);
});

test('a packed file that is cut or spoilt is refused', async () => {
  const packed = gzipSync(VILLAGE);
  await expect(read(packed.subarray(0, packed.length - 20))).rejects.toThrow('cut short');
  const spoilt = Buffer.from(packed);
  spoilt[40]! ^= 0x55;
  await expect(read(spoilt)).rejects.toThrow(BadExtract);
  const bzip2 = Buffer.from(SMALL_BZIP2, 'base64');
  await expect(read(bzip2.subarray(0, 60))).rejects.toThrow(BadExtract);
  const spoiltBzip2 = Buffer.from(bzip2);
  spoiltBzip2[50]! ^= 0x55;
  await expect(read(spoiltBzip2)).rejects.toThrow(BadExtract);
});

test('entities that grow without end are not expanded', async () => {
  const laughs =
    '<!DOCTYPE osm [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;&a;&a;">]><osm><node id="1" lat="1" lon="1"><tag k="name" v="&b;"/></node></osm>';
  await expect(read(laughs)).rejects.toThrow(BadExtract);
});

const SMALL = '<osm><node id="1" lat="10.5" lon="20.25"><tag k="name" v="Packed"/></node></osm>\n';
/** `SMALL` packed by bzip2 1.0.8. */
const SMALL_BZIP2 =
  'QlpoOTFBWSZTWSllRnUAABBbgAAQUAHyB0AALq+NACAASGknqD1Hk1HqDT0gagADRMAReIyLVcYcjoGGbh0Mqg1JqbX9+tPUYMO0SbaTcTgeTODpx4JaWqkCQlYYh34u5IpwoSBSyozq';
