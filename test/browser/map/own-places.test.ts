import type { Page } from 'playwright';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { mapDrawn, openDemoConsole, type DemoConsole } from '../harness/console-harness.ts';
import { inEveryLook } from '../harness/every-look.ts';

/** Own places: made by hand and from a file, found by the search, also in a narrow window. */
let desk: DemoConsole;
let page: Page;
beforeAll(async () => {
  desk = await openDemoConsole({ standsStill: true, login: 'admin', viewport: { width: 1280, height: 720 } });
  page = desk.page;
});
afterAll(() => desk?.close());

interface Kept {
  readonly name: string;
  readonly geometry: { readonly type: string } | null;
  readonly lat: number;
  readonly lon: number;
}
const kept = () => desk.ask<Kept[]>('GET', '/own-places?limit=1000');
const found = async (query: string) =>
  (
    await desk.ask<{ groupName: string; items: { label: string }[] }[]>(
      'GET',
      `/geocoding?query=${encodeURIComponent(query)}`,
    )
  )
    .filter(({ groupName }) => groupName === 'OwnPlaces')
    .flatMap(({ items }) => items.map(({ label }) => label));
const field = (key: string) => page.locator(`[data-field="${key}"]`);
/** The map of the form, in which a place is pointed at. */
const picture = () => field('spot').locator('.leaflet-container');

async function press(share: number, down: number): Promise<void> {
  const box = (await picture().boundingBox())!;
  await page.mouse.click(box.x + box.width * share, box.y + box.height * down);
}
/** What is held to change a drawing: as wide as it is high, or it looks like a mistake. */
const handleSides = () =>
  page.locator('.draw-handle').evaluateAll((handles) =>
    handles.map((handle) => {
      const { width, height } = handle.getBoundingClientRect();
      const dot = getComputedStyle(handle, '::before');
      return [Math.round(width), Math.round(height), dot.width, dot.height, dot.display];
    }),
  );

test('a place is made on the page, drawn as a point and as an area, and found by its names', async () => {
  await page.goto(`${desk.station.address}/#/own-places`);
  // The board has a button “New task”, too.
  await page.getByRole('heading', { name: 'Own places', level: 1 }).waitFor();
  await page.keyboard.press('n');
  await field('name').getByRole('textbox').fill('Weir gate');
  await field('sort').getByRole('combobox').selectOption('gate');
  await field('otherNames').getByRole('textbox').fill('Шлюз\nOld lock');
  await mapDrawn(page);
  await press(0.5, 0.5);
  await page.keyboard.press('Control+Enter');
  await expect.poll(async () => (await kept()).map(({ name }) => name)).toContain('Weir gate');
  expect(await found('шлюз')).toEqual(['Weir gate (Шлюз)']);
  expect(await found('gate weir')).toEqual(['Weir gate']);

  await page.keyboard.press('n');
  await field('name').getByRole('textbox').fill('Flood meadow');
  await field('sort').getByRole('combobox').selectOption('area');
  await field('spot').getByText('Area', { exact: true }).click();
  await mapDrawn(page);
  for (const [share, down] of [
    [0.3, 0.3],
    [0.7, 0.3],
    [0.6, 0.7],
  ] as const)
    await press(share, down);
  await page.keyboard.press('Enter');
  const sides = await handleSides();
  expect(sides.length).toBeGreaterThanOrEqual(3);
  const [vertex, middle] = [
    [24, 24, '12px', '12px', 'block'],
    [24, 24, '9px', '9px', 'block'],
  ];
  for (const side of sides) expect([vertex, middle]).toContainEqual(side);
  await field('name').getByRole('textbox').press('Control+Enter');
  await expect
    .poll(async () => (await kept()).find(({ name }) => name === 'Flood meadow')?.geometry?.type)
    .toBe('Polygon');
});

test('in a narrow window the list keeps its room beside the form', async () => {
  const wrong: string[] = [];
  for (const size of [
    { width: 640, height: 900 },
    { width: 1280, height: 720 },
  ]) {
    await page.setViewportSize(size);
    await page.goto(`${desk.station.address}/#/own-places`);
    await page.locator('[role=listbox] [role=option]').filter({ hasText: 'Flood meadow' }).click();
    await field('name').waitFor();
    const list = (await page.locator('section.list').boundingBox())!;
    expect(list.width, `${size.width}`).toBeGreaterThan(400);
    expect(list.height, `${size.width}`).toBeGreaterThan(200);
    const name = page
      .locator('[role=listbox] [role=option]')
      .filter({ hasText: 'Weir gate' })
      .locator('.clipped')
      .first();
    expect(await name.evaluate((text) => text.scrollWidth <= text.clientWidth)).toBe(true);
    await mapDrawn(page);
    wrong.push(...(await inEveryLook(page, `own-place-form-${size.width}`)));
  }
  expect(wrong).toEqual([]);
});

test('a list comes from a file: columns are guessed, rows without a place left out', async () => {
  const [gate] = (await kept()).filter(({ name }) => name === 'Weir gate');
  const { lat, lon } = gate!;
  const rows = [1, 2, 3].map((number) => `H${number};Hydrant ${number};${lat + number / 1000};${lon};DN 100`);
  const file = ['Number;Name;Latitude;Longitude;Remarks', ...rows, 'H4;Hydrant 4;;;no place'].join('\n');
  await page.goto(`${desk.station.address}/#/own-places`);
  await page.getByRole('button', { name: 'Import' }).click();
  await page
    .locator('dialog input[type=file]')
    .setInputFiles({ name: 'hydrants.csv', mimeType: 'text/csv', buffer: Buffer.from(file) });
  const sheet = page.getByRole('dialog');
  await sheet.getByText('3 places to import').waitFor();
  const wrong: string[] = [];
  for (const size of [
    { width: 640, height: 900 },
    { width: 1280, height: 720 },
  ]) {
    await page.setViewportSize(size);
    wrong.push(...(await inEveryLook(page, `own-place-import-${size.width}`)));
  }
  await sheet.getByLabel('Kind if the file names none').selectOption('hydrant');
  await sheet.getByRole('button', { name: 'Import', exact: true }).click();
  await sheet.getByText('3 created, 0 changed, 0 removed').waitFor();
  await sheet.getByRole('button', { name: 'Close' }).first().click();
  await page.locator('[role=listbox] [role=option]').filter({ hasText: 'Hydrant 3' }).waitFor();
  expect(await found('hydrant 2')).toContain('Hydrant 2');
  expect(wrong).toEqual([]);
  expect(desk.faults()).toEqual([]);
});
