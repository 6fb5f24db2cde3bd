import type { Page } from 'playwright';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openFeedServer } from '../../support/feed-server.ts';
import { alert, info, publication, record } from '../../unit/exchange/warnings/documents.ts';
import { mapDrawn, openDemoConsole, screenshot, type DemoConsole } from '../harness/console-harness.ts';
import { inEveryLook } from '../harness/every-look.ts';

const HOUR = 3_600_000;
const iso = (time: number) => new Date(time).toISOString().replace(/\.\d+Z/, '+00:00');
const until = (time: number) =>
  `<validityStatus>active</validityStatus><validityTimeSpecification><overallEndTime>${iso(time)}</overallEndTime></validityTimeSpecification>`;

/** Warnings of authorities on the screen: a feed is set up, its storm is on the map, its closed road is decided on. */
describe('warnings of authorities', () => {
  let desk: DemoConsole;
  let page: Page;
  let feeds: Awaited<ReturnType<typeof openFeedServer>>;
  let road: string;

  beforeAll(async () => {
    feeds = await openFeedServer();
    desk = await openDemoConsole({ login: 'admin', standsStill: true });
    page = desk.page;
    const { bounds } = await desk.ask<{ bounds: [number, number, number, number] }>('GET', '/territory');
    const [west, south, east, north] = bounds;
    const at = (share: number) => [south + (north - south) * share, west + (east - west) * share] as const;
    const [[s, w], [n, e]] = [at(0.3), at(0.8)];
    const area = `<areaDesc>Old town and harbour</areaDesc><polygon>${s},${w} ${s},${e} ${n},${e} ${n},${w} ${s},${w}</polygon>`;
    const texts = {
      en: '<description>Gusts of up to 110 km/h from the north-west. Trees may fall.</description><instruction>Keep crews off ladders.</instruction>',
      ru: '<description>Порывы до 110 км/ч с северо-запада. Возможно падение деревьев.</description><instruction>Не поднимайте экипажи на лестницы.</instruction>',
    };
    const expires = iso(Date.now() + 6 * HOUR);
    feeds.documents.set(
      '/weather',
      alert({
        sent: iso(Date.now() - HOUR),
        infos: [
          info({ expires, area, more: texts.en }),
          info({ language: 'ru', event: 'Буря', expires, area, more: texts.ru }),
        ],
      }),
    );
    const [lat, lon] = at(0.5);
    road = `<groupOfLocations xsi:type="Point"><pointByCoordinates><pointCoordinates><latitude>${lat}</latitude><longitude>${lon}</longitude></pointCoordinates></pointByCoordinates></groupOfLocations>`;
    feeds.documents.set('/roads', publication(record({ location: road, validity: until(Date.now() + 2 * HOUR) })));
  });
  afterAll(async () => {
    await desk?.close();
    await feeds?.close();
  });

  const field = (key: string) => page.locator(`[data-field="${key}"]`).getByRole('textbox');
  const button = (name: string) => page.getByRole('button', { name, exact: true });
  const follow = async (name: string, path: string) => {
    await page.getByRole('button', { name: /^New/ }).click();
    await field('name').fill(name);
    await field('url').fill(`${feeds.origin}${path}`);
    await page.keyboard.press('Control+Enter');
    await page.getByRole('option').filter({ hasText: name }).waitFor();
  };

  test('a feed is set up, tried, and says why it cannot be read', async () => {
    await page.goto(`${desk.station.address}/#/warning-feeds`);
    await page.getByRole('heading', { name: 'Warning feeds' }).waitFor();
    await follow('Weather service', '/weather');
    await button('Check now').click();
    await page.getByText('Accepts 1.').waitFor();
    await page.getByRole('listitem').filter({ hasText: 'Storm on the coast' }).waitFor();
    expect(await inEveryLook(page, 'warning-feeds')).toEqual([]);
    await page.goto(`${desk.station.address}/#/warning-feeds`);
    await follow('Road authority', '/nothing');
    await page.getByRole('alert').filter({ hasText: 'HTTP 404' }).waitFor();
    await field('url').fill(`${feeds.origin}/roads`);
    await page.keyboard.press('Control+Enter');
    await expect.poll(() => page.getByRole('alert').count()).toBe(0);
  });

  test('a storm raises an alarm, is read in the language of the console, and is outlined on the map', async () => {
    await page.goto(`${desk.station.address}/#/`);
    await page.locator('.strip, .alarms, [data-alarm]').filter({ hasText: 'Storm on the coast' }).first().waitFor();
    await page.goto(`${desk.station.address}/#/alarms`);
    await page.getByRole('radio', { name: /Warnings/ }).click();
    await page.getByRole('button', { name: /Storm on the coast/ }).click();
    await page.getByText('Keep crews off ladders.').waitFor();
    expect(await inEveryLook(page, 'warnings')).toEqual([]);
    await page.getByRole('button', { name: 'Show on the map' }).first().click();
    await mapDrawn(page);
    await screenshot(page, 'warnings-map');
    // Outlines are drawn on a canvas: its picture tells whether one is there.
    const drawing = () =>
      page.evaluate(() => [...document.querySelectorAll('canvas')].map((canvas) => canvas.toDataURL().length).join());
    const outlined = await drawing();
    await button('Warnings on the map').click();
    await expect.poll(drawing).not.toBe(outlined);
    await button('Warnings on the map').click();
    await expect.poll(drawing).toBe(outlined);
  });

  test('a closed road is closed here by one key press, follows its authority, and is lifted by hand', async () => {
    await page.goto(`${desk.station.address}/#/routes?view=closures`);
    await page.getByRole('button', { name: 'Road closed: Burst water main' }).click();
    await mapDrawn(page);
    await screenshot(page, 'warnings-proposed');
    await button('Close the road').click();
    await page.locator('.list .row').filter({ hasText: 'Burst water main' }).waitFor();
    await expect.poll(() => button('Close the road').count()).toBe(0);
    const [feed] = (await desk.ask<{ id: number; url: string }[]>('GET', '/warning-feeds')).filter(({ url }) =>
      url.endsWith('/roads'),
    );
    const look = () => desk.ask('POST', `/warning-feeds/${feed!.id}/look`);
    feeds.documents.set('/roads', publication(record({ location: road, validity: until(Date.now() + 4 * HOUR) })));
    await look();
    await button('Use the new end time').click();
    await expect.poll(() => button('Use the new end time').count()).toBe(0);
    feeds.documents.set('/roads', publication(''));
    await look();
    await page.getByText('The authority has ended it. Our closure is still in force.').waitFor();
    await page.locator('.proposed').getByRole('button', { name: 'Lift the closure' }).click();
    await expect.poll(() => page.locator('.list .row').filter({ hasText: 'Burst water main' }).count()).toBe(0);
    await expect.poll(() => page.locator('.proposed').count()).toBe(0);
    expect(desk.faults()).toEqual([]);
  });
});
