import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, BrowserContext, Page } from 'playwright';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { PATIENCE } from '../../support/patience.ts';
import { launchChromium } from '../harness/chromium.ts';
import {
  atRest,
  copyDemo,
  mapDrawn,
  screenshot,
  signIn,
  enter,
  startStationProcess,
  watchForFaults,
  type RunningStation,
} from '../harness/console-harness.ts';
import { freePort } from '../../support/free-ports.ts';

const data = mkdtempSync(join(tmpdir(), 'waypost-console-'));
/** Vehicles drive faster than life, so that one arrives while a test waits. */
const ENVIRONMENT = { WAYPOST_ADMIN_PASSWORD: 'admin-admin', WAYPOST_DEMO_SPEED: '15' };
let port: number;
let station: RunningStation;
let browser: Browser;
let context: BrowserContext;
let page: Page;
let faults: () => string[];

const start = () => startStationProcess(['--demo', '--port', String(port)], ENVIRONMENT, data);
const newest = (at: Page) => at.getByRole('listbox', { name: 'Tasks' });

beforeAll(async () => {
  port = await freePort();
  await copyDemo(data);
  [station, browser] = await Promise.all([start(), launchChromium()]);
  context = await browser.newContext({ viewport: { width: 1440, height: 900 }, locale: 'en-GB', colorScheme: 'light' });
  faults = watchForFaults(context, station.address);
  page = await context.newPage();
});
afterAll(async () => {
  await browser?.close();
  await station?.stop(false);
  rmSync(data, { recursive: true, force: true });
});

test('a wrong password is refused in words, the right one opens the board', async () => {
  await page.goto(`${station.address}/`);
  await page.getByLabel('Login').fill('dispatcher');
  await page.getByLabel('Password').fill('wrong');
  await page.keyboard.press('Enter');
  await page.getByText('Wrong login or password.').waitFor();
  await signIn(page, station.address, 'dispatcher', 'dispatcher');
  await page.locator('.light[data-level=good]').waitFor();
  await expect.poll(() => newest(page).getByRole('option').count()).toBeGreaterThan(5);
});

test('a street is found by a part of its name, a task made there with four keys, and the first vehicle sent; it drives there, and a second browser sees each step', async () => {
  const other = await browser.newContext({
    viewport: { width: 1280, height: 800 },
    locale: 'ru-RU',
    colorScheme: 'dark',
  });
  const otherFaults = watchForFaults(other, station.address);
  const second = await other.newPage();
  await enter(second, station.address, 'operator', 'operator');
  await second.locator('.light[data-level=good]').waitFor();

  await page.keyboard.press('n'); // first key
  await page.keyboard.type('hon', { delay: 30 });
  await page.getByRole('option', { name: /Honey/ }).first().waitFor();
  await page.keyboard.press('Enter'); // second
  const asked = performance.now();
  await page.locator('.ranked [data-car]').first().waitFor();
  const answered = performance.now() - asked;
  console.log(`Ranked by road time ${Math.round(answered)} ms after the place was known (1,000 ms are allowed).`);
  // A busy machine is slower; the printed number is the one to look at.
  expect(answered).toBeLessThan(PATIENCE / 3);
  const ranked = () => page.locator('.ranked [data-car] .time').allTextContents();
  await expect.poll(async () => (await ranked()).length).toBeGreaterThan(1);
  await expect.poll(async () => (await ranked())[0]).toMatch(/\d+ (sec|min)/);
  await page.keyboard.press('Control+Enter'); // third: saved
  await page
    .getByText('Task', { exact: false })
    .getByText(/is saved/)
    .waitFor();
  await expect.poll(() => page.locator('.card h1').textContent()).toMatch(/Honey/);
  const title = (await page.locator('.card h1').textContent())!;
  const number = /\d+/.exec((await page.locator('.card h2').first().textContent())!)![0];
  await second.getByLabel('Отбор по номеру, словам, адресу').fill(`${number} `);
  await second.getByRole('option').filter({ hasText: title }).first().waitFor();

  await page.locator('.ranked [data-car]').first().waitFor();
  const vehicle = (await page.locator('.ranked [data-car] .name strong').first().textContent())!;
  await page.keyboard.press('a'); // fourth: sent
  await page.getByText(`${vehicle} is assigned to task`).waitFor();
  await page.locator('.serving').filter({ hasText: vehicle }).waitFor();
  // a way is drawn, so there is a time of arrival
  await expect
    .poll(() => page.locator('.timers dd').nth(2).textContent(), { timeout: Math.max(PATIENCE, 15_000) })
    .toMatch(/\d/);
  await second.getByRole('option').filter({ hasText: title }).filter({ hasText: vehicle }).first().waitFor();
  await screenshot(page, 'console-assigned-day-en');
  await page.locator('.serving').getByText('En route', { exact: true }).waitFor();
  await second.getByRole('option').filter({ hasText: title }).first().click();
  await second.locator('.serving').filter({ hasText: vehicle }).waitFor();
  await screenshot(second, 'console-second-browser-dusk-ru');
  await page.locator('.serving').getByText('On scene', { exact: true }).waitFor({ timeout: 60_000 });
  await second
    .locator('.serving')
    .getByText('На месте')
    .waitFor({ timeout: Math.max(PATIENCE, 5_000) });
  expect(otherFaults()).toEqual([]);
  await other.close();
});

