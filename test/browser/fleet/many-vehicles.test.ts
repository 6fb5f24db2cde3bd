import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { PROGRAM } from '../../support/program.ts';
import { launchChromium } from '../harness/chromium.ts';
import { times } from '../../support/long.ts';
import {
  ROOT,
  screenshot,
  copyDemo,
  enter,
  startStationProcess,
  watchForFaults,
  type RunningStation,
} from '../harness/console-harness.ts';

/** All of them drive, and send a position each second; in the long form as many as the interface promises. */
const VEHICLES = times(2_000, 5_000);
const MANY = VEHICLES.toLocaleString('en-GB');
const data = mkdtempSync(join(tmpdir(), 'waypost-many-'));
let station: RunningStation;
let drivers: ChildProcess;
let browser: Browser;
let page: Page;
let faults: () => string[];

beforeAll(async () => {
  await copyDemo(data);
  [station, browser] = await Promise.all([
    // The demo's own vehicles stand still: the simulator alone moves what is on the map.
    startStationProcess(['--demo'], { WAYPOST_ADMIN_PASSWORD: 'admin-admin', WAYPOST_DEMO_SPEED: '0' }, data),
    launchChromium(),
  ]);
  await driving();
  const context = await browser.newContext({
    viewport: { width: 1920, height: 1080 },
    locale: 'en-GB',
    colorScheme: 'light',
  });
  faults = watchForFaults(context, station.address);
  page = await context.newPage();
  await enter(page, station.address, 'dispatcher', 'dispatcher');
  await page.locator('.light[data-level=good]').waitFor();
});
afterAll(async () => {
  drivers?.kill('SIGKILL');
  await browser?.close();
  await station?.stop(false);
  rmSync(data, { recursive: true, force: true });
});

/** Starts the simulator in a process of its own and waits until it says that all drive. */
async function driving(): Promise<void> {
  drivers = spawn(process.execPath, [PROGRAM, 'simulate', '--vehicles', String(VEHICLES), '--data', data], {
    cwd: ROOT,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let text = '';
  await new Promise<void>((resolve, reject) => {
    drivers.once('exit', (code) => reject(new Error(`The simulator ended with ${code}:\n${text}`)));
    const listen = (chunk: Buffer) => {
      text += chunk.toString();
      if (text.includes(`${VEHICLES} vehicles drive`)) resolve();
    };
    drivers.stdout!.on('data', listen);
    drivers.stderr!.on('data', listen);
  });
}

/** Where the map was moved to, in pixels of the screen from where it opened. */
const movedTo = () =>
  page
    .locator('.map .leaflet-map-pane')
    .evaluate((pane) => new DOMMatrix(getComputedStyle(pane).transform))
    .then(({ m41, m42 }) => ({ x: Math.round(m41), y: Math.round(m42) }));

const drawnVehicles = () =>
  page
    .locator('.map .leaflet-pane canvas')
    .evaluateAll((layers) => layers.map((layer) => (layer as HTMLCanvasElement).toDataURL()).join());

/** Waits for more changes of the picture than vehicles make that stand still: these fade once. */
async function goOnDriving(): Promise<void> {
  for (let changes = 0; changes < 5; changes++) {
    const before = await drawnVehicles();
    await expect.poll(drawnVehicles).not.toBe(before);
  }
}

test('the map shows all vehicles driving, and follows the pointer while it is dragged', async () => {
  await expect
    .poll(() =>
      page
        .locator('.panel')
        .filter({ has: page.getByRole('heading', { name: 'Vehicles' }) })
        .locator('.count')
        .textContent(),
    )
    .toMatch(new RegExp(`of ${MANY} free`));
  await goOnDriving();

  const box = (await page.locator('.map').boundingBox())!;
  // Beside the town: a vehicle under the pointer would be carried, and the map would stay.
  const [x, y] = [box.x + 180, box.y + 130];
  await page.mouse.move(x, y);
  await expect.poll(() => page.locator('.map').evaluate((map: HTMLElement) => map.style.cursor)).toBe('');
  await page.mouse.down();
  const start = await movedTo(); // from now on nothing but the pointer moves the map
  for (let step = 1; step <= 60; step++) {
    const [right, down] = [Math.round(160 * Math.sin(step / 8)), Math.round(100 * Math.sin(step / 9))];
    await page.mouse.move(x + right, y + down);
    if (step % 20 === 0) await expect.poll(movedTo).toEqual({ x: start.x + right, y: start.y + down });
  }
  await goOnDriving();
  await page.mouse.up();
  await screenshot(page, 'many-vehicles-board');
  // `npm run bench frames` counts the frames.
});

test('the list of all vehicles is sorted and filtered before one looks up', async () => {
  await page.getByRole('link', { name: 'Vehicles' }).click();
  const grid = page.getByRole('grid', { name: 'Vehicles' });
  await grid.waitFor();
  await expect.poll(() => grid.getAttribute('aria-rowcount')).toBe(String(VEHICLES + 1));
  expect(await grid.getByRole('row').count()).toBeLessThan(80); // only what is in sight is in the page
  await screenshot(page, 'many-vehicles-list');
  const first = (column: number) => grid.getByRole('row').nth(1).getByRole('gridcell').nth(column).textContent();

  const sorted: string[] = [];
  for (const column of ['Plate', 'Group', 'Drivers', 'Speed', 'Last seen', 'Call sign'])
    sorted.push(`${column} ${(await timed('sort', column)).toFixed(0)} ms`);
  expect(await first(0)).toMatch(/\d/);
  await grid.getByRole('button', { name: 'Speed' }).click();
  await grid.getByRole('button', { name: 'Speed' }).click();
  await expect.poll(async () => Number.parseInt((await first(6)) ?? '')).toBeGreaterThan(20);

  const filtered: string[] = [];
  for (const text of ['1', '19', '199', '1999', ''])
    filtered.push(`“${text}” ${(await timed('filter', text)).toFixed(0)} ms`);
  const name = 'Simulated 1321'; // as the simulator calls those that it makes
  await page.getByPlaceholder(/Call sign/).fill(name);
  await expect.poll(() => grid.getByRole('row').count()).toBeLessThan(30);
  const found = await grid.getByRole('row').locator('.name').allTextContents();
  expect(found).toContain(name);
  expect(found.filter((other) => !name.split(' ').every((word) => other.includes(word)))).toEqual([]);
  console.log(
    `${MANY} rows, from the press to the new picture (100 ms are allowed): ${[...sorted, ...filtered].join(', ')}.`,
  );
  expect(faults()).toEqual([]);
});

/**
 * Milliseconds from a press, or a letter, to the picture that shows what came of it; the better of two, since
 * others work on this machine.
 */
async function timed(what: 'sort' | 'filter', text: string): Promise<number> {
  const once = () =>
    page.evaluate(
      async ([kind, wanted]) => {
        const began = performance.now();
        if (kind === 'sort')
          [...document.querySelectorAll<HTMLElement>('[role=columnheader] button')]
            .find((button) => button.textContent?.includes(wanted!))!
            .click();
        else {
          const field = document.querySelector<HTMLInputElement>('input[type=search]')!;
          field.value = wanted!;
          field.dispatchEvent(new Event('input'));
        }
        await new Promise<void>((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
        return performance.now() - began;
      },
      [what, text],
    );
  return Math.min(await once(), await once());
}
