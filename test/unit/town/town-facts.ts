import type { OsmExtract } from '../../../server/geo/territory/extract/extract.ts';

/** What a drawn town is like, worked out from the extract alone, as a reader of the map would. */

export function wayNodes(town: OsmExtract, way: number): number[] {
  return [...town.ways.refs.subarray(town.ways.first[way], town.ways.first[way + 1])];
}

export interface Arc {
  from: number;
  to: number;
  way: number;
  highway: string;
  bridge: boolean;
}

const NOT_FOR_CARS = ['footway', 'pedestrian'];

/** Every direction in which a car may drive a piece of road between two nodes. */
export function carArcs(town: OsmExtract): Arc[] {
  const arcs: Arc[] = [];
  for (let way = 0; way < town.ways.count; way++) {
    const tags = town.ways.tags(way);
    const highway = tags['highway'];
    if (highway === undefined || NOT_FOR_CARS.includes(highway)) continue;
    const nodes = wayNodes(town, way);
    for (let i = 1; i < nodes.length; i++) {
      const arc = { way, highway, bridge: tags['bridge'] === 'yes' };
      arcs.push({ ...arc, from: nodes[i - 1], to: nodes[i] });
      if (tags['oneway'] !== 'yes') arcs.push({ ...arc, from: nodes[i], to: nodes[i - 1] });
    }
  }
  return arcs;
}

/**
 * Arcs that are not in the one strongly connected part of the graph whose vertices are arcs and whose edges
 * are the allowed turns. Turning round is allowed at dead ends only.
 */
export function unreachableArcs(town: OsmExtract): string[] {
  const arcs = carArcs(town);
  const out = new Map<number, number[]>();
  arcs.forEach((arc, a) => out.set(arc.from, [...(out.get(arc.from) ?? []), a]));
  const banned = new Set<string>();
  const only = new Map<string, number>();
  for (const { tags, members } of town.relations) {
    if (tags['type'] !== 'restriction') continue;
    const of = (role: string): number => members.find((member) => member.role === role)!.id;
    const [from, to, via] = [town.ways.find(of('from')), town.ways.find(of('to')), town.nodes.find(of('via'))];
    if (tags['restriction'].startsWith('only_')) only.set(`${from} ${via}`, to);
    else banned.add(`${from} ${via} ${to}`);
  }
  const turns = arcs.map((arc) =>
    (out.get(arc.to) ?? []).filter((next) => {
      const on = arcs[next];
      if (on.to === arc.from && (out.get(arc.to) ?? []).length > 1) return false;
      const must = only.get(`${arc.way} ${arc.to}`);
      if (must !== undefined && on.way !== must) return false;
      return !banned.has(`${arc.way} ${arc.to} ${on.way}`);
    }),
  );
  const back: number[][] = arcs.map(() => []);
  turns.forEach((list, a) => {
    for (const b of list) back[b].push(a);
  });
  const reach = (start: number, graph: number[][]): Uint8Array => {
    const seen = new Uint8Array(arcs.length);
    const open = [start];
    seen[start] = 1;
    for (let a = open.pop(); a !== undefined; a = open.pop())
      for (const b of graph[a])
        if (!seen[b]) {
          seen[b] = 1;
          open.push(b);
        }
    return seen;
  };
  // A main road is surely in the big part.
  const start = arcs.findIndex((arc) => arc.highway === 'secondary' || arc.highway === 'tertiary');
  const there = reach(start, turns);
  const thence = reach(start, back);
  return arcs.flatMap((arc, a) =>
    there[a] && thence[a]
      ? []
      : [
          `way ${town.ways.id[arc.way]} (${arc.highway}) from node ${town.nodes.id[arc.from]} to ${town.nodes.id[arc.to]}`,
        ],
  );
}

/**
 * Pairs of road pieces on the ground, or both on a bridge, that cross in no common node. Coordinates are
 * whole, so this is exact.
 */
export function crossingsWithoutNode(town: OsmExtract): string[] {
  const pieces: { a: number; b: number; way: number; layer: string }[] = [];
  for (let way = 0; way < town.ways.count; way++) {
    const tags = town.ways.tags(way);
    if (tags['highway'] === undefined && tags['railway'] === undefined) continue;
    const nodes = wayNodes(town, way);
    for (let i = 1; i < nodes.length; i++)
      pieces.push({ a: nodes[i - 1], b: nodes[i], way, layer: tags['layer'] ?? '0' });
  }
  const { lat, lon } = town.nodes;
  const squares = new Map<string, number[]>();
  const SIZE = 20_000; // 1e-7 degrees, some 200 metres
  pieces.forEach(({ a, b }, p) => {
    for (let x = Math.floor(Math.min(lon[a], lon[b]) / SIZE); x <= Math.floor(Math.max(lon[a], lon[b]) / SIZE); x++) {
      for (let y = Math.floor(Math.min(lat[a], lat[b]) / SIZE); y <= Math.floor(Math.max(lat[a], lat[b]) / SIZE); y++) {
        const key = `${x} ${y}`;
        const list = squares.get(key);
        if (list) list.push(p);
        else squares.set(key, [p]);
      }
    }
  });
  const side = (a: number, b: number, c: number): number =>
    Math.sign((lon[b] - lon[a]) * (lat[c] - lat[a]) - (lat[b] - lat[a]) * (lon[c] - lon[a]));
  const found = new Set<string>();
  for (const list of squares.values()) {
    for (let i = 0; i < list.length; i++) {
      for (let j = i + 1; j < list.length; j++) {
        const one = pieces[list[i]];
        const other = pieces[list[j]];
        if (
          one.layer !== other.layer ||
          one.a === other.a ||
          one.a === other.b ||
          one.b === other.a ||
          one.b === other.b
        )
          continue;
        if (
          side(one.a, one.b, other.a) * side(one.a, one.b, other.b) < 0 &&
          side(other.a, other.b, one.a) * side(other.a, other.b, one.b) < 0
        ) {
          found.add(
            `ways ${town.ways.id[one.way]} and ${town.ways.id[other.way]} near ${lat[one.a] / 1e7},${lon[one.a] / 1e7}`,
          );
        }
      }
    }
  }
  return [...found];
}

