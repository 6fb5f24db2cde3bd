import { fileURLToPath } from 'node:url';
import type { BrowserContext, Locator, Page } from 'playwright';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { PATIENCE as OF_THE_MACHINE } from '../../support/patience.ts';
import {
  openDemoConsole,
  screenshot,
  enter,
  startStationProcess,
  type DemoConsole,
  type RunningStation,
} from '../harness/console-harness.ts';
import { intercept } from '../harness/intercept.ts';

/** The machine of a test may be busy. */
const PATIENCE = { timeout: Math.max(20_000, OF_THE_MACHINE) };

let desk: DemoConsole;
let station: RunningStation;
let context: BrowserContext;
let page: Page;

beforeAll(async () => {
  desk = await openDemoConsole({ standsStill: true, viewport: { width: 1280, height: 720 }, acceptDownloads: true });
  ({ station, context, page } = desk);
});
afterAll(() => desk?.close());

const side = () => page.locator('main.routes .side');
/** A point of the map's picture, as shares of its width and height. */
async function at(x: number, y: number): Promise<[number, number]> {
  const box = (await page.locator('main.routes .leaflet-container').boundingBox())!;
  return [box.x + box.width * x, box.y + box.height * y];
}
async function click(x: number, y: number): Promise<void> {
  await page.mouse.click(...(await at(x, y)));
}
async function open(view: string): Promise<void> {
  await page.goto(`${station.address}/#/routes${view && `?view=${view}`}`);
  await side().locator('.panel').waitFor(); // the board has a map, too
}
interface PlannedRoute {
  readonly id: number;
  readonly name: string;
  readonly points: readonly { readonly arriveAfter: number | null }[];
  readonly line: { readonly coordinates: readonly unknown[] };
  readonly carsIds: readonly number[];
}
const planned = (): Promise<PlannedRoute[]> =>
  page.evaluate(async () => (await fetch('/routes')).json() as Promise<PlannedRoute[]>);
const ways = (): Locator => side().getByRole('radiogroup', { name: 'Alternative routes' }).getByRole('radio');
const steps = (): Locator => side().locator('.steps li');

test('a route is planned by two clicks, with its times, its instructions, and a hint on the map for each', async () => {
  await open('');
  await click(0.46, 0.4);
  await click(0.56, 0.62);
  await ways().first().waitFor();
  expect(await ways().first().textContent()).toMatch(/\d+ (sec|min).*(km|m)arrives \d\d:\d\d/);
  await steps()
    .first()
    .getByText(/^Head /)
    .waitFor();
  await steps().last().getByText('You have arrived').waitFor();
  // the clicked place has got its street
  await expect.poll(() => side().getByLabel('Start', { exact: true }).inputValue(), PATIENCE).toMatch(/\p{L}/u);
  const drawn = () =>
    page.locator('.leaflet-overlay-pane canvas').evaluate((canvas: HTMLCanvasElement) => canvas.toDataURL());
  const before = await drawn();
  await steps().nth(1).locator('button').hover();
  await expect.poll(async () => (await drawn()) === before, PATIENCE).toBe(false);
  const pointed = await drawn();
  await page.mouse.move(700, 20);
  await expect.poll(async () => (await drawn()) === pointed, PATIENCE).toBe(false);
  await screenshot(page, 'routes-route-1280-day-en');
});

