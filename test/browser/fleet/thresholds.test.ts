import { afterAll, beforeAll, expect, test } from 'vitest';
import { openDemoConsole, screenshot, type DemoConsole } from '../harness/console-harness.ts';
import { intercept } from '../harness/intercept.ts';

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
let desk: DemoConsole;
let { station, page, faults, ask } = {} as DemoConsole;
let vehicle: { id: number };
const start = Date.now() - 3 * DAY;

beforeAll(async () => {
  desk = await openDemoConsole({ standsStill: true });
  ({ station, page, faults, ask } = desk);
  vehicle = await ask('POST', '/cars', { name: 'Probe 1', carNo: 'P 100', glonassId: 990_001 });
  await ask('POST', '/telemetry', drive());
});
afterAll(() => desk?.close());

/** Three days ago: driving, a halt of two minutes, driving, a halt of six minutes, driving. */
function drive(): object[] {
  const records: object[] = [];
  let metres = 0;
  for (let second = 0; second <= 20 * 60; second += 10) {
    const minute = second / 60;
    const moving = !(minute >= 4 && minute < 6) && !(minute >= 10 && minute < 16);
    if (moving) metres += 100;
    records.push({
      glonassId: 990_001,
      time: start + second * 1_000,
      lat: 56.2,
      lon: 18.86 + metres / 62_000,
      speed: moving ? 36 : 0,
      direction: 90,
      height: 40,
      gpsCount: 9,
    });
  }
  return records;
}
const trial = () => page.getByRole('region', { name: 'Test on last month' });
const field = (name: RegExp) => page.getByLabel(name);

test('every threshold stands with its unit and what is usual; what cannot be is said at its field', async () => {
  await page.goto(`${station.address}/#/fleet/thresholds`);
  const stop = field(/^A stop after, min/);
  await expect.poll(() => stop.inputValue()).toBe('3');
  await page.getByText('default 3 min').waitFor();
  expect(await page.locator('fieldset input').count()).toBe(Object.keys(await ask('GET', '/events/settings')).length);
  const save = page.getByRole('button', { name: 'Save' });
  await stop.fill('soon');
  await page.getByText('Enter a number.').waitFor();
  await stop.fill('20');
  await page.getByText('Must not be shorter than a stop.').waitFor();
  expect(await save.isDisabled()).toBe(true);
  await field(/^Fill or drain, of the tank, %/).fill('200');
  await page.getByText('From 0.1 % to 100 %.').waitFor();
  await page.getByRole('button', { name: 'Discard changes' }).click();
  expect(await stop.inputValue()).toBe('3');
});

test('a change is tried on the past: numbers before and after, the events that differ, the track of one; nothing is saved by it', async () => {
  await field(/^A stop after, min/).fill('1,5');
  await trial().getByLabel('Add a vehicle').fill('probe');
  await page.keyboard.press('Enter');
  await trial().getByRole('button', { name: 'Remove Probe 1' }).waitFor();
  await trial().getByRole('button', { name: 'Run the test', exact: true }).click();
  await trial().getByText('One event would be different.').waitFor();
  const told = await ask<{ before: { eventId: number; count: number }[]; after: { eventId: number; count: number }[] }>(
    'POST',
    '/events/replay',
    { settings: { stopAfter: 1.5 * MINUTE }, cars: [vehicle.id], from: start - DAY, till: start + DAY },
  );
  const stops = (list: { eventId: number; count: number }[]) =>
    String(list.find(({ eventId }) => eventId === 1)?.count ?? 0);
  expect(stops(told.after)).not.toBe(stops(told.before));
  const cells = trial()
    .getByRole('table', { name: 'Events by type' })
    .getByRole('row')
    .filter({ hasText: 'Stop' })
    .getByRole('cell');
  expect(await cells.allTextContents()).toEqual(['Stop', stops(told.before), stops(told.after), '+1']);
  const difference = trial().getByRole('grid', { name: 'Events that differ' }).getByRole('row').nth(1);
  expect(await difference.textContent()).toMatch(/appears.*Stop.*Probe 1.*–.*2:\d\d/);
  expect(await ask('GET', '/events/settings')).toMatchObject({ stopAfter: 3 * MINUTE });
  await trial().scrollIntoViewIfNeeded();
  await screenshot(page, 'thresholds-trial-day-en');

  await difference.getByRole('link', { name: 'Track' }).click();
  await page.getByRole('heading', { name: 'Probe 1' }).waitFor();
  await page.locator('.track .sum').waitFor(); // the track of that day, and not of the last hour
  await expect
    .poll(async () =>
      Math.abs(Number(await page.getByRole('slider', { name: 'Moment' }).inputValue()) - (start + 4 * MINUTE)),
    )
    .toBeLessThan(MINUTE);
  await page.goBack();
  expect(await field(/^A stop after, min/).inputValue()).toBe('1,5'); // what was typed is still there
});

