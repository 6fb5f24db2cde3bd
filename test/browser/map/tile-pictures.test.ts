import { afterAll, beforeAll, expect, test } from 'vitest';
import { mapDrawn, openDemoConsole, type DemoConsole } from '../harness/console-harness.ts';

let demo: DemoConsole;
beforeAll(async () => {
  demo = await openDemoConsole({ standsStill: true });
});
afterAll(() => demo?.close());

test('tiles of the map are pictures, which no frame copies anew, and show the town in the colours of the palette', async () => {
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