test('the way is pulled over another place, follows the hand, and the new stop can be moved by keys', async () => {
  const asked: string[] = [];
  page.on('request', (request) => request.url().includes('/viaroute') && asked.push(request.url()));
  const marks = page.locator('.stop-mark');
  const count = await marks.count();
  // Somewhere along the way the grip appears under the pointer.
  const [first, last] = [(await marks.first().boundingBox())!, (await marks.last().boundingBox())!];
  const grip = page.locator('.way-grip');
  search: for (let share = 0.25; share <= 0.75; share += 0.05) {
    for (let aside = -160; aside <= 160; aside += 6) {
      const [dx, dy] = [last.x - first.x, last.y - first.y];
      const length = Math.hypot(dx, dy);
      await page.mouse.move(
        first.x + 13 + dx * share - (dy / length) * aside,
        first.y + 13 + dy * share + (dx / length) * aside,
      );
      if (await grip.count()) break search;
    }
  }
  const held = (await grip.boundingBox())!;
  await page.mouse.move(held.x + 12, held.y + 12);
  await page.mouse.down();
  asked.length = 0;
  for (let step = 1; step <= 12; step++) await page.mouse.move(held.x + 12 + step * 8, held.y + 12 - step * 5);
  // before it is released
  await expect.poll(() => asked.some((address) => (address.match(/loc=/g) ?? []).length === 3), PATIENCE).toBe(true);
  await page.mouse.up();
  await expect.poll(() => marks.count(), PATIENCE).toBe(count + 1);
  await side().getByLabel('Stop 1', { exact: true }).waitFor();
  await side()
    .getByText(/^Stop 1/, { exact: false })
    .last()
    .waitFor();
  const [start, via] = [
    await side().getByLabel('Start', { exact: true }).inputValue(),
    await side().getByLabel('Stop 1', { exact: true }).inputValue(),
  ];
  await side()
    .getByRole('button', { name: /^Start: drag/ })
    .focus();
  await page.keyboard.press('ArrowDown');
  await expect.poll(() => side().getByLabel('Stop 1', { exact: true }).inputValue(), PATIENCE).toBe(start);
  expect(via).not.toBe('');
  await side().getByRole('button', { name: 'Remove: Stop 1' }).click();
  await expect.poll(() => marks.count(), PATIENCE).toBe(count);
});

test('a route goes out as a GPX file and comes back by its link', async () => {
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    side().getByRole('button', { name: 'GPX file' }).click(),
  ]);
  expect(download.suggestedFilename()).toBe('route.gpx');
  const chunks: Buffer[] = [];
  for await (const chunk of await download.createReadStream()) chunks.push(chunk as Buffer);
  expect(
    Buffer.concat(chunks)
      .toString()
      .match(/<trkpt /g)!.length,
  ).toBeGreaterThan(5);
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await side().getByRole('button', { name: 'Copy the link' }).click();
  await page.getByText('The link to this route is copied.').waitFor();
  const link = await page.evaluate(() => navigator.clipboard.readText());
  const total = await ways().first().locator('.time').textContent();
  const other = await context.newPage();
  await other.goto(link);
  await expect.poll(() => other.locator('.drives .time').first().textContent(), PATIENCE).toBe(total);
  await other.close();
});

test('a vehicle and an address are found by their names, a search that finds nothing leaves the place', async () => {
  await side().getByRole('button', { name: 'Clear' }).click();
  await side().getByLabel('Start', { exact: true }).fill('medic');
  await side().getByRole('option', { name: /Medic/ }).first().click();
  await side().getByLabel('Destination', { exact: true }).fill('hon');
  await side().getByRole('option', { name: /Honey/ }).first().click();
  await ways().first().waitFor();
  await steps().last().getByText('You have arrived').waitFor();
  expect(await page.locator('.stop-start.leaflet-marker-draggable').count()).toBe(0); // a vehicle is where it is
});

test('a closure set on the planned route is obeyed at once, named, shown before and after, on the board too; lifted, and taken back', async () => {
  await open('');
  await side().getByRole('button', { name: 'Clear' }).click();
  const routed = page.waitForResponse((response) => response.url().includes('/viaroute'));
  await click(0.46, 0.4);
  await click(0.56, 0.62);
  const { pixel, total } = await middleOfWay(new URL((await routed).url()));
  await open('closures');
  await side().getByRole('button', { name: 'New closure' }).click();
  await side().getByRole('button', { name: 'Save' }).click();
  await side().getByText('Draw the closure on the map.').waitFor();
  await side().getByRole('radio', { name: 'Point' }).click();
  await page.mouse.click(...pixel);
  await side().getByLabel('Name').fill('Burst pipe');
  await page.keyboard.press('Control+Enter');
  await page.getByText('Closure in force: Burst pipe').waitFor();
  await side()
    .getByText(/One closure changes the route/)
    .waitFor();
  await side()
    .getByText(/Before the closures changed/)
    .waitFor();
  await screenshot(page, 'routes-closures-1280-day-en');
  await page.goto(`${station.address}/#/`);
  await page.locator('.closure-mark').first().waitFor(); // it is on the board, too
  await open('');
  await side().getByRole('button', { name: 'Burst pipe' }).click();
  expect(await side().getByLabel('Name').inputValue()).toBe('Burst pipe');
  await page.keyboard.press('Escape');
  await side().getByRole('button', { name: 'Lift', exact: true }).click();
  await page.getByText('Closure lifted: Burst pipe').waitFor();
  await expect.poll(() => page.locator('.closure-mark').count(), PATIENCE).toBe(0);
  await open('');
  await expect
    .poll(
      () =>
        side()
          .getByText(/One closure changes the route/)
          .count(),
      PATIENCE,
    )
    .toBe(0);
  expect(await ways().first().locator('.time').textContent()).toBe(total);
  await page.keyboard.press('u');
  await page.getByText('Undone: Closure lifted: Burst pipe').waitFor();
  await side()
    .getByText(/One closure changes the route/)
    .waitFor();
});

