import type { Chance } from '../../../server/demo/chance.ts';
import { noiseFrom } from '../plan/noise.ts';
import { layBypass } from './bypass.ts';
import { distance, insidePolygon, lengthOf, offset, simplified, towards, type Line, type Spot } from '../plan/plane.ts';
import { polar, type Plan } from '../plan/plan.ts';
import { streetsOf } from '../plan/patterns.ts';
import type { Road, RoadClass, Stretch } from './road.ts';
import { cutWhere, type Terrain } from '../plan/terrain.ts';

export interface Village {
  readonly middle: Spot;
  readonly radius: number;
}

/** Every road, path and rail as a line of its own, with bridges, not yet joined to what it meets. */
export function layRoads(plan: Plan, terrain: Terrain, chance: Chance): { stretches: Stretch[]; villages: Village[] } {
  const layer = new Layer(plan, terrain);
  layRays(layer);
  layRings(layer);
  layEmbankments(layer);
  for (const cell of plan.cells) {
    for (const course of streetsOf(cell, chance)) {
      const line = course.line.map(plan.warp);
      if (course.use === 'path') {
        layer.path(line);
        continue;
      }
      const old = cell.quarter === 'old';
      layer.local(line, {
        class: course.use === 'works' ? 'unclassified' : old && chance.happens(0.2) ? 'living_street' : 'residential',
        naming: course.use === 'works' ? 'passage' : course.use,
        limit: old ? 30 : course.use === 'works' ? 40 : chance.happens(0.5) ? 30 : undefined,
        houses: cell.quarter === 'park' ? undefined : cell.quarter,
        oneway: false,
      });
    }
  }
  const villages = layVillages(layer, chance.fork('villages'));
  layRailway(layer);
  layBypass(plan, terrain, layer.stretches, () => layer.newStreet());
  return { stretches: layer.stretches, villages };
}

type RoadOf = Omit<Road, 'street'>;

/**
 * Metres between two bridges in the town, at the least: few, so that it matters which side a vehicle is on.
 */
const bridgesApart = (plan: Plan): number => Math.min(2600, Math.max(1100, plan.radius * 0.95));

class Layer {
  readonly stretches: Stretch[] = [];
  readonly plan: Plan;
  readonly terrain: Terrain;
  #streets = 0;
  readonly #bridges: Spot[] = [];

  constructor(plan: Plan, terrain: Terrain) {
    this.plan = plan;
    this.terrain = terrain;
  }

  newStreet(): number {
    return ++this.#streets;
  }

  /** A road that may cross the river on a bridge, and the railway on the level. */
  main(line: Line, road: RoadOf, street = this.newStreet()): void {
    const bank = this.terrain.river.width / 2 + 9;
    const pieces = cutWhere(line, (p) => this.terrain.toRiver(p) < bank);
    const bridgeheads = pieces.flatMap((piece, i) =>
      piece.apart && i > 0 && i + 1 < pieces.length ? this.#bridge(piece.line, { ...road, street }) : [],
    );
    // Without a bridge the road ends at the street along the bank.
    const ends = (p: Spot): boolean =>
      this.terrain.toRiver(p) < bank + 12 && !bridgeheads.some((head) => distance(head, p) < 90);
    for (const piece of pieces) {
      if (!piece.apart)
        for (const dry of cutWhere(piece.line, ends)) if (!dry.apart) this.#ground(dry.line, { ...road, street });
    }
  }

  /** A street that ends at the water and at the railway. */
  local(line: Line, road: RoadOf, street = this.newStreet()): void {
    const bank = this.terrain.river.width / 2 + 18;
    const apart = (p: Spot): boolean =>
      this.terrain.toRiver(p) < bank || this.terrain.toRailway(p) < 14 || this.terrain.isWater(p, 14);
    for (const piece of cutWhere(line, apart))
      if (!piece.apart && lengthOf(piece.line) > 40) this.#ground(piece.line, { ...road, street });
  }

  path(line: Line): void {
    const road: RoadOf = { class: 'footway', naming: 'none', limit: undefined, oneway: false };
    for (const piece of cutWhere(line, (p) => this.terrain.isWater(p, 5) || this.terrain.toRailway(p) < 14)) {
      if (!piece.apart && lengthOf(piece.line) > 40) this.#ground(piece.line, { ...road, street: 0 });
    }
  }

