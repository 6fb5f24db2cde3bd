import type { Position } from 'geojson';
import { expect, test } from 'vitest';
import { affectedPieces } from '../../../../../server/geo/routing/closures/closures.ts';
import { Snapper } from '../../../../../server/geo/routing/snapping/snapper.ts';
import { SEED, numbers } from '../../../../support/chance.ts';
import { randomRoads } from '../random.ts';

/** Even-odd over all sides of all rings. */
function isInside(lon: number, lat: number, rings: readonly (readonly Position[])[]): boolean {
  let odd = false;
  for (const ring of rings) {
    for (let i = 1; i < ring.length; i++) {
      const [[xa, ya], [xb, yb]] = [ring[i - 1] as [number, number], ring[i] as [number, number]];
      if (ya > lat !== yb > lat && lon < ((xb - xa) * (lat - ya)) / (yb - ya) + xa) odd = !odd;
    }
  }
  return odd;
}

type Spot = readonly [x: number, y: number];

/** Whether two straight lines have a spot in common; whole micro-degrees, so that nothing is rounded. */
function meet(a: Spot, b: Spot, c: Spot, d: Spot): boolean {
  const side = ([x1, y1]: Spot, [x2, y2]: Spot, [x, y]: Spot): number =>
    Math.sign((x2 - x1) * (y - y1) - (y2 - y1) * (x - x1));
  const apart = [0, 1].some(
    (axis) =>
      Math.max(a[axis]!, b[axis]!) < Math.min(c[axis]!, d[axis]!) ||
      Math.max(c[axis]!, d[axis]!) < Math.min(a[axis]!, b[axis]!),
  );
  return !apart && side(a, b, c) * side(a, b, d) <= 0 && side(c, d, a) * side(c, d, b) <= 0;
}

test('an area closes every piece of road that a stretch of lies in it and no other, whatever its shape: crossing itself, with holes, in teeth', () => {
  const random = numbers(SEED + 90);
  let touched = 0;
  let spared = 0;
  for (let town = 0; town < 12; town++) {
    const roads = randomRoads(random, 6, 6);
    if (roads.segments === 0) continue;
    const { nodeLat, nodeLon } = roads.columns;
    const pieces = Array.from({ length: roads.segments }, (_, s) =>
      Array.from({ length: roads.pieces(s) }, (_, k) => roads.columns.segmentFirst[s]! + k),
    ).flat();
    for (let i = 0; i < 8; i++) {
      const ring = (corners: number): Position[] => {
        const spots = Array.from({ length: corners }, (): Position => {
          const node = Math.floor(random() * roads.nodes);
          return [nodeLon[node]! / 1e6 + (random() - 0.5) * 2e-4, nodeLat[node]! / 1e6 + (random() - 0.5) * 2e-4].map(
            (degrees) => Math.round(degrees * 1e6) / 1e6,
          );
        });
        return [...spots, spots[0]!];
      };
      const coordinates = Array.from({ length: 1 + Math.floor(random() * 2) }, () =>
        ring(3 + Math.floor(random() * 9)),
      );
      const closed = new Set(
        affectedPieces(
          [{ id: 1, geometry: { type: 'Polygon', coordinates }, factor: 0 }],
          roads,
          new Snapper(roads),
        ).map(({ piece }) => piece),
      );
      for (const piece of pieces) {
        // Metre by metre; roads are looked at every 4 m.
        const segment = roads.segmentOf(piece);
        const metres = Math.ceil(
          roads.metres(
            segment,
            piece - roads.columns.segmentFirst[segment]!,
            piece + 1 - roads.columns.segmentFirst[segment]!,
          ),
        );
        let longest = 0;
        let run = 0;
        for (let m = 0; m <= metres; m++) {
          const [lat, lon] = roads.along(piece, m / Math.max(1, metres));
          run = isInside(lon / 1e6, lat / 1e6, coordinates) ? run + 1 : 0;
          longest = Math.max(longest, run);
        }
        const [from, to] = [roads.along(piece, 0), roads.along(piece, 1)].map(([lat, lon]): Spot => [lon, lat]) as [
          Spot,
          Spot,
        ];
        const crosses = coordinates.some((ring) =>
          ring.slice(1).some((corner, k) => {
            const [c, d] = [ring[k]!, corner].map(([lon, lat]): Spot => [
              Math.round(lon! * 1e6),
              Math.round(lat! * 1e6),
            ]) as [Spot, Spot];
            return meet(from, to, c, d);
          }),
        );
        const where = `seed ${SEED + 90}, town ${town}, area ${i}, piece ${piece}`;
        if (longest > 9) {
          expect(closed.has(piece), where).toBe(true);
          touched++;
        } else if (longest === 0 && !crosses) {
          expect(closed.has(piece), where).toBe(false);
          spared++;
        }
      }
    }
  }
  expect([touched > 200, spared > 200]).toEqual([true, true]);
});
