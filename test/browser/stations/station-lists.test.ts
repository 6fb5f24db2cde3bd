import { afterAll, beforeAll, expect, test } from 'vitest';
import { openDemoConsole, type DemoConsole } from '../harness/console-harness.ts';
import { inEveryLook } from '../harness/every-look.ts';

/**
 * What the pages of the station show of the entry that is chosen, and what a rule about keeping tracks would
 * delete, in every palette and language.
 */
let desk: DemoConsole;

beforeAll(async () => {
  desk = await openDemoConsole({ standsStill: true, login: 'admin', viewport: { width: 1280, height: 720 } });
  const { ask } = desk;
  const { id } = await ask<{ id: number }>('GET', '/users/current');
  await ask('PUT', `/users/${id}`, { email: 'desk@example.org' });
  // Without a mail server the notice waits, and is tried again; by post it is a letter to be printed.
  const organization = await ask<{ id: number }>('POST', '/organizations', {
    name: 'Road maintenance',
    info: { email: 'roads@example.org', address: 'Paving Street 1' },
  });
  for (const notice of [1, 2]) {
    const { newsId } = await ask<{ newsId: string }>('POST', '/news/', {
      action: 'put',
      values: { title: 'Tree across the road', text: 'Both lanes.', news_type_id: 1, notice },
      point: [18.912, 56.191],
    });
    await ask('POST', `/news/${newsId}/update`, { assigned_organization_id: organization.id, assigned_status: 2 });
  }
  await ask('POST', '/cars', { name: 'Probe 1', carNo: 'P 100', glonassId: 990_001 });
  const now = Date.now();
  await ask(
    'POST',
    '/telemetry',
    Array.from({ length: 60 }, (_, index) => ({
      glonassId: 990_001,
      time: now - 3 * 86_400_000 + index * 60_000,
      lat: 56.2,
      lon: 18.88 + index / 5_000,
      speed: 40,
      direction: 90,
      gpsCount: 9,
    })),
  );
  await ask('POST', '/telemetry', [{ glonassId: 990_001, time: now, lat: 'north', lon: 18.9 }]);
});
afterAll(() => desk?.close());

test.each([
  ['mail', 'Outgoing mail'],
  ['post', 'Outgoing post'],
  ['quarantine', 'Quarantine'],
  ['log', 'Log'],
])('an entry of %s that is chosen', async (path, title) => {
  const { page, station } = desk;
  await page.goto(`${station.address}/#/${path}`);
  await page.getByRole('heading', { level: 1, name: title }).waitFor();
  await page.getByRole('listbox').getByRole('option').first().click();
  await page.locator('aside.beside h2').waitFor();
  expect(await inEveryLook(page, `chosen-${path}`)).toEqual([]);
});

test('what a rule about keeping tracks would delete, and one that is none', async () => {
  const { page, station } = desk;
  await page.goto(`${station.address}/#/fleet/retention`);
  const days = page.getByLabel('Keep tracks for (days)');
  await days.fill('1');
  await page.getByRole('cell', { name: 'Probe 1' }).waitFor();
  expect(await inEveryLook(page, 'retention')).toEqual([]);
  await days.fill('many');
  await page.getByRole('alert').waitFor();
  expect(await inEveryLook(page, 'retention-fault')).toEqual([]);
});

test('no request left the station, and no page had an error or broke the content security policy', () => {
  expect(desk.faults()).toEqual([]);
});
