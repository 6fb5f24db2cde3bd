import type { Page } from 'playwright';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openDemoConsole, type DemoConsole } from '../harness/console-harness.ts';
import { inEveryLook } from '../harness/every-look.ts';

/** The page of imports, from the file to its undo, also in a narrow window. */
let desk: DemoConsole;
let page: Page;
beforeAll(async () => {
  desk = await openDemoConsole({ standsStill: true, login: 'admin', viewport: { width: 1280, height: 720 } });
  page = desk.page;
  await desk.ask('POST', '/cars', { name: 'Ladder 7', carNo: 'L 7', glonassId: 990_100 });
});
afterAll(() => desk?.close());

const FILE = `Call sign;Number plate;IMEI;On maintenance;Remarks of the workshop, which nobody needs here
Ladder 7;L 70;;no;as before
Ladder 8;L 8;356307042441021;yes;new
Ladder 9;L 9;356307042441021;;the same tracker
Ladder 10;L 10;;perhaps;neither yes nor no
`;
const NARROW = { width: 640, height: 900 };
const WIDE = { width: 1280, height: 720 };
const plates = async (name: string) =>
  (await desk.ask<{ name: string; carNo: string }[]>('GET', `/cars?name=${encodeURIComponent(name)}`))
    .filter((vehicle) => vehicle.name === name)
    .map(({ carNo }) => carNo);

/** Selects whose text has no room, and what is wider than the window. */
const squeezed = () =>
  page.evaluate(() => {
    const narrow = [...document.querySelectorAll<HTMLSelectElement>('main select')]
      .filter((select) => select.getBoundingClientRect().width < 140)
      .map((select) => `${select.ariaLabel}: ${Math.round(select.getBoundingClientRect().width)} px`);
    return document.documentElement.scrollWidth > innerWidth ? ['the page scrolls sideways', ...narrow] : narrow;
  });

test('a file shows what each row would do, is written, and taken back as a whole', async () => {
  await page.goto(`${desk.station.address}/#/imports`);
  await page.getByLabel('What the file lists').selectOption('vehicles');
  await page
    .locator('main input[type=file]')
    .setInputFiles({ name: 'ladders.csv', mimeType: 'text/csv', buffer: Buffer.from(FILE) });
  await page.getByRole('heading', { name: 'ladders.csv' }).waitFor();
  const refused = page.getByRole('region', { name: 'Rows of the file' }).getByRole('row');
  // The refused ones first: the head and two rows.
  await expect.poll(() => refused.allTextContents(), { timeout: 10_000 }).toHaveLength(3);
  await expect.poll(() => page.locator('.rows .reason').allTextContents()).toHaveLength(2);
  const wrong: string[] = [];
  for (const size of [WIDE, NARROW]) {
    await page.setViewportSize(size);
    expect(await squeezed(), `${size.width}`).toEqual([]);
    wrong.push(...(await inEveryLook(page, `import-rows-${size.width}`)));
  }
  await page.setViewportSize(WIDE);

  await page.getByLabel('Field of the column On maintenance').selectOption('');
  await page.getByRole('button', { name: 'Check again' }).click();
  await page.getByRole('button', { name: 'Import 3 rows' }).waitFor();
  expect(await plates('Ladder 8')).toEqual([]);
  await page.getByRole('button', { name: 'Import 3 rows' }).click();
  await page.getByText('2 new, 1 changed').waitFor();
  await page.getByText('Imported', { exact: true }).waitFor();
  expect(await Promise.all(['Ladder 7', 'Ladder 8', 'Ladder 10'].map(plates))).toEqual([['L 70'], ['L 8'], ['L 10']]);

  for (const size of [NARROW, WIDE]) {
    await page.setViewportSize(size);
    wrong.push(...(await inEveryLook(page, `import-history-${size.width}`)));
  }
  await page.getByRole('button', { name: 'Undo' }).click();
  await page.getByRole('dialog').getByText('its 2 new records are deleted').waitFor();
  await page.setViewportSize(NARROW);
  wrong.push(...(await inEveryLook(page, 'import-undo-640')));
  await page.setViewportSize(WIDE);
  await page.getByRole('dialog').getByRole('button', { name: 'Undo' }).click();
  await page.getByText('Undone', { exact: true }).waitFor();
  expect(await Promise.all(['Ladder 7', 'Ladder 8', 'Ladder 10'].map(plates))).toEqual([['L 7'], [], []]);
  expect(wrong).toEqual([]);
  expect(desk.faults()).toEqual([]);
});
