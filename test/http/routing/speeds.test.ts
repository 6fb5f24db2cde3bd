import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ZonedTime } from '../../../shared/zoned-time.ts';
import { hourOfWeek } from '../../../server/geo/speeds/hours.ts';
import { Roads } from '../../../server/geo/territory/roads/index.ts';
import { drive, wander } from '../../unit/geo/routing/drives.ts';
import { parked, sentOn } from '../../unit/geo/speeds/fleet-tracks.ts';
import { SEED, numbers } from '../../support/chance.ts';
import { tryStation } from '../try-station.ts';
import type { TryStation } from '../try-station.ts';

const DAY = 86_400_000;
let at: TryStation;
let admin: string;
let viewer: string;
let roads: Roads;
/** A stretch of one road, which is driven in three times the time that the profile says. */
let way: { from: string; to: string };

beforeAll(async () => {
  at = await tryStation({ demo: true, demoSpeed: 0 });
  admin = at.station.accounts.grantControl();
  viewer = (await at.newUser('viktor', 'Viewer')).token;
  const territory = join(at.directory, 'territory');
  roads = Roads.from(
    new Uint8Array(readFileSync(join(territory, readFileSync(join(territory, 'current'), 'utf8').trim(), 'roads.bin')))
      .buffer,
  );
});
afterAll(() => at.stop());

const status = async () => (await at.ask('GET', '/speeds', { as: viewer })).json();
const turn = async (on: boolean) => {
  const answered = await at.ask('PUT', '/speeds', { as: admin, body: { on } });
  expect(answered.status, answered.text).toBe(200);
  return answered.json();
};
const route = async (where: TryStation = at) =>
  (await where.ask('GET', `/viaroute?loc=${way.from}&loc=${way.to}&compression=false`)).json();

/** Cars of the town drive over the same roads on three days. */
async function driveAbout(): Promise<void> {
  const random = numbers(SEED);
  const vehicles: { id: number; glonassId: number }[] = (await at.ask('GET', '/cars', { as: admin })).json();
  const devices = vehicles.slice(0, 3).map(({ glonassId }) => glonassId);
  let arcs: number[] | undefined;
  while (!arcs || new Set(arcs).size < 40) arcs = wander(roads, random, 40);
  const longest = arcs
    .slice(2, -2)
    .reduce((best, arc) => (roads.arcMetres[arc]! > roads.arcMetres[best]! ? arc : best));
  const { fixes } = drive(roads, [longest], random, { every: 1, noise: 0, slowness: () => 3 });
  const [from, to] = [0.1, 0.9]
    .map((share) => fixes[Math.floor(fixes.length * share)]!)
    .map(({ lat, lon }) => `${lat.toFixed(6)},${lon.toFixed(6)}`);
  way = { from: from!, to: to! };
  for (const day of [1, 2, 3]) {
    for (const glonassId of devices) {
      const { sent } = sentOn(roads, glonassId, arcs, random, {
        every: 5,
        noise: 4,
        start: Math.floor((Date.now() - day * DAY) / 1000) * 1000 - 1_800_000,
        slowness: () => 3,
      });
      const body = [...sent, ...parked(sent.at(-1)!)].map(({ vehicle, ...fix }) => ({ glonassId: vehicle, ...fix }));
      const answered = await at.ask('POST', '/telemetry', { as: admin, body });
      expect(answered.json().accepted, answered.text).toBe(body.length);
    }
  }
}

test('nothing is learned and nothing is on at first, and empty answers are whole', async () => {
  expect(await status()).toMatchObject({
    on: false,
    switchedBy: null,
    roadsInUse: 0,
    roads: 0,
    enough: { passages: 5, days: 2 },
    zone: ZonedTime.here().zone,
    hour: hourOfWeek(Date.now(), ZonedTime.here()),
  });
  const coverage = (await at.ask('GET', '/speeds/coverage', { as: viewer })).json();
  expect(coverage.metres).toBeGreaterThan(10_000);
  expect(coverage.hours).toHaveLength(168);
  expect(coverage.knownShare).toBe(0);
  expect((await at.ask('GET', '/speeds/roads?bounds=-180,-90,180,90', { as: viewer })).json()).toMatchObject({
    type: 'FeatureCollection',
    features: [],
    complete: true,
  });
  expect((await at.ask('GET', '/speeds/effect', { as: viewer })).json()).toMatchObject({
    judged: 0,
    usualError: 0,
    learnedError: 0,
  });
});

