import { createServer, type Server } from 'node:http';
import sharp from 'sharp';
import type { BrowserContext, Page } from 'playwright';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { freePort } from '../../support/free-ports.ts';
import { accessibilityFaults } from '../harness/accessibility.ts';
import { openDemoConsole, screenshot, watchForFaults, type DemoConsole } from '../harness/console-harness.ts';

/** A citizen without an account reports on a telephone, and the control room has it. */
let desk: DemoConsole;
let town: Server;
let townPort: number;
let visitor: BrowserContext;
let page: Page;
let faults: () => string[];

beforeAll(async () => {
  townPort = await freePort();
  desk = await openDemoConsole({
    standsStill: true,
    environment: {
      WAYPOST_CITIZENS_USER: 'dispatcher',
      WAYPOST_CITIZENS_TYPES: '1,2,3,4',
      WAYPOST_CITIZENS_PAGE: 'true',
      WAYPOST_CITIZENS_EMBED_IN: `http://localhost:${townPort}`,
    },
  });
  visitor = await desk.browser.newContext({ viewport: { width: 390, height: 844 }, locale: 'en-GB' });
  faults = watchForFaults(visitor, desk.station.address);
  page = await visitor.newPage();
  town = createServer((_, response) => {
    response.setHeader('content-type', 'text/html');
    response.end(
      `<html lang="en"><title>Our town</title><main><h1>Our town</h1><iframe title="Report" src="${desk.station.address}/citizens?lang=ru&type=2" width="600" height="800"></iframe></main>`,
    );
  });
  await new Promise<void>((resolve) => town.listen(townPort, resolve));
});
afterAll(async () => {
  await visitor?.close();
  await desk?.close();
  town?.close();
});

const photo = () =>
  sharp({ create: { width: 800, height: 600, channels: 3, background: { r: 90, g: 120, b: 60 } } })
    .jpeg()
    .toBuffer();

test('a report with place and photo is sent by keyboard and map, and its link shows what becomes of it', async () => {
  await page.goto(`${desk.station.address}/citizens`);
  const types = page.getByRole('radio');
  await types.first().waitFor();
  expect(await types.count()).toBe(4);
  await types.first().check();
  const address = page.getByRole('textbox', { name: 'Address' });
  await address.fill('Harbour');
  const found = page.getByRole('list', { name: 'Matching places' }).getByRole('button');
  await found.first().waitFor();
  const label = (await found.first().textContent())!.trim();
  await found.first().click();
  expect(await address.inputValue()).toBe(label);
  await page.getByText('The place is set.').waitFor();
  await page.locator('.place-pin').waitFor();
  await page.getByLabel('Description').fill('A lamp hangs over the pavement.');
  await page.locator('input[type=file]').setInputFiles({
    name: 'lamp.jpg',
    mimeType: 'image/jpeg',
    buffer: await photo(),
  });
  await page.getByRole('button', { name: 'Remove lamp.jpg' }).waitFor();
  await page.getByLabel('Telephone').fill('555 0101');
  expect(await accessibilityFaults(page)).toEqual([]);
  await screenshot(page, 'citizens-form');
  await page.getByRole('button', { name: 'Send the report' }).click();
  await page.getByText('Thank you. The control room has your report.').waitFor();
  const link = await page.getByLabel('Link to the report').inputValue();
  const id = Number(/#(\d+)\//.exec(link)![1]);
  await page.getByText(`Report ${id}`).waitFor();
  expect(await accessibilityFaults(page)).toEqual([]);
  await screenshot(page, 'citizens-sent');

  type Stored = { news_data: { text: string; address: string; system_data: string; lat: string | null } };
  const { news_data: task } = await desk.ask<Stored>('GET', `/news/${id}`);
  expect(task).toMatchObject({ text: 'A lamp hangs over the pavement.', address: label });
  expect([task.lat === null, task.system_data.includes('555 0101')]).toEqual([false, true]);
  expect((await desk.ask<{ photos: unknown[] }>('GET', `/news/${id}/photos`)).photos).toHaveLength(1);

  await desk.ask('POST', `/news/${id}/update`, { assigned_status: 2 });
  const later = await visitor.newPage();
  await later.goto(link);
  const steps = later.getByRole('list', { name: 'Progress' });
  await steps.locator('[aria-current=step]').filter({ hasText: 'In progress' }).waitFor();
  await later.getByText('A lamp hangs over the pavement.').waitFor();
  await screenshot(later, 'citizens-state');
  await later.goto(`${link.slice(0, -1)}`);
  await later.reload();
  await later.getByText('There is no such report.', { exact: false }).waitFor();
  await later.close();
  expect(faults()).toEqual([]);
});

test('a point on the map gives the address; without a place the form says so, and after a restart it is still sent', async () => {
  await page.goto(`${desk.station.address}/citizens?type=2`);
  await page.reload();
  await page.getByRole('radio', { checked: true }).waitFor();
  await page.getByLabel('Description').fill('Water on the road.');
  await page.getByRole('button', { name: 'Send the report' }).click();
  await page.getByRole('alert').getByText('Give an address, or click or tap on the map.').waitFor();
  expect(await page.evaluate(() => document.activeElement?.id)).toBe('address');
  await page.getByRole('region', { name: 'Map: click or tap where it is' }).click();
  const address = page.getByRole('textbox', { name: 'Address' });
  await expect.poll(() => address.inputValue()).not.toBe('');
  await desk.cut();
  await page.getByRole('button', { name: 'Send the report' }).click();
  await page.getByRole('alert').getByText('The station cannot be reached.').waitFor();
  expect(await page.getByLabel('Description').inputValue()).toBe('Water on the road.');
  await desk.restore();
  await page.getByRole('button', { name: 'Send the report' }).click();
  await page.getByText('Thank you. The control room has your report.').waitFor();
});

test('the page of a town shows it in a frame in Russian with a type chosen; another page may not', async () => {
  const wide = await desk.browser.newContext({ viewport: { width: 900, height: 900 } });
  const ours = await wide.newPage();
  await ours.goto(`http://localhost:${townPort}/`);
  const frame = ours.frameLocator('iframe');
  await frame.getByRole('heading', { name: 'Сообщить о проблеме' }).waitFor();
  await frame.getByRole('radio', { checked: true }).waitFor();
  await screenshot(ours, 'citizens-frame');
  const refused = ours.waitForEvent('console', (message) => message.text().includes('frame-ancestors'));
  await ours.goto(`http://127.0.0.1:${townPort}/`);
  await refused;
  await wide.close();
});
