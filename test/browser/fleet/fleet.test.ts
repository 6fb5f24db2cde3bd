import { readFileSync } from 'node:fs';
import sharp from 'sharp';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type DemoConsole, downloaded, openDemoConsole, screenshot } from '../harness/console-harness.ts';

const MINUTE = 60_000;
let desk: DemoConsole;
let { station, page, faults, ask } = {} as DemoConsole;
let vehicle: { id: number };

beforeAll(async () => {
  desk = await openDemoConsole({ acceptDownloads: true });
  ({ station, page, faults, ask } = desk);
  vehicle = await ask('POST', '/cars', { name: 'Probe 1', carNo: 'P 100', glonassId: 990_001 });
  await ask('POST', '/sensors', {
    carId: vehicle.id,
    name: 'Tank',
    unit: 'l',
    type: 'fuel',
    input: { kind: 'adc', index: 0 },
    calibration: [
      [0, 0],
      [1000, 100],
    ],
    validFrom: 0,
  });
  await ask('POST', '/telemetry', drive());
});
afterAll(() => desk?.close());

/**
 * Forty minutes, the last ones now: east along a street, a stop, a gap of ten minutes, on again; one position
 * that cannot be.
 */
function drive(): object[] {
  const end = Date.now() - 20_000;
  const records: object[] = [];
  for (let second = 0; second <= 2_400; second += 10) {
    const minute = second / 60;
    if (minute > 20 && minute < 30) continue;
    const moving = minute < 12 || minute >= 30;
    const metres = Math.min(minute, 12) * 600 + Math.max(0, minute - 30) * 600;
    records.push({
      glonassId: 990_001,
      time: end - 2_400_000 + second * 1_000,
      lat: 56.2,
      lon: 18.86 + metres / 62_000,
      speed: moving ? 36 : 0,
      direction: 90,
      height: 40 + (second % 300) / 10,
      gpsCount: 9,
      adc: [900 - second / 10],
    });
  }
  records.splice(30, 0, { ...(records[30] as object), time: end - 2_400_000 + 305_000, lat: 10 });
  return records;
}

test('a vehicle is opened from the list; its card says what is known, its track is driven, with its gap and its doubtful position', async () => {
  await page.getByRole('link', { name: 'Vehicles' }).click();
  await page.getByPlaceholder(/Call sign/).fill('probe');
  const grid = page.getByRole('grid', { name: 'Vehicles' });
  await expect.poll(() => grid.getByRole('row').count()).toBe(2);
  await grid.getByRole('row').nth(1).click();
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Probe 1' }).waitFor();
  await page.locator('.card').getByText('990001').waitFor();
  await page
    .locator('.card')
    .getByText(/^66(\.\d)? l/)
    .waitFor(); // the last raw value, 660, by the table
  const sum = page.locator('.track .sum');
  await sum.waitFor();
  const [, km] = /^([\d.]+) km/.exec((await sum.textContent())!)!;
  expect(Number(km)).toBeGreaterThan(12);
  // twelve minutes and ten at 36 km/h, and not the way to the doubtful place and back
  expect(Number(km)).toBeLessThan(14.5);
  await page.getByText('one doubtful position').waitFor();
  await page.getByText('unknown', { exact: true }).waitFor();
  await screenshot(page, 'fleet-track-day-en');
});

test('the moment is moved by slider and keys, played, and passes over the gap at once', async () => {
  const slider = page.getByRole('slider', { name: 'Moment' });
  const at = async () => Number(await slider.inputValue());
  const began = await at();
  await page.locator('.track h1, .card h1').first().click(); // the keys belong to the page, not to a field
  await page.keyboard.press('ArrowRight');
  expect(await at()).toBe(began + 10_000);
  await slider.fill(String(began + 19.9 * MINUTE - ((began + 19.9 * MINUTE) % 1_000)));
  await page.getByRole('radio', { name: '60×' }).click();
  await page.getByRole('button', { name: 'Play (Space)' }).click();
  await expect.poll(at).toBeGreaterThan(began + 30 * MINUTE);
  await slider.fill(String(Math.round(began + 25 * MINUTE) - (Math.round(began + 25 * MINUTE) % 1_000)));
  await page.getByText(/no data for 10:\d\d|no data for 9:\d\d/).waitFor();
});

