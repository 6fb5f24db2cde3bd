import type { Page } from 'playwright';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openDemoConsole, type DemoConsole } from '../harness/console-harness.ts';

/** Several windows of one browser. */
let desk: DemoConsole;
let admin: string;

beforeAll(async () => {
  desk = await openDemoConsole({ standsStill: true });
  const answer = await fetch(`${desk.station.address}/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ login: 'admin', password: 'admin-admin' }),
  });
  admin = ((await answer.json()) as { token: string }).token;
});
afterAll(() => desk?.close());

/** How often a path was answered, by the station's own count. */
async function answers(path: string): Promise<number> {
  const response = await fetch(`${desk.station.address}/metrics`, { headers: { authorization: `Bearer ${admin}` } });
  const lines = (await response.text()).split('\n').filter((line) => line.startsWith('waypost_http_requests_total{'));
  return lines
    .filter((line) => line.includes(`"${path}"`))
    .reduce((sum, line) => sum + Number(line.slice(line.lastIndexOf(' ') + 1)), 0);
}

const current = (page: Page) => page.locator('.light[data-level=good]').waitFor();
const firstRow = (page: Page) => page.locator('.queue .row').first();

test('[sync 106] [sync 107] a second window shares the replica of the first, both follow changes, and a reload goes on from what was held', async () => {
  expect(await answers('/replica/vehicles/fill')).toBe(1);
  const pages = await answers('/replica/:collection');
  const other = await desk.context.newPage();
  other.setDefaultTimeout(60_000);
  await other.goto(`${desk.station.address}/`);
  await current(other);
  expect(await answers('/replica/:collection')).toBe(pages);

  const id = /#(\d+)/.exec(await firstRow(desk.page).innerText())![1];
  await desk.ask('POST', `/news/${id}/update`, { title: 'A roof on the road' });
  for (const page of [desk.page, other]) await page.getByText('A roof on the road').first().waitFor();

  // Without any window the worker is gone, and its replica with it.
  await other.goto('about:blank');
  await desk.page.goto('about:blank');
  await desk.page.goto(`${desk.station.address}/`);
  await current(desk.page);
  await desk.page.getByText('A roof on the road').first().waitFor();
  await firstRow(desk.page).waitFor();
  expect(await answers('/replica/vehicles/fill')).toBe(1);

  await other.goto(`${desk.station.address}/`);
  await current(other);
  await desk.page.request.post(`${desk.station.address}/auth/logout`, { headers: { origin: desk.station.address } });
  for (const page of [desk.page, other]) await page.getByLabel('Password').waitFor();
  const kept = () =>
    other.evaluate(
      () =>
        new Promise<number>((resolve) => {
          const opening = indexedDB.open('waypost-replica');
          opening.onsuccess = () => {
            const counting = opening.result.transaction('records').objectStore('records').count();
            counting.onsuccess = () => resolve(counting.result);
          };
        }),
    );
  await expect.poll(kept).toBe(0);
  expect(desk.faults()).toEqual([]);
});

test('[sync 107] where there are no shared workers a window asks the station itself', async () => {
  const context = await desk.browser.newContext({ viewport: { width: 1440, height: 900 }, locale: 'en-GB' });
  await context.addInitScript(() => Reflect.deleteProperty(globalThis, 'SharedWorker'));
  const page = await context.newPage();
  page.setDefaultTimeout(60_000);
  const before = await answers('/replica/vehicles/fill');
  await page.request.post(`${desk.station.address}/auth/login`, {
    data: { login: 'supervisor', password: 'supervisor' },
    headers: { origin: desk.station.address },
  });
  await page.goto(`${desk.station.address}/`);
  await current(page);
  await firstRow(page).waitFor();
  expect(await answers('/replica/vehicles/fill')).toBe(before + 1);
  await context.close();
});
