import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright';
import sharp from 'sharp';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { writeMbTiles } from '../../unit/geo/map/raster-files.ts';
import { mapDrawn, openDemoConsole, type DemoConsole } from '../harness/console-harness.ts';
import { inEveryLook } from '../harness/every-look.ts';
import { intercept } from '../harness/intercept.ts';

const ZOOM = 12;
const scratch = mkdtempSync(join(tmpdir(), 'waypost-pictures-'));
let desk: DemoConsole;
let page: Page;

beforeAll(async () => {
  desk = await openDemoConsole({ standsStill: true, login: 'admin' });
  page = desk.page;
});
afterAll(async () => {
  await desk?.close();
  rmSync(scratch, { recursive: true, force: true });
});

/** Pictures of one colour around the middle of the territory; without the one that is furthest to the south-east. */
async function paintTown(): Promise<string> {
  const { bounds } = await desk.ask<{ bounds: [number, number, number, number] }>('GET', '/territory');
  const [lon, lat] = [(bounds[0] + bounds[2]) / 2, (bounds[1] + bounds[3]) / 2];
  const x = Math.floor(((lon + 180) / 360) * 2 ** ZOOM);
  const sine = Math.asinh(Math.tan((lat * Math.PI) / 180));
  const y = Math.floor(((1 - sine / Math.PI) / 2) * 2 ** ZOOM);
  const bytes = await sharp({ create: { width: 256, height: 256, channels: 3, background: '#22aa44' } })
    .png()
    .toBuffer();
  const around = [-1, 0, 1].flatMap((right) => [-1, 0, 1].map((down) => ({ z: ZOOM, x: x + right, y: y + down })));
  const file = join(mkdtempSync(join(scratch, 'file-')), 'town.mbtiles');
  return writeMbTiles(
    file,
    around.slice(0, -1).map((tile) => ({ ...tile, bytes })),
    { attribution: 'Survey of the town' },
  );
}
const pictures = () => page.locator('.raster-picture img.leaflet-tile-loaded');
const box = () =>
  page.locator('section').filter({ has: page.getByRole('heading', { name: 'Aerial imagery and plans' }) });
const menu = () => page.getByRole('button', { name: 'Imagery on the map' });
const layer = () => page.getByRole('checkbox', { name: 'Town from above' });

test('an administrator puts pictures on the map; a person sees them, paler or not, and they stay chosen', async () => {
  await page.goto(`${desk.station.address}/#/territory`);
  await page.getByText('No imagery yet.').waitFor();
  await page.getByRole('button', { name: 'Add imagery' }).click();
  await page.getByRole('button', { name: 'Add to the map' }).scrollIntoViewIfNeeded();
  expect(await inEveryLook(page, 'territory-add-pictures')).toEqual([]);
  await box().getByRole('radio', { name: 'On the station' }).click();
  await box().getByLabel('File on the station').fill(join(scratch, 'nothing.mbtiles'));
  await page.getByRole('button', { name: 'Add to the map' }).click();
  await page
    .getByText(/nothing\.mbtiles/)
    .first()
    .waitFor();
  await page
    .getByLabel('File on the station')
    .last()
    .fill(await paintTown());
  await box().getByLabel('Name', { exact: true }).fill('Town from above');
  await page.getByRole('button', { name: 'Add to the map' }).click();
  await page.getByRole('button', { name: 'Remove Town from above' }).waitFor();
  expect(await inEveryLook(page, 'territory-pictures')).toEqual([]);

  await page.getByRole('button', { name: 'Dismiss' }).click();
  await page.getByRole('link', { name: 'Board' }).click();
  await mapDrawn(page);
  expect(await pictures().count()).toBe(0);
  await menu().click();
  await expect.poll(() => layer().evaluate((box) => box === document.activeElement)).toBe(true);
  await page.keyboard.press('Space');
  await expect.poll(() => pictures().count()).toBeGreaterThan(0);
  await page.getByText('Survey of the town').waitFor();
  const opacity = page.getByRole('slider', { name: 'Opacity of Town from above' });
  await opacity.press('Home');
  const sheet = page.locator('.raster-picture');
  await expect.poll(() => sheet.evaluate((element) => getComputedStyle(element).opacity)).toBe('0.1');
  await opacity.press('End');
  await expect.poll(() => sheet.evaluate((element) => getComputedStyle(element).opacity)).toBe('1');
  const colour = await pictures()
    .first()
    .evaluate((picture: HTMLImageElement) => {
      const context = new OffscreenCanvas(1, 1).getContext('2d')!;
      context.drawImage(picture, 0, 0);
      return [...context.getImageData(0, 0, 1, 1).data];
    });
  expect(colour).toEqual([0x22, 0xaa, 0x44, 255]);
  const order = await page.locator('.leaflet-tile-pane > .leaflet-layer').evaluateAll((layers) =>
    layers
      .filter((layer) => !layer.classList.contains('world'))
      .map((layer) => [getComputedStyle(layer).zIndex, layer.classList.contains('raster-picture')] as const)
      .toSorted(([one], [other]) => Number(one) - Number(other))
      .map(([, isPicture]) => isPicture),
  );
  expect(order, 'above the base map').toEqual([false, true]);
  expect(await inEveryLook(page, 'map-pictures')).toEqual([]);
  await page.setViewportSize({ width: 640, height: 900 });
  expect(await inEveryLook(page, 'map-pictures-640')).toEqual([]);
  await page.setViewportSize({ width: 1440, height: 900 });

  await page.reload();
  await expect.poll(() => pictures().count()).toBeGreaterThan(0);
  await menu().click();
  await layer().uncheck();
  await expect.poll(() => pictures().count()).toBe(0);
  await page.keyboard.press('Escape');
  expect(await layer().count()).toBe(0);
  expect(await menu().evaluate((button) => button === document.activeElement)).toBe(true);
});