/** Where the middle of a planned way is on the screen: a stop is put there for a moment, by a link. */
async function middleOfWay(asked: URL): Promise<{ pixel: [number, number]; total: string }> {
  asked.searchParams.set('compression', 'false');
  const answer = (await (await context.request.get(asked.href)).json()) as { route_geometry: [number, number][] };
  const [start, goal] = asked.searchParams.getAll('loc');
  // start and goal may lie on closed roads
  const middle = middleOfLongest(answer.route_geometry.slice(1, -1)).join(',');
  await page.goto(`${station.address}/#/routes?via=${start};${middle};${goal}`);
  const mark = page.locator('.stop-mark').getByText('1', { exact: true });
  await mark.waitFor();
  await expect.poll(() => page.url(), PATIENCE).not.toContain('via='); // the map stands still from here on
  await steps()
    .filter({ hasText: /^Stop 1/ })
    .waitFor();
  await mark.hover(); // once it stands still
  const { x, y } = (await page.locator('.stop-via').boundingBox())!;
  await side().getByRole('button', { name: 'Remove: Stop 1' }).click();
  await expect
    .poll(
      () =>
        steps()
          .filter({ hasText: /^Stop 1/ })
          .count(),
      PATIENCE,
    )
    .toBe(0);
  return { pixel: [x + 13, y + 13], total: (await ways().first().locator('.time').textContent())! };
}

/** In the middle of a straight piece, so that no other road is as near. */
function middleOfLongest(way: readonly (readonly [number, number])[]): [number, number] {
  const pieces = way.slice(1).map((to, index) => ({
    from: way[index]!,
    to,
    length: Math.hypot(to[0] - way[index]![0], (to[1] - way[index]![1]) / 2),
  }));
  const { from, to } = pieces.sort((one, other) => other.length - one.length)[0]!;
  return [(from[0] + to[0]) / 2, (from[1] + to[1]) / 2];
}

