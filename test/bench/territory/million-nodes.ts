import { ExtractBuilder, type PackedExtract } from '../../../server/geo/territory/index.ts';
import { numbers } from '../../support/chance.ts';

/** Streets between two junctions of a town in each direction, and degrees from town to town. */
const STREETS = 30;
const BETWEEN = 0.12;
const BLOCK = 0.0014;

/**
 * A country of a million road nodes, always the same: towns of some 900 crooked junctions with gaps,
 * one-ways, signals and turn restrictions, some 2,300 nodes each, joined by country roads with bends to their
 * neighbours, and by motorways across. Like real roads it is easily cut between towns and hardly within them.
 */
export function millionNodes(nodes = 1_000_000): PackedExtract {
  const random = numbers(20240229);
  const builder = new ExtractBuilder();
  let node = 0;
  let way = 0;
  let relation = 0;
  const add = (lat: number, lon: number, signal = false): number => {
    builder.node(++node, lat, lon, signal ? { highway: 'traffic_signals' } : undefined);
    return node;
  };
  const at = new Map<number, [lat: number, lon: number]>();
  const road = (from: number, to: number, bends: number, tags: Record<string, string>): number => {
    const [lat1, lon1] = at.get(from)!;
    const [lat2, lon2] = at.get(to)!;
    const wobble = 0.08 * Math.hypot(lat2 - lat1, lon2 - lon1);
    const refs = [from];
    for (let i = 1; i <= bends; i++) {
      const share = i / (bends + 1);
      refs.push(
        add(
          lat1 + (lat2 - lat1) * share + (random() - 0.5) * wobble,
          lon1 + (lon2 - lon1) * share + (random() - 0.5) * wobble,
        ),
      );
    }
    builder.way(++way, [...refs, to], tags);
    return way;
  };

  const towns = Math.ceil(Math.sqrt(nodes / 2200));
  const gates: number[][] = [];
  for (let row = 0; row < towns; row++) {
    for (let column = 0; column < towns; column++) {
      const south = 45 + row * BETWEEN + (random() - 0.5) * 0.03;
      const west = 5 + column * BETWEEN + (random() - 0.5) * 0.03;
      const junctions: number[][] = [];
      for (let y = 0; y < STREETS; y++) {
        junctions.push([]);
        for (let x = 0; x < STREETS; x++) {
          const spot: [number, number] = [
            south + (y + (random() - 0.5) * 0.5) * BLOCK,
            west + (x + (random() - 0.5) * 0.5) * BLOCK,
          ];
          const junction = add(...spot, random() < 0.04);
          at.set(junction, spot);
          junctions[y]!.push(junction);
        }
      }
      const street = (a: number, b: number, main: boolean): number | undefined => {
        if (!main && random() < 0.22) return undefined;
        return road(a, b, Math.floor(random() * 2.6), {
          highway: main ? 'secondary' : random() < 0.7 ? 'residential' : 'tertiary',
          name: `Street ${Math.floor(random() * 5000)}`,
          ...(!main && random() < 0.15 && { oneway: random() < 0.5 ? 'yes' : '-1' }),
        });
      };
      for (let y = 0; y < STREETS; y++) {
        for (let x = 0; x < STREETS; x++) {
          const east = x + 1 < STREETS ? street(junctions[y]![x]!, junctions[y]![x + 1]!, y % 10 === 5) : undefined;
          const north = y + 1 < STREETS ? street(junctions[y]![x]!, junctions[y + 1]![x]!, x % 10 === 5) : undefined;
          if (!east || !north || random() > 0.05) continue;
          builder.relation(
            ++relation,
            [
              { type: 'way', id: east, role: 'from' },
              { type: 'node', id: junctions[y]![x]!, role: 'via' },
              { type: 'way', id: north, role: 'to' },
            ],
            { type: 'restriction', restriction: 'no_right_turn' },
          );
        }
      }
      const middle = STREETS >> 1;
      gates.push([
        junctions[middle]![STREETS - 1]!,
        junctions[STREETS - 1]![middle]!,
        junctions[middle]![0]!,
        junctions[0]![middle]!,
      ]);
      for (const gate of gates.at(-1)!) if (!at.has(gate)) throw new Error('a gate is no junction');
      // Junctions that nothing leads on from are not needed any more.
      for (const line of junctions)
        for (const junction of line) if (!gates.at(-1)!.includes(junction)) at.delete(junction);
    }
  }
  for (let row = 0; row < towns; row++) {
    for (let column = 0; column < towns; column++) {
      const [east, north] = gates[row * towns + column] as [number, number];
      const highway = row % 5 === 2 || column % 5 === 2 ? 'motorway' : 'primary';
      const tags = { highway, ...(highway === 'motorway' && { oneway: 'no' }), ref: `R ${row}-${column}` };
      if (column + 1 < towns) road(east, gates[row * towns + column + 1]![2]!, 30, tags);
      if (row + 1 < towns) road(north, gates[(row + 1) * towns + column]![3]!, 30, tags);
    }
  }
  return builder.build();
}
