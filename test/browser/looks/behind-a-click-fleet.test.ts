import type { Page } from 'playwright';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { loadAnew, openDemoConsole, type DemoConsole } from '../harness/console-harness.ts';
import { inEveryLook } from '../harness/every-look.ts';

/**
 * What the pages of the fleet, of alarms, events, reports and driving show only after a click, in every
 * palette and language.
 */
let desk: DemoConsole;
let page: Page;
let probe: { id: number };

beforeAll(async () => {
  desk = await openDemoConsole({ standsStill: true, viewport: { width: 1280, height: 720 } });
  page = desk.page;
  probe = await desk.ask('POST', '/cars', { name: 'Probe 1', carNo: 'P 100', glonassId: 990_001, kmNextTo: 12_000 });
  await desk.ask('POST', '/sensors', {
    carId: probe.id,
    name: 'Tank',
    unit: 'l',
    type: 'fuel',
    input: { kind: 'adc', index: 0 },
    calibration: [
      [0, 0],
      [500, 40],
      [1000, 100],
    ],
    validFrom: 0,
  });
  const end = Date.now() - 30_000;
  await desk.ask(
    'POST',
    '/telemetry',
    Array.from({ length: 240 }, (_, index) => ({
      glonassId: 990_001,
      time: end - (240 - index) * 10_000,
      lat: 56.2 + Math.sin(index / 40) / 200,
      lon: 18.88 + index / 12_000,
      speed: index % 60 < 45 ? 30 + (index % 45) : 0,
      direction: 90,
      height: 40 + (index % 30) / 10,
      gpsCount: 9,
      adc: [900 - index],
    })),
  );
});
afterAll(() => desk?.close());
/** Each begins on a fresh page without a map, which would be drawn for nothing. */
beforeEach(async () => {
  await page.evaluate(() => history.replaceState(null, '', '#/settings'));
  await loadAnew(page);
  await page.locator('.light[data-level=good]').waitFor();
});

const field = (key: string) => page.locator(`[data-field="${key}"]`);
const looksRight = async (name: string) => expect(await inEveryLook(page, `behind-${name}`)).toEqual([]);
async function open(path: string): Promise<void> {
  await page.goto(`${desk.station.address}/#${path}`);
  // it has a map and a button that begins with New, too
  if (path !== '/') await page.locator('.board').waitFor({ state: 'detached' });
  await page.locator('main, .side').first().waitFor();
}
async function choose(text: string): Promise<void> {
  await page.locator('[role=listbox] .row[role=option]').filter({ hasText: text }).first().click();
  await page.locator('form [data-field]').first().waitFor();
}

test('a vehicle: its form, with what is wrong at its field; a new one', async () => {
  await open('/fleet/vehicles');
  await page.getByLabel('Filter (F)').fill('probe');
  await choose('Probe 1');
  await field('serviceKept').waitFor();
  await looksRight('vehicle-form');
  await field('serviceKept').evaluate((part) => part.scrollIntoView({ block: 'center' }));
  await looksRight('vehicle-form-service');
  await field('glonassId').getByRole('textbox').fill('0');
  await field('name').getByRole('textbox').fill('');
  await page.keyboard.press('Control+Enter');
  await page.locator('form [role=alert]').first().waitFor();
  await looksRight('vehicle-form-faults');
});

test.each(['models', 'groups', 'tags', 'drivers', 'icons', 'fields'])(
  'the form of the list /fleet/%s',
  async (list) => {
    await open(`/fleet/${list}`);
    await page.getByRole('button', { name: /^New/ }).click();
    await field('name').waitFor();
    await looksRight(`new-${list}`);
  },
);

test('a geozone that is drawn, and one with its limit', async () => {
  await open('/fleet/geozones');
  await page.locator('[role=listbox] .row[role=option]').first().click();
  await page.getByRole('application', { name: 'Map' }).waitFor();
  await looksRight('geozone');
  await page.getByRole('button', { name: /^New/ }).click();
  await page.getByRole('radio', { name: 'Circle' }).click();
  await page.getByRole('application', { name: 'Map' }).focus();
  await page.keyboard.press('Space');
  for (let step = 0; step < 4; step++) await page.keyboard.press('ArrowRight');
  await looksRight('geozone-drawing');
});

