import { ExtractBuilder } from '../../server/geo/territory/index.ts';
import type { OsmExtract, OsmRelation } from '../../server/geo/territory/extract/extract.ts';
import type { Area } from './places/areas.ts';
import type { House } from './places/houses.ts';
import { nameTags } from './places/names.ts';
import type { Chain, Network } from './roads/network.ts';
import type { Line, Spot } from './plan/plane.ts';
import { isForCars } from './roads/road.ts';
import type { Street } from './places/streets.ts';
import type { TurnRule } from './roads/turn-rules.ts';

/** Where the town lies: in the open Baltic Sea, so that it is over no real place. */
const ORIGIN = { lat: 56.2, lon: 18.9 };
const METRES_PER_DEGREE = 111_320;
const METRES_PER_DEGREE_EAST = METRES_PER_DEGREE * Math.cos((ORIGIN.lat * Math.PI) / 180);

type Tags = Record<string, string>;

/** Writes what is drawn in metres as nodes, ways and relations, with ids in the order of drawing. */
export class MapWriter {
  readonly #builder = new ExtractBuilder();
  #nodes = 0;
  #ways = 0;
  #relations = 0;

  get nodeCount(): number {
    return this.#nodes;
  }

  node(spot: Spot, tags?: Tags): number {
    this.#builder.node(
      ++this.#nodes,
      ORIGIN.lat + spot.y / METRES_PER_DEGREE,
      ORIGIN.lon + spot.x / METRES_PER_DEGREE_EAST,
      tags,
    );
    return this.#nodes;
  }

  way(nodes: readonly number[], tags: Tags): number {
    this.#builder.way(++this.#ways, nodes, tags);
    return this.#ways;
  }

  relation(members: OsmRelation['members'], tags: Tags): void {
    this.#builder.relation(++this.#relations, members, tags);
  }

  spot(spot: Spot, tags: Tags): void {
    this.node(spot, tags);
  }

  line(line: Line, tags: Tags): void {
    this.way(
      line.map((spot) => this.node(spot)),
      tags,
    );
  }

  area({ ring, hole, tags }: Area): void {
    const closed = (line: Line): number[] => {
      const nodes = line.map((spot) => this.node(spot));
      return [...nodes, nodes[0]!];
    };
    if (!hole) {
      this.way(closed(ring), tags);
      return;
    }
    const outer = this.way(closed(ring), {});
    const inner = this.way(closed(hole), {});
    this.relation(
      [
        { type: 'way', id: outer, role: 'outer' },
        { type: 'way', id: inner, role: 'inner' },
      ],
      { type: 'multipolygon', ...tags },
    );
  }

  house(house: House, { building, address }: { building: Tags; address: Tags }, interest: Tags | undefined): void {
    if (house.drawn === 'node') {
      this.node(house.door, { ...address, ...interest });
      return;
    }
    const corners = house.outline.map((spot) => this.node(spot));
    this.way([...corners, corners[0]!], { ...building, ...(house.drawn === 'building' ? address : {}), ...interest });
    if (house.drawn === 'door') this.node(house.door, { ...address, entrance: 'main' });
  }

  /** Ways run through as many joints as they can, and are parted where a turn is ruled. */
  roads(
    network: Network,
    streets: readonly Street[],
    signs: ReadonlyMap<number, string>,
    rules: readonly TurnRule[],
  ): void {
    const names = new Map<Chain, Street>();
    for (const street of streets) for (const { chain } of street.chains) names.set(chain, street);
    const parted = new Set(rules.map((rule) => rule.via));
    const nodes = new Map<number, number>();
    const nodeOf = (joint: number): number => {
      const known = nodes.get(joint);
      if (known !== undefined) return known;
      const sign = signs.get(joint);
      const made = this.node(
        network.spots[joint]!,
        sign === undefined ? undefined : sign === 'level_crossing' ? { railway: sign } : { highway: sign },
      );
      nodes.set(joint, made);
      return made;
    };
    const wayOfEdge = new Map<string, number>();
    for (const chain of network.chains) {
      const tags = roadTags(chain, names.get(chain));
      let from = 0;
      for (let to = 1; to < chain.joints.length; to++) {
        if (to + 1 < chain.joints.length && !parted.has(chain.joints[to]!)) continue;
        const joints = chain.joints.slice(from, to + 1);
        const way = this.way(joints.map(nodeOf), tags);
        joints.forEach((joint, i) => {
          if (i === 0) return;
          wayOfEdge.set(`${joint}-${joints[i - 1]}`, way).set(`${joints[i - 1]}-${joint}`, way);
        });
        from = to;
      }
    }
    for (const { via, from, to, restriction } of rules) {
      this.relation(
        [
          { type: 'way', id: wayOfEdge.get(`${via}-${from}`)!, role: 'from' },
          { type: 'node', id: nodeOf(via), role: 'via' },
          { type: 'way', id: wayOfEdge.get(`${via}-${to}`)!, role: 'to' },
        ],
        { type: 'restriction', restriction },
      );
    }
  }

  finished(dataTime: number): OsmExtract {
    this.#builder.dataTime = dataTime;
    return this.#builder.build();
  }
}

function roadTags(chain: Chain, street: Street | undefined): Tags {
  const { road } = chain;
  const tags: Tags = road.class === 'rail' ? { railway: 'rail', gauge: '1520' } : { highway: road.class };
  if (street) Object.assign(tags, nameTags(street.name, street.cyrillic));
  if (road.ref) tags['ref'] = road.ref;
  if (road.roundabout) tags['junction'] = 'roundabout';
  if (road.oneway) tags['oneway'] = 'yes';
  if (road.limit !== undefined) tags['maxspeed'] = String(road.limit);
  if (chain.level === 1) Object.assign(tags, { bridge: 'yes', layer: '1' });
  if (isForCars(road)) {
    const lanes = { motorway: '2', trunk: '2', primary: '4', secondary: '2' }[road.class as string];
    if (lanes) tags['lanes'] = lanes;
    if (road.class !== 'unclassified') tags['surface'] = 'asphalt';
  }
  return tags;
}