test('shapes are drawn by hand and by keys: a line follows the road, an area is closed by Enter, steps go back, what is drawn stays when one leaves', async () => {
  await open('closures');
  await side().getByRole('button', { name: 'New closure' }).click();
  const handles = page.locator('.draw-vertex');
  // the town with its net of streets in the middle
  await page.getByRole('button', { name: 'Show everything (F)' }).click();
  await click(0.45, 0.45);
  await expect.poll(() => handles.count(), PATIENCE).toBe(1);
  await click(0.5, 0.5);
  await expect.poll(() => handles.count(), PATIENCE).toBeGreaterThan(2); // the bends of the road between
  await side().getByRole('checkbox', { name: 'The line follows the road' }).uncheck();
  const followed = await handles.count();
  await click(0.6, 0.5);
  await expect.poll(() => handles.count(), PATIENCE).toBe(followed + 1);
  await page.keyboard.press('Control+z');
  await expect.poll(() => handles.count(), PATIENCE).toBe(followed);

  await side().getByRole('radio', { name: 'Area' }).click();
  await expect.poll(() => handles.count(), PATIENCE).toBe(0);
  for (const key of ['ArrowRight', 'ArrowDown', 'ArrowLeft']) {
    await page.keyboard.press('Space');
    await page.keyboard.press(key);
    await page.waitForFunction(() => !document.querySelector('.leaflet-pan-anim'));
  }
  await expect.poll(() => handles.count(), PATIENCE).toBe(3);
  await page.keyboard.press('Enter');
  await expect.poll(() => page.locator('.draw-middle').count(), PATIENCE).toBe(3);
  const first = page.getByRole('button', { name: /^Point 1:/ });
  await first.focus();
  const before = (await first.boundingBox())!;
  await page.keyboard.press('Shift+ArrowUp');
  await expect.poll(async () => Math.round(before.y - (await first.boundingBox())!.y), PATIENCE).toBe(20);
  await page.locator('.draw-middle').first().press('Enter');
  await expect.poll(() => handles.count(), PATIENCE).toBe(4);
  await page.keyboard.press('Delete'); // the new one has the focus
  await expect.poll(() => handles.count(), PATIENCE).toBe(3);
  await side().getByLabel('Name').fill('Market');
  await page.keyboard.press('Escape');
  await side().getByRole('button', { name: 'New closure' }).click();
  expect(await side().getByLabel('Name').inputValue()).toBe('Market');
  await expect.poll(() => handles.count(), PATIENCE).toBe(3);
  await side().getByRole('button', { name: 'Discard changes' }).click();
  await side().getByRole('button', { name: 'New closure' }).click();
  expect(await side().getByLabel('Name').inputValue()).toBe('');
  await page.keyboard.press('Escape');
});

test('travel times from all vehicles sort by a click, and a cell opens its route', async () => {
  await open('table');
  await click(0.5, 0.5);
  const rows = side().locator('tbody tr');
  await expect.poll(() => rows.count(), PATIENCE).toBeGreaterThan(5);
  const seconds = async () =>
    (await side().locator('tbody td:nth-of-type(1) .cell span').allTextContents()).map(inSeconds);
  const up = await seconds();
  expect(up).toEqual(up.toSorted((one, other) => one - other));
  await side().locator('thead th').nth(1).getByRole('button').click();
  const down = await seconds();
  expect(down).toEqual(down.toSorted((one, other) => other - one));
  await side().locator('thead th').nth(1).getByRole('button').click();
  await side().locator('.nearest').waitFor(); // the first again, and in sight
  await screenshot(page, 'routes-table-1280-day-en');
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    side().getByRole('button', { name: 'Save as CSV' }).click(),
  ]);
  expect(download.suggestedFilename()).toBe('travel-times.csv');
  await side().locator('.cell').first().click();
  await steps().last().getByText('You have arrived').waitFor();
});

function inSeconds(text: string): number {
  const [, hours = '0'] = /(\d+) hr/.exec(text) ?? [];
  const [, minutes = '0'] = /(\d+) min/.exec(text) ?? [];
  const [, rest = '0'] = /(\d+) sec/.exec(text) ?? [];
  return +hours * 3600 + +minutes * 60 + +rest;
}

test('the reach of a place is drawn with its minutes written on it, and changes with the choice', async () => {
  await open('reach');
  await click(0.5, 0.5);
  await page.locator('.reach-label').first().waitFor();
  expect([...new Set(await page.locator('.reach-label').allTextContents())].sort()).toEqual([
    '10 min',
    '15 min',
    '5 min',
  ]);
  await screenshot(page, 'routes-reach-1280-day-en');
  await side().getByRole('checkbox', { name: '3', exact: true }).check();
  await expect
    .poll(async () => new Set(await page.locator('.reach-label').allTextContents()).has('3 min'), PATIENCE)
    .toBe(true);
  const sizes = (await side().locator('.legend .size').allTextContents()).map((text) => Number.parseFloat(text));
  expect(sizes).toEqual(sizes.toSorted((one, other) => one - other));
});

