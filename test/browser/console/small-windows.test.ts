import type { Page } from 'playwright';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { accessibilityFaults } from '../harness/accessibility.ts';
import {
  loadAnew,
  mapDrawn,
  openDemoConsole,
  PICTURES,
  screenshot,
  type DemoConsole,
} from '../harness/console-harness.ts';
import { LANGUAGES, PALETTES, prefer } from '../harness/every-look.ts';

/**
 * The board in the smallest windows: a narrow one, one at 200 %, and a low one in Russian. The queue, the map
 * and the alarm line stay usable.
 */
let desk: DemoConsole;
let page: Page;

beforeAll(async () => {
  desk = await openDemoConsole({ standsStill: true });
  page = desk.page;
  const [vehicle] = await desk.ask<{ id: number }[]>('GET', '/cars');
  await desk.ask('PUT', `/cars/${vehicle!.id}/status`, { status: 0 });
  await page.locator('[data-alarm]').first().waitFor();
});
afterAll(() => desk?.close());

const SIZES = [
  { name: '640', width: 640, height: 900, rows: 5, map: [600, 250] },
  { name: '200-percent', width: 720, height: 450, rows: 3, map: [280, 200] },
  { name: '1280', width: 1280, height: 720, rows: 7, map: [480, 380] },
] as const;

/** Rows of the queue that are seen whole, with nothing over them. */
const wholeRows = () =>
  page.locator('.queue [role=option]').evaluateAll((rows) => {
    const list = rows[0]!.closest('[role=listbox]')!.getBoundingClientRect();
    return rows.filter((row) => {
      const { left, top, bottom, width } = row.getBoundingClientRect();
      const seen = document.elementFromPoint(left + width / 2, top + 6);
      return top >= list.top - 1 && bottom <= Math.min(list.bottom, innerHeight) + 1 && row.contains(seen);
    }).length;
  });
/** What can be pressed and is cut off by the window's edge. */
const cutOff = () =>
  page.evaluate(() => {
    const seen = [...document.querySelectorAll<HTMLElement>('button, a, input, select')].filter(
      (element) => element.checkVisibility({ visibilityProperty: true }) && !element.closest('.map, [role=listbox]'),
    );
    const wide = seen
      .filter((element) => element.getBoundingClientRect().right > innerWidth + 1)
      .map((element) => element.outerHTML.slice(0, 100));
    return document.documentElement.scrollWidth > innerWidth ? ['the page scrolls sideways', ...wide] : wide;
  });

test('no word of the bar is cut, in both languages', async () => {
  const cut = () =>
    page
      .locator('nav .word:visible')
      .evaluateAll((words) =>
        words
          .filter((word) => getComputedStyle(word).clipPath === 'none' && word.scrollWidth > word.clientWidth)
          .map((word) => word.textContent),
      );
  for (const language of LANGUAGES) {
    await prefer(page, { palette: 'day', language });
    await page.getByRole('link', { name: language === 'en' ? 'Settings' : 'Настройки' }).waitFor();
    await page.evaluate(() => document.fonts.ready.then(() => undefined));
    for (const width of [640, 720, 1280]) {
      await page.setViewportSize({ width, height: 900 });
      if (width === 640) await screenshot(page, `bar-640-${language}`);
      expect(await cut(), `${language}, ${width}`).toEqual([]);
    }
  }
  await prefer(page, { palette: 'day', language: 'en' });
});

test('the bar has room at 1280 for the longest texts of its lights, in both languages', async () => {
  await page.setViewportSize({ width: 1280, height: 720 });
  for (const language of LANGUAGES) {
    await prefer(page, { palette: 'day', language });
    const line = await page.evaluate(() => {
      document.querySelector('header .light span')!.textContent = 'Подключение 100:59:59';
      document.querySelector('header .sync .words span')!.textContent =
        'Ждут 10 000 изменений: Северная подстанция № 12 и ещё 3, нет ответа с 12:34';
      return document.querySelector('header .line')!.getBoundingClientRect().width;
    });
    expect([language, await cutOff(), line >= 100]).toEqual([language, [], true]);
  }
});

