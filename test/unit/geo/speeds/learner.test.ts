import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import { drawTown } from '../../../town/draw-town.ts';
import { ArcKeys } from '../../../../server/geo/speeds/arc-keys.ts';
import { hourOfWeek } from '../../../../server/geo/speeds/hours.ts';
import { Roads, buildRoads, car } from '../../../../server/geo/territory/roads/index.ts';
import { wander, type TrueDrive } from '../routing/drives.ts';
import { SEED, numbers } from '../../../support/chance.ts';
import { FleetTracks, ZONE, parked, sentOn, type Sent } from './fleet-tracks.ts';

const DAY = 86_400_000;

function townOf(seed: number): Roads {
  return Roads.from(buildRoads(drawTown({ seed, nodes: 1_500 }), { profile: car }).bytes.buffer);
}

/** Drives of one vehicle, one after the other, with parking between them. */
function dayOf(
  roads: Roads,
  vehicle: number,
  random: () => number,
  start: number,
  drives: number,
  slowness?: (arc: number) => number,
): { sent: Sent[]; truths: TrueDrive[] } {
  const sent: Sent[] = [];
  const truths: TrueDrive[] = [];
  let at = start;
  while (truths.length < drives) {
    const arcs = wander(roads, random, 25);
    if (!arcs) continue;
    const one = sentOn(roads, vehicle, arcs, random, {
      every: 2 + Math.floor(random() * 6),
      noise: 4,
      start: at,
      ...(slowness && { slowness }),
    });
    sent.push(...one.sent, ...parked(one.sent.at(-1)!));
    truths.push(one.truth);
    at = sent.at(-1)!.time + 600_000;
  }
  return { sent, truths };
}

const sorted = ({ arcs, tenths }: { arcs: Uint32Array; tenths: Uint32Array }) =>
  [...arcs].map((arc, i) => [arc, tenths[i]]).sort(([a], [b]) => a! - b!);
const shuffled = <T>(values: readonly T[], random: () => number): T[] =>
  values
    .map((value) => [random(), value] as const)
    .sort(([a], [b]) => a - b)
    .map(([, value]) => value);

test('however positions come (late, twice, in pieces, over restarts), each passage counts once, as if all had come at once', async () => {
  const random = numbers(SEED);
  const roads = townOf(1 + (SEED % 50));
  const fleets = [new FleetTracks(roads), new FleetTracks(roads)] as const;
  const [all, bitByBit] = fleets;
  const start = all.now - DAY;
  const sent = [1, 2, 3, 4].map((vehicle) => dayOf(roads, vehicle, random, start - vehicle * DAY, 8).sent);
  await all.send(sent.flat());
  all.learn();
  // Black boxes: pieces of tracks come in any order, some of them twice.
  const pieces = sent.flatMap((track) => {
    const cut: Sent[][] = [];
    for (let i = 0; i < track.length;) {
      const size = 20 + Math.floor(random() * 200);
      cut.push(track.slice(i, i + size));
      i += size;
    }
    return cut;
  });
  for (const piece of shuffled([...pieces, ...pieces.filter(() => random() < 0.3)], random)) {
    await bitByBit.send(piece);
    if (random() < 0.7) bitByBit.learn();
    if (random() < 0.15) bitByBit.restart();
  }
  bitByBit.learn();
  const expected = all.passages();
  expect(expected.length, `seed ${SEED}`).toBeGreaterThan(150);
  expect(bitByBit.passages(), `seed ${SEED}`).toEqual(expected);
  // What was learned is what the book says, however it came about.
  const hour = hourOfWeek(start, ZONE);
  const summed = sorted(bitByBit.learner.speeds(hour)!);
  expect(summed.length, `seed ${SEED}`).toBeGreaterThan(10);
  bitByBit.restart();
  expect(sorted(bitByBit.learner.speeds(hour)!)).toEqual(summed);
  for (const fleet of fleets) await fleet.close();
});

test('learned times are those that were driven, and estimates made by them before a drive are nearer to it than those by the profile', async () => {
  const random = numbers(SEED + 1);
  const roads = townOf(60 + (SEED % 50));
  const fleet = new FleetTracks(roads);
  // Nothing goes as the profile says: each road takes from 0.8 to 3 times as long.
  const pace = Float64Array.from({ length: roads.arcs }, () => 0.8 + 2.2 * random());
  const start = fleet.now - 5 * DAY;
  const corridor = wander(roads, random, 1)!;
  while (corridor.length < 60) {
    const next = wander(roads, random, 60);
    if (next) corridor.splice(0, Infinity, ...next);
  }
  for (let day = 0; day < 4; day++) {
    for (let vehicle = 1; vehicle <= 4; vehicle++) {
      const sent = [0, 1].flatMap((again) => {
        const one = sentOn(roads, vehicle, corridor, random, {
          every: 3,
          noise: 4,
          start: start + day * DAY + again * 3 * 3_600_000,
          slowness: (arc) => pace[arc]!,
        });
        return [...one.sent, ...parked(one.sent.at(-1)!)];
      });
      await fleet.send(sent);
      fleet.learn();
    }
  }
  const keys = new ArcKeys(roads);
  const speeds = fleet.learner.speeds(hourOfWeek(start + 3_600_000, ZONE))!;
  const learned = new Map([...speeds.arcs].map((arc, i) => [keys.key(arc), speeds.tenths[i]!]));
  const { free, metres } = freeOf(roads);
  let off = 0;
  let driven = 0;
  let missed = 0;
  // The longer the road, the less a few metres of error at its ends tell.
  for (const arc of new Set(corridor.slice(2, -2))) {
    const known = learned.get(keys.key(arc));
    if (known === undefined) missed += metres[arc]!;
    else off += Math.abs(known - free[arc]! * pace[arc]!);
    driven += known === undefined ? 0 : free[arc]! * pace[arc]!;
  }
  expect(
    missed / corridor.reduce((sum, arc) => sum + metres[arc]!, 0),
    `seed ${SEED}: share of the way of which nothing was learned`,
  ).toBeLessThan(0.1);
  expect(off / driven, `seed ${SEED}: mean error of learned times`).toBeLessThan(0.12);
  const effect = fleet.learner.effect(start);
  expect(effect.drives).toBe(32);
  expect(effect.judged, `seed ${SEED}`).toBeGreaterThan(12);
  expect(effect.learnedError, `seed ${SEED}: against ${effect.usualError} s`).toBeLessThan(effect.usualError / 4);
  await fleet.close();
});

