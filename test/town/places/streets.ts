import type { Name, TownNames } from './names.ts';
import type { Chain, Network } from '../roads/network.ts';
import { distance, insidePolygon, type Line, type Spot } from '../plan/plane.ts';

/**
 * A street with a name: its chains in order, each turned so that the numbers of the houses go up along it.
 */
export interface Street {
  readonly name: Name;
  /** The signs are in Cyrillic. */
  readonly cyrillic: boolean;
  readonly chains: readonly { readonly chain: Chain; readonly joints: readonly number[] }[];
}

/**
 * Finds what is one street (drawn as one, and hanging together) and names it. Numbers start at the end nearer
 * to `middle`.
 */
export function nameStreets(
  network: Network,
  middle: Spot,
  isCyrillic: (p: Spot) => boolean,
  namer: TownNames,
): Street[] {
  const byNumber = new Map<number, Chain[]>();
  for (const chain of network.chains) {
    if (chain.road.naming === 'none' || chain.road.street === 0) continue;
    const list = byNumber.get(chain.road.street);
    if (list) list.push(chain);
    else byNumber.set(chain.road.street, [chain]);
  }
  const streets: Street[] = [];
  for (const chains of byNumber.values()) {
    for (const group of hangingTogether(chains)) {
      const first = group[0]!;
      if (first.road.naming === 'none') continue;
      const ordered = inOrder(group, (joint) => distance(network.spots[joint]!, middle));
      const start = network.spots[ordered[0]!.joints[0]!]!;
      streets.push({
        name: namer.street(first.road.naming, start),
        cyrillic: isCyrillic(start),
        chains: ordered,
      });
    }
  }
  return streets;
}

/** South of the river the signs are in Cyrillic. */
export function southOf(river: Line, extent: number): (p: Spot) => boolean {
  const ring = [
    ...river,
    { x: river[river.length - 1]!.x + extent, y: -3 * extent },
    { x: river[0]!.x - extent, y: -3 * extent },
  ];
  return (p) => insidePolygon(p, ring);
}

function hangingTogether(chains: readonly Chain[]): Chain[][] {
  const groups: { chains: Chain[]; joints: Set<number> }[] = [];
  for (const chain of chains) {
    const touching = groups.filter((group) => chain.joints.some((joint) => group.joints.has(joint)));
    const group = touching[0] ?? { chains: [], joints: new Set<number>() };
    if (touching.length === 0) groups.push(group);
    for (const other of touching.slice(1)) {
      group.chains.push(...other.chains);
      for (const joint of other.joints) group.joints.add(joint);
      groups.splice(groups.indexOf(other), 1);
    }
    group.chains.push(chain);
    for (const joint of chain.joints) group.joints.add(joint);
  }
  return groups.map((group) => group.chains);
}

/** Walks from chain to chain, beginning at the loose end that is `nearest`. */
function inOrder(
  chains: readonly Chain[],
  nearness: (joint: number) => number,
): { chain: Chain; joints: readonly number[] }[] {
  const left = new Set(chains);
  const uses = new Map<number, number>();
  for (const { joints } of chains)
    for (const end of [joints[0]!, joints[joints.length - 1]!]) uses.set(end, (uses.get(end) ?? 0) + 1);
  const loose = [...uses].filter(([, count]) => count === 1).map(([joint]) => joint);
  const ends = loose.length > 0 ? loose : [...uses.keys()];
  let at = ends.reduce((best, joint) => (nearness(joint) < nearness(best) ? joint : best), ends[0]!);
  const ordered: { chain: Chain; joints: readonly number[] }[] = [];
  while (left.size > 0) {
    const next = [...left].find(({ joints }) => joints[0] === at || joints[joints.length - 1] === at) ?? [...left][0]!;
    left.delete(next);
    const turnRound =
      next.joints[0] !== at &&
      (next.joints[next.joints.length - 1] === at ||
        nearness(next.joints[next.joints.length - 1]!) < nearness(next.joints[0]!));
    const joints = turnRound ? [...next.joints].reverse() : next.joints;
    ordered.push({ chain: next, joints });
    at = joints[joints.length - 1]!;
  }
  return ordered;
}
