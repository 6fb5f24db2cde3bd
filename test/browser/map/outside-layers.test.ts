import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Page } from 'playwright';
import sharp from 'sharp';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openDemoConsole, type DemoConsole } from '../harness/console-harness.ts';
import { inEveryLook, prefer } from '../harness/every-look.ts';

const GREEN = { r: 0x22, g: 0xaa, b: 0x44 };
let desk: DemoConsole;
let page: Page;
let tiles: Server;
let host: string;
/** How the server of tiles answers. */
let answer: (request: IncomingMessage, response: ServerResponse) => void;
const asked: IncomingMessage[] = [];
let picture: Buffer;

beforeAll(async () => {
  picture = await sharp({ create: { width: 256, height: 256, channels: 3, background: GREEN } })
    .png()
    .toBuffer();
  tiles = createServer((request, response) => {
    asked.push(request);
    answer(request, response);
  });
  await new Promise<void>((resolve) => tiles.listen(0, '127.0.0.1', resolve));
  host = `127.0.0.1:${(tiles.address() as AddressInfo).port}`;
  desk = await openDemoConsole({ standsStill: true, login: 'admin' });
  page = desk.page;
});
afterAll(async () => {
  await desk?.close();
  tiles?.closeAllConnections();
  tiles?.close();
});

const sends = (_request: IncomingMessage, response: ServerResponse) =>
  void response.writeHead(200, { 'content-type': 'image/png' }).end(picture);
const fails = (_request: IncomingMessage, response: ServerResponse) => void response.writeHead(500).end();
const stalls = () => undefined;

const menu = () => page.getByRole('button', { name: 'Imagery on the map' });
const road = () => page.getByRole('checkbox', { name: 'External road map' });
const openMenu = async () => {
  if (!(await road().isVisible())) await menu().click();
  await road().waitFor();
};
const loaded = () => page.locator('.raster-picture img.leaflet-tile-loaded');
const words = () => page.getByRole('status').filter({ hasText: `${host} does not answer` });
const NOTHING_ELSE = () => desk.faults().filter((fault) => !fault.includes(`http://${host}/`));

/** Waits for the station's own tiles; those from outside may never come. */
async function ownMapDrawn(): Promise<void> {
  await page.waitForFunction(() => {
    const tiles = [...document.querySelectorAll('canvas.leaflet-tile')];
    return tiles.length > 0 && tiles.every((tile) => tile.classList.contains('leaflet-tile-loaded'));
  });
}
async function openBoard(): Promise<void> {
  await page.goto(`${desk.station.address}/#/`);
  await page.reload();
  await ownMapDrawn();
}

test('an organization names a server; its pictures are off, and nothing is asked of it', async () => {
  answer = sends;
  const { organization } = await desk.ask<{ organization: { id: number } }>('GET', '/users/current');
  await desk.ask('PUT', `/organizations/${organization.id}`, {
    mapRoadProvider: `http://${host}/road/{z}/{x}/{y}.png © The survey`,
    mapAerialProvider: `http://${host}/aerial/{z}/{x}/{y}.png`,
  });
  await openBoard();
  await openMenu();
  await page.getByText(`${host} learns the addresses of this computer`).first().waitFor();
  expect(await road().isChecked()).toBe(false);
  expect(asked).toEqual([]);
  expect(await inEveryLook(page, 'map-outside-off')).toEqual([]);
  expect(NOTHING_ELSE()).toEqual([]);
});

test('switched on, pictures lie on the map, dimmed at night, with whose they are; the server learns the origin only', async () => {
  await road().check();
  await expect.poll(() => loaded().count()).toBeGreaterThan(0);
  await page.getByText('© The survey').waitFor();
  expect(asked.every(({ url }) => /^\/road\/\d+\/\d+\/\d+\.png$/.test(url!))).toBe(true);
  expect(new Set(asked.map(({ headers }) => headers.referer))).toEqual(new Set([`${desk.station.address}/`]));
  expect(asked.every(({ headers }) => headers.authorization === undefined)).toBe(true);
  const light = () =>
    page
      .locator('.raster-picture')
      .first()
      .evaluate((element) => Number(/brightness\((.+)\)/.exec(getComputedStyle(element).filter)?.[1]));
  const lights: number[] = [];
  for (const palette of ['day', 'dusk', 'night']) {
    await prefer(page, { palette, language: 'en' });
    lights.push(await light());
  }
  expect(lights).toEqual([1, 0.6, 0.35]);
  expect(await inEveryLook(page, 'map-outside-on')).toEqual([]);
  await page.setViewportSize({ width: 640, height: 900 });
  expect(await inEveryLook(page, 'map-outside-on-640')).toEqual([]);
  await page.setViewportSize({ width: 1440, height: 900 });
  expect(NOTHING_ELSE()).toEqual([]);
});

test.each([
  ['answers 500', fails],
  ['stalls', stalls],
] as const)('a server that %s is said in words; the map goes on, and pictures come when it answers', async (_, how) => {
  answer = how;
  await openBoard();
  await words().waitFor();
  expect(await page.locator('canvas.leaflet-tile-loaded').count()).toBeGreaterThan(0);
  expect(await loaded().count()).toBe(0);
  if (how === fails) expect(await inEveryLook(page, 'map-outside-silent')).toEqual([]);
  answer = sends;
  await page.evaluate(() => dispatchEvent(new Event('online')));
  await expect.poll(() => loaded().count()).toBeGreaterThan(0);
  await expect.poll(() => words().count()).toBe(0);
  expect(NOTHING_ELSE()).toEqual([]);
});

test('switched off, nothing is asked any more and the map is the station’s own', async () => {
  await openMenu();
  await road().uncheck();
  await expect.poll(() => page.locator('.raster-picture').count()).toBe(0);
  asked.length = 0;
  await page.getByRole('button', { name: 'Zoom in' }).click();
  await ownMapDrawn();
  expect(asked).toEqual([]);
  expect(await page.getByText('© The survey').count()).toBe(0);
});