  #ground(line: Line, road: Road): void {
    this.stretches.push({ line: simplified(line, 0.9), road, level: 0 });
  }

  /** Its two ends when the bridge is built, nothing when it is not. */
  #bridge(line: Line, road: Road): Spot[] {
    const ends = [line[0]!, line[line.length - 1]!];
    const straight = distance(ends[0]!, ends[1]!);
    if (straight > this.terrain.river.width * 2.2 + 40) return []; // along the river rather than over it
    if (this.#bridges.some((other) => distance(other, ends[0]!) < bridgesApart(this.plan))) return [];
    this.#bridges.push(ends[0]!);
    this.stretches.push({ line: ends, road, level: 1 });
    return ends;
  }
}

/** Main roads out of the town; the middle one in the south has the old bridge, so it is laid first. */
function layRays(layer: Layer): void {
  const { plan } = layer;
  const isTown = plan.rings.length > 1;
  const order = plan.rays
    .map((angle, number) => ({ angle, number }))
    .sort((a, b) => Math.sin(a.angle) - Math.sin(b.angle));
  for (const { angle, number } of order) {
    const inside = isTown ? 58 : 0;
    const ray = (from: number, to: number): Spot[] => {
      const line: Spot[] = [];
      for (let far = from; far < to; far += 25) line.push(plan.warp(polar(far, angle)));
      line.push(plan.warp(polar(to, angle)));
      return line;
    };
    const outside: RoadOf = {
      class: isTown && number % 2 === 0 ? 'primary' : isTown ? 'secondary' : 'tertiary',
      naming: 'highway',
      oneway: false,
      limit: 90,
      ref: `${isTown ? 'R' : 'L'}${10 + number * 7}`,
    };
    layer.main(ray(inside, plan.rings[0]!), {
      class: isTown ? 'secondary' : 'tertiary',
      naming: isTown ? 'street' : 'village',
      oneway: false,
      limit: 50,
      houses: isTown ? 'old' : 'village',
    });
    if (isTown)
      layer.main(ray(plan.rings[0]!, plan.radius), {
        class: outside.class,
        naming: 'avenue',
        oneway: false,
        limit: 60,
        houses: 'flats',
        ref: outside.ref,
      });
    const street = layer.newStreet();
    const bypass = plan.bypass;
    const crosses = bypass !== undefined && number < 3;
    if (!crosses) layer.main(ray(plan.radius, plan.extent), outside, street);
    else {
      layer.main(ray(plan.radius, bypass.radius - 38), outside, street);
      layer.stretches.push({
        line: [plan.warp(polar(bypass.radius - 38, angle)), plan.warp(polar(bypass.radius + 38, angle))],
        road: { ...outside, street },
        level: 1,
      });
      layer.main(ray(bypass.radius + 38, plan.extent), outside, street);
    }
  }
}

function layRings(layer: Layer): void {
  const { plan } = layer;
  const arc = (radius: number, from: number, to: number): Spot[] => {
    const parts = Math.ceil(((to - from) * radius) / 25);
    return Array.from({ length: parts + 1 }, (_, i) => plan.warp(polar(radius, from + ((to - from) * i) / parts)));
  };
  if (plan.rings.length === 1) return;
  // The market place: four corners that the main streets run into.
  layer.main(marketPlace(plan), { class: 'tertiary', naming: 'square', oneway: false, limit: 20, houses: 'old' });
  plan.rings.forEach((radius, ring) => {
    const isEdge = ring === plan.rings.length - 1;
    const kind: RoadClass = ring === 0 || isEdge ? 'secondary' : 'tertiary';
    const whole = ring === 0 ? layer.newStreet() : undefined;
    plan.rays.forEach((from, r) => {
      const to = r + 1 < plan.rays.length ? plan.rays[r + 1]! : plan.rays[0]! + 2 * Math.PI;
      layer.main(
        arc(radius, from, to),
        {
          class: kind,
          naming: ring === 0 ? 'boulevard' : 'street',
          oneway: false,
          limit: ring === 0 ? 50 : 60,
          houses: ring === 0 ? 'old' : 'grid',
        },
        whole,
      );
    });
  });
  for (const { angle, ring } of plan.shortRays) {
    layer.main(
      Array.from({ length: 24 }, (_, i) =>
        plan.warp(polar(plan.rings[ring - 1]! + ((plan.rings[ring]! - plan.rings[ring - 1]!) * i) / 23, angle)),
      ),
      { class: 'tertiary', naming: 'street', oneway: false, limit: 50, houses: 'grid' },
    );
  }
}

function marketPlace(plan: Plan): Spot[] {
  return [0, 1, 2, 3, 4].map((corner) => plan.warp(polar(64, plan.rays[0]! + 0.2 + (corner * Math.PI) / 2)));
}

