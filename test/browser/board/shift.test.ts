import type { Page } from 'playwright';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openDemoConsole, screenshot, type DemoConsole } from '../harness/console-harness.ts';

/** A shift from its beginning to the one that takes it over, as a dispatcher keeps it. */
let desk: DemoConsole;
let page: Page;

beforeAll(async () => {
  desk = await openDemoConsole({ standsStill: true, viewport: { width: 1440, height: 900 } });
  page = desk.page;
  await page.goto(`${desk.station.address}/#/shift`);
});
afterAll(() => desk?.close());

const panel = () => page.getByRole('complementary', { name: 'Shift' });
const lines = () => page.getByRole('list', { name: 'Log-book' }).getByRole('listitem');

test('one key begins a shift, and a roll call finds who is missing', async () => {
  await panel().getByText('No shift is running').waitFor();
  await page.keyboard.press('b');
  const crews = panel().locator('.duties li');
  await expect.poll(() => crews.count()).toBeGreaterThan(5);
  await panel().getByRole('button', { name: 'Roll call' }).click();
  await panel()
    .getByRole('button', { name: /is present$/ })
    .first()
    .click();
  await panel()
    .getByRole('button', { name: /is missing$/ })
    .first()
    .click();
  await panel().getByText('1 missing').waitFor();
  await lines().filter({ hasText: 'Missing at the roll call' }).waitFor();
  await screenshot(page, 'shift');
});

test('an entry is written and corrected, and both stay', async () => {
  await page.keyboard.press('w');
  await page.keyboard.type('City Hospital reports full.');
  await page.keyboard.press('Control+Enter');
  const entry = lines().filter({ hasText: 'City Hospital reports full.' });
  await entry.first().waitFor();
  await entry.getByRole('button', { name: /^Correct entry/ }).click();
  await page.keyboard.type('Only surgical cases.');
  await page.keyboard.press('Control+Enter');
  await lines()
    .filter({ hasText: /Correction of entry \d+:\s*Only surgical cases\./ })
    .waitFor();
  await entry.getByText('corrected', { exact: true }).waitFor();
});

test('what is open goes into the handover, and the next shift takes it over', async () => {
  await panel().getByRole('button', { name: 'Add', exact: true }).first().click();
  await page.keyboard.type('Ring the pump workshop');
  await page.keyboard.press('Enter');
  await panel().getByRole('checkbox', { name: 'Ring the pump workshop' }).waitFor();
  await page.locator('main h1').click();
  await page.keyboard.press('h');
  const field = panel().getByLabel('What the next shift should know');
  await expect.poll(() => field.inputValue()).toContain('Ring the pump workshop');
  await panel().getByRole('button', { name: 'End the shift' }).click();
  await panel().getByText('No shift is running').waitFor();
  await panel().getByRole('button', { name: 'Take over' }).click();
  await lines().filter({ hasText: 'Shift taken over' }).waitFor();
  await expect.poll(() => panel().getByRole('button', { name: 'Take over' }).count()).toBe(0);
});

test('a crew on scene has a ring that one press begins again', async () => {
  const { newsId } = await desk.ask<{ newsId: number }>('POST', '/news/', {
    action: 'put',
    values: { title: 'Smoke on the stairs', news_type_id: 1 },
    point: [18.91, 56.19],
    pointZoom: 15,
  });
  const cars = await desk.ask<{ id: number; name: string }[]>('GET', '/cars');
  const medic = cars.find(({ name }) => name === 'Medic 3')!;
  await desk.ask('POST', `/news/${newsId}/units`, { carIds: [medic.id] });
  await desk.ask('PUT', `/cars/${medic.id}/status`, { status: 4 });
  await page.goto(`${desk.station.address}/#/?task=${newsId}`);
  await page
    .locator('.serving')
    .getByText(/^check \d+:\d\d$/)
    .waitFor();
  await page.getByRole('button', { name: /^Medic 3 reported in/ }).click();
  await page.getByText('Medic 3 reported in', { exact: true }).waitFor();
  expect(desk.faults()).toEqual([]);
});
