import { build } from 'esbuild';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Browser, Page } from 'playwright';
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

/** Opens the script as a page, and gives what was wrong on it. */
async function run(script: string): Promise<{ page: Page; faults: string[] }> {
  const { outputFiles } = await build({
    stdin: { contents: script, resolveDir: ROOT },
    bundle: true,
    write: false,
    format: 'iife',
  });
  const page = await browser.newPage();
  const faults: string[] = [];
  page.on('pageerror', (error) => faults.push(error.message));
  await page.setContent('<body style="height: 400px"></body>');
  await page.addScriptTag({ content: outputFiles[0]!.text });
  return { page, faults };
}

test('a page that is left while its map is about to be drawn draws nothing more', async () => {
  const { page, faults } = await run(LEFT);
  await page.waitForFunction(() => document.title === 'left');
  expect(faults).toEqual([]);
  await page.close();
});

/** A line comes, after the map has moved, and goes; `pixels` tells the size of its canvas, `blue` what is drawn. */
const EMPTY = `
import L from 'leaflet';
import './renderer/src/map/base/steady-canvas.ts';
const map = L.map(document.body, { preferCanvas: true, center: [50, 20], zoom: 12, fadeAnimation: false });
const line = L.polyline([[50.05, 19.9], [50.05, 20.2]], { color: '#0000ff', opacity: 1, weight: 9 });
L.polyline([[50, 20], [50, 20.01]]).addTo(map).remove();
const canvas = () => document.querySelector('canvas');
Object.assign(globalThis, {
  show: (shown) => (shown ? line.addTo(map) : line.remove()),
  move: () => map.setView([50.05, 20.05], 12, { animate: false }),
  pixels: () => canvas().width * canvas().height,
  blue: () => {
    if (canvas().width === 0) return 0;
    const { data } = canvas().getContext('2d').getImageData(0, 0, canvas().width, canvas().height);
    return data.filter((value, index) => index % 4 === 2 && value > 200 && data[index + 1] > 200).length;
  },
});
`;

test('a canvas that nothing is drawn on has no pixels, and draws its first line where the map is by then', async () => {
  const { page, faults } = await run(EMPTY);
  const told = (name: 'pixels' | 'blue') =>
    page.evaluate((name) => (globalThis as unknown as Record<string, () => number>)[name]!(), name);
  const call = (script: string) => page.evaluate(script);
  await call('move()');
  expect(await told('pixels')).toBe(0);
  await call('show(true); 0');
  await expect.poll(() => told('blue')).toBeGreaterThan(3_000);
  await call('show(false); 0');
  await expect.poll(() => told('blue')).toBe(0);
  await call('move()');
  expect(await told('pixels')).toBe(0);
  expect(faults).toEqual([]);
  await page.close();
});

/** A layer that counts how often it is drawn, on a map whose element gets narrower as something in it changes. */
const RESIZED = `
import L from 'leaflet';
import { CanvasLayer } from './renderer/src/map/layers/canvas-layer.ts';
const element = document.body.appendChild(document.createElement('div'));
Object.assign(element.style, { width: '600px', height: '400px' });
const map = L.map(element, { center: [50, 20], zoom: 12 });
const widths = [];
const layer = new CanvasLayer('units', ({ width }) => widths.push(width)).addTo(map);
Object.assign(globalThis, {
  widths,
  change() {
    element.style.width = '400px';
    layer.redraw();
    new ResizeObserver(() => setTimeout(() => map.invalidateSize({ animate: false, pan: false }))).observe(element);
  },
});
`;

test('a layer that changes with the size of its map is drawn once, for the new size', async () => {
  const { page, faults } = await run(RESIZED);
  const widths = () => page.evaluate(() => (globalThis as unknown as { widths: number[] }).widths);
  await expect.poll(widths).toEqual([600]);
  await page.evaluate('change()');
  await expect.poll(async () => (await widths()).at(-1)).toBe(400);
  await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))));
  expect(await widths()).toEqual([600, 400]);
  expect(faults).toEqual([]);
  await page.close();
});
