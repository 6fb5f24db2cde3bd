import { crossing, distance, shareOfFoot, between, Squares, type Spot } from '../plan/plane.ts';
import { isForCars, rankOf, type Road, type Stretch } from './road.ts';

/** One street after another through joints; `level` 1 on a bridge. */
export interface Chain {
  readonly road: Road;
  readonly level: 0 | 1;
  /** Positions in `spots`. */
  joints: number[];
}

export interface Network {
  readonly spots: Spot[];
  chains: Chain[];
}

/** What lies nearer than this becomes one joint. */
const JOIN = 6;

/**
 * Joins lines wherever they meet on the ground: afterwards no two of them cross but in a joint that both
 * have. A bridge is joined at its ends only.
 */
export function joinRoads(stretches: readonly Stretch[]): Network {
  let network = join(stretches, JOIN);
  // Pulling ends together may make new crossings; they get rarer every time.
  for (let round = 0; round < 8; round++) {
    const again = network.chains.map((chain): Stretch => ({
      line: chain.joints.map((joint) => network.spots[joint]!),
      road: chain.road,
      level: chain.level,
    }));
    const next = join(again, 1.5);
    const settled = next.spots.length === network.spots.length && next.chains.length === network.chains.length;
    network = next;
    if (settled) break;
  }
  return network;
}

interface Segment {
  stretch: number;
  index: number;
  a: Spot;
  b: Spot;
}

function join(stretches: readonly Stretch[], tolerance: number): Network {
  const segments: Segment[] = [];
  const squares = new Squares(60);
  stretches.forEach(({ line }, stretch) => {
    for (let i = 1; i < line.length; i++) {
      squares.add(segments.length, line[i - 1]!, line[i]!, tolerance);
      segments.push({ stretch, index: i - 1, a: line[i - 1]!, b: line[i]! });
    }
  });
  const joints = new Joints(tolerance);
  const cuts: { share: number; joint: number }[][] = segments.map(() => []);

  // Ends that come close to another line end on it.
  stretches.forEach(({ line }) => {
    for (const end of [line[0]!, line[line.length - 1]!]) {
      for (const s of squares.near(end, end, tolerance)) {
        const { a, b, stretch } = segments[s]!;
        const other = stretches[stretch]!;
        if (other.line === line || other.level === 1) continue;
        const share = shareOfFoot(end, a, b);
        const foot = between(a, b, share);
        if (distance(foot, end) >= tolerance) continue;
        cuts[s]!.push({ share, joint: joints.at(foot) });
      }
    }
  });
  segments.forEach((one, s) => {
    for (const o of squares.near(one.a, one.b, tolerance)) {
      if (o <= s) continue;
      const other = segments[o]!;
      if (stretches[one.stretch]!.level !== stretches[other.stretch]!.level) continue;
      if (one.stretch === other.stretch && other.index - one.index < 2) continue;
      const cross = crossing(one.a, one.b, other.a, other.b);
      if (!cross) continue;
      const joint = joints.at(between(one.a, one.b, cross.first));
      cuts[s]!.push({ share: cross.first, joint });
      cuts[o]!.push({ share: cross.second, joint });
    }
  });

  const chains: Chain[] = [];
  const taken = new Map<string, number>();
  const order = stretches
    .map((_, i) => i)
    .sort((a, b) => rankOf(stretches[a]!.road) - rankOf(stretches[b]!.road) || a - b);
  const firstSegment: number[] = [];
  segments.forEach((segment, s) => {
    firstSegment[segment.stretch] ??= s;
  });
  for (const number of order) {
    const { line, road, level } = stretches[number]!;
    const passed: number[] = [];
    const visit = (joint: number): void => {
      if (passed[passed.length - 1] === joint) return;
      // There and straight back again is a spike that the joining made.
      if (passed[passed.length - 2] === joint) passed.pop();
      else passed.push(joint);
    };
    line.forEach((spot, i) => {
      // Inside a bridge a spot must not stick to what lies under it.
      visit(level === 1 && i > 0 && i < line.length - 1 ? joints.alone(spot) : joints.at(spot));
      if (i + 1 < line.length)
        for (const cut of cuts[firstSegment[number]! + i]!.sort((a, b) => a.share - b.share)) visit(cut.joint);
    });
    // Where two lines coincide, the way belongs to the more important one.
    let run: number[] = [passed[0]!];
    const finish = (): void => {
      if (run.length > 1) chains.push({ road, level, joints: run });
    };
    for (let i = 1; i < passed.length; i++) {
      const key = passed[i - 1]! < passed[i]! ? `${passed[i - 1]}-${passed[i]}` : `${passed[i]}-${passed[i - 1]}`;
      if (taken.has(key)) {
        finish();
        run = [passed[i]!];
      } else {
        taken.set(key, number);
        run.push(passed[i]!);
      }
    }
    finish();
  }
  return { spots: joints.spots, chains };
}