test('plots and map point at the same moment', async () => {
  const plot = page.getByRole('figure', { name: 'Tank' }).locator('canvas').last();
  const box = (await plot.boundingBox())!;
  await page.mouse.move(box.x + box.width * 0.95, box.y + box.height / 2);
  const speed = page.getByRole('figure', { name: 'Speed' }).locator('.value');
  await expect.poll(() => speed.textContent()).toMatch(/36 km\/h/);
  await page.mouse.click(box.x + box.width * 0.95, box.y + box.height / 2);
  await expect.poll(() => page.locator('.now').textContent()).toMatch(/UTC.*36 km\/h/s);
});

test('a geozone is drawn on the map, by keyboard, and saved with its limit', async () => {
  await page.goto(`${station.address}/#/fleet/geozones`);
  await page.getByRole('heading', { name: /Geozones/ }).waitFor();
  await page.getByRole('button', { name: /^New/ }).click();
  await page.getByLabel(/^Name/).fill('Harbour');
  await page.getByRole('radio', { name: 'Circle' }).click();
  const map = page.getByRole('application', { name: 'Map' });
  await map.focus();
  await page.keyboard.press('Space'); // the centre
  for (let step = 0; step < 3; step++) {
    await page.keyboard.press('ArrowRight');
    await page.locator('.leaflet-pan-anim').waitFor({ state: 'detached' }); // the map glides there
  }
  await page.keyboard.press('Space'); // the border
  await page.getByText(/radius [\d.]+ (m|km)/).waitFor();
  await page.getByLabel(/^Speed limit/).fill('40');
  await page.getByRole('button', { name: /^Create/ }).click();
  await page.getByText('Saved: Harbour').waitFor();
  const [zone] = await ask<{ shape: string; radius: number; speedLimit: number }[]>('GET', '/geozones?name=Harbour');
  expect(zone).toMatchObject({ shape: 'circle', speedLimit: 40 });
  expect(zone!.radius).toBeGreaterThan(5);
  await screenshot(page, 'fleet-geozone-day-en');
});

test('a planned route is drawn, with a control point, and keeps both', async () => {
  await page.goto(`${station.address}/#/fleet/routes`);
  await page.getByRole('heading', { name: /^Planned routes/ }).waitFor();
  await page.getByRole('button', { name: /^New/ }).click();
  await page.getByLabel(/^Name/).fill('Round of the harbour');
  await page.getByLabel('Follow the roads').uncheck();
  await page.getByRole('application', { name: 'Map' }).focus();
  await page.keyboard.press('Space');
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('Space');
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Control point' }).click();
  await page.getByRole('button', { name: 'In the middle of the map' }).click();
  const points = page.getByRole('list', { name: 'Control points' });
  await points.getByLabel('After, h:min').fill('0:20');
  await screenshot(page, 'fleet-route-day-en');
  await page.getByRole('button', { name: /^Create/ }).click();
  await page.getByText('Saved: Round of the harbour').waitFor();
  const [route] = await ask<{ line: { coordinates: number[][] }; points: { name: string; arriveAfter: number }[] }[]>(
    'GET',
    '/routes?name=harbour',
  );
  expect(route!.line.coordinates.length).toBe(2);
  expect(route!.points).toMatchObject([{ name: 'Point 1', arriveAfter: 1_200 }]);
});

test('a driver is entered with a photo', async () => {
  await page.goto(`${station.address}/#/fleet/drivers`);
  await page.getByRole('heading', { name: /^Drivers/ }).waitFor();
  await page.getByRole('button', { name: /^New/ }).click();
  await page.getByLabel(/^Full name/).fill('Ada Probe');
  const photo = await sharp({ create: { width: 90, height: 120, channels: 3, background: '#336699' } })
    .png()
    .toBuffer();
  await page.locator('input[type=file]').setInputFiles({ name: 'ada.png', mimeType: 'image/png', buffer: photo });
  await page.getByRole('img', { name: 'Photo' }).waitFor();
  await page.getByRole('button', { name: /^Create/ }).click();
  await page.getByText('Saved: Ada Probe').waitFor();
  expect(await ask<{ hasPhoto: boolean }[]>('GET', '/drivers?fio=Ada%20Probe')).toMatchObject([{ hasPhoto: true }]);
});