test('every view of the queue is in sight at 1280, in both languages', async () => {
  await page.setViewportSize({ width: 1280, height: 720 });
  for (const language of LANGUAGES) {
    await prefer(page, { palette: 'day', language });
    const views = page.locator('.queue .standing');
    const edge = (await views.boundingBox())!;
    const ends = await views
      .getByRole('radio')
      .evaluateAll((all) => all.map((one) => Math.ceil(one.getBoundingClientRect().right)));
    expect(ends).toHaveLength(5);
    expect([language, Math.max(...ends) <= edge.x + edge.width + 1, edge.height < 40]).toEqual([language, true, true]);
  }
  await prefer(page, { palette: 'day', language: 'en' });
});

test('in a low window the vehicles are folded, and a press shows them until another one', async () => {
  await page.setViewportSize({ width: 1280, height: 720 });
  const rows = page.getByRole('listbox', { name: 'Vehicles' }).getByRole('option');
  await expect.poll(() => rows.count()).toBe(0);
  await page.getByRole('button', { name: 'Show the vehicles' }).click();
  await rows.nth(2).waitFor();
  await page.getByRole('button', { name: 'Fold the vehicles' }).click();
  await expect.poll(() => rows.count()).toBe(0);
  await page.setViewportSize({ width: 1280, height: 900 }); // a choice counts in every window
  expect(await rows.count()).toBe(0);
  await prefer(page, { palette: 'day', language: 'en' }, { vehicles: 'window' });
  await rows.nth(2).waitFor();
});

test('in a window of 2560 the units stand at the right, and the queue has its whole height', async () => {
  await page.setViewportSize({ width: 2560, height: 1440 });
  const units = page.getByRole('region', { name: 'Units' });
  await units.getByRole('option').nth(20).waitFor();
  const { x, width } = (await units.boundingBox())!;
  expect(x + width).toBe(2560);
  const bottom = async () => {
    const { y, height } = (await page.locator('.queue [role=listbox]').boundingBox())!;
    return Math.round(y + height);
  };
  await expect.poll(bottom).toBe(1440);
  await screenshot(page, 'board-2560');
  await units.getByRole('button', { name: 'Fold the vehicles' }).click();
  await expect.poll(() => units.count()).toBe(0);
  await page.getByRole('button', { name: 'Show the vehicles' }).click();
  await units.waitFor();
  await prefer(page, { palette: 'day', language: 'en' }, { vehicles: 'window' });
});

test('tasks of the run board have two lines in a low window, and their words are whole', async () => {
  await page.setViewportSize({ width: 1280, height: 720 });
  await page.evaluate(() => (location.hash = '#/units'));
  const row = page.locator('.targets [data-task]').first();
  await row.waitFor();
  expect((await row.boundingBox())!.height).toBeLessThanOrEqual(60);
  await page.evaluate(() => (location.hash = '#/'));
  await page.locator('.queue').waitFor();
});