test('a planned route that is drawn, with its control points', async () => {
  await open('/fleet/routes');
  await page.getByRole('button', { name: /^New/ }).click();
  await field('name').getByRole('textbox').fill('Round of the harbour');
  await page.getByLabel('Follow the roads').uncheck();
  await page.getByRole('application', { name: 'Map' }).focus();
  await page.keyboard.press('Space');
  for (let step = 0; step < 6; step++) await page.keyboard.press('ArrowRight');
  await page.keyboard.press('Space');
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Control point' }).click();
  await page.getByRole('button', { name: 'In the middle of the map' }).click();
  await page.getByRole('list', { name: 'Control points' }).getByLabel('After, h:min').fill('0:20');
  await looksRight('planned-route');
});

test('a sensor with its calibration, tried before it is saved', async () => {
  await open('/fleet/sensors');
  await page.getByLabel('Filter (F)').fill('tank');
  await choose('Probe 1');
  await page.getByRole('figure', { name: 'Raw' }).waitFor();
  await page.getByLabel('Real value, row 2').fill('70');
  await page.getByLabel('Real value, row 2').blur();
  await page.getByRole('figure', { name: 'Real' }).waitFor();
  await page.getByRole('figure', { name: 'Real' }).scrollIntoViewIfNeeded();
  await looksRight('sensor');
});

test('a track that is played, at the moment of its slider', async () => {
  await open(`/vehicles/${probe.id}`);
  const slider = page.getByRole('slider', { name: 'Moment' });
  await slider.waitFor();
  await slider.fill(String(Number(await slider.inputValue()) + 900_000));
  await page.getByRole('radio', { name: '60×' }).click();
  await looksRight('track');
});

test('alarms: the sheet that puts one aside; how many there are; their rules', async () => {
  await desk.ask('PUT', `/cars/${probe.id}/status`, { status: 0 });
  await open('/alarms');
  await page.locator('[data-alarm]').first().waitFor();
  // the first task of the demo whose time runs out
  await page.getByRole('button', { name: 'Shelve' }).first().waitFor({ timeout: 100_000 });
  await looksRight('alarms');
  await page.getByRole('button', { name: 'Shelve' }).first().click();
  await page.getByRole('dialog').getByRole('button', { name: 'Shelve' }).click();
  await looksRight('alarm-shelf');
  await page.keyboard.press('Escape');
  for (const view of ['Statistics', 'Rules']) {
    await page.getByRole('radio', { name: view }).click();
    await page.locator('main [role=status][aria-label=Loading]').first().waitFor({ state: 'hidden' });
    await looksRight(`alarms-${view === 'Rules' ? 'rules' : 'rate'}`);
  }
  await desk.ask('PUT', `/cars/${probe.id}/status`, { status: 1 });
});

test('thresholds: what is wrong at its field, and a trial', async () => {
  await open('/fleet/thresholds');
  await page.getByRole('heading', { level: 1 }).waitFor();
  const stop = page.getByLabel(/^A stop after, min/);
  await stop.fill('many');
  await page.getByRole('alert').first().waitFor();
  await looksRight('thresholds-fault');
  await stop.fill('1');
  await page.getByRole('button', { name: 'Run the test', exact: true }).click();
  await page.getByText(/positions read/).waitFor({ timeout: 60_000 });
  await looksRight('thresholds-trial');
});

test.each([
  ['Mileage', 'Mileage'],
  ['Completed tasks', 'Task execution'],
])('the report %s, with its rows', async (wish, title) => {
  await open('/reports');
  await page.getByLabel('Report', { exact: true }).selectOption({ label: wish });
  await page.getByRole('radio', { name: '7 days' }).click();
  await page.getByRole('button', { name: 'Create the report' }).click();
  await page.getByRole('grid', { name: title }).waitFor();
  await looksRight(`report-${title.split(' ')[0]!.toLowerCase()}`);
});

test('driving: a route, as a planned one; a table; a closure’s form; how far one comes', async () => {
  const address = '/routes?via=56.2030,18.8900;56.2080,18.9150';
  await open(address);
  await page.locator('.drives .time').first().waitFor();
  await looksRight('drive');
  await page.getByRole('button', { name: 'Make a planned route' }).click();
  await looksRight('drive-as-route');
  await open('/routes?view=table');
  await looksRight('drive-table');
  await open('/routes?view=closures');
  await page.getByRole('button', { name: 'New closure' }).click();
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Draw the closure on the map.').waitFor();
  await looksRight('closure-form');
  await open('/routes?view=reach');
  await looksRight('reach');
});

test('what was done and cannot be: notices, the keys, the settings of notifications', async () => {
  await page.keyboard.press('?');
  await page.getByRole('dialog').waitFor();
  await looksRight('help');
  await page.keyboard.press('Escape');
  await open('/settings');
  await looksRight('settings');
  expect(desk.faults()).toEqual([]);
});
