import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { Area } from '../../../../server/geo/territory/geometry/area.ts';
import { ExtractBuilder } from '../../../../server/geo/territory/index.ts';
import { findCorners } from '../../../../server/geo/territory/places/corners.ts';
import { findDistricts } from '../../../../server/geo/territory/places/districts.ts';
import { cellOf, cellsAround } from '../../../../server/geo/territory/geometry/grid.ts';
import { parseHouseNumber } from '../../../../server/geo/territory/places/house-number.ts';
import {
  UNIT,
  metresBetweenE7,
  nearestOnLine,
  pointAlong,
  shrink,
} from '../../../../server/geo/territory/geometry/metres.ts';
import { namesOf } from '../../../../server/geo/territory/places/names.ts';
import { findObjects } from '../../../../server/geo/territory/places/objects.ts';
import { makePlaces } from '../../../../server/geo/territory/places/index.ts';
import { findStreets } from '../../../../server/geo/territory/places/streets.ts';
import { SEED, numbers } from '../../../support/chance.ts';
import { DrawnTown, at, spotOf } from './drawn-town.ts';

test('a label names the quarter and the settlement, and the surface counts before the nearest point', async () => {
  const town = new DrawnTown();
  town.boundary(8, 'Westham', [-2000, -2000], [0, 2000]);
  town.place('town', 'Westham', [-1500, 0]);
  town.place('town', 'Eastham', [200, 0]);
  town.place('suburb', 'Harbour', [-300, 300]);
  // Nearer to Eastham's point, but inside the border of Westham.
  town.street('Border Street', [-100, 0], [-50, 0]);
  town.street('Quay Street', [-350, 300], [-250, 300]);
  town.street('Other Street', [150, 0], [250, 0]);
  const open = await town.open();
  expect(open.labels('border street')[0]).toBe('Border Street, Harbour, Westham');
  expect(open.labels('quay street')[0]).toBe('Quay Street, Harbour, Westham');
  expect(open.labels('other street')[0]).toBe('Other Street, Eastham');
});

test('a place drawn as a point and as a border is one place', async () => {
  const town = new DrawnTown();
  town.place('town', { 'name': 'Westham', 'population': '20000', 'name:ru': 'Вестхэм' }, [-1000, 0]);
  town.boundary(8, 'Westham', [-2000, -2000], [0, 2000]);
  const open = await town.open();
  expect(open.search('westham')).toMatchObject([{ kind: 'place', sort: 'town', label: 'Westham' }]);
  expect(open.search('Вестхэм')).toHaveLength(1);
});

test('far in the north, where degrees are narrow, a street still belongs to the village beside it', () => {
  const extract = new ExtractBuilder().node(1, 78.2, 15.6, { place: 'village', name: 'Longyearbyen' }).build();
  // 3.6 km to the east of its point, within the 4 km that a village reaches.
  const [district] = findDistricts(extract).at(157_580_000, 782_000_000);
  expect(district?.names).toEqual(['Longyearbyen']);
});

test('a border that the extract cuts off is no surface', () => {
  const town = new DrawnTown();
  const way = town.way({}, [0, 0], [1000, 0], [1000, 1000]);
  town.relation({ boundary: 'administrative', admin_level: '8', name: 'Cut' }, { type: 'way', id: way, role: 'outer' });
  town.relation(
    { boundary: 'administrative', admin_level: '8', name: 'Lost' },
    { type: 'way', id: 99_999, role: 'outer' },
  );
  // One ring of it closes, the other does not: what lies in it nobody knows.
  const island = town.way({}, [2000, 0], [2100, 0], [2100, 100], [2000, 0]);
  town.relation(
    { boundary: 'administrative', admin_level: '8', name: 'Half' },
    { type: 'way', id: way, role: 'outer' },
    { type: 'way', id: island, role: 'outer' },
  );
  expect(findDistricts(town.build()).all).toEqual([]);
});

