import { ExtractBuilder, type PackedExtract } from '../../../../server/geo/territory/index.ts';
import { Roads, buildRoads, car } from '../../../../server/geo/territory/roads/index.ts';
import type { Profile } from '../../../../server/geo/territory/roads/index.ts';
import { CLOSED_COST, freeFlowCosts } from '../../../../server/geo/routing/metric/costs.ts';
import type { Costs } from '../../../../server/geo/routing/metric/costs.ts';

/**
 * A crooked grid with gaps, one-ways, dead ends, rings, signals, barriers, turn restrictions and shape
 * points; blocks are some 110 m long, or `stretch` times that.
 */
export function randomRoads(
  random: () => number,
  width: number,
  height: number,
  profile: Profile = car,
  stretch = 1,
): Roads {
  const { bytes } = buildRoads(randomTown(random, width, height, stretch), { profile, minComponent: 4 });
  return Roads.from(bytes.buffer);
}

/** The same before a vehicle has seen it. */
export function randomTown(random: () => number, width: number, height: number, stretch = 1): PackedExtract {
  const builder = new ExtractBuilder();
  const id = (x: number, y: number): number => 1 + y * width + x;
  const pick = <T>(values: readonly T[]): T => values[Math.floor(random() * values.length)]!;
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const tags: Record<string, string> | undefined =
        random() < 0.05 ? { highway: 'traffic_signals' } : random() < 0.02 ? { barrier: 'bollard' } : undefined;
      builder.node(
        id(x, y),
        47 + (y * 0.001 + random() * 0.0006) * stretch,
        9 + (x * 0.0015 + random() * 0.0009) * stretch,
        tags,
      );
    }
  }
  let next = width * height + 1;
  let way = 0;
  const ends: [number, number][] = [];
  const join = (from: number, to: number): void => {
    if (random() < 0.15) return;
    const nodes = [from];
    while (random() < 0.3) {
      builder.node(next, 47 + random() * height * 0.001 * stretch, 9 + random() * width * 0.0015 * stretch);
      nodes.push(next++);
    }
    nodes.push(to);
    way++;
    ends.push([from, to]);
    builder.way(way, nodes, {
      highway: pick(['primary', 'secondary', 'residential', 'service']),
      ...(random() < 0.2 && { oneway: pick(['yes', '-1']) }),
      ...(random() < 0.7 && { name: `Way ${Math.floor(random() * 20)}` }),
      ...(random() < 0.1 && { maxspeed: pick(['30', '50', '80']) }),
      ...(random() < 0.02 && { junction: 'roundabout' }),
    });
  };
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      if (x + 1 < width) join(id(x, y), id(x + 1, y));
      if (y + 1 < height) join(id(x, y), id(x, y + 1));
      if (random() < 0.05) join(id(x, y), id(x, y));
      if (random() < 0.05 && x + 1 < width) join(id(x, y), id(x + 1, y));
    }
  }
  for (let relation = 1; relation <= way / 6; relation++) {
    const from = Math.floor(random() * way);
    const via = pick(ends[from]!);
    const others = ends.flatMap((pair, i) => (pair.includes(via) ? [i] : []));
    builder.relation(
      relation,
      [
        { type: 'way', id: from + 1, role: 'from' },
        { type: 'node', id: via, role: 'via' },
        { type: 'way', id: pick(others) + 1, role: 'to' },
      ],
      { type: 'restriction', restriction: pick(['no_left_turn', 'no_u_turn', 'only_straight_on']) },
    );
  }
  return builder.build();
}

/** Costs with some roads closed and some slowed. */
export function disturbed(roads: Roads, random: () => number): Costs {
  const free = freeFlowCosts(roads);
  const arc = free.arc.slice();
  for (let a = 0; a < arc.length; a++) {
    const luck = random();
    if (luck < 0.05) arc[a] = CLOSED_COST;
    else if (luck < 0.15 && arc[a]! < CLOSED_COST) arc[a] = arc[a]! * 3;
  }
  return { ...free, arc };
}