test('what a rule about keeping tracks would delete is said before it is set', async () => {
  await page.goto(`${station.address}/#/fleet/retention`);
  await page.getByLabel('Keep tracks for (days)').fill('0');
  await page.getByText('A whole number from 1 to 36,500, or empty.').waitFor();
  await page.getByLabel('Keep tracks for (days)').fill('30');
  await page.getByText('Nothing would be deleted.').waitFor();
});

test('a sensor is calibrated, and the plot shows what the change does before it is saved; a table that does not rise is refused', async () => {
  await page.goto(`${station.address}/#/fleet/sensors`);
  await page.getByRole('heading', { name: /^Sensors/ }).waitFor();
  await page.getByLabel('Filter (F)').fill('tank');
  await page.getByRole('option').filter({ hasText: 'Probe 1' }).click();
  await page.getByLabel('Real value, row 2').waitFor();
  await page.getByRole('figure', { name: 'Raw' }).waitFor();
  await page.getByLabel('Real value, row 2').fill('50');
  await page.getByLabel('Real value, row 2').blur();
  await page.getByRole('figure', { name: 'Real' }).getByText('Real, as entered above').waitFor();
  await page.getByLabel('Raw value, row 2').fill('-1');
  await page.getByLabel('Raw value, row 2').blur();
  await page.getByText('Raw values must increase; row 2 does not.').waitFor();
  await page.getByLabel('Raw value, row 2').fill('1000');
  await page.getByLabel('Raw value, row 2').blur();
  await screenshot(page, 'fleet-sensor-day-en');
  await page.getByRole('button', { name: /^Save/ }).click();
  await page.getByText('Saved: Tank').waitFor();
  const [sensor] = await ask<{ calibration: number[][] }[]>('GET', `/sensors?cars=${vehicle.id}`);
  expect(sensor!.calibration).toEqual([
    [0, 0],
    [1000, 50],
  ]);
});

test('a report is made for one vehicle, says its zone, and comes as a workbook and on paper', async () => {
  await page.goto(`${station.address}/#/reports`);
  await page.getByLabel('Vehicle', { exact: true }).selectOption({ label: 'Probe 1' });
  await page.getByRole('radio', { name: '7 days' }).click();
  await page.getByRole('button', { name: 'Create the report' }).click();
  const grid = page.getByRole('grid', { name: 'Mileage' });
  await grid.waitFor();
  await grid.getByText('Probe 1').first().waitFor();
  await page
    .getByText(/UTC \(/)
    .first()
    .waitFor();
  await screenshot(page, 'fleet-report-day-en');
  const [day, time] = [page.getByLabel('From', { exact: true }), page.getByLabel('From: Time')];
  await day.fill('1.11.2026');
  await time.fill('7');
  await page.getByLabel('Until: Time').fill('25:00');
  await page.getByRole('button', { name: 'Create the report' }).click();
  expect([
    await day.inputValue(),
    await time.inputValue(),
    await page.getByLabel('Until: Time').getAttribute('aria-invalid'),
  ]).toEqual(['01.11.2026', '07:00', 'true']);
  await page
    .getByRole('radiogroup', { name: 'Period' })
    .getByRole('radio', { checked: true })
    .waitFor({ state: 'detached' });
  await page.getByText(/^01\.11\.2026, 07:00:00 –/).waitFor();
  for (const [name, magic] of [
    ['Workbook (xlsx)', 'PK'],
    ['PDF', '%PDF'],
  ] as const) {
    const [download] = await Promise.all([page.waitForEvent('download'), page.getByRole('link', { name }).click()]);
    expect(
      readFileSync(await downloaded(download))
        .subarray(0, magic.length)
        .toString('latin1'),
    ).toBe(magic);
  }
});

test('what happened is listed by type and vehicle', async () => {
  await page.goto(`${station.address}/#/events`);
  const field = page.getByPlaceholder('All vehicles');
  await field.fill('probe');
  await page.getByRole('option', { name: 'Probe 1' }).click();
  const grid = page.getByRole('grid', { name: 'Events' });
  await grid.getByRole('row').filter({ hasText: 'Signal lost' }).waitFor(); // the gap
  await page.getByRole('checkbox', { name: 'Stop', exact: true }).click();
  await expect.poll(() => grid.getByRole('row').filter({ hasText: 'Signal lost' }).count()).toBe(0);
  await grid.getByRole('row').filter({ hasText: 'Stop' }).first().waitFor();
  await screenshot(page, 'fleet-events-day-en');
  expect(faults()).toEqual([]);
});
