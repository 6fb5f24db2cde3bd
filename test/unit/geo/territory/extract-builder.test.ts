import fc from 'fast-check';
import { expect, test } from 'vitest';
import { MISSING } from '../../../../server/geo/territory/extract/extract.ts';
import { ExtractBuilder, PackedExtract } from '../../../../server/geo/territory/index.ts';
import { RUN, build, plain, things } from './extracts.ts';
import type { Things } from './extracts.ts';

test('things come out in the order of their ids, whatever order they came in', () => {
  const extract = new ExtractBuilder()
    .node(30, 3, 3)
    .node(-1, 1, 1, { barrier: 'gate' })
    .node(9_876_543_210, 2, 2)
    .way(5, [30, -1], { highway: 'primary' })
    .way(-2, [9_876_543_210, 30])
    .build();
  expect([...extract.nodes.id]).toEqual([-1, 30, 9_876_543_210]);
  expect([...extract.ways.id]).toEqual([-2, 5]);
  expect(plain(extract).ways[1]).toEqual({ id: 5, refs: [30, -1], tags: { highway: 'primary' } });
  expect([...extract.nodes.tagged]).toEqual([0]);
  expect(extract.nodes.tags(0)).toEqual({ barrier: 'gate' });
  expect(extract.nodes.tags(1)).toBeUndefined();
});

test('things are looked up by the keys they have, not by the values', () => {
  const extract = new ExtractBuilder()
    .node(1, 1, 1, { amenity: 'bench' })
    .node(2, 1, 1)
    .node(3, 1, 1, { note: 'amenity', place: 'town' })
    .way(1, [1, 2], { highway: 'path', name: 'place' })
    .way(2, [1, 2], { place: 'square', highway: 'footway' })
    .way(3, [1, 2])
    .build();
  expect([...extract.nodes.having('amenity')]).toEqual([0]);
  expect([...extract.nodes.having('amenity', 'place')]).toEqual([0, 2]);
  expect([...extract.ways.having('place', 'highway')]).toEqual([0, 1]);
  expect([...extract.ways.having('place')]).toEqual([1]);
  expect([...extract.ways.having('nothing', 'constructor')]).toEqual([]);
});

test('of a thing given twice the later stays, with its own tags and nodes', () => {
  const extract = new ExtractBuilder()
    .node(1, 1, 1, { old: 'yes' })
    .node(2, 2, 2)
    .node(1, 5, 6)
    .way(7, [1, 2], { name: 'Old' })
    .way(7, [2], { name: 'New' })
    .build();
  expect(plain(extract).nodes).toEqual([
    { id: 1, lat: 50_000_000, lon: 60_000_000, tags: {} },
    { id: 2, lat: 20_000_000, lon: 20_000_000, tags: {} },
  ]);
  expect(plain(extract).ways).toEqual([{ id: 7, refs: [2], tags: { name: 'New' } }]);
  expect(extract.parts.repeated).toBe(2);
});

test('a way remembers where a node is missing', () => {
  const { ways } = new ExtractBuilder().node(1, 0, 0).node(3, 0, 0).way(1, [1, 2, 3]).build();
  expect([...ways.refs]).toEqual([0, MISSING, 1]);
});

test('a node off the globe is left out and counted, and does not give its tags to the next', () => {
  const extract = new ExtractBuilder()
    .node(1, 91, 0, { name: 'Nowhere' })
    .node(2, 0, Number.NaN)
    .node(3, 10, 10)
    .build();
  expect(plain(extract).nodes).toEqual([{ id: 3, lat: 100_000_000, lon: 100_000_000, tags: {} }]);
  expect(extract.parts.outOfRange).toBe(2);
});

test('an id that is not a whole number is a mistake of the program', () => {
  expect(() => new ExtractBuilder().node(1.5, 0, 0)).toThrow('1.5 is not an id');
  expect(() => new ExtractBuilder().way(2 ** 53, [])).toThrow('is not an id');
});

test('bounds are those of the nodes unless they are given', () => {
  const builder = () => new ExtractBuilder().node(1, 10, 20).node(2, -5, 30);
  expect(builder().build().bounds).toEqual([20, -5, 30, 10]);
  const told = builder();
  told.bounds = [19, -6, 31, 11];
  expect(told.build().bounds).toEqual([19, -6, 31, 11]);
  expect(new ExtractBuilder().build().bounds).toEqual([0, 0, 0, 0]);
});

test('a tag key that is also a word of the language is a tag and nothing else', () => {
  const extract = new ExtractBuilder().node(1, 0, 0, { constructor: 'x' }).way(1, [1], { name: 'y' }).build();
  expect(extract.nodes.tags(0)!['constructor']).toBe('x');
  expect(extract.ways.tags(0)['constructor']).toBeUndefined();
  expect(extract.ways.tags(0)['toString']).toBeUndefined();
});

test('any things in any order give what sorting them and keeping the last would give', () => {
  fc.assert(
    fc.property(things, (given) => {
      const { nodes, ways, relations } = plain(build(given).build());
      const expected = model(given);
      expect(nodes).toEqual(expected.nodes);
      expect(ways).toEqual(expected.ways);
      expect(relations).toEqual(expected.relations);
    }),
    RUN,
  );
});

test('another thread makes the same extract of the shared parts', () => {
  fc.assert(
    fc.property(things, (given) => {
      const extract = build(given).build();
      const copied = PackedExtract.from(structuredClone(extract.share()));
      expect(plain(copied)).toEqual(plain(extract));
    }),
    RUN,
  );
});

test('every id is found at its position, and no other is', () => {
  fc.assert(
    fc.property(things, fc.integer(), (given, other) => {
      const { nodes, ways } = build(given).build();
      nodes.id.forEach((id, i) => expect(nodes.find(id)).toBe(i));
      ways.id.forEach((id, w) => expect(ways.find(id)).toBe(w));
      expect(nodes.find(other)).toBe([...nodes.id].indexOf(other));
    }),
    RUN,
  );
});

function model({ nodes, ways, relations }: Things) {
  const last = <T extends { id: number }>(list: T[]) =>
    [...new Map(list.map((thing) => [thing.id, thing])).values()].sort((a, b) => a.id - b.id);
  const known = new Set(nodes.map((node) => node.id));
  return {
    nodes: last(nodes),
    ways: last(ways).map(({ id, refs, tags }) => ({
      id,
      refs: refs.map((ref) => (known.has(ref) ? ref : null)),
      tags,
    })),
    relations: last(relations).map(({ id, tags, members }) => ({ id, tags, members })),
  };
}

test('a builder builds once: a second extract would lack what the first took', () => {
  const builder = new ExtractBuilder().node(1, 1, 1);
  builder.build();
  expect(() => builder.build()).toThrow('was built before');
});