test('a file is sent from this computer; Cancel stops it, and then nothing is added', async () => {
  await page.goto(`${desk.station.address}/#/territory`);
  let held: (() => void) | undefined;
  await intercept(page, '**/fileload', (route) => (held = () => void route.continue().catch(() => undefined)));
  const begin = async () => {
    await page.getByRole('button', { name: 'Add imagery' }).click();
    await box()
      .locator('input[type=file]')
      .setInputFiles(await paintTown());
    await box().getByLabel('Name', { exact: true }).fill('Sent');
    await page.getByRole('button', { name: 'Add to the map' }).click();
    await expect.poll(() => held).toBeDefined();
  };
  await begin();
  await box().getByRole('button', { name: 'Cancel' }).click();
  await page.getByRole('button', { name: 'Add imagery' }).waitFor();
  held!();
  await page.unroute('**/fileload');
  held = undefined;
  await intercept(page, '**/fileload', (route) => ((held = () => undefined), route.continue()));
  await begin();
  await page.getByRole('button', { name: 'Remove Sent' }).waitFor();
  await page.unroute('**/fileload');
  expect((await desk.ask<{ name: string }[]>('GET', '/raster-layers')).map(({ name }) => name)).toEqual([
    'Sent',
    'Town from above',
  ]);
  await page.getByRole('button', { name: 'Remove Sent' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
  await expect.poll(() => page.getByRole('button', { name: 'Remove Sent' }).count()).toBe(0);
});

test('a layer is renamed, and the map has its new name', async () => {
  await page.goto(`${desk.station.address}/#/territory`);
  await page.getByRole('button', { name: 'Rename Town from above' }).click();
  expect(await inEveryLook(page, 'territory-rename-pictures')).toEqual([]);
  const name = box().getByLabel('Name', { exact: true });
  await name.fill('Nothing');
  await name.press('Escape');
  await page.getByRole('button', { name: 'Rename Town from above' }).click();
  await name.fill('Town in May');
  await box().getByLabel('Attribution').fill('Aero club');
  await box().getByRole('button', { name: 'Save' }).click();
  await page.getByRole('button', { name: 'Rename Town in May' }).waitFor();
  expect(await desk.ask('GET', '/raster-layers')).toMatchObject([{ name: 'Town in May', attribution: 'Aero club' }]);
  await page.getByRole('button', { name: 'Rename Town in May' }).click();
  await name.fill('Town from above');
  await box().getByRole('button', { name: 'Save' }).click();
  await page.getByRole('button', { name: 'Rename Town from above' }).waitFor();
});

test('a removed layer leaves the map', async () => {
  await page.goto(`${desk.station.address}/#/territory`);
  const remove = page.getByRole('button', { name: 'Remove Town from above' });
  await remove.click();
  const sheet = page.getByRole('dialog', { name: 'Remove Town from above?' });
  expect(await inEveryLook(page, 'territory-remove-pictures')).toEqual([]);
  await sheet.getByRole('button', { name: 'Keep it' }).last().click();
  await remove.click();
  await sheet.getByRole('button', { name: 'Remove' }).click();
  await page.getByText('No imagery yet.').waitFor();
  await page.getByRole('link', { name: 'Board' }).click();
  await mapDrawn(page);
  expect(await menu().count()).toBe(0);
  expect(desk.faults()).toEqual([]);
});