test('the last action is taken back by one key', async () => {
  const list = newest(page);
  await page.getByRole('radio', { name: /^New/ }).click();
  await list.getByRole('option').first().click();
  await page.locator('.ranked [data-car]').first().waitFor();
  await page.keyboard.press('a');
  await page.locator('.serving').waitFor();
  await page.keyboard.press('u');
  await page.getByText(/Undone/).waitFor();
  await expect.poll(() => page.locator('.serving').count()).toBe(0);
  await page.locator('.card .state').getByText('New').waitFor();
  await page.getByRole('radio', { name: /^Open/ }).click();
});

test('the command line says what it will do, does it, and leaves a half-filled form alone', async () => {
  const vehicle = (await page.getByRole('listbox', { name: 'Vehicles' }).locator('.name').first().textContent())!;
  await page.keyboard.press('n');
  await page.getByLabel('What happened').fill('Half a sentence');
  await page.getByLabel('What happened').blur();
  await page.keyboard.press('/');
  await page.keyboard.type(`s ${vehicle} 5`);
  await page.getByText(`Set ${vehicle} to 5 Request to speak`).waitFor();
  await page.keyboard.press('Enter');
  await page.getByText(`${vehicle}: 5 Request to speak`).waitFor();
  expect(await page.getByLabel('What happened').inputValue()).toBe('Half a sentence');
  await page.keyboard.press('/');
  await page.keyboard.type('a nobody');
  await page.getByText('No vehicle is called “nobody”.').waitFor();
  await page.keyboard.press('Escape');
  await page.keyboard.press('Escape');
  await page
    .getByRole('listbox', { name: 'Vehicles' })
    .getByRole('option')
    .filter({ hasText: 'Request to speak' })
    .first()
    .waitFor();
});

test('the arrow keys move the list that has the focus', async () => {
  const chosen = (list: string) => page.getByRole('listbox', { name: list }).locator('[aria-selected=true]');
  await page.getByRole('listbox', { name: 'Vehicles' }).focus();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowDown');
  // By its name: the rest of the row changes as the vehicle drives.
  const second = await page
    .getByRole('listbox', { name: 'Vehicles' })
    .getByRole('option')
    .nth(1)
    .locator('.name')
    .textContent();
  const vehicle = () => chosen('Vehicles').locator('.name').textContent();
  await expect.poll(async () => [await vehicle(), await chosen('Tasks').count()]).toEqual([second, 0]);
  await expect.poll(() => page.evaluate(() => document.activeElement?.getAttribute('aria-selected'))).toBe('true');
  await newest(page).focus();
  await page.keyboard.press('ArrowDown');
  await page.locator('.card').waitFor();
  expect(await vehicle()).toBe(second);
});

test('a comment that is half said is there again when its task is opened once more', async () => {
  const comment = page.getByLabel('Add a comment');
  await comment.fill('The gate is locked, and');
  await comment.press('Escape');
  await expect.poll(() => page.locator('.card').count()).toBe(0);
  await newest(page).getByRole('option').nth(1).click();
  await expect.poll(() => comment.inputValue()).toBe('');
  await newest(page).getByRole('option').first().click();
  await expect.poll(() => comment.inputValue()).toBe('The gate is locked, and');
  await comment.fill('');
  await page.keyboard.press('Escape');
});

