import type { Page } from 'playwright';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { PATIENCE as OF_THE_MACHINE } from '../../support/patience.ts';
import { openDemoConsole, screenshot, type DemoConsole } from '../harness/console-harness.ts';
import { intercept } from '../harness/intercept.ts';

/** Places that are typed, and large tables of times. */
let desk: DemoConsole;
let page: Page;
const PATIENCE = { timeout: Math.max(20_000, OF_THE_MACHINE) };

beforeAll(async () => {
  desk = await openDemoConsole({ viewport: { width: 1280, height: 720 } });
  page = desk.page;
});
afterEach(() => page.unrouteAll());
afterAll(() => desk?.close());

const side = () => page.locator('main.routes .side');
async function open(view: string): Promise<void> {
  await page.goto(`${desk.station.address}/#/routes${view && `?view=${view}`}`);
  await side().locator('.panel').waitFor();
}
/** Gives a store of the console what a person would have put in one by one. */
const put = (store: string, state: object) =>
  page.evaluate(
    ([name, values]) => {
      const app = (
        document.querySelector('#app') as unknown as {
          __vue_app__: { config: { globalProperties: { $pinia: { _s: Map<string, object> } } } };
        }
      ).__vue_app__;
      Object.assign(app.config.globalProperties.$pinia._s.get(name)!, values);
    },
    [store, state] as const,
  );
/** Places in rows of ten over the territory. */
async function spread(count: number) {
  const {
    bounds: [west, south, east, north],
  } = await desk.ask<{ bounds: [number, number, number, number] }>('GET', '/territory');
  return Array.from({ length: count }, (_, i) => ({
    lat: south + (north - south) * (0.1 + (i % 10) * 0.08),
    lon: west + (east - west) * (0.1 + Math.floor(i / 10) * 0.08),
    label: `Place ${i + 1}`,
  }));
}
const cells = () => side().locator('.cell');
const names = () => side().locator('tbody th .clipped').allTextContents();
/** The row and the column of the cell that has the focus. */
const focusedCell = () =>
  page.evaluate(() => {
    const cell = document.activeElement?.closest('td');
    return [cell?.closest('tr')?.querySelector('th')?.textContent, cell?.getAttribute('aria-colindex')];
  });
const focused = () =>
  page.evaluate(() => (document.activeElement as HTMLInputElement | null)?.labels?.[0]?.textContent ?? '');

test('a drive is planned by keys alone: Enter is not too early, the next empty stop has the focus, and what is not found is said', async () => {
  await open('');
  await side().getByLabel('Start', { exact: true }).focus();
  await page.keyboard.type('zzqqxx');
  await side().getByText('No matching place').waitFor();
  await page.keyboard.press('Control+a');
  await intercept(page, '**/geocoding?*', async (route) => {
    await pressed; // the answer comes after Enter
    await route.continue();
  });
  let answer = () => {};
  const pressed = new Promise<void>((resolve) => (answer = resolve));
  await page.keyboard.type('honey');
  await page.keyboard.press('Enter');
  answer();
  await expect.poll(() => side().getByLabel('Start', { exact: true }).inputValue(), PATIENCE).toMatch(/Honey/);
  await page.unroute('**/geocoding?*');
  await expect.poll(focused, PATIENCE).toBe('Destination');
  await page.keyboard.type('medic');
  await side().getByRole('option').first().waitFor();
  await page.keyboard.press('Enter');
  await side().getByText('You have arrived').waitFor();
  const name = await side().getByLabel('Start', { exact: true }).inputValue();
  await side().getByLabel('Start', { exact: true }).fill('zz');
  await page.keyboard.press('Shift+Tab'); // Tab would take what is found
  // what is not taken does not stand over a way from elsewhere
  await expect.poll(() => side().getByLabel('Start', { exact: true }).inputValue(), PATIENCE).toBe(name);
  await page.evaluate(() => (document.activeElement as HTMLElement).blur());
  await page.keyboard.press('2');
  await side().getByLabel('Add a destination').waitFor();
});

test('Enter in the place of a call takes the place, however early it is pressed, and never saves a call without one', async () => {
  await page.goto(`${desk.station.address}/#/`);
  const made: string[] = [];
  page.on(
    'request',
    (request) => request.method() === 'POST' && /\/news\/$/.test(request.url()) && made.push(request.url()),
  );
  await page.getByLabel('Command line').waitFor();
  await page.keyboard.press('n');
  const place = page.getByLabel('Place', { exact: true });
  await place.pressSequentially('honey');
  await place.press('Enter');
  await expect.poll(() => place.inputValue(), PATIENCE).toMatch(/Honey/);
  await page.getByRole('button', { name: 'Clear' }).click();
  await place.pressSequentially('zzqqxx');
  await page.getByText('No matching place').waitFor();
  await place.press('Enter');
  await page.keyboard.press('Escape');
  await expect.poll(() => place.count(), PATIENCE).toBe(0);
  expect(made).toEqual([]);
});

