import fc from 'fast-check';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { openTerritory, readExtract } from '../../../../server/geo/territory/index.ts';
import { readExtracts } from '../../../../server/geo/territory/formats/read-extract.ts';
import type { PackedExtract } from '../../../../server/geo/territory/extract/packed-extract.ts';
import { ExtractBuilder } from '../../../../server/geo/territory/index.ts';
import { writePbf } from '../../../town/pbf-writer.ts';
import { DEMO_TOWN, RUN, plain, scratchDirectory } from './extracts.ts';

const scratch = scratchDirectory();
let files = 0;
function write(text: string, ending = 'osm', pack = false): string {
  const path = join(scratch, `${files++}.${ending}${pack ? '.gz' : ''}`);
  writeFileSync(path, pack ? gzipSync(text) : text);
  return path;
}

/** Nodes west (or not) of the middle, ways with one of them and all their nodes, relations with one of those. */
function halfOf(whole: PackedExtract, isWest: boolean): ExtractBuilder {
  const { nodes, ways, relations, bounds } = whole;
  const middle = (bounds[0] + bounds[2]) / 2;
  const isIn = (node: number) => nodes.lon[node]! / 1e7 < middle === isWest;
  const half = new ExtractBuilder();
  const taken = new Set<number>();
  const takenWays = new Set<number>();
  for (let i = 0; i < nodes.count; i++) if (isIn(i)) taken.add(i);
  for (let w = 0; w < ways.count; w++) {
    const refs = [...ways.refs.subarray(ways.first[w], ways.first[w + 1])];
    if (!refs.some(isIn)) continue;
    for (const ref of refs) taken.add(ref);
    takenWays.add(ways.id[w]!);
    half.way(
      ways.id[w]!,
      refs.map((ref) => nodes.id[ref]!),
      ways.tags(w),
    );
  }
  for (const i of taken) half.node(nodes.id[i]!, nodes.lat[i]! / 1e7, nodes.lon[i]! / 1e7, nodes.tags(i));
  for (const { id, members, tags } of relations)
    if (members.some((member) => (member.type === 'way' ? takenWays.has(member.id) : taken.has(nodes.find(member.id)))))
      half.relation(id, members, tags);
  return half;
}

test('two halves of a town that were cut apart are the town again', async () => {
  const whole = await readExtract(DEMO_TOWN);
  const paths = [join(scratch, 'west.osm.pbf'), join(scratch, 'east.osm.pbf')];
  await writePbf(halfOf(whole, true).build(), paths[0]!);
  await writePbf(halfOf(whole, false).build(), paths[1]!);
  const both = await readExtracts(paths);
  const used = new Set([...whole.ways.refs]);
  expect(plain(both).ways).toEqual(plain(whole).ways);
  expect(plain(both).relations).toEqual(plain(whole).relations);
  expect(plain(both).nodes).toEqual(plain(whole).nodes);
  expect(used.size).toBeGreaterThan(1000);
  expect(both.boxes).toHaveLength(2);
});

const village = (time: string, lon: number, name: string) =>
  `<osm timestamp="${time}"><bounds minlat="1" minlon="${lon}" maxlat="2" maxlon="${lon + 1}"/>
  <node id="1" lat="1.5" lon="3"><tag k="name" v="${name}"/></node><node id="2" lat="1.5" lon="${lon + 0.5}"/></osm>`;

test('of what two extracts have, the newer one counts, in whatever order they are given', async () => {
  const [old, young] = [
    write(village('2024-01-01T00:00:00Z', 2, 'Old')),
    write(village('2025-01-01T00:00:00Z', 3, 'New'), 'osm', true),
  ];
  for (const paths of [
    [old, young],
    [young, old],
  ]) {
    const extract = await readExtracts(paths);
    expect(plain(extract).nodes[0]!.tags).toEqual({ name: 'New' });
    expect([extract.bounds, extract.dataTime]).toEqual([[2, 1, 4, 2], Date.UTC(2025, 0, 1)]);
    expect(extract.parts.repeated).toBe(2);
  }
});

const BASE = `<osm timestamp="2024-01-01T00:00:00Z"><bounds minlat="0" minlon="0" maxlat="1" maxlon="1"/>
  <node id="1" lat="0.1" lon="0.1"/><node id="2" lat="0.2" lon="0.2"/><node id="3" lat="0.3" lon="0.3"/>
  <way id="1"><nd ref="1"/><nd ref="2"/><tag k="name" v="Mill Lane"/></way>
  <relation id="1"><member type="way" ref="1" role="from"/></relation></osm>`;
const day = (n: number) => `timestamp="2024-01-0${n}T12:00:00Z"`;

test('changes make, change and delete, in the order of their age and not of their names', async () => {
  const later = write(
    `<osmChange><modify><way id="1" ${day(3)}><nd ref="1"/><nd ref="4"/><tag k="name" v="Mill Street"/></way></modify>
    <delete><node id="3" ${day(3)} lat="0.3" lon="0.3"/></delete></osmChange>`,
    'osc',
    true,
  );
  const sooner = write(
    `<osmChange version="0.6"><create><node id="4" ${day(2)} lat="0.4" lon="0.4"/></create>
    <modify><way id="1" ${day(2)}><nd ref="1"/><nd ref="2"/><nd ref="4"/></way></modify></osmChange>`,
    'osc',
  );
  const extract = await readExtracts([later, write(BASE), sooner]);
  const { nodes, ways, relations } = plain(extract);
  expect(nodes.map(({ id }) => id)).toEqual([1, 2, 4]);
  expect(ways).toEqual([{ id: 1, refs: [1, 4], tags: { name: 'Mill Street' } }]);
  expect(relations).toHaveLength(1);
  expect(extract.dataTime).toBe(Date.UTC(2024, 0, 3, 12));
  expect(extract.parts).toMatchObject({ changed: 3, foreign: 0, repeated: 0 });
});

