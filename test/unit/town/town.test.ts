import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { drawTown } from '../../town/draw-town.ts';
import { readExtract } from '../../../server/geo/territory/index.ts';
import type { OsmExtract } from '../../../server/geo/territory/extract/extract.ts';
import { SEED } from '../../support/chance.ts';
import { carArcs, crossingsWithoutNode, houseNumbers, unreachableArcs, wayNodes } from './town-facts.ts';

/** Towns that the properties are tried on: fixed ones for what was once wrong, and new ones in every run. */
const TOWNS: { seed: number; nodes: number }[] = [
  { seed: 7, nodes: 24_000 },
  { seed: SEED, nodes: 14_000 },
  { seed: SEED + 1, nodes: 7_000 },
  { seed: SEED + 2, nodes: 700 },
  { seed: SEED + 3, nodes: 60_000 },
];
const drawn = TOWNS.map((asked) => ({
  asked,
  label: `seed ${asked.seed}, ${asked.nodes} nodes`,
  town: drawTown(asked),
}));
const isTown = (nodes: number): boolean => nodes >= 6000;

test('the same seed draws the same town, another seed another one', () => {
  const facts = (extract: OsmExtract): unknown => ({
    lat: [...extract.nodes.lat],
    lon: [...extract.nodes.lon],
    refs: [...extract.ways.refs],
    first: [...extract.ways.first],
    tags: Array.from({ length: extract.ways.count }, (_, w) => extract.ways.tags(w)),
    relations: extract.relations,
  });
  const one = facts(drawTown({ seed: 11, nodes: 7000 }));
  expect(facts(drawTown({ seed: 11, nodes: 7000 }))).toEqual(one);
  expect(facts(drawTown({ seed: 12, nodes: 7000 }))).not.toEqual(one);
});

test('the committed demo town is what the generator draws', async () => {
  const shipped = await readExtract(fileURLToPath(new URL('../../../resources/demo/town.osm.pbf', import.meta.url)));
  const town = drawTown({ seed: 7, nodes: 24_000 });
  expect([...shipped.nodes.id]).toEqual([...town.nodes.id]);
  expect([...shipped.nodes.lat]).toEqual([...town.nodes.lat]);
  expect([...shipped.nodes.lon]).toEqual([...town.nodes.lon]);
  expect([...shipped.ways.refs]).toEqual([...town.ways.refs]);
  for (let w = 0; w < town.ways.count; w++) expect(shipped.ways.tags(w)).toEqual(town.ways.tags(w));
  expect([...shipped.nodes.tagged].map((i) => shipped.nodes.tags(i))).toEqual(
    [...town.nodes.tagged].map((i) => town.nodes.tags(i)),
  );
  expect(shipped.relations).toEqual(town.relations);
  expect(shipped.dataTime).toBe(town.dataTime);
});

/** From here on every lot can have a house before there are as many nodes as asked for: 1 of 15 is then 0.84 to 0.9. */
const LARGE = 30_000;

test('a town has about as many nodes as asked for', () => {
  for (const { asked, town, label } of drawn) {
    expect(town.nodes.count, label).toBeGreaterThan(asked.nodes * (asked.nodes < LARGE ? 0.88 : 0.75));
    expect(town.nodes.count, label).toBeLessThan(asked.nodes * 1.12);
  }
});

test('every street can be driven to from every other and back, one-ways and forbidden turns obeyed', () => {
  for (const { town, label } of drawn) expect(unreachableArcs(town), label).toEqual([]);
});

test('no two roads cross without a common node, but on bridges', () => {
  for (const { town, label } of drawn) expect(crossingsWithoutNode(town), label).toEqual([]);
});

test('house numbers go up along their street, odd on one side and even on the other', () => {
  for (const { asked, town, label } of drawn) {
    let houses = 0;
    let placed = 0;
    for (const [street, { odd, even }] of houseNumbers(town)) {
      const all = [...odd, ...even].map((house) => house.text);
      expect(new Set(all).size, `${label}, ${street}`).toBe(all.length);
      houses += all.length;
      for (const side of [odd, even]) {
        side.forEach((house, i) => {
          if (house.along === undefined) return;
          placed++;
          // In a sharp bend two neighbours may be opposite the same spot.
          if (i > 0)
            expect(house.along, `${label}, ${street} ${house.text} after ${side[i - 1].text}`).toBeGreaterThan(
              side[i - 1].along! - 40,
            );
        });
      }
    }
    expect(placed / houses, `${label}: streets that are plain lines`).toBeGreaterThan(0.8);
    expect(houses, label).toBeGreaterThan(asked.nodes / 40);
  }
});

test('every address names a street that is on the map', () => {
  for (const { town, label } of drawn) {
    const names = new Set<string>();
    for (let w = 0; w < town.ways.count; w++)
      if (town.ways.tags(w)['highway']) names.add(town.ways.tags(w)['name'] ?? '');
    for (const street of houseNumbers(town).keys()) expect(names.has(street), `${label}: ${street}`).toBe(true);
  }
});