test('a table of a hundred by a hundred has only what is seen of it in the page, keeps its heads, and is gone through by arrow keys', async () => {
  await open('table');
  const places = await spread(100);
  await put('table-plan', { from: 'places', starts: places, goals: places });
  await cells().first().waitFor();
  expect(await cells().count()).toBeLessThan(800);
  const table = side().getByRole('table', { name: 'Times' });
  expect(await table.getAttribute('aria-rowcount')).toBe('101');
  const before = performance.now();
  await table.getByRole('columnheader', { name: 'From' }).getByRole('button').click();
  await expect.poll(() => side().locator('tbody th').first().textContent(), PATIENCE).toBe('Place 1');
  console.log(`a table of 100 by 100 is ordered by name in ${(performance.now() - before).toFixed(0)} ms`);
  await cells().first().focus();
  for (let i = 0; i < 6; i++) await page.keyboard.press('PageDown');
  await page.keyboard.press('End');
  const at = () =>
    page.evaluate(() => {
      const cell = document.activeElement!.closest('td')!;
      return [cell.closest('tr')!.getAttribute('aria-rowindex'), cell.getAttribute('aria-colindex')];
    });
  await expect.poll(at, PATIENCE).toEqual(['62', '101']);
  const [frame, head, name, cell] = await Promise.all(
    ['.scroll', 'thead th:last-of-type', 'tbody th', '.cell:focus'].map((selector) =>
      side().locator(selector).last().boundingBox(),
    ),
  );
  expect(Math.round(head!.y - frame!.y)).toBeLessThanOrEqual(2); // the head stays above
  expect(Math.round(name!.x - frame!.x)).toBeLessThanOrEqual(2); // the names stay at the side
  expect(cell!.x).toBeGreaterThan(name!.x + name!.width - 2);
  expect(cell!.x + cell!.width).toBeLessThanOrEqual(frame!.x + frame!.width + 1);
  await screenshot(page, 'times-hundred-1280-day-en');
  await page.keyboard.press('Enter');
  await side()
    .getByText(/You have arrived|No route by road/)
    .waitFor();
});

test('the keys stay with their cell when the table is scrolled and ordered again, and rows keep their places under the pointer', async () => {
  await open('table');
  await page.mouse.move(2, 2);
  const [goal, ...starts] = await spread(41);
  await put('table-plan', {
    from: 'places',
    starts,
    goals: [goal],
    sort: { by: 'name', descending: false },
    table: undefined,
  });
  await expect
    .poll(() => side().getByRole('table', { name: 'Times' }).getAttribute('aria-rowcount'), PATIENCE)
    .toBe('41');
  await intercept(page, '**/table?*', (route) => route.abort()); // from here on the table is what is put there
  const first = (await names())[0]!;
  await cells().first().focus();
  expect(await focusedCell()).toEqual([first, '2']);
  const box = side().locator('.scroll');
  await box.evaluate((view) => view.scrollTo(0, view.scrollHeight));
  await expect.poll(names, PATIENCE).toContain('Place 41');
  expect(await focusedCell()).toEqual([first, '2']);
  expect(await names()).not.toContain('Place 12'); // only what is seen, and the row with the keys
  expect(await side().locator('.cell[tabindex="0"]').count()).toBe(1);
  await page.keyboard.press('ArrowDown');
  await expect.poll(focusedCell, PATIENCE).toEqual(['Place 3', '2']);
  await expect.poll(() => box.evaluate((view) => view.scrollTop), PATIENCE).toBeLessThan(100);

  const answer = (order: number) =>
    put('table-plan', {
      table: {
        rows: starts,
        columns: [goal],
        times: starts.map((_, index) => [order * (index - 20) * 60 + 3_600]),
        distances: undefined,
      },
    });
  await put('table-plan', { sort: { by: 0, descending: false } });
  await answer(1);
  await expect.poll(async () => (await names())[0], PATIENCE).toBe('Place 2');
  await expect.poll(() => cells().first().textContent(), PATIENCE).toBe('40 min');
  await cells().nth(4).hover();
  await answer(-1);
  // what they say is new, where they stand is not
  await expect.poll(() => cells().first().textContent(), PATIENCE).toBe('1 hr 20 min');
  expect((await names()).slice(0, 5)).toEqual(['Place 2', 'Place 3', 'Place 4', 'Place 5', 'Place 6']);
  await side().getByRole('columnheader', { name: goal!.label }).getByRole('button').focus();
  await page.keyboard.press('Enter'); // another order that somebody asks for comes at once
  await page.keyboard.press('Enter');
  await expect.poll(async () => (await names())[0], PATIENCE).toBe('Place 41');
  await answer(1);
  await expect.poll(() => cells().first().textContent(), PATIENCE).toBe('1 hr 19 min');
  expect((await names())[0]).toBe('Place 41');
  await side().locator('.cell[tabindex="0"]').focus();
  const line = () => page.evaluate(() => document.activeElement?.closest('tr')?.getAttribute('aria-rowindex'));
  expect([await focusedCell(), await line()]).toEqual([['Place 3', '2'], '40']);
  await page.mouse.move(2, 2);
  await expect.poll(line, PATIENCE).toBe('3');
  expect(await focusedCell()).toEqual(['Place 3', '2']);
});

