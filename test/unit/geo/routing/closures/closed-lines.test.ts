import { expect, test } from 'vitest';
import { affectedPieces } from '../../../../../server/geo/routing/closures/closures.ts';
import type { Closure } from '../../../../../server/geo/routing/types.ts';
import { Snapper } from '../../../../../server/geo/routing/snapping/snapper.ts';
import { ExtractBuilder } from '../../../../../server/geo/territory/index.ts';
import { Roads, buildRoads } from '../../../../../server/geo/territory/roads/index.ts';
import { SEED, numbers } from '../../../../support/chance.ts';
import { randomRoads } from '../random.ts';
import { testbot } from '../town.ts';

type Lines = [lon: number, lat: number][];

/** Counts the pieces that are looked at. */
class Counting extends Snapper {
  offered = 0;

  override piecesWithin(...box: [number, number, number, number]): number[] {
    const pieces = super.piecesWithin(...box);
    this.offered += pieces.length;
    return pieces;
  }
}

/** Thinks that everything is everywhere. */
class Everywhere extends Snapper {
  override piecesWithin(): number[] {
    return super.piecesWithin(-90e6, -180e6, 90e6, 180e6);
  }
}

const closedBy = (coordinates: Lines, roads: Roads, snapper: Snapper): number[] => {
  const closure: Closure = { id: 1, geometry: { type: 'LineString', coordinates }, factor: 0 };
  return affectedPieces([closure], roads, snapper)
    .map(({ piece }) => piece)
    .sort((a, b) => a - b);
};

/** Streets on a grid of so many crossings, 55 m apart. */
function grid(size: number): Roads {
  const builder = new ExtractBuilder();
  const id = (x: number, y: number): number => 1 + y * size + x;
  for (let y = 0; y < size; y++) for (let x = 0; x < size; x++) builder.node(id(x, y), y * 0.0005, x * 0.0005);
  const line = Array.from({ length: size }, (_, i) => i);
  for (let i = 0; i < size; i++)
    builder
      .way(
        2 * i + 1,
        line.map((x) => id(x, i)),
        { highway: 'primary' },
      )
      .way(
        2 * i + 2,
        line.map((y) => id(i, y)),
        { highway: 'primary' },
      );
  return Roads.from(buildRoads(builder.build(), { profile: testbot, minComponent: 1 }).bytes.buffer);
}

test('a line closes the same roads whichever of them are looked at', () => {
  const random = numbers(SEED + 60);
  let some = 0;
  for (let town = 0; town < 10; town++) {
    const roads = randomRoads(random, 8, 8, undefined, random() < 0.3 ? 10 : 1);
    if (roads.segments === 0) continue;
    const { nodeLat, nodeLon } = roads.columns;
    for (let i = 0; i < 10; i++) {
      const line = Array.from({ length: 2 + Math.floor(random() * 5) }, (): [number, number] => {
        const node = Math.floor(random() * roads.nodes);
        const off = (): number => Math.round((random() - 0.5) * 200);
        return [(nodeLon[node]! + off()) / 1e6, (nodeLat[node]! + off()) / 1e6];
      });
      const closed = closedBy(line, roads, new Snapper(roads));
      if (closed.length > 0) some++;
      expect(closed, `seed ${SEED + 60}`).toEqual(closedBy(line, roads, new Everywhere(roads)));
    }
  }
  expect(some, `seed ${SEED + 60}`).toBeGreaterThan(50);
});

test('of a line that goes to and fro over a whole town only the roads beside it are looked at: a thousand positions took a minute on Monaco', () => {
  const roads = grid(40);
  const pieces = 2 * 40 * 39;
  const side = 39 * 0.0005;
  const line = Array.from({ length: 200 }, (_, i): [number, number] =>
    i % 2 === 0 ? [i * 1e-6, 0] : [side, side - i * 1e-6],
  );
  const snapper = new Counting(roads);
  expect(closedBy(line, roads, snapper).length).toBeGreaterThan(100);
  expect(snapper.offered / line.length).toBeLessThan(pieces / 2);
  // Over half of the globe, and not near any road.
  const far = new Counting(roads);
  expect(
    closedBy(
      [
        [-170, -80],
        [170, -10],
        [-10, 80],
        [10, -80.5],
      ],
      roads,
      far,
    ),
  ).toEqual([]);
  expect(far.offered).toBeLessThan(pieces);
});

test('a line drawn across a piece of road closes it, wherever and however long', () => {
  const random = numbers(SEED + 61);
  let tried = 0;
  for (let town = 0; town < 10; town++) {
    const roads = randomRoads(random, 6, 6);
    if (roads.segments === 0) continue;
    for (let i = 0; i < 40; i++) {
      const segment = Math.floor(random() * roads.segments);
      const piece = roads.columns.segmentFirst[segment]! + Math.floor(random() * roads.pieces(segment));
      const [[latA, lonA], [latB, lonB]] = [roads.along(piece, 0), roads.along(piece, 1)];
      if (Math.hypot(latB - latA, lonB - lonA) < 200) continue;
      const [lat, lon] = roads.along(piece, 0.2 + 0.6 * random());
      // A line that lies on another road there may be meant for that one alone.
      if (new Snapper(roads).around(lat, lon, 2.5).some((place) => place.piece !== piece)) continue;
      tried++;
      const size = (20 + random() * 400) / Math.hypot(latB - latA, lonB - lonA);
      const [up, east] = [(lonB - lonA) * size, (latA - latB) * size];
      const share = 0.2 + 0.6 * random();
      const line: Lines = [
        [(lon - east * share) / 1e6, (lat - up * share) / 1e6],
        [(lon + east * (1 - share)) / 1e6, (lat + up * (1 - share)) / 1e6],
      ];
      expect(closedBy(line, roads, new Snapper(roads)), `seed ${SEED + 61}, town ${town}, line ${i}`).toContain(piece);
    }
  }
  expect(tried).toBeGreaterThan(100);
});

test('a line over the 180th meridian closes the roads on both sides of it, and the one across', () => {
  const builder = new ExtractBuilder();
  const nodes = [179.99, 179.995, 179.9996, -179.9996, -179.995, -179.99];
  nodes.forEach((lon, i) => builder.node(i + 1, 10, lon));
  nodes.slice(1).forEach((_, i) => builder.way(i + 1, [i + 1, i + 2], { highway: 'primary', name: String(i) }));
  const roads = Roads.from(buildRoads(builder.build(), { profile: testbot, minComponent: 1 }).bytes.buffer);
  const names = (...line: Lines): string[] =>
    closedBy(line, roads, new Snapper(roads))
      .map((piece) => roads.name(roads.segmentOf(piece)))
      .sort();
  expect(names([179.9951, 10], [-179.9951, 10])).toEqual(['1', '2', '3']);
  expect(names([-179.9951, 10], [179.9951, 10])).toEqual(['1', '2', '3']);
  expect(names([-179.99, 10], [-179.9951, 10])).toEqual(['4']);
  expect(names([179.9999, 10], [179.99, 10])).toEqual(['0', '1', '2']);
});