function freeOf(roads: Roads) {
  const free = new Int32Array(roads.arcs);
  const { pieceForward, pieceBackward, segmentFirst } = roads.columns;
  for (let arc = 0; arc < roads.arcs; arc++) {
    for (let i = segmentFirst[arc >> 1]!; i < segmentFirst[(arc >> 1) + 1]! - 1; i++)
      free[arc]! += (arc & 1 ? pieceBackward : pieceForward)[i]!;
  }
  return { free, metres: roads.arcMetres };
}

test('fewer than five passages, or all on one day, are not enough', async () => {
  const random = numbers(SEED + 2);
  const roads = townOf(3);
  const arcs = Array.from({ length: 100 }, () => wander(roads, random, 30)).find(
    (found) => found && new Set(found).size === found.length,
  )!;
  // Without noise: a position that is taken for one on another road would be a passage more there.
  const fleet = new FleetTracks(roads);
  const passing = async (vehicle: number, start: number): Promise<number> => {
    const { sent } = sentOn(roads, vehicle, arcs, random, { every: 2, noise: 0, start });
    await fleet.send([...sent, ...parked(sent.at(-1)!)]);
    fleet.learn();
    return fleet.learner.facts().roads;
  };
  const noon = fleet.now - 3 * DAY;
  for (let vehicle = 1; vehicle <= 8; vehicle++) expect(await passing(vehicle, noon)).toBe(0);
  expect(await passing(1, noon + DAY)).toBeGreaterThan(arcs.length / 2);
  const other = new FleetTracks(roads);
  await fleet.close();
  for (const day of [1, 2]) {
    for (const vehicle of [1, 2]) {
      const { sent } = sentOn(roads, vehicle, arcs, random, { every: 2, noise: 0, start: noon + day * DAY });
      await other.send([...sent, ...parked(sent.at(-1)!)]);
      other.learn();
    }
  }
  expect(other.learner.facts()).toMatchObject({ roads: 0 });
  expect(other.learner.facts().passages).toBeGreaterThan(0);
  await other.close();
});

test('what was learned stays with the roads that an import leaves as they were', async () => {
  const random = numbers(SEED + 3);
  const town = drawTown({ seed: 5, nodes: 1_500 });
  const roads = Roads.from(buildRoads(town, { profile: car }).bytes.buffer);
  const fleet = new FleetTracks(roads);
  const arcs = Array.from({ length: 100 }, () => wander(roads, random, 30)).find(
    (found) => found && new Set(found).size === found.length,
  )!;
  for (const day of [1, 2, 3]) {
    for (const vehicle of [1, 2]) {
      const { sent } = sentOn(roads, vehicle, arcs, random, { every: 2, noise: 2, start: fleet.now - day * DAY });
      await fleet.send([...sent, ...parked(sent.at(-1)!)]);
    }
  }
  fleet.learn();
  const hour = hourOfWeek(fleet.now - DAY, ZONE);
  const before = fleet.learner.speeds(hour)!;
  const others = Roads.from(buildRoads(drawTown({ seed: 6, nodes: 1_500 }), { profile: car }).bytes.buffer);
  fleet.settle(others);
  fleet.restart();
  expect(fleet.learner.speeds(hour)).toBeUndefined();
  fleet.settle(roads);
  fleet.restart();
  const after = fleet.learner.speeds(hour)!;
  expect(sorted(after)).toEqual(sorted(before));
  await fleet.close();
});

test('after eight days nobody can tell who drove, what was learned stays; after half a year it is forgotten', async () => {
  const random = numbers(SEED + 4);
  const roads = townOf(8);
  const fleet = new FleetTracks(roads);
  const { sent } = dayOf(roads, 7, random, fleet.now - DAY, 3);
  await fleet.send(sent);
  fleet.learn();
  const before = fleet.passages();
  const drivers = () => {
    const db = new DatabaseSync(join(fleet.directory, 'speeds.db'), { readOnly: true });
    const found = ['passages', 'drives'].flatMap((table) =>
      db
        .prepare(`SELECT DISTINCT vehicle FROM ${table}`)
        .all()
        .map((row) => row['vehicle']),
    );
    db.close();
    return [...new Set(found)];
  };
  const tidy = (): void => {
    for (const step of fleet.learner.tidy(fleet.now)) void step;
  };
  tidy();
  expect(drivers()).toEqual([7]);
  fleet.now += 9 * DAY;
  tidy();
  expect(drivers()).toEqual([0]);
  expect(fleet.passages()).toEqual(before);
  // A point that comes later still takes nothing back.
  await fleet.send([{ ...sent[10]!, time: sent[10]!.time + 1 }]);
  fleet.learn();
  expect(fleet.passages()).toEqual(before);
  fleet.now += 180 * DAY;
  tidy();
  expect(fleet.passages()).toEqual([]);
  await fleet.close();
});