test('a postcode finds its settlement', async () => {
  const town = new DrawnTown();
  town.place('village', 'Ashford', [0, 0]);
  town.street('High Street', [0, 0], [100, 0]);
  town.house('High Street', '1', [10, 5], { 'addr:postcode': 'AB1 2CD' });
  const open = await town.open();
  expect(open.labels('ab1 2cd')[0]).toBe('Ashford');
  expect(open.labels('high street ab1')[0]).toBe('High Street, Ashford');
});

test('a street of which there are only houses is found all the same', async () => {
  const town = new DrawnTown();
  town.house('Ghost Lane', '1', [0, 0]).house('Ghost Lane', '3', [40, 0]).house('Ghost Lane', '3', [5000, 0]);
  const open = await town.open();
  // 5 km apart, they are two streets.
  expect(open.search('ghost lane 3').map(({ kind }) => kind)).toEqual(['address', 'address', 'street', 'street']);
  expect(open.search('ghost lane 2')[0]!.label).toBe('Ghost Lane ≈2');
});

test('the shop in a house and the house itself are one address', async () => {
  const town = new DrawnTown();
  town.street('High Street', [0, 0], [100, 0]);
  town
    .house('High Street', '12', [10, 5])
    .house('High Street', '12', [14, 8], { shop: 'bakery', name: 'Crumb' })
    .house('High Street', '12;14', [18, 8]);
  expect((await town.open()).counts.addresses).toBe(2);
});

test('a numbered road is found by its number, and meets others', async () => {
  const town = new DrawnTown();
  town.way({ highway: 'trunk', ref: 'A 38;E 6' }, [-500, 0], [0, 0], [500, 0]);
  town.street({ name: 'Mill Road', ref: 'B 12', highway: 'secondary' }, [0, -200], [0, 0]);
  const open = await town.open();
  for (const query of ['a 38', 'a38', 'A38', 'e6']) expect(open.labels(query)[0], query).toMatch(/^A 38/);
  expect(open.search('a38 / b12')[0]).toMatchObject({ kind: 'corner' });
});

test('junctions of the same two streets a few metres apart are one corner, in their middle', () => {
  const town = new DrawnTown();
  town.street('Ring Road', [-300, 10], [0, 10], [300, 10]);
  town.street('Ring Road', [300, -10], [0, -10], [-300, -10]);
  town.street('Spur', [0, -200], [0, -10], [0, 10], [0, 200]);
  const extract = town.build();
  const corners = findCorners(extract, findStreets(extract, findDistricts(extract)));
  expect(corners).toHaveLength(1);
  expect(spotOf({ lon: corners[0]!.lon / 1e7, lat: corners[0]!.lat / 1e7 }).map(Math.abs)).toEqual([0, 0]);
});

test('a making that is cancelled ends with what cancelled it, and closes the file', async () => {
  const town = new DrawnTown();
  for (let i = 0; i < 30; i++) town.street(`Street ${i}`, [0, i * 100], [50, i * 100]);
  const extract = town.build();
  const directory = mkdtempSync(join(tmpdir(), 'waypost-places-'));
  for (const stop of [0.05, 0.35, 0.55, 1]) {
    rmSync(join(directory, 'places.db'), { force: true });
    await expect(
      makePlaces(extract, directory, (done) => {
        if (done >= stop) throw new Error('Cancelled.');
      }),
    ).rejects.toThrow('Cancelled.');
  }
  rmSync(directory, { recursive: true });
});

test('an extract with nothing in it makes places that find nothing', async () => {
  const open = await new DrawnTown().open();
  expect(open.counts).toEqual({ places: 0, addresses: 0 });
  expect(open.search('anything')).toEqual([]);
  expect(open.reverse([0, 0])).toBeUndefined();
});