/** Streets along both banks, as far as the town goes. */
function layEmbankments(layer: Layer): void {
  const { plan, terrain } = layer;
  const edge = Array.from({ length: 90 }, (_, i) => plan.warp(polar(plan.radius * 1.012, (i * 2 * Math.PI) / 90)));
  if (plan.rings.length === 1) return;
  for (const side of [1, -1]) {
    const line = offset(terrain.river.line, side * (terrain.river.width / 2 + 27));
    const road: RoadOf = { class: 'tertiary', naming: 'embankment', oneway: false, limit: 50, houses: 'flats' };
    for (const piece of cutWhere(
      line,
      (p) => !insidePolygon(p, edge) || terrain.toRiver(p) < terrain.river.width / 2 + 20,
    )) {
      if (!piece.apart && lengthOf(piece.line) > 60)
        layer.stretches.push({
          line: simplified(piece.line, 0.9),
          road: { ...road, street: layer.newStreet() },
          level: 0,
        });
    }
  }
}

/** Villages sit on the main roads outside; neighbours on dry ground are joined by a country road. */
function layVillages(layer: Layer, chance: Chance): Village[] {
  const { plan } = layer;
  if (plan.rings.length === 1) return [];
  const villages: Village[] = [];
  const sites = plan.rays.flatMap((angle, number) =>
    (number % 3 === 1 ? [1.95] : [1.62, 2.2]).map((far) => ({
      angle,
      far: plan.radius * (far + chance.between(-0.06, 0.06)),
    })),
  );
  for (const { angle, far } of sites) {
    const size = Math.min(340, plan.radius * 0.16) * chance.between(0.75, 1.15);
    const noise = noiseFrom(chance.whole(1e9));
    const place = (u: number, v: number): Spot => {
      const swing = 26 * noise(u / 170, v / 170) * Math.min(1, Math.abs(v) / 60);
      const along = polar(far + u + swing, angle);
      return plan.warp(towards(along, angle + Math.PI / 2, v));
    };
    villages.push({ middle: place(0, 0), radius: size * 1.1 });
    const road: RoadOf = { class: 'residential', naming: 'lane', oneway: false, limit: undefined, houses: 'village' };
    const lanes = Array.from(
      { length: 3 + chance.whole(3) },
      (_, i) => -size + (2 * size * (i + 0.5)) / 4 + chance.between(-20, 20),
    ).filter((u) => u < size);
    for (const u of lanes)
      layer.local(
        steps((t) => place(u, t), -size * chance.between(0.35, 0.95), size * chance.between(0.35, 0.95)),
        road,
      );
    for (const side of [-1, 1])
      if (chance.happens(0.75))
        layer.local(
          steps((t) => place(t, side * size * 0.36), lanes[0]! - 4, lanes[lanes.length - 1]! + 4),
          road,
        );
  }
  for (let r = 0; r < plan.rays.length; r++) {
    const from = plan.rays[r]!;
    const to = r + 1 < plan.rays.length ? plan.rays[r + 1]! : plan.rays[0]! + 2 * Math.PI;
    const wave = noiseFrom(chance.whole(1e9));
    const line = steps(
      (t) => plan.warp(polar(plan.radius * (1.88 + 0.16 * wave(t * 3, 0)), t)),
      from - 0.004,
      to + 0.004,
      60,
    );
    const bank = layer.terrain.river.width / 2 + 18;
    if (cutWhere(line, (p) => layer.terrain.toRiver(p) < bank || layer.terrain.isWater(p, 20)).length > 1) continue;
    layer.main(line, { class: 'tertiary', naming: 'highway', oneway: false, limit: 70 });
  }
  return villages;
}

function steps(at: (t: number) => Spot, from: number, to: number, parts = 20): Spot[] {
  return Array.from({ length: parts + 1 }, (_, i) => at(from + ((to - from) * i) / parts));
}

function layRailway(layer: Layer): void {
  const { terrain, stretches } = layer;
  const road: Road = { class: 'rail', naming: 'none', oneway: false, limit: undefined, street: 0 };
  if (terrain.railway.length === 0 || layer.plan.rings.length === 1) return;
  for (const piece of cutWhere(terrain.railway, (p) => terrain.toRiver(p) < terrain.river.width / 2 + 9)) {
    stretches.push(
      piece.apart
        ? { line: [piece.line[0]!, piece.line[piece.line.length - 1]!], road, level: 1 }
        : { line: simplified(piece.line, 0.6), road, level: 0 },
    );
  }
}
