import type { Locator, Page } from 'playwright';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openDemoConsole, type DemoConsole } from '../harness/console-harness.ts';
import { inEveryLook } from '../harness/every-look.ts';

/** Changes of geozones, planned routes and sensors that are to hold later. */
let desk: DemoConsole;
let page: Page;
let sensor: { id: number };
let route: { id: number };
let zone: { id: number };

beforeAll(async () => {
  desk = await openDemoConsole({ standsStill: true, viewport: { width: 1280, height: 720 } });
  page = desk.page;
  const { ask } = desk;
  const vehicle = await ask<{ id: number }>('POST', '/cars', { name: 'Probe 1', carNo: 'P 100', glonassId: 990_001 });
  sensor = await ask('POST', '/sensors', {
    carId: vehicle.id,
    name: 'Tank',
    unit: 'l',
    type: 'fuel',
    input: { kind: 'adc', index: 0 },
    calibration: [
      [0, 0],
      [1000, 100],
    ],
  });
  zone = await ask('POST', '/geozones', {
    name: 'Quay',
    geometry: { type: 'Point', coordinates: [18.9, 56.2] },
    radius: 300,
    speedLimit: 30,
  });
  route = await ask('POST', '/routes', {
    name: 'Round of the quay',
    line: {
      type: 'LineString',
      coordinates: [
        [18.89, 56.2],
        [18.91, 56.2],
      ],
    },
    points: [{ name: 'Gate', lat: 56.2, lon: 18.89 }],
  });
});
afterAll(() => desk?.close());

/** 6:00 of a day that is still to come, as it is typed and as the station has it. */
const DAY = new Date(Date.UTC(new Date().getUTCFullYear() + 1, 2, 5, 6));
const [TYPED, AT] = [`05.03.${DAY.getUTCFullYear()}`, DAY.getTime()];
const field = (key: string) => page.locator(`[data-field="${key}"]`);
const rows = (name: string) => page.locator('[role=listbox] .row[role=option]').filter({ hasText: name });
async function open(path: string, name: string): Promise<Locator> {
  await page.goto(`${desk.station.address}/#${path}`);
  // Until then the page before is shown, which has such a field, too.
  await page.locator(`a[href="#${path}"][aria-current=page]`).waitFor();
  await page.getByLabel('Filter (F)').fill(name);
  await rows(name).first().click();
  await field('name').waitFor();
  return rows(name);
}
async function from(day: string, time: string): Promise<void> {
  await field('holdsFrom')
    .getByLabel(/applies from/)
    .fill(day);
  await field('holdsFrom').getByLabel('Time').fill(time);
}
const versions = (path: string) =>
  desk.ask<{ validFrom: number; speedLimit?: number; calibration?: number[][]; till?: number | null }[]>(
    'GET',
    `${path}/versions`,
  );
const save = () => page.keyboard.press('Control+Enter');

test('a change of a geozone is planned: a row of its own, with its time; what holds now stays, and one key takes the plan back', async () => {
  const found = await open('/fleet/geozones', 'Quay');
  await field('speedLimit').getByRole('textbox').fill('20');
  await from(TYPED, '6');
  await save();
  await page.getByText(/^Saved: Quay, from/).waitFor();
  await expect.poll(() => found.count()).toBe(2);
  expect(await found.nth(1).textContent()).toMatch(/from .*0?5 Mar/);
  expect(await found.nth(1).getAttribute('aria-selected')).toBe('true'); // it is what was just made
  expect(
    (await versions(`/geozones/${zone.id}`)).map(({ validFrom, speedLimit }) => [validFrom === AT, speedLimit]),
  ).toEqual([
    [false, 30],
    [true, 20],
  ]);
  expect(await desk.ask('GET', `/geozones/${zone.id}`)).toMatchObject({ speedLimit: 30 });
  expect(await field('color').count()).toBe(0); // it has no time
  await page.locator('h1').click(); // the keys belong to the page
  await page.keyboard.press('u');
  await expect.poll(() => found.count()).toBe(1);
  expect(await versions(`/geozones/${zone.id}`)).toHaveLength(1);
});

test('a plan is changed and deleted as any record', async () => {
  const found = await open('/fleet/geozones', 'Quay');
  await field('speedLimit').getByRole('textbox').fill('20');
  await from(TYPED, '6:00');
  await save();
  await expect.poll(() => found.count()).toBe(2);
  await field('holdsFrom').getByText(`${TYPED} 06:00`).waitFor(); // its time stands
  expect(await inEveryLook(page, 'planned-geozone')).toEqual([]);
  await field('speedLimit').getByRole('textbox').fill('10');
  await save();
  await expect
    .poll(async () => (await versions(`/geozones/${zone.id}`)).map(({ speedLimit }) => speedLimit))
    .toEqual([30, 10]);
  await page.getByRole('button', { name: 'Delete', exact: true }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete', exact: true }).click();
  await expect.poll(() => found.count()).toBe(1);
  expect(await versions(`/geozones/${zone.id}`)).toHaveLength(1);
});

test('times are looked at when their field is left: no such day, one that is over, an end before its beginning', async () => {
  await open('/fleet/routes', 'Round of the quay');
  const said = (key: string) => field(key).getByRole('alert');
  await from('31.02.2027', '6:00');
  await field('name').getByRole('textbox').focus();
  expect(await said('holdsFrom').textContent()).toBe('Not a valid date and time.');
  await from('01.02.2020', '6:00');
  await field('name').getByRole('textbox').focus();
  expect(await said('holdsFrom').textContent()).toBe('This time has passed.');
  await field('from').getByLabel('Driven from').fill(TYPED);
  await field('till').getByLabel('Until').fill('04.03.2026');
  await field('name').getByRole('textbox').focus();
  expect(await said('till').textContent()).toBe('Must be after the start.');
  await save();
  expect(await versions(`/routes/${route.id}`)).toHaveLength(1); // nothing was sent
  await page.getByRole('button', { name: 'Discard changes' }).click();
});

test('a route without one of its points is planned, and the plan is deleted again', async () => {
  const found = await open('/fleet/routes', 'Round of the quay');
  await page.getByRole('list', { name: 'Control points' }).getByRole('button').click();
  await from(TYPED, '6:00');
  await save();
  await expect.poll(() => found.count()).toBe(2);
  await page.getByRole('button', { name: 'Delete', exact: true }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete', exact: true }).click();
  await expect.poll(() => found.count()).toBe(1);
  expect(await versions(`/routes/${route.id}`)).toMatchObject([{ points: [{ name: 'Gate' }] }]);
});

test('a sensor is read by another table from a day on', async () => {
  const found = await open('/fleet/sensors', 'Tank');
  await page.getByLabel('Real value, row 2').fill('50');
  await page.getByLabel('Real value, row 2').blur();
  await from(TYPED, '6:00');
  await save();
  await expect.poll(() => found.count()).toBe(2);
  expect(
    (await versions(`/sensors/${sensor.id}`)).map(({ validFrom, calibration }) => [
      validFrom === AT,
      calibration![1]![1],
    ]),
  ).toEqual([
    [false, 100],
    [true, 50],
  ]);
  expect(await inEveryLook(page, 'planned-sensor')).toEqual([]);
  expect(desk.faults()).toEqual([]);
});