test('invalid queries are refused with a reason; switching and rebuilding need the capability to edit', async () => {
  for (const [path, field] of [
    ['/speeds/roads', 'bounds'],
    ['/speeds/roads?bounds=1,2,3', 'bounds'],
    ['/speeds/roads?bounds=3,2,1,4', 'bounds'],
    ['/speeds/roads?bounds=1,2,3,x', 'bounds'],
    ['/speeds/roads?bounds=1,2,3,4&hour=168', 'hour'],
    ['/speeds/roads?bounds=1,2,3,4&hour=-1', 'hour'],
    ['/speeds/roads?bounds=1,2,3,4&limit=-1', 'limit'],
  ] as const) {
    const answered = await at.ask('GET', path, { as: viewer });
    expect(answered.status, path).toBe(400);
    expect(answered.text, path).toContain(field);
  }
  expect((await at.ask('PUT', '/speeds', { as: admin, body: { on: 'perhaps' } })).text).toContain('on');
  for (const [method, path] of [
    ['PUT', '/speeds'],
    ['POST', '/speeds/rebuild'],
  ] as const) {
    expect((await at.ask(method, path, { as: viewer, body: { on: true } })).status).toBe(403);
    expect((await at.ask(method, path, { body: { on: true } })).status).toBe(401);
  }
  expect((await status()).on).toBe(false);
});

test('speeds of several days are learned; routes use them while they are switched on, and say so', async () => {
  await driveAbout();
  const before = await route();
  const table = `/table?loc=${way.from}&loc=${way.to}`;
  const tableBefore = (await at.ask('GET', table)).text;
  await at.ask('POST', '/speeds/rebuild', { as: admin });
  await expect
    .poll(
      async () => {
        const { roads: known, waiting } = await status();
        return waiting === 0 && known > 20;
      },
      { timeout: 60_000, interval: 200 },
    )
    .toBe(true);
  expect(await route()).toEqual(before);
  const on = await turn(true);
  expect(on).toMatchObject({ on: true, switchedBy: expect.any(Number), switchedAt: expect.any(Number) });
  expect(on.roadsInUse).toBeGreaterThan(20);
  const slow = await route();
  expect(slow.learned_speeds).toBe(true);
  expect(slow.route_summary.total_time, `seed ${SEED}`).toBeGreaterThan(before.route_summary.total_time * 1.5);
  expect((await at.ask('GET', table)).text).not.toBe(tableBefore);
  await turn(false);
  expect(await route()).toEqual(before);
  expect((await at.ask('GET', table)).text).toBe(tableBefore);
  expect(before).not.toHaveProperty('learned_speeds');
});

test('closures lie on top of learned speeds and are named, and lifting them restores the learned way', async () => {
  await turn(true);
  const learned = await route();
  const [lat, lon] = learned.route_geometry[Math.floor(learned.route_geometry.length / 2)];
  const closure = (
    await at.ask('POST', '/closures', {
      as: admin,
      body: { name: 'Slow', factor: 0.05, geometry: { type: 'Point', coordinates: [lon, lat] } },
    })
  ).json();
  const closed = await route();
  expect(closed.closures).toEqual([closure.id]);
  expect(closed.learned_speeds).toBe(true);
  expect(closed.route_summary.total_time).toBeGreaterThan(learned.route_summary.total_time);
  await at.ask('DELETE', `/closures/${closure.id}`, { as: admin });
  expect(await route()).toEqual(learned);
});

test('roads to draw, coverage and effect tell the same story', async () => {
  const { features, hour } = (await at.ask('GET', '/speeds/roads?bounds=-180,-90,180,90', { as: viewer })).json();
  expect(hour).toBe((await status()).hour);
  expect(features.length).toBe((await turn(true)).roadsInUse);
  const slower = features.filter(
    ({ properties }: { properties: { speed: number; usualSpeed: number } }) =>
      properties.speed < properties.usualSpeed / 2,
  );
  expect(slower.length, `seed ${SEED}`).toBeGreaterThan(features.length * 0.7);
  // A way that turns in a street passes that one twice in each drive.
  const once = features.filter(({ properties }: { properties: { passages: number } }) => properties.passages === 9);
  expect(once.length, `seed ${SEED}`).toBeGreaterThan(features.length * 0.7);
  const limited = await at.ask('GET', '/speeds/roads?bounds=-180,-90,180,90&limit=1', { as: viewer });
  expect(limited.json().features).toHaveLength(1);
  const coverage = (await at.ask('GET', '/speeds/coverage', { as: viewer })).json();
  expect(coverage.knownShare).toBeGreaterThan(0);
  const effect = (await at.ask('GET', '/speeds/effect', { as: viewer })).json();
  expect(effect.drives).toBe(9);
  // Two days are needed before anything is known: the drives of the third are judged by it.
  expect(effect.judged).toBeGreaterThan(0);
  expect(effect.learnedError, `seed ${SEED}`).toBeLessThan(effect.usualError / 3);
});

test('a station that starts again goes by learned speeds from its first answer', async () => {
  await turn(true);
  const before = await route();
  const data = at.directory;
  await at.station.stop();
  at = await tryStation({ demo: true, demoSpeed: 0, data });
  expect(await route()).toEqual(before);
  admin = at.station.accounts.grantControl();
  viewer = await at.signIn('viktor', 'a fine password');
  expect(await status()).toMatchObject({ on: true });
});