test('an event comes into the strip as it happens, and a person with few rights sees it but no button that would be refused', async () => {
  const { context: office } = await signedIn('supervisor', 'supervisor');
  const ask = async (path: string, data: unknown): Promise<Record<string, unknown>> => {
    const answer = await office.request.post(station.address + path, { data, headers: { origin: station.address } });
    expect(answer.status(), await answer.text()).toBe(200);
    return (await answer.json()) as Record<string, unknown>;
  };
  // with the least right of all
  await ask('/users', { login: 'watcher', fio: 'Who Watches', password: 'only-to-look' });
  await ask('/news/', { action: 'put', values: { title: 'Lamp out in the yard', news_type_id: 1 } });
  const { context: hall, page: wall } = await signedIn('watcher', 'only-to-look');
  await newest(wall).getByRole('option').filter({ hasText: 'Lamp out' }).click();
  await wall.locator('.card').waitFor();
  const shown = await wall.getByRole('button').allTextContents();
  expect(shown.filter((text) => /New task|Done|Feedback|Send/.test(text))).toEqual([]);
  expect(await wall.getByLabel('Add a comment').count()).toBe(0);
  await wall.keyboard.press('n');
  await wall.getByText(/does not allow this/).waitFor();

  await wall.getByRole('button', { name: 'Events' }).click();
  await wall.getByRole('radio', { name: 'All' }).click();
  await ask('/cars', { name: 'Probe', carNo: 'P 1', glonassId: 990_001 });
  await wall.getByRole('button', { name: 'Show the vehicles' }).click();
  await wall.getByRole('listbox', { name: 'Vehicles' }).getByText('Probe').first().waitFor();
  const minute = 60_000;
  await ask(
    '/telemetry',
    Array.from({ length: 12 }, (_, ago) => ({
      glonassId: 990_001,
      time: Date.now() - (12 - ago) * minute,
      lat: 56.19,
      lon: 18.91,
      speed: 0,
      direction: 0,
    })),
  );
  // It stands where it began; those of the demo that began later may fill the strip.
  const strip = wall.getByRole('listbox', { name: 'Events' });
  const stop = strip.getByRole('option').filter({ hasText: 'Stop' }).filter({ hasText: 'Probe' });
  await expect
    .poll(async () => {
      const atEnd = await strip.evaluate((box) => {
        const before = box.scrollTop;
        box.scrollBy(0, box.clientHeight / 2);
        return box.scrollTop === before;
      });
      if (atEnd) await strip.evaluate((box) => box.scrollTo(0, 0));
      return stop.count();
    })
    .toBe(1);
  await screenshot(wall, 'console-events');
  await Promise.all([office.close(), hall.close()]);
});

test('rows stand still until the pointer over them has rested for five seconds; a new emergency is named at once', async () => {
  const list = newest(page);
  await list.hover({ position: { x: 60, y: 60 } });
  const box = (await list.boundingBox())!;
  /** Somebody who is choosing. */
  const moving = setInterval(() => void page.mouse.move(box.x + 60, box.y + 60 + (Date.now() % 9)), 300);
  await atRest(list);
  const places = () =>
    list
      .getByRole('option')
      .evaluateAll((rows) =>
        rows
          .slice(0, 6)
          .map((row) => `${Math.round(row.getBoundingClientRect().top)} ${row.querySelector('.title')?.textContent}`),
      );
  const before = await places();
  const type = (await api<{ newstype: { id: number; news_type_id: string }[] }>('GET', '/newstype')).newstype[0]!;
  const category = (await api<{ category: { id: string; name: string }[] }>('GET', '/category')).category.find(
    ({ name }) => name === 'Emergency',
  )!;
  await api('POST', '/news/', {
    action: 'put',
    values: {
      title: 'Smoke in the stairwell',
      news_type_id: Number(type.news_type_id ?? type.id),
      category: Number(category.id),
    },
  });
  await page.getByText('One new task').waitFor();
  await page.getByRole('alert').filter({ hasText: 'Smoke in the stairwell' }).waitFor();
  expect(await places()).toEqual(before);
  clearInterval(moving);
  // The pointer stays where it is. An unacknowledged emergency is the first of all.
  await list.getByRole('option').first().filter({ hasText: 'Smoke in the stairwell' }).waitFor();
  await expect.poll(() => page.getByRole('alert').filter({ hasText: 'Smoke in the stairwell' }).count()).toBe(0);

  await list.hover({ position: { x: 60, y: 64 } });
  await api('POST', '/news/', {
    action: 'put',
    values: {
      title: 'Gas in the yard',
      news_type_id: Number(type.news_type_id ?? type.id),
      category: Number(category.id),
    },
  });
  await page.getByRole('alert').filter({ hasText: 'Gas in the yard' }).waitFor();
  await page.keyboard.press('Home');
  await page.getByRole('heading', { name: 'Gas in the yard' }).waitFor();
  await page.keyboard.press('Escape');
  await page.mouse.move(900, 500);
});