test('changes that the extract has already are left out', async () => {
  const old = write(
    '<osmChange><modify><node id="1" timestamp="2023-12-31T00:00:00Z" lat="0.9" lon="0.9"/></modify></osmChange>',
    'osc',
  );
  expect(plain(await readExtracts([write(BASE), old])).nodes[0]!.lat).toBe(1_000_000);
});

test('changes of the whole world leave other places out', async () => {
  const world = write(
    `<osmChange><create>
      <node id="10" ${day(2)} lat="50" lon="50"/><node id="11" ${day(2)} lat="50" lon="51"/>
      <way id="10" ${day(2)}><nd ref="10"/><nd ref="11"/></way>
      <relation id="10" ${day(2)}><member type="way" ref="10" role=""/></relation>
      <node id="12" ${day(2)} lat="0.5" lon="1.5"/>
      <way id="11" ${day(2)}><nd ref="2"/><nd ref="12"/><tag k="name" v="Out of town"/></way>
      <relation id="11" ${day(2)}><member type="way" ref="11" role=""/></relation>
      </create><modify><node id="99" ${day(2)} lat="-50" lon="50"/>
      <node id="3" ${day(2)} lat="1.1" lon="0.5"/></modify>
      <delete><way id="77" ${day(2)}/></delete></osmChange>`,
    'osc',
  );
  const extract = await readExtracts([write(BASE), world]);
  const { nodes, ways, relations } = plain(extract);
  expect(nodes.map(({ id }) => id)).toEqual([1, 2, 3, 12]);
  expect(ways.map(({ id, refs }) => [id, refs])).toEqual([
    [1, [1, 2]],
    [11, [2, 12]],
  ]);
  expect(relations.map(({ id }) => id)).toEqual([1, 11]);
  expect(extract.parts.foreign).toBe(5);
});

test('any changes leave what a map by ids would hold', async () => {
  const step = fc.record({
    id: fc.integer({ min: 1, max: 12 }),
    lat: fc.integer({ min: 1, max: 9 }),
    how: fc.constantFrom('create', 'modify', 'delete'),
  });
  await fc.assert(
    fc.asyncProperty(
      fc.uniqueArray(fc.integer({ min: 1, max: 12 }), { maxLength: 8 }),
      fc.array(step, { maxLength: 20 }),
      fc.integer({ min: 0, max: 20 }),
      async (ids, steps, cut) => {
        const base = write(
          `<osm><bounds minlat="0" minlon="0" maxlat="1" maxlon="1"/>${ids.map((id) => `<node id="${id}" lat="0.5" lon="0.5"/>`).join('')}</osm>`,
        );
        const changes = steps.map(({ id, lat, how }, i) => {
          const time = new Date(Date.UTC(2024, 0, 1) + i * 1000).toISOString();
          return `<${how}><node id="${id}" timestamp="${time}" lat="0.${lat}" lon="0.5"/></${how}>`;
        });
        const expected = new Map(ids.map((id) => [id, 5_000_000]));
        for (const { id, lat, how } of steps)
          if (how === 'delete') expected.delete(id);
          else expected.set(id, lat * 1_000_000);
        const diffs = [changes.slice(0, cut), changes.slice(cut)].map((part) =>
          write(`<osmChange>${part.join('')}</osmChange>`, 'osc'),
        );
        const { nodes } = await readExtracts([diffs[1]!, base, diffs[0]!]);
        expect(new Map(Array.from(nodes.id, (id, i) => [id, nodes.lat[i]]))).toEqual(expected);
      },
    ),
    { ...RUN, numRuns: 40 },
  );
});

test('a refusal names the file that is at fault, and a directory has one territory of all', async () => {
  const territory = await openTerritory(join(scratch, 'territory'), { lookEvery: 0 });
  const broken = write('<osmChange><modify>', 'osc');
  const changes = write(`<osmChange><modify><node id="3" ${day(2)} lat="0.9" lon="0.9"/></modify></osmChange>`, 'osc');
  const streets = write(BASE.replace('<tag ', '<tag k="highway" v="residential"/><tag '));
  await expect(territory.import({ files: [streets, broken] })).rejects.toMatchObject({
    code: 'territory.badExtract',
    params: { file: broken },
  });
  await expect(territory.import({ files: [changes] })).rejects.toMatchObject({ code: 'territory.badExtract' });
  const info = await territory.import({ files: [streets, changes], name: 'Village' });
  expect(info).toMatchObject({ name: 'Village', dataTime: Date.UTC(2024, 0, 2, 12), counts: { nodes: 3, ways: 1 } });
  expect(info.log).toContain('Changes of the map, applied: 1.');
  await territory.close();
});
