import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Roads } from '../../../server/geo/territory/roads/index.ts';
import { wander } from '../../unit/geo/routing/drives.ts';
import { parked, sentOn } from '../../unit/geo/speeds/fleet-tracks.ts';
import { SEED, numbers } from '../../support/chance.ts';
import { CAPABILITIES } from '../../../shared/records/accounts.ts';
import {
  openDemoConsole,
  screenshot,
  enter,
  type DemoConsole,
  type RunningStation,
} from '../harness/console-harness.ts';

const HOUR = 3_600_000;
/** ms until the page asks again when nothing was waiting to be learned. */
const ASKED_AGAIN = 30_000;
let desk: DemoConsole;
let station: RunningStation;
let page: Page;

beforeAll(async () => {
  const environment = { WAYPOST_DEMO_SPEED: '0', TZ: 'UTC' };
  desk = await openDemoConsole({ environment }, (context) => context.clock.install());
  ({ station, page } = desk);
});
afterAll(() => desk?.close());

/**
 * Ten days of driving: two vehicles each go the same round some times a day, half as fast in the rush
 * hours, a little faster at night.
 */
async function driveForTenDays(): Promise<void> {
  const random = numbers(SEED);
  const territory = join(desk.data, 'territory');
  const roads = Roads.from(
    new Uint8Array(readFileSync(join(territory, readFileSync(join(territory, 'current'), 'utf8').trim(), 'roads.bin')))
      .buffer,
  );
  const vehicles = (await desk.ask<{ glonassId: number }[]>('GET', '/cars')).slice(0, 6);
  const slow = Float64Array.from({ length: roads.arcs }, () => 0.8 + 1.2 * random() * random());
  const records: object[] = [];
  const rounds: number[][] = [];
  while (rounds.length < 3) {
    const round = wander(roads, random, 60);
    if (round && new Set(round).size >= 45) rounds.push(round);
  }
  for (const [i, { glonassId }] of vehicles.entries()) {
    const arcs = rounds[i % rounds.length]!;
    for (let day = 1; day <= 10; day++) {
      for (const hour of [3, 8, 13, 17]) {
        const pace = [8, 17].includes(hour) ? 2 : hour === 3 ? 0.75 : 1;
        const { sent } = sentOn(roads, glonassId, arcs, random, {
          every: 10,
          noise: 4,
          start: Math.floor(Date.now() / 86_400_000 - day) * 86_400_000 + hour * HOUR,
          slowness: (arc) => pace * slow[arc]!,
        });
        records.push(
          ...[...sent, ...parked(sent.at(-1)!)].map(({ vehicle, ...fix }) => ({ glonassId: vehicle, ...fix })),
        );
      }
    }
  }
  for (let i = 0; i < records.length; i += 2000) await desk.ask('POST', '/telemetry', records.slice(i, i + 2000));
  await desk.ask('POST', '/speeds/rebuild');
}

test('a station that has seen little says what it needs, and offers no switch', async () => {
  await page.goto(`${station.address}/#/speeds`);
  await page.getByText('Nothing has been learned yet').waitFor();
  await page.getByText('driven from end to end 5 times on 2 different days').waitFor();
  expect(await page.getByRole('button', { name: 'Use learned speeds' }).count()).toBe(0);
  await screenshot(page, 'speeds-nothing-day-en');
});

test('what was driven shows by itself: effect in words, hours of the week, roads on the map', async () => {
  await driveForTenDays();
  await page.clock.fastForward(ASKED_AGAIN);
  await page.getByRole('heading', { name: 'Effect' }).waitFor({ timeout: 60_000 });
  await expect
    .poll(async () => (await desk.ask<{ waiting: number }>('GET', '/speeds')).waiting, { timeout: 60_000 })
    .toBe(0);
  await page.reload();
  await page.getByText(/Learned speeds reduce the error by \d+.?%/).waitFor();
  await page.getByText(/\d+ road directions in view/).waitFor();
  const coverage = await desk.ask<{ hours: { hour: number; share: number; passages: number }[] }>(
    'GET',
    '/speeds/coverage',
  );
  const cells = page.getByRole('gridcell');
  expect(await cells.count()).toBe(168);
  // Where the station knows nothing the cell is empty, and nowhere else.
  const shades = await cells.evaluateAll((all) => all.map((cell) => cell.classList.contains('shade-0')));
  expect(shades).toEqual(coverage.hours.map(({ share }) => share === 0));
  expect(
    shades.some((empty) => !empty),
    `seed ${SEED}`,
  ).toBe(true);
});