test('while the station is away the table stays, with its time, asks once in three seconds whatever was changed meanwhile, and comes again by itself', async () => {
  await open('table');
  const places = await spread(2);
  await put('table-plan', {
    from: 'places',
    starts: places,
    goals: places,
    sort: { by: 0, descending: false },
    table: undefined,
  });
  await expect.poll(() => cells().count(), PATIENCE).toBe(4);
  await page.evaluate(() => {
    const real = window.fetch;
    const asked: number[] = [];
    Object.assign(window, { asked, reachStation: () => (window.fetch = real) });
    window.fetch = (...request) => {
      if (!String(request[0]).includes('/table?')) return real(...request);
      asked.push(performance.now());
      return Promise.reject(new TypeError('Failed to fetch'));
    };
  });
  const asked = () => page.evaluate(() => (window as unknown as { asked: number[] }).asked);
  await side().getByLabel('Add a destination').fill('honey');
  await side().getByRole('option').first().waitFor();
  await page.keyboard.press('Enter');
  await side().getByText('The station cannot be reached', { exact: false }).waitFor();
  expect(await cells().count()).toBe(4);
  await side()
    .getByText(/as of \d\d:\d\d:\d\d/)
    .waitFor();
  for (let i = 0; i < 10; i++) {
    const before = (await asked()).length;
    await put('table-plan', { profile: i % 2 ? '' : 'truck' });
    await expect.poll(async () => (await asked()).length, PATIENCE).toBeGreaterThan(before);
  }
  const changed = (await asked()).length;
  const pauses = async () => (await asked()).slice(changed).map((at, index, all) => at - (all[index - 1] ?? at));
  // of eleven chains of questions one would always be sooner
  await expect.poll(async () => Math.max(...(await pauses())), PATIENCE).toBeGreaterThan(2_990);
  await page.evaluate(() => (window as unknown as { reachStation: () => void }).reachStation());
  await expect
    .poll(() => side().getByText('The station cannot be reached', { exact: false }).count(), PATIENCE)
    .toBe(0);
  expect(await side().getByRole('table', { name: 'Times' }).getAttribute('aria-colcount')).toBe('4');
});

test('what is typed over a vehicle stays while the vehicle drives on', async () => {
  await open('reach');
  const [place, further] = await spread(2);
  const vehicle = { ...place!, label: 'Van of the test', vehicleId: -1 };
  await put('reach-plan', { place: vehicle });
  const field = side().getByLabel('From', { exact: true });
  await expect.poll(() => field.inputValue(), PATIENCE).toBe('Van of the test');
  await field.fill('honey');
  await put('reach-plan', { place: { ...vehicle, lat: further!.lat } });
  await side().getByRole('option', { name: /Honey/ }).first().waitFor();
  expect(await field.inputValue()).toBe('honey');
  await put('reach-plan', { place: { ...further!, label: 'Another place' } });
  await expect.poll(() => field.inputValue(), PATIENCE).toBe('Another place');
});

test('a click on the mark of a closure is one where the pointer is, and the mark says its name', async () => {
  const offRoad = async (at: { lat: number; lon: number }) => {
    const {
      mapped_coordinate: [lat, lon],
    } = await desk.ask<{ mapped_coordinate: [number, number] }>('GET', `/nearest?loc=${at.lat},${at.lon}`);
    return { at, degrees: Math.hypot(lat - at.lat, (lon - at.lon) / 2) };
  };
  // where no vehicle comes by
  const { at } = (await Promise.all((await spread(100)).map(offRoad))).sort(
    (one, other) => other.degrees - one.degrees,
  )[0]!;
  const { id } = await desk.ask<{ id: number }>('POST', '/closures', {
    name: 'Burst main',
    geometry: { type: 'Point', coordinates: [at.lon, at.lat] },
  });
  await open('reach');
  await put('reach-plan', { place: undefined });
  const mark = page.getByTitle('Burst main');
  await mark.waitFor();
  await page.locator('main.routes .leaflet-container').press('f'); // all of the territory
  const { x, y, width, height } = (await mark.boundingBox())!;
  await page.mouse.click(x + width / 2 + 6, y + height / 2 + 6);
  const place = () =>
    page.evaluate(() => {
      const app = (
        document.querySelector('#app') as unknown as {
          __vue_app__: {
            config: { globalProperties: { $pinia: { _s: Map<string, { place?: { lat: number; lon: number } }> } } };
          };
        }
      ).__vue_app__;
      const found = app.config.globalProperties.$pinia._s.get('reach-plan')!.place;
      return found && { lat: found.lat, lon: found.lon };
    });
  await expect.poll(place, PATIENCE).toBeDefined();
  const clicked = (await place())!;
  expect([clicked.lat < at.lat - 1e-6, clicked.lon > at.lon + 1e-6]).toEqual([true, true]);
  await page.request.delete(`${desk.station.address}/closures/${id}`);
});

test('nothing left the station, and nothing broke', () => {
  expect(desk.faults()).toEqual([]);
});