export interface House {
  number: number;
  /** As on the door: `12A` has number 12. */
  text: string;
  /** metres along the street; undefined where the street is no plain line (a ring, a fork) */
  along: number | undefined;
}

/** Houses of each street, by side, in the order of their numbers. */
export function houseNumbers(town: OsmExtract): Map<string, { odd: House[]; even: House[] }> {
  const { lat, lon } = town.nodes;
  const flat = (i: number): Flat => ({
    x: (lon[i] / 1e7) * 111_320 * Math.cos((lat[0] / 1e7 / 180) * Math.PI),
    y: (lat[i] / 1e7) * 111_320,
  });
  const pieces = new Map<string, Flat[][]>();
  for (let way = 0; way < town.ways.count; way++) {
    const { highway, name } = town.ways.tags(way);
    if (highway !== undefined && name !== undefined)
      pieces.set(name, [...(pieces.get(name) ?? []), wayNodes(town, way).map(flat)]);
  }
  const lines = new Map([...pieces].map(([name, list]) => [name, oneLine(list)]));
  const streets = new Map<string, { odd: House[]; even: House[] }>();
  const add = (tags: Readonly<Record<string, string>> | undefined, at: number): void => {
    if (tags?.['addr:housenumber'] === undefined) return;
    const street = tags['addr:street'];
    const sides = streets.get(street) ?? { odd: [], even: [] };
    streets.set(street, sides);
    const number = Number.parseInt(tags['addr:housenumber'], 10);
    const line = lines.get(street);
    sides[number % 2 ? 'odd' : 'even'].push({
      number,
      text: tags['addr:housenumber'],
      along: line && along(line, flat(at)),
    });
  };
  for (let way = 0; way < town.ways.count; way++) add(town.ways.tags(way), town.ways.refs[town.ways.first[way]]);
  for (const i of town.nodes.tagged) add(town.nodes.tags(i), i);
  for (const { odd, even } of streets.values()) {
    const all = [...odd, ...even];
    for (const side of [odd, even]) side.sort((a, b) => a.number - b.number || a.text.length - b.text.length);
    // Which end the numbers begin at is the street's own affair.
    const rise = (side: House[]): number =>
      side.reduce(
        (sum, house, i) =>
          sum +
          (i === 0 ? 0 : Math.max(0.5, house.number - side[0].number)) * ((house.along ?? 0) - (side[0].along ?? 0)),
        0,
      );
    const trend = rise(odd) + rise(even);
    if (trend < 0) for (const house of all) if (house.along !== undefined) house.along = -house.along;
  }
  return streets;
}

interface Flat {
  x: number;
  y: number;
}
const far = (a: Flat, b: Flat): number => Math.hypot(a.x - b.x, a.y - b.y);

/** Pieces joined end to end, over a roundabout too; undefined when they make no single open line. */
function oneLine(pieces: readonly Flat[][]): Flat[] | undefined {
  const open = pieces.map((piece) => [...piece]);
  for (const gap of [0.1, 60]) {
    for (let joined = true; joined;) {
      joined = false;
      for (let i = 0; i < open.length && !joined; i++) {
        for (let j = 0; j < open.length && !joined; j++) {
          if (i === j) continue;
          const one = open[i];
          for (const other of [open[j], [...open[j]].reverse()]) {
            if (joined || far(one[one.length - 1], other[0]) > gap) continue;
            open[i] = [...one, ...other];
            open.splice(j, 1);
            joined = true;
          }
          if (!joined && far(one[0], open[j][0]) <= gap) {
            open[i] = [...[...open[j]].reverse(), ...one];
            open.splice(j, 1);
            joined = true;
          }
        }
      }
    }
  }
  const [line] = open;
  return open.length === 1 && far(line[0], line[line.length - 1]) > 60 ? line : undefined;
}

function along(line: readonly Flat[], p: Flat): number {
  let best = Infinity;
  let at = 0;
  for (let i = 1, sum = 0; i < line.length; i++) {
    const [a, b] = [line[i - 1], line[i]];
    const length = far(a, b);
    const share =
      length === 0
        ? 0
        : Math.min(1, Math.max(0, ((p.x - a.x) * (b.x - a.x) + (p.y - a.y) * (b.y - a.y)) / length ** 2));
    const off = far(p, { x: a.x + (b.x - a.x) * share, y: a.y + (b.y - a.y) * share });
    if (off < best) {
      best = off;
      at = sum + share * length;
    }
    sum += length;
  }
  return at;
}