test('every way and relation refers to what is there, and no way is a mere point', () => {
  for (const { town, label } of drawn) {
    for (let w = 0; w < town.ways.count; w++) {
      const nodes = wayNodes(town, w);
      expect(nodes.length, label).toBeGreaterThan(1);
      for (const node of nodes) expect(node < town.nodes.count, `${label}, way ${town.ways.id[w]}`).toBe(true);
      for (let i = 1; i < nodes.length; i++)
        expect(nodes[i], `${label}, way ${town.ways.id[w]}`).not.toBe(nodes[i - 1]);
    }
    for (const relation of town.relations) {
      for (const { type, id } of relation.members)
        expect(
          (type === 'node' ? town.nodes : town.ways).find(id),
          `${label}, relation ${relation.id}`,
        ).toBeGreaterThanOrEqual(0);
    }
  }
});

test('a turn restriction is made of ways that begin or end at its node', () => {
  for (const { town, label } of drawn) {
    for (const relation of town.relations.filter(({ tags }) => tags['type'] === 'restriction')) {
      const via = town.nodes.find(relation.members.find(({ role }) => role === 'via')!.id);
      for (const { id } of relation.members.filter(({ type }) => type === 'way')) {
        const nodes = wayNodes(town, town.ways.find(id));
        expect([nodes[0], nodes[nodes.length - 1]], `${label}, relation ${relation.id}`).toContain(via);
      }
    }
  }
});

test('a town has what a control room meets: bridges, one-ways, roundabouts, signals, crossings, names in two alphabets, a hospital', () => {
  for (const { asked, town, label } of drawn.filter(({ asked: { nodes } }) => isTown(nodes))) {
    const ways = Array.from({ length: town.ways.count }, (_, w) => town.ways.tags(w));
    const nodes = [...town.nodes.tagged].map((i) => town.nodes.tags(i)!);
    const all = [...ways, ...nodes];
    const count = (holds: (tags: Readonly<Record<string, string>>) => boolean): number => all.filter(holds).length;
    for (const kind of ['motorway', 'motorway_link', 'primary', 'secondary', 'tertiary', 'residential'])
      expect(
        count((tags) => tags['highway'] === kind),
        `${label}: ${kind}`,
      ).toBeGreaterThan(0);
    expect(
      count((tags) => tags['bridge'] === 'yes' && tags['highway'] !== undefined && tags['highway'] !== 'motorway'),
      `${label}: bridges`,
    ).toBeGreaterThan(3);
    expect(
      count((tags) => tags['oneway'] === 'yes' && tags['highway'] === 'residential'),
      `${label}: one-ways`,
    ).toBeGreaterThan(0);
    expect(
      count((tags) => tags['highway'] === 'traffic_signals'),
      `${label}: signals`,
    ).toBeGreaterThan(2);
    expect(
      count((tags) => tags['railway'] === 'level_crossing'),
      `${label}: level crossings`,
    ).toBeGreaterThan(1);
    if (asked.nodes > 20_000)
      expect(
        count((tags) => tags['highway'] === 'footway'),
        `${label}: paths`,
      ).toBeGreaterThan(0);
    if (asked.nodes > 20_000)
      expect(
        count((tags) => tags['junction'] === 'roundabout'),
        `${label}: roundabouts`,
      ).toBeGreaterThan(0);
    expect(
      count((tags) => tags['highway'] !== undefined && /\p{Script=Cyrillic}/u.test(tags['name'] ?? '')),
      `${label}: Cyrillic`,
    ).toBeGreaterThan(10);
    expect(
      count((tags) => tags['highway'] !== undefined && /^[A-Za-z0-9 ]+$/.test(tags['name'] ?? '')),
      `${label}: Latin`,
    ).toBeGreaterThan(10);
    expect(
      count((tags) => tags['amenity'] === 'hospital'),
      `${label}: hospital`,
    ).toBe(Math.max(1, Math.round(asked.nodes / 25_000)));
    expect(
      town.relations.filter(({ tags }) => tags['boundary'] === 'administrative').length,
      `${label}: districts`,
    ).toBe(8);
    expect(
      town.relations.some(
        ({ tags, members }) => tags['natural'] === 'water' && members.some(({ role }) => role === 'inner'),
      ),
      `${label}: an island`,
    ).toBe(true);
  }
});

test('bridges are few, so it matters on which bank a vehicle is', () => {
  for (const { town, label } of drawn.filter(({ asked: { nodes } }) => isTown(nodes) && nodes < 30_000)) {
    const arcs = carArcs(town).filter((arc) => arc.bridge && arc.highway !== 'motorway');
    expect(new Set(arcs.map((arc) => arc.way)).size, label).toBeLessThan(9);
  }
});

test('less than a village is refused', () => {
  expect(() => drawTown({ seed: 1, nodes: 20 })).toThrow('at least 300');
});
