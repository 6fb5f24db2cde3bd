import type { Page } from 'playwright';
import sharp from 'sharp';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { BASE_COLOURS } from '../../../renderer/src/map/base/base-colours.ts';
import { mapDrawn, openDemoConsole, takePicture, PICTURES, type DemoConsole } from '../harness/console-harness.ts';
import { LANGUAGES, PALETTES, prefer } from '../harness/every-look.ts';

let desk: DemoConsole;
let page: Page;
beforeAll(async () => {
  desk = await openDemoConsole({ standsStill: true });
  page = desk.page;
});
afterAll(() => desk?.close());

async function showAt(zoom: number): Promise<readonly [number, number, number, number]> {
  const { bounds } = await desk.ask<{ bounds: [number, number, number, number] }>('GET', '/territory');
  const [lat, lon] = [(bounds[1] + bounds[3]) / 2, (bounds[0] + bounds[2]) / 2];
  await page.goto(`${desk.station.address}/#/map?map=${lat.toFixed(5)},${lon.toFixed(5)},${zoom}`);
  await expect.poll(() => page.locator('.leaflet-tile-pane').count()).toBe(1);
  await mapDrawn(page);
  return bounds;
}
/** How many pixels of the map have this colour. */
async function pixels(...colours: string[]): Promise<number> {
  const picture = await page.locator('.map-sheet').screenshot();
  const { data } = await sharp(picture).removeAlpha().raw().toBuffer({ resolveWithObject: true });
  const wanted = new Set(colours.map((colour) => Number.parseInt(colour.slice(1), 16)));
  let count = 0;
  for (let i = 0; i < data.length; i += 3)
    if (wanted.has((data[i]! << 16) | (data[i + 1]! << 8) | data[i + 2]!)) count++;
  return count;
}
const tiles = () => page.locator('.world canvas.leaflet-tile');

test('a territory is seen among its countries, in every palette, and no sea is made up around it', async () => {
  for (const palette of PALETTES) {
    await prefer(page, { palette, language: 'en' });
    const { unknown, worldLand, worldLine, water } = BASE_COLOURS[palette];
    for (const zoom of [4, 7]) {
      const [west, , east] = await showAt(zoom);
      await expect.poll(() => pixels(worldLine)).toBeGreaterThan(30);
      expect(await pixels(worldLand)).toBeGreaterThan(5_000);
      expect(await pixels(unknown)).toBeGreaterThan(5_000);
      // The territory is a square at most as wide as its box.
      const most = Math.ceil(((east - west) / 360) * 256 * 2 ** zoom + 2) ** 2;
      expect(await pixels(water)).toBeLessThanOrEqual(most * 4);
      if (PICTURES)
        for (const language of LANGUAGES) {
          await prefer(page, { palette, language });
          await mapDrawn(page);
          await takePicture(page, `world-${zoom}-${palette}-${language}`);
        }
    }
  }
  expect(desk.faults()).toEqual([]);
});

test('where streets are seen, the outline is neither drawn nor loaded', async () => {
  await showAt(10);
  expect(await tiles().count()).toBe(0);
  await page.reload();
  await mapDrawn(page);
  const asked = await page.evaluate(() => performance.getEntriesByType('resource').map(({ name }) => name));
  expect(asked.filter((name) => name.includes('countries-50m'))).toEqual([]);
  await showAt(9);
  await expect.poll(() => tiles().count()).toBeGreaterThan(0);
  expect(desk.faults()).toEqual([]);
});