test('a trial is ended by the person, and another one can follow', async () => {
  let release = () => {};
  const held = new Promise<void>((resolve) => (release = resolve));
  await intercept(page, '**/events/replay', async (route) => {
    // How far a trial is that does not go on.
    if (route.request().method() === 'GET')
      return await route.fulfill({ json: { running: true, done: 0.4 } }).catch(() => undefined);
    await held;
    await route.continue().catch(() => undefined);
  });
  await trial().getByRole('button', { name: 'Run the test', exact: true }).click();
  await expect.poll(() => trial().getByRole('progressbar').getAttribute('aria-valuenow')).toBe('40');
  await trial().getByRole('button', { name: 'Cancel' }).click();
  await trial().getByText('The test was cancelled.').waitFor();
  release();
  await page.unroute('**/events/replay');
  await trial().getByRole('button', { name: 'Run the test', exact: true }).click();
  await trial().getByText('would be different').waitFor();
});

test('thresholds are saved and taken back; a vehicle may have its own', async () => {
  await page.getByRole('button', { name: 'Save' }).click();
  await page
    .getByText(/^Thresholds saved: /)
    .first()
    .waitFor();
  expect(await ask('GET', '/events/settings')).toMatchObject({ stopAfter: 1.5 * MINUTE });
  await page.getByRole('button', { name: /^Undo/ }).first().click();
  await expect.poll(() => ask<object>('GET', '/events/settings')).toMatchObject({ stopAfter: 3 * MINUTE });

  await page.getByLabel('For', { exact: true }).selectOption({ label: 'Probe 1' });
  await page.getByText('organisation: 10 min').first().waitFor();
  const lost = field(/^Signal lost after/);
  expect(await lost.inputValue()).toBe('');
  await lost.fill('0');
  await screenshot(page, 'thresholds-vehicle-day-en');
  await lost.press('Enter');
  await expect.poll(() => ask<object>('GET', `/events/settings/cars/${vehicle.id}`)).toEqual({ lostAfter: 0 });
  await page.getByText('Nothing changed').waitFor();

  // What the department’s would do leaves that one as it is, and says so; the period of a page that is opened
  // now has it in force.
  await page.reload();
  await page.getByText('default 3 min').waitFor();
  await lost.fill('20');
  await trial().getByRole('button', { name: 'Run the test', exact: true }).click();
  await trial().getByText('One vehicle kept its own thresholds:').waitFor();
  expect(await trial().getByRole('listitem').allTextContents()).toEqual(['Probe 1 Signal lost after (0: never)']);
  await trial().scrollIntoViewIfNeeded();
  await screenshot(page, 'thresholds-own-day-en');
  await page.getByRole('button', { name: 'Discard changes' }).click();
  await page.getByLabel('For', { exact: true }).selectOption({ label: 'Probe 1' });
  await expect.poll(() => lost.inputValue()).toBe('0');
  await lost.fill('');
  await lost.press('Enter');
  await expect.poll(() => ask<object>('GET', `/events/settings/cars/${vehicle.id}`)).toEqual({});
});

test('the page in Russian, at dusk and at night', async () => {
  await page.getByLabel('For', { exact: true }).selectOption({ label: 'All its vehicles' });
  await page.setViewportSize({ width: 1280, height: 720 });
  await page.getByTitle(/palette/i).click();
  await screenshot(page, 'thresholds-dusk-en');
  await page.getByTitle(/palette/i).click();
  await page.locator('.tool.code').click();
  await page.getByRole('heading', { name: 'Пороги событий' }).waitFor();
  await page.getByText('по умолчанию 3 мин').waitFor();
  await screenshot(page, 'thresholds-night-ru');
  expect(faults()).toEqual([]);
});