test('an hour is chosen by pointer and keys, and the map shows it', async () => {
  await page.getByRole('gridcell', { name: /^Mon 08:00/ }).click();
  await page.getByText('On the map: Mon 08:00').waitFor();
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('ArrowDown');
  await page.getByText('On the map: Tue 09:00').waitFor();
  expect(
    await page.getByRole('gridcell', { name: /^Tue 09:00/ }).evaluate((cell) => cell === document.activeElement),
  ).toBe(true);
  await page.getByRole('button', { name: 'Now' }).click();
  const { hour } = await desk.ask<{ hour: number }>('GET', '/speeds');
  await page
    .getByText(
      `On the map: ${['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'][Math.floor(hour / 24)]} ${String(hour % 24).padStart(2, '0')}:00`,
    )
    .waitFor();
});

test('the switch is asked about once, routes obey, and one press takes it back', async () => {
  await page.getByRole('button', { name: 'Use learned speeds' }).click();
  await page.getByRole('dialog').getByText('From the next request on').waitFor();
  await page.keyboard.press('Escape');
  expect((await desk.ask<{ on: boolean }>('GET', '/speeds')).on).toBe(false);
  await page.getByRole('button', { name: 'Use learned speeds' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Use learned speeds' }).click();
  await page.getByText('Routes and arrival times use learned speeds').waitFor();
  expect((await desk.ask<{ on: boolean; roadsInUse: number }>('GET', '/speeds')).roadsInUse).toBeGreaterThan(30);
  await screenshot(page, 'speeds-on-day-en');
  await page.getByRole('button', { name: /Undo/ }).first().click();
  await page.getByText('Routes and arrival times use map speeds').waitFor();
  expect((await desk.ask<{ on: boolean }>('GET', '/speeds')).on).toBe(false);
});

test('who may not edit, or only in some state, sees it all and switches nothing', async () => {
  const { state } = await desk.ask<{ state: { id: string } }>('POST', '/news/states', {
    name: 'New ones',
    field: 'status',
    sign: '=',
    value: '1',
  });
  const limited = await desk.ask<{ id: number }>('POST', '/rights', {
    name: 'Edits new ones',
    accesses: [{ capability_id: CAPABILITIES.indexOf('edit') + 1, states: [Number(state.id)] }],
  });
  const roles = await desk.ask<{ id: number; name: string }[]>('GET', '/rights');
  for (const [login, groupId] of [
    ['viktor', roles.find(({ name }) => name === 'Viewer')!.id],
    ['novice', limited.id],
  ] as const) {
    const other = await desk.browser.newContext({
      viewport: { width: 1280, height: 720 },
      locale: 'en-GB',
      timezoneId: 'UTC',
    });
    const looking = await other.newPage();
    await desk.ask('POST', '/users', { login, fio: login, password: 'a fine password', groupId });
    await enter(looking, station.address, login, 'a fine password');
    await looking.goto(`${station.address}/#/speeds`);
    await looking.getByRole('heading', { name: 'Coverage' }).waitFor();
    expect(await looking.getByRole('button', { name: /Use learned speeds|Learn again/ }).count(), login).toBe(0);
    await other.close();
  }
});

test('it reads in three palettes and two languages', async () => {
  await page.getByRole('gridcell', { name: /^Mon 17:00/ }).click();
  await page.mouse.move(2, 2);
  for (const language of ['en', 'ru']) {
    for (const palette of ['day', 'dusk', 'night']) {
      await expect
        .poll(() => page.evaluate(() => [document.documentElement.dataset['palette'], document.documentElement.lang]))
        .toEqual([palette, language]);
      await page.locator('main [role=status][aria-label=Loading]').first().waitFor({ state: 'hidden' });
      await screenshot(page, `speeds-${palette}-${language}`);
      await page.keyboard.press('p');
    }
    await page.keyboard.press('l');
  }
  expect(desk.faults()).toEqual([]);
});
