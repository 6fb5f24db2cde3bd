import { afterAll, beforeAll, expect, test } from 'vitest';
import { mapDrawn, openDemoConsole, type DemoConsole } from '../harness/console-harness.ts';
import { prefer } from '../harness/every-look.ts';

declare global {
  interface Window {
    /** Names of the tiles that were drawn, each as often as it was. */
    drawn: string[];
  }
}

let demo: DemoConsole;
beforeAll(async () => {
  demo = await openDemoConsole({ standsStill: true }, async (context) => {
    await context.addInitScript(countPictures);
  });
});
afterAll(() => demo?.close());

test('tiles of the map are pictures, which no frame copies again, and show the town in the colours of the palette', async () => {
  await mapDrawn(demo.page);
  const tiles = await demo.page.locator('canvas.leaflet-tile').evaluateAll((all) =>
    (all as HTMLCanvasElement[]).map((tile) => {
      const copy = new OffscreenCanvas(tile.width, tile.height).getContext('2d')!;
      copy.drawImage(tile, 0, 0);
      const { data } = copy.getImageData(0, 0, tile.width, tile.height);
      return { isDrawnOn: tile.getContext('2d') !== null, colours: new Set(new Uint32Array(data.buffer)).size };
    }),
  );
  expect(tiles.filter(({ isDrawnOn }) => isDrawnOn)).toEqual([]);
  expect(Math.max(...tiles.map(({ colours }) => colours))).toBeGreaterThan(20);
  expect(demo.faults()).toEqual([]);
});

test('a new look of the map paints most tiles once, since labels and icons come before the paint', async () => {
  const { page } = demo;
  await mapDrawn(page);
  await page.evaluate(() => (window.drawn = []));
  await prefer(page, { palette: 'night', language: 'en' });
  await page.waitForFunction(() => window.drawn.length > 0);
  await mapDrawn(page);
  const drawn = await page.evaluate(() => window.drawn);
  const tiles = new Set(drawn);
  expect(tiles.size).toBeGreaterThan(10);
  expect(drawn.length).toBeLessThan(1.5 * tiles.size);
});

function countPictures(): void {
  const { transferToImageBitmap } = OffscreenCanvas.prototype;
  window.drawn = [];
  OffscreenCanvas.prototype.transferToImageBitmap = function (this: OffscreenCanvas & { key?: string }) {
    if (this.key !== undefined) window.drawn.push(this.key);
    return transferToImageBitmap.call(this);
  };
}