for (const { name, width, height, rows, map } of SIZES) {
  test(`queue, map and alarm line are usable at ${width} by ${height}`, async () => {
    await page.setViewportSize({ width, height });
    for (const language of LANGUAGES) {
      await prefer(page, { palette: 'day', language });
      await mapDrawn(page);
      expect([language, await cutOff()]).toEqual([language, []]);
      expect(await wholeRows()).toBeGreaterThanOrEqual(rows);
      const drawn = (await page.locator('.map-frame').boundingBox())!;
      expect(drawn.width).toBeGreaterThanOrEqual(map[0]);
      expect(drawn.height).toBeGreaterThanOrEqual(map[1]);
      const acknowledge = page.locator('[data-alarm] button').first();
      await acknowledge.click({ trial: true }); // nothing lies over it
      expect(
        await page.evaluate(() =>
          [...document.querySelectorAll('header nav a')].every(
            (link) => link.getBoundingClientRect().bottom <= innerHeight,
          ),
        ),
      ).toBe(true);
    }
    for (const palette of PICTURES ? PALETTES : []) {
      await prefer(page, { palette, language: 'ru' });
      await screenshot(page, `small-${name}-${palette}-ru`);
    }
    await prefer(page, { palette: 'day', language: 'en' });
    await screenshot(page, `small-${name}-day-en`);
  });

  test(`a task and a call are worked on at ${width} by ${height}, and Escape leads back`, async () => {
    await page.setViewportSize({ width, height });
    await page.locator('.queue [role=option]').first().click();
    await page.locator('.card').waitFor();
    expect(await cutOff()).toEqual([]);
    const vehicle = page.locator('.ranked [data-car]').first();
    await vehicle.waitFor({ state: 'attached' });
    if (!(await vehicle.isVisible())) await page.locator('.card').getByText('Other vehicles').click();
    await vehicle.scrollIntoViewIfNeeded();
    await vehicle.click({ trial: true });
    await screenshot(page, `small-${name}-card`);
    await page.keyboard.press('Escape');
    await expect.poll(() => page.locator('.card').count()).toBe(0);
    await page.keyboard.press('n');
    await page.getByLabel('What happened').fill('Tree over both lanes');
    await page.getByRole('button', { name: /^Save/ }).click({ trial: true });
    expect(await cutOff()).toEqual([]);
    await screenshot(page, `small-${name}-intake`);
    await page.getByLabel('What happened').fill('');
    await page.keyboard.press('Escape');
    await expect.poll(wholeRows).toBeGreaterThanOrEqual(rows);
  });
}

for (const { name, width, height } of SIZES) {
  test(`with text of 125 % and compact rows nothing is cut off at ${width} by ${height}`, async () => {
    await page.setViewportSize({ width, height });
    await prefer(page, { palette: 'day', language: 'ru' }, { textSize: '125', density: 'compact' });
    await expect.poll(() => page.evaluate(() => getComputedStyle(document.body).fontSize)).toBe('16.25px');
    expect(await cutOff()).toEqual([]);
    expect(await wholeRows()).toBeGreaterThanOrEqual(3);
    const cut = await page
      .locator('.queue [role=option] *')
      .evaluateAll((parts) =>
        parts
          .filter(({ scrollHeight, clientHeight }) => clientHeight > 0 && scrollHeight > clientHeight + 2)
          .map((part) => part.outerHTML.slice(0, 120)),
      );
    expect(cut, 'no word of a row is cut off').toEqual([]);
    await screenshot(page, `text-125-${name}`);
    await prefer(page, { palette: 'day', language: 'en' }, { textSize: '100', density: 'window' });
  });
}

test('the board is arranged by keys, saved by name, and is there again after a reload; a call finds its panel', async () => {
  await page.setViewportSize({ width: 1600, height: 1000 });
  await page.evaluate(() => (location.hash = '#/settings'));
  await page.getByRole('link', { name: 'Arrange the board' }).press('Enter');
  const panel = (name: string) => page.locator(`[data-panel=${name}]`);
  await panel('queue').locator('[role=option]').first().waitFor();
  await page.locator('[data-panel=map] .leaflet-tile-loaded').first().waitFor();
  await screenshot(page, 'arranged');
  expect(await accessibilityFaults(page)).toEqual([]);

  const left = async (name: string) => (await panel(name).boundingBox())!.x;
  const open = async (name: string) => {
    const group = page.locator('.dv-groupview').filter({ has: page.locator(`[data-tab-panel-id=${name}]`) });
    await group.getByRole('button', { name: 'Arrange this panel' }).press('Enter');
    await page.locator('dialog[open]').waitFor();
  };
  expect(await left('queue')).toBeLessThan(await left('map'));
  await open('queue');
  await page.getByLabel('Move it').selectOption({ label: 'to the right of' });
  await page.getByRole('button', { name: 'Move', exact: true }).press('Enter');
  await expect.poll(async () => (await left('queue')) > (await left('map'))).toBe(true);
  const wide = (await panel('queue').boundingBox())!.width;
  await panel('queue').focus();
  await page.keyboard.press('Alt+Shift+ArrowRight');
  await expect.poll(async () => (await panel('queue').boundingBox())!.width).toBeGreaterThan(wide);
  await open('log');
  await page.getByRole('button', { name: 'Float over the board' }).press('Enter');
  await expect.poll(() => page.locator('.dv-resize-container [data-tab-panel-id=log]').count()).toBe(1);
  await open('card');
  await page.getByRole('button', { name: 'Close the panel' }).press('Enter');
  await expect.poll(() => panel('card').count()).toBe(0);

  await page.getByRole('button', { name: 'Save as …' }).press('Enter');
  await page.keyboard.type('Night desk');
  await page.keyboard.press('Enter');
  await expect.poll(() => page.getByRole('combobox', { name: 'Layout' }).inputValue()).not.toBe('');
  await loadAnew(page);
  await panel('queue').locator('[role=option]').first().waitFor();
  expect(await left('queue')).toBeGreaterThan(await left('map'));
  expect(await panel('card').count()).toBe(0);
  await page.getByRole('option', { name: 'Night desk' }).waitFor({ state: 'attached' });
  await page.locator('main h1').evaluate(() => (document.activeElement as HTMLElement).blur());
  await page.keyboard.press('n');
  await panel('card').getByLabel('What happened').waitFor();
  await page.keyboard.press('Escape');
  await screenshot(page, 'arranged-night-desk');

  await page.setViewportSize({ width: 640, height: 900 }); // there the standard board is
  await expect.poll(() => page.locator('.board .queue').count()).toBe(1);
  await page.setViewportSize({ width: 1600, height: 1000 });
  await page.getByRole('button', { name: 'Standard board' }).click();
  await expect.poll(() => page.locator('.board .queue').count()).toBe(1);
});