test('a drive is kept as a planned route: its line, its stops with their times, its vehicle; of whichever department its vehicle is; refused in words, sent once, taken back by one key', async () => {
  await open('');
  await page.goto(`${station.address}/#/routes?via=56.2030,18.8900;56.2080,18.9150`);
  await ways().first().waitFor();
  await side().getByRole('button', { name: 'Make a planned route' }).click();
  const form = side().locator('form.plan');
  await form.getByLabel('Name of the planned route').fill('Round of the harbour');
  await form.getByLabel('Who drives it').selectOption({ label: 'Engine 1' });
  await intercept(page, '**/routes', (route) =>
    route.request().method() === 'POST'
      ? route.fulfill({ status: 400, contentType: 'text/plain', body: 'name must not be empty.' })
      : route.continue(),
  );
  await form.getByRole('button', { name: 'Save the planned route' }).click();
  await form.getByText('name must not be empty.').waitFor();
  expect(await form.getByLabel('Name of the planned route').inputValue()).toBe('Round of the harbour');
  await page.unroute('**/routes');
  const sent: string[] = [];
  page.on(
    'request',
    (request) => request.method() === 'POST' && /\/routes$/.test(request.url()) && sent.push(request.url()),
  );
  await form.evaluate((element: HTMLFormElement) => (element.requestSubmit(), element.requestSubmit()));
  await page.getByText('Planned route saved: Round of the harbour').waitFor();
  await expect.poll(() => form.count()).toBe(0);
  expect(sent).toHaveLength(1);
  const kept = (await planned()).filter(({ name }) => name === 'Round of the harbour');
  expect(kept).toHaveLength(1);
  const { id, points, line, carsIds: vehicleIds } = kept[0]!;
  expect(points).toHaveLength(2);
  expect(points[0]!.arriveAfter).toBe(0);
  expect(points[1]!.arriveAfter).toBeGreaterThan(60);
  expect(line.coordinates.length).toBeGreaterThan(2);
  expect(vehicleIds).toHaveLength(1);
  await page.goto(`${station.address}/#/fleet/routes`);
  await page.locator(`[role=listbox] [data-id="${id}"]`).waitFor();
  await page.keyboard.press('u');
  await expect.poll(async () => (await planned()).some((route) => route.id === id)).toBe(false);
});

test('an extract is sent from the browser and imported', async () => {
  await page.goto(`${station.address}/#/territory`);
  await page.getByText('Emergency vehicle').waitFor();
  const [chooser] = await Promise.all([
    page.waitForEvent('filechooser'),
    page.getByRole('button', { name: 'OpenStreetMap extract' }).click(),
  ]);
  await chooser.setFiles(fileURLToPath(new URL('../../../resources/demo/town.osm.pbf', import.meta.url)));
  await page.getByText(/town\.osm\.pbf, /).waitFor();
  await page.getByLabel('Name').fill('The same town');
  await page.getByRole('button', { name: 'Import', exact: true }).click();
  await page.getByRole('heading', { name: 'The same town' }).waitFor({ timeout: 60_000 });
  await screenshot(page, 'territory-1280-day-en');
});

test('a cut line is said, the kinds of vehicles stay, and the way comes by itself when the line is back', async () => {
  for (const asked of ['**/viaroute?*', '**/territory']) await intercept(page, asked, (route) => route.abort());
  await open('reach');
  await side().getByRole('combobox', { name: 'Vehicle' }).waitFor(); // this view has never asked for them
  await open('');
  await side().getByRole('button', { name: 'Reverse' }).click();
  await side().getByText('The station cannot be reached. This cannot be loaded now.').waitFor();
  await page.unrouteAll();
  await ways().first().waitFor();
  expect(
    await side()
      .getByText(/cannot be reached/)
      .count(),
  ).toBe(0);
});

test('without a territory the page says what is missing, and where to get it', async () => {
  const bare = await startStationProcess([], { WAYPOST_ADMIN_PASSWORD: 'admin-admin' });
  const other = await desk.browser.newContext({
    viewport: { width: 1280, height: 720 },
    locale: 'ru-RU',
    colorScheme: 'dark',
  });
  const second = await other.newPage();
  await enter(second, bare.address, 'admin', 'admin-admin');
  await second.goto(`${bare.address}/#/routes`);
  await second.getByText('Без дорог нет ни маршрутов', { exact: false }).waitFor();
  await second.locator('main.routes .side').getByRole('link').click();
  await second.getByRole('button', { name: 'Выгрузка OpenStreetMap' }).waitFor();
  await other.close();
  await bare.stop();
});

test('nothing left the station, and nothing broke', () => {
  expect(desk.faults()).toEqual([]);
});