test('ways with nodes that the extract lacks, of one node or of none, do no harm', async () => {
  const { ExtractBuilder } = await import('../../../../server/geo/territory/extract/extract-builder.ts');
  const { openTown } = await import('./drawn-town.ts');
  const { lat, lon } = at([0, 0]);
  const builder = new ExtractBuilder()
    .node(1, lat, lon)
    .node(2, lat, lon + 0.001)
    .way(1, [1, 99, 2], { highway: 'residential', name: 'Broken Street' })
    .way(2, [], { highway: 'residential', name: 'Empty Street' })
    .way(3, [1], { highway: 'residential', name: 'Dot Street' })
    .way(4, [98, 99], { highway: 'residential', name: 'Lost Street' })
    .way(5, [1, 2, 99, 1], { amenity: 'school', name: 'Broken School' })
    .way(6, [1, 99], { 'addr:interpolation': 'even' });
  const open = await openTown(builder.build());
  expect(open.labels('broken street')).toContain('Broken Street');
  expect(open.labels('dot street')[0]).toBe('Dot Street');
  expect(open.labels('broken school')[0]).toBe('Broken School');
  expect(open.labels('lost street')).not.toContain('Lost Street');
  expect(open.reverse([0, 5])).toBeDefined();
});

test('names come without those that say where they come from', () => {
  expect(
    namesOf({
      'name': 'Main Street',
      'name:ru': 'Главная улица',
      'name:etymology': 'x',
      'name:prefix': 'y',
      'name:left': 'z',
      'alt_name': 'High Street;The Street',
      'old_name': 'MAIN STREET',
      'alt_name:de': 'Hauptstrasse',
      'name:zh-Hant': '大街',
    }),
  ).toEqual(['Main Street', 'High Street', 'The Street', 'Главная улица', 'Hauptstrasse', '大街']);
  expect(namesOf({ name: 'Rue Neuve - Nieuwstraat' }, true)).toEqual([
    'Rue Neuve - Nieuwstraat',
    'Rue Neuve',
    'Nieuwstraat',
  ]);
  expect(namesOf({ 'name:ru': 'Одна' })).toEqual([]);
  expect(namesOf({ name: ' … ' })).toEqual([]);
});

test('numbers on doors', () => {
  for (const [text, key, low, high] of [
    ['12', '12', 12, 12],
    ['12 A', '12a', 12, 12],
    ['12а', '12a', 12, 12],
    ['12-16', '12-16', 12, 16],
    ['5-1', '5-1', 5, 5],
    ['5/2', '5/2', 5, 5],
    ['10 корп. 3', '10k3', 10, 10],
    ['10к3', '10k3', 10, 10],
    ['12-900', '12-900', 12, 12],
  ] as const) {
    expect(parseHouseNumber(text), text).toEqual({ key, low, high });
  }
  for (const text of ['', 'A', 'yes', '…', '21565927']) expect(parseHouseNumber(text), text).toBeUndefined();
});

test('inside a surface is what a ray crosses an odd number of edges to', () => {
  const chance = numbers(SEED);
  for (let round = 0; round < 20; round++) {
    const length = 5 + Math.floor(chance() * 60);
    const corners = Array.from({ length }, (_, i) => {
      const angle = (2 * Math.PI * i) / length,
        reach = 1000 + chance() * 100_000;
      return [Math.round(Math.cos(angle) * reach), Math.round(Math.sin(angle) * reach)] as const;
    });
    const ring = Int32Array.from([...corners, corners[0]!].flat());
    const hole = Int32Array.from([-200, -200, 200, -200, 200, 200, -200, 200, -200, -200]);
    const area = new Area([ring, hole]);
    for (let i = 0; i < 200; i++) {
      const x = Math.round((chance() - 0.5) * 220_000),
        y = Math.round((chance() - 0.5) * 220_000);
      let odd = false;
      for (const edges of [ring, hole]) {
        for (let e = 0; e + 3 < edges.length; e += 2) {
          const [x1, y1, x2, y2] = edges.subarray(e, e + 4) as unknown as [number, number, number, number];
          if (y1 > y !== y2 > y && x < x1 + ((y - y1) / (y2 - y1)) * (x2 - x1)) odd = !odd;
        }
      }
      expect(area.contains(x, y)).toBe(odd);
    }
    const inner = area.innerPoint();
    expect(area.contains(inner.lon, inner.lat)).toBe(true);
  }
});