/** Spots, of which those closer together than the tolerance are one. */
class Joints {
  readonly spots: Spot[] = [];
  readonly #tolerance: number;
  readonly #held = new Map<number, number[]>();

  constructor(tolerance: number) {
    this.#tolerance = tolerance;
  }

  at(p: Spot): number {
    const size = this.#tolerance;
    const x = Math.floor(p.x / size);
    const y = Math.floor(p.y / size);
    let best = -1;
    let nearest = size;
    for (let dx = -1; dx <= 1; dx++) {
      for (let dy = -1; dy <= 1; dy++) {
        for (const joint of this.#held.get((x + dx) * 1048576 + y + dy) ?? []) {
          const off = distance(this.spots[joint]!, p);
          if (off < nearest) {
            nearest = off;
            best = joint;
          }
        }
      }
    }
    if (best >= 0) return best;
    const joint = this.alone(p);
    const key = x * 1048576 + y;
    const list = this.#held.get(key);
    if (list) list.push(joint);
    else this.#held.set(key, [joint]);
    return joint;
  }

  alone(p: Spot): number {
    this.spots.push(p);
    return this.spots.length - 1;
  }
}

/** How many road edges meet in each joint; the railway does not count. */
export function degrees(network: Network): Uint8Array {
  const degree = new Uint8Array(network.spots.length);
  for (const { road, joints } of network.chains) {
    if (road.class === 'rail') continue;
    for (let i = 1; i < joints.length; i++) {
      degree[joints[i - 1]!]!++;
      degree[joints[i]!]!++;
    }
  }
  return degree;
}

/**
 * Takes away dead ends shorter than `shortest` metres: what is left where a line was drawn a little too far.
 */
export function trimmed(network: Network, shortest: number): Network {
  const degree = degrees(network);
  const keepFrom = (joints: number[]): number[] => {
    if (degree[joints[0]!] !== 1) return joints;
    let length = 0;
    for (let i = 1; i < joints.length; i++) {
      length += distance(network.spots[joints[i - 1]!]!, network.spots[joints[i]!]!);
      if (length >= shortest) return joints;
      if (degree[joints[i]!]! > 2) return joints.slice(i);
      // Another chain goes on from here: not a stub of this one alone.
      if (i === joints.length - 1) return degree[joints[i]!] === 2 ? joints : [];
    }
    return joints;
  };
  const chains = network.chains.flatMap((chain) => {
    if (chain.road.class === 'rail' || chain.level === 1) return [chain];
    const joints = keepFrom(keepFrom(chain.joints).slice().reverse()).slice().reverse();
    return joints.length > 1 ? [{ ...chain, joints }] : [];
  });
  return { spots: network.spots, chains };
}

/** Leaves the one net of streets that a car can get about in, the paths that touch it, and the railway. */
export function mainNet(network: Network): Network {
  const parent = Int32Array.from({ length: network.spots.length }, (_, i) => i);
  const root = (i: number): number => {
    while (parent[i] !== i) i = parent[i] = parent[parent[i]!]!;
    return i;
  };
  const size = new Float64Array(network.spots.length);
  for (const { road, joints } of network.chains) {
    if (!isForCars(road)) continue;
    for (let i = 1; i < joints.length; i++) parent[root(joints[i]!)] = root(joints[0]!);
  }
  for (const { road, joints } of network.chains) if (isForCars(road)) size[root(joints[0]!)]! += joints.length;
  const main = size.indexOf(size.reduce((most, n) => Math.max(most, n), 0));
  const onMain = new Uint8Array(network.spots.length);
  for (const { road, joints } of network.chains)
    if (isForCars(road) && root(joints[0]!) === main) for (const joint of joints) onMain[joint] = 1;
  return {
    spots: network.spots,
    chains: network.chains.filter(
      ({ road, joints }) =>
        road.class === 'rail' ||
        (isForCars(road) ? onMain[joints[0]!] === 1 : joints.some((joint) => onMain[joint] === 1)),
    ),
  };
}
