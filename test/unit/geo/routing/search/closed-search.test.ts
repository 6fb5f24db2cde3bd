import { expect, test } from 'vitest';
import { ClosedSearch } from '../../../../../server/geo/routing/search/closed-search.ts';
import { SEED, numbers } from '../../../../support/chance.ts';
import { underClosures } from '../close-roads.ts';
import { anyPlace } from '../places.ts';
import { randomRoads } from '../random.ts';

const random = numbers(SEED + 80);
const roads = randomRoads(random, 12, 12);
const { positions } = underClosures(roads, [
  {
    id: 1,
    factor: 0,
    geometry: {
      type: 'Polygon',
      coordinates: [
        [
          [9, 47],
          [9.02, 47],
          [9.02, 47.02],
          [9, 47.02],
          [9, 47],
        ],
      ],
    },
  },
]).conditions;
const standings = () => positions.departures(anyPlace(roads, random)).map((position) => ({ position, total: 0 }));

test('searches over closed roads yield by what they look at in all, however short each of them is', () => {
  const closed = new ClosedSearch(roads);
  let yields = 0;
  let arcs = 0;
  for (let i = 0; i < 400; i++) {
    const steps = closed.exits(standings(), positions);
    let step = steps.next();
    for (; !step.done; step = steps.next()) yields++;
    arcs += step.value?.allLabels().length ?? 0;
  }
  expect(arcs, `seed ${SEED + 80}`).toBeGreaterThan(40_000);
  expect(yields).toBe(Math.floor(arcs / 16_384));
});

test('the ways out within a limit are those of all that cost no more', () => {
  const [all, near] = [new ClosedSearch(roads), new ClosedSearch(roads)];
  const finished = <T>(steps: Generator<undefined, T>): T => {
    for (;;) {
      const step = steps.next();
      if (step.done) return step.value;
    }
  };
  let kept = 0;
  for (let i = 0; i < 50; i++) {
    const from = standings();
    const limit = Math.floor(random() * 1500);
    const whole = finished(all.exits(from, positions));
    const part = finished(near.exits(from, positions, limit));
    const byArc = (labels: readonly { arc: number; label: number }[] = []) =>
      labels
        .filter(({ label }) => label <= limit)
        .map(({ arc, label }) => [arc, label])
        .sort(([a], [b]) => a! - b!);
    expect(byArc(part?.allLabels()), `seed ${SEED + 80}`).toEqual(byArc(whole?.allLabels()));
    expect(byArc(part?.exits)).toEqual(byArc(whole?.exits));
    expect(part?.allLabels().every(({ label }) => label <= limit) ?? true).toBe(true);
    expect(part?.reentries).toEqual(whole?.reentries.filter(({ cost }) => cost <= limit));
    kept += part?.allLabels().length ?? 0;
  }
  expect(kept).toBeGreaterThan(100);
});