test('a foot on a line is no further than any of its points, and lies where it says', () => {
  const chance = numbers(SEED + 1);
  for (let round = 0; round < 200; round++) {
    const line = Int32Array.from(
      Array.from(
        { length: 2 * (2 + Math.floor(chance() * 6)) },
        (_, i) => (i % 2 === 0 ? 100_000_000 : 450_000_000) + Math.round((chance() - 0.5) * 100_000),
      ),
    );
    const lon = 100_000_000 + Math.round((chance() - 0.5) * 150_000),
      lat = 450_000_000 + Math.round((chance() - 0.5) * 150_000);
    const foot = nearestOnLine(line, lon, lat);
    for (let i = 0; i < line.length; i += 2)
      expect(foot.metres).toBeLessThanOrEqual(metresBetweenE7(lon, lat, line[i]!, line[i + 1]!) * 1.001);
    expect(metresBetweenE7(lon, lat, foot.lon, foot.lat)).toBeCloseTo(foot.metres, 0);
    const again = pointAlong(line, foot.along);
    expect(metresBetweenE7(again.lon, again.lat, foot.lon, foot.lat)).toBeLessThan(0.5);
  }
});

test('ways of one name that lie near each other are one street at any longitude', () => {
  const builder = new ExtractBuilder();
  const METRE = 1 / 111_195;
  for (let i = 0; i < 40; i++) {
    const lat = 45 + i / 3,
      lon = i % 2 === 0 ? 150 : -100;
    // 100 m apart, in the same row of cells and across the border of two.
    for (const [n, north] of [
      [0, 0],
      [2, 100],
    ] as const)
      builder
        .node(10 * i + n + 1, lat + north * METRE, lon)
        .node(10 * i + n + 2, lat + north * METRE, lon + 100 * METRE);
    builder
      .way(1000 + 2 * i, [10 * i + 1, 10 * i + 2], { highway: 'residential', name: `Street ${i}` })
      .way(1001 + 2 * i, [10 * i + 3, 10 * i + 4], { highway: 'residential', name: `Street ${i}` });
  }
  const extract = builder.build();
  expect(findStreets(extract, findDistricts(extract)).documents).toHaveLength(40);
});

test('whatever lies within the width of a cell is in it or beside it', () => {
  const chance = numbers(SEED + 2);
  for (let round = 0; round < 2000; round++) {
    const width = 5 + chance() * 200,
      turn = 2 * Math.PI * chance(),
      metres = 0.999 * width * chance();
    const lon = (chance() - 0.5) * 3.5e9,
      lat = (chance() - 0.5) * 1.6e9;
    const other = {
      lon: lon + (Math.cos(turn) * metres) / UNIT / shrink(lat),
      lat: lat + (Math.sin(turn) * metres) / UNIT,
    };
    expect(cellsAround(lon, lat, width), `${lon} ${lat} ${width}, seed ${SEED}`).toContain(
      cellOf(other.lon, other.lat, width),
    );
    expect(cellsAround(lon, lat, width)[4]).toBe(cellOf(lon, lat, width));
  }
});

test('hydrants without numbers cost no more each where there are many', () => {
  const took = (hydrants: number): number => {
    const town = new DrawnTown();
    for (let i = 0; i < hydrants; i++)
      town.node({ emergency: 'fire_hydrant' }, [50 * (i % 100), 50 * Math.floor(i / 100)]);
    const extract = town.build(),
      districts = findDistricts(extract);
    let least = Infinity;
    for (let round = 0; round < 3; round++) {
      const began = process.cpuUsage();
      expect(findObjects(extract, districts).objects).toHaveLength(hydrants);
      least = Math.min(least, process.cpuUsage(began).user);
    }
    return least;
  };
  took(1000);
  // With all of them looked through for each, eight times as many take fifty times as long.
  expect(took(16_000) / took(2000)).toBeLessThan(25);
});
