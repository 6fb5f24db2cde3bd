import fc from 'fast-check';
import { existsSync } from 'node:fs';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from 'vitest';
import { MISSING } from '../../../../server/geo/territory/extract/extract.ts';
import type { OsmExtract } from '../../../../server/geo/territory/extract/extract.ts';
import { ExtractBuilder } from '../../../../server/geo/territory/index.ts';

/** WAYPOST_SEED repeats a run; fast-check prints the seed of one that fails. */
export const RUN = process.env['WAYPOST_SEED'] === undefined ? {} : { seed: Number(process.env['WAYPOST_SEED']) };

/** A directory that goes away with the tests of this file. */
export function scratchDirectory(): string {
  const directory = mkdtempSync(join(tmpdir(), 'waypost-territory-'));
  afterAll(() => rmSync(directory, { recursive: true, force: true }));
  return directory;
}

/** A real extract beside the repository; undefined where there is none. */
export function realExtract(name: string): string | undefined {
  const path = new URL(`../../../../../shared/data/${name}.osm.pbf`, import.meta.url).pathname;
  return existsSync(path) ? path : undefined;
}

/** The town that comes with the program. */
export const DEMO_TOWN = new URL('../../../../resources/demo/town.osm.pbf', import.meta.url).pathname;

/** Everything that an extract holds, as plain values that compare. */
export function plain(extract: OsmExtract) {
  const { nodes, ways, relations, bounds, dataTime } = extract;
  return {
    bounds,
    dataTime,
    nodes: Array.from(nodes.id, (id, i) => ({ id, lat: nodes.lat[i], lon: nodes.lon[i], tags: { ...nodes.tags(i) } })),
    ways: Array.from(ways.id, (id, w) => ({
      id,
      refs: Array.from(ways.refs.subarray(ways.first[w], ways.first[w + 1]), (ref) =>
        ref === MISSING ? null : nodes.id[ref],
      ),
      tags: { ...ways.tags(w) },
    })),
    relations: relations.map(({ id, tags, members }) => ({ id, tags: { ...tags }, members })),
  };
}

/** Ids as OpenStreetMap has them (beyond 32 bits) and as editors make them (negative). */
const id = fc.oneof(
  fc.integer({ min: 1, max: 50 }),
  fc.integer({ min: -9, max: -1 }),
  fc.integer({ min: 2 ** 32, max: 2 ** 40 }),
  fc.constantFrom(2 ** 31 - 1, 2 ** 31, 2 ** 32 - 1, 2 ** 50),
);
const word = fc.oneof(
  fc.constantFrom('highway', 'name', 'yes', '', 'ул. Мира', '工', '𝔘'),
  fc.string({ unit: 'grapheme', maxLength: 12 }),
);
const tags = fc.dictionary(
  word.filter((key) => key !== '__proto__'),
  word,
  { maxKeys: 4, noNullPrototype: true },
);
const type = fc.constantFrom('node' as const, 'way' as const, 'relation' as const);

/** Nodes, ways and relations in no order, with ids that come again and references that lead nowhere. */
export const things = fc.record({
  nodes: fc.array(
    fc.record({
      id,
      lat: fc.integer({ min: -900_000_000, max: 900_000_000 }),
      lon: fc.integer({ min: -1_800_000_000, max: 1_800_000_000 }),
      tags,
    }),
    { maxLength: 40 },
  ),
  ways: fc.array(fc.record({ id, refs: fc.array(id, { maxLength: 8 }), tags }), { maxLength: 15 }),
  relations: fc.array(
    fc.record({ id, members: fc.array(fc.record({ type, id, role: word }), { maxLength: 5 }), tags }),
    { maxLength: 8 },
  ),
});
export type Things = typeof things extends fc.Arbitrary<infer T> ? T : never;

export function build({ nodes, ways, relations }: Things): ExtractBuilder {
  const builder = new ExtractBuilder();
  for (const node of nodes) builder.node(node.id, node.lat / 1e7, node.lon / 1e7, node.tags);
  for (const way of ways) builder.way(way.id, way.refs, way.tags);
  for (const relation of relations) builder.relation(relation.id, relation.members, relation.tags);
  return builder;
}