test('a wall shows one view after the other, takes no input, and Escape leads back', async () => {
  await page.setViewportSize({ width: 1920, height: 1080 });
  await page.evaluate(() => (location.hash = '#/wall?show=queue,units&every=5'));
  await page.locator('[data-view=units]').waitFor();
  await screenshot(page, 'wall-units');
  await page.locator('[data-view=queue] [role=option]').first().waitFor();
  await screenshot(page, 'wall-queue');
  await page.keyboard.press('n');
  await page.mouse.click(400, 400);
  await page.keyboard.press('Shift+Enter');
  expect(await page.evaluate(() => [location.hash, document.querySelector('header.bar, .card')])).toEqual([
    '#/wall?show=queue,units&every=5',
    null,
  ]);
  await page.evaluate(() => (location.hash = '#/wall?show=units'));
  await page.locator('[data-view=units] [data-unit]').first().waitFor();
  const handles = page.locator('[data-view=units] .grip');
  expect([(await handles.count()) > 0, await handles.first().isVisible()]).toEqual([true, false]);
  await page.evaluate(() => (location.hash = '#/wall?show=map'));
  await page.locator('[data-view=map] .leaflet-tile-loaded').first().waitFor();
  await screenshot(page, 'wall-map');
  await page.keyboard.press('Escape');
  await page.locator('.queue').waitFor();
});

test('a place is pointed at on the map also where the form lies over it', async () => {
  await page.setViewportSize({ width: 640, height: 900 });
  await page.keyboard.press('n');
  await page.getByRole('button', { name: 'Point on the map' }).click();
  await page.locator('.sketch').waitFor();
  const map = page.getByRole('application', { name: 'Map' });
  await map.click({ position: { x: 300, y: 218 } });
  await expect.poll(() => page.getByLabel('Place', { exact: true }).inputValue()).not.toBe('');
  await page.getByLabel('What happened').click({ trial: true }); // the form is back
  await page.getByRole('button', { name: 'Clear' }).click();
  await page.keyboard.press('Escape');
});

test('what the alarm line has no room for is behind a tap on it', async () => {
  await page.setViewportSize({ width: 640, height: 900 });
  const shelve = page.locator('[data-alarm]').first().locator('button').last();
  expect(await shelve.isVisible()).toBe(false);
  await page.locator('[data-alarm] .what').first().click();
  await expect.poll(() => shelve.isVisible()).toBe(true);
  await page.locator('[data-alarm] .what').first().click();
  await expect.poll(() => shelve.isVisible()).toBe(false);
});

test('no request left the station, and no page had an error or broke the content security policy', () => {
  expect(desk.faults()).toEqual([]);
});