test('palette and language change by a key, without loading the page again; every palette and language is photographed', async () => {
  await page.evaluate(() => ((window as unknown as { marker: boolean }).marker = true));
  await page.keyboard.press('k');
  await page.setViewportSize({ width: 1920, height: 1080 });
  for (const language of ['en', 'ru']) {
    for (const palette of ['day', 'dusk', 'night']) {
      await expect
        .poll(() => page.evaluate(() => [document.documentElement.dataset['palette'], document.documentElement.lang]))
        .toEqual([palette, language]);
      await mapDrawn(page);
      await screenshot(page, `console-board-${palette}-${language}`);
      await page.keyboard.press('p');
    }
    await page.keyboard.press('l');
  }
  expect(await page.evaluate(() => (window as unknown as { marker?: boolean }).marker)).toBe(true);
  await page.setViewportSize({ width: 1280, height: 800 });
  await mapDrawn(page);
  await screenshot(page, 'console-board-small');
});

test('the palette stands before the program is loaded: nobody in the dark is met by a white page', async () => {
  const dark = await context.newPage();
  await page.evaluate(() =>
    localStorage.setItem(
      'waypost:preferences:dispatcher',
      JSON.stringify({
        ...JSON.parse(localStorage.getItem('waypost:preferences:dispatcher') ?? '{}'),
        palette: 'night',
      }),
    ),
  );
  await dark.route('**/assets/index-*.js', (route) => route.abort()); // the program never comes
  await dark.goto(`${station.address}/`, { waitUntil: 'domcontentloaded' });
  expect(
    await dark.evaluate(() => [
      document.documentElement.dataset['palette'],
      getComputedStyle(document.body).backgroundColor,
    ]),
  ).toEqual(['night', 'rgb(4, 6, 7)']);
  await dark.close();
});

test('everything that can be clicked is at least 24 pixels high and wide', async () => {
  for (const route of ['/', '/map', '/vehicles', '/territory', '/settings', '/design']) {
    await page.goto(`${station.address}/#${route}`);
    await expect.poll(() => page.locator('main, .board, .map').count()).toBeGreaterThan(0);
    const small = await page.evaluate(() =>
      [...document.querySelectorAll<HTMLElement>('button, a, input, select, textarea, summary')]
        .map((element) => ({ text: element.outerHTML.slice(0, 90), box: element.getBoundingClientRect() }))
        .filter(({ box }) => box.width > 0 && (box.width < 24 || box.height < 24))
        .map(({ text, box }) => `${text} ${Math.round(box.width)}×${Math.round(box.height)}`),
    );
    expect([route, small]).toEqual([route, []]);
    if (route !== '/') await screenshot(page, `console${route.replace('/', '-')}`);
  }
  await page.goto(`${station.address}/#/`);
});

test('the light turns red when the station dies and green again when it is back, and the work goes on', async () => {
  await page.locator('.light[data-level=good]').waitFor();
  await station.stop(true);
  await page.locator('.light[data-level=lost]').waitFor({ timeout: Math.max(PATIENCE, 5_000) });
  await page.keyboard.press('n');
  await page.getByLabel('Place', { exact: true }).fill('hone');
  await page.getByText('This cannot be loaded now').waitFor();
  await screenshot(page, 'console-cut');
  await page.getByRole('button', { name: 'Clear' }).click();
  station = await start();
  await page.locator('.light[data-level=good]').waitFor({ timeout: Math.max(PATIENCE, 15_000) });
  await page.keyboard.press('Escape');
  const filter = page.getByLabel('Filter by number, words or address');
  await filter.fill('smoke');
  await newest(page).getByRole('option').filter({ hasText: 'Smoke in the stairwell' }).waitFor();
});

test('no request left the station, and no page had an error or broke the content security policy', () => {
  expect(faults()).toEqual([]);
});

async function signedIn(login: string, password: string): Promise<{ context: BrowserContext; page: Page }> {
  const other = await browser.newContext({ viewport: { width: 1280, height: 800 }, locale: 'en-GB' });
  const at = await other.newPage();
  await enter(at, station.address, login, password);
  return { context: other, page: at };
}

async function api<T>(method: string, path: string, body?: unknown): Promise<T> {
  const response = await context.request.fetch(station.address + path, {
    method,
    ...(body === undefined ? {} : { data: body }),
    headers: { origin: station.address },
  });
  if (!response.ok()) throw new Error(`${method} ${path}: ${response.status()} ${await response.text()}`);
  return (await response.json()) as T;
}
