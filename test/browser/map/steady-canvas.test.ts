import { build } from 'esbuild';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Browser } from 'playwright';
import { launchChromium } from '../harness/chromium.ts';
import { ROOT } from '../harness/console-harness.ts';

let browser: Browser;
beforeAll(async () => {
  browser = await launchChromium();
});
afterAll(() => browser?.close());

/** A line changes its colour, the map moves at once, and its page is left, all before the next frame. */
const LEFT = `
import L from 'leaflet';
import './renderer/src/map/base/steady-canvas.ts';
const map = L.map(document.body, { preferCanvas: true, center: [50, 20], zoom: 12 });
const line = L.polyline([[50, 20], [50.01, 20.01]]).addTo(map);
requestAnimationFrame(() => {
  line.setStyle({ color: 'blue' });
  map.setView([50.001, 20.001], 12, { animate: false });
  map.remove();
  requestAnimationFrame(() => requestAnimationFrame(() => (document.title = 'left')));
});
`;

test('a page that is left while its map is about to be drawn draws nothing more', async () => {
  const { outputFiles } = await build({
    stdin: { contents: LEFT, resolveDir: ROOT },
    bundle: true,
    write: false,
    format: 'iife',
  });
  const page = await browser.newPage();
  const faults: string[] = [];
  page.on('pageerror', (error) => faults.push(error.message));
  await page.setContent('<body style="height: 400px"></body>');
  await page.addScriptTag({ content: outputFiles[0]!.text });
  await page.waitForFunction(() => document.title === 'left');
  expect(faults).toEqual([]);
});
