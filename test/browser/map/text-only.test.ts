import type { Page } from 'playwright';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { mapDrawn, openDemoConsole, type DemoConsole } from '../harness/console-harness.ts';

/** Names that would be pages of their own if they were HTML. */
const ELSEWHERE = 'http://127.0.0.1:9/elsewhere';
const HOSTILE = [
  `<meta http-equiv=refresh content="0;url=${ELSEWHERE}">`,
  `<img src=x onerror="location='${ELSEWHERE}'">`,
  `</span><iframe srcdoc="<script>top.location='${ELSEWHERE}'</script>">`,
];

/** Elements that only a name taken for HTML would bring. */
const MADE_OF_TEXT = 'meta[http-equiv=refresh i], img[src=x], iframe[srcdoc]';

let desk: DemoConsole;
let page: Page;
beforeAll(async () => {
  desk = await openDemoConsole({ standsStill: true, viewport: { width: 1280, height: 720 } });
  page = desk.page;
});
afterAll(() => desk?.close());

async function middleOfTerritory(): Promise<{ lon: number; lat: number }> {
  const health = await desk.ask<{ territory: { bounds: [number, number, number, number] } }>('GET', '/health');
  const [west, south, east, north] = health.territory.bounds;
  return { lon: (west + east) / 2, lat: (south + north) / 2 };
}

test('names of geozones and closures stand on the map as they were typed, and lead nowhere', async () => {
  await page.goto(`${desk.station.address}/#/`);
  await mapDrawn(page);
  const middle = await middleOfTerritory();
  for (const name of HOSTILE)
    await desk.ask('POST', '/geozones', {
      name,
      geometry: { type: 'Point', coordinates: [middle.lon, middle.lat] },
      radius: 300,
    });
  await desk.ask('POST', '/closures', {
    name: HOSTILE[0],
    reason: HOSTILE[1],
    geometry: { type: 'Point', coordinates: [middle.lon, middle.lat] },
    from: Date.now(),
    till: null,
    factor: 0,
  });
  await page.getByLabel('Geozones and planned routes').click();
  await expect
    .poll(async () =>
      (await page.locator('.zone-name').allTextContents()).filter((name) => HOSTILE.includes(name)).toSorted(),
    )
    .toEqual(HOSTILE.toSorted());
  await expect.poll(() => page.locator('.closure-mark').count()).toBeGreaterThan(0);
  expect(await page.locator('.zone-name :is(meta, img, iframe), .closure-mark :is(meta, img, iframe)').count()).toBe(0);
  expect(page.url().startsWith(`${desk.station.address}/`)).toBe(true);
  expect(desk.faults()).toEqual([]);
});

test('names of own places, vehicles and tasks are text in lists, on the board, in cards and in the search', async () => {
  const { lon, lat } = await middleOfTerritory();
  const [name, reason] = HOSTILE as [string, string];
  await desk.ask('POST', '/own-places', { name, otherNames: [reason], notes: reason, sort: 'gate', lon, lat });
  const vehicle = await desk.ask<{ id: number }>('POST', '/cars', { name, carNo: 'H 1', glonassId: 990_077 });
  await desk.ask('POST', '/telemetry', [{ glonassId: 990_077, time: Date.now(), lat, lon, speed: 0, direction: 0 }]);
  const { newstype } = await desk.ask<{ newstype: { news_type_id: number }[] }>('GET', '/newstype');
  const { newsId } = await desk.ask<{ newsId: number }>('POST', '/news/', {
    values: { title: name, message: reason, address: reason, news_type_id: newstype[0]!.news_type_id, lat, lon },
  });
  const visits: [path: string, texts: string[]][] = [
    ['/own-places', [name]],
    ['/vehicles', [name]],
    [`/vehicles/${vehicle.id}`, [name]],
    ['/archive', [name]],
    [`/?task=${newsId}`, [name, reason]],
  ];
  for (const [path, texts] of visits) {
    await page.goto(`${desk.station.address}/#${path}`);
    for (const text of texts) await page.getByText(text, { exact: false }).first().waitFor({ state: 'attached' });
    expect(await page.locator(MADE_OF_TEXT).count(), path).toBe(0);
    expect(page.url().startsWith(`${desk.station.address}/`), path).toBe(true);
  }
  expect(desk.faults()).toEqual([]);
});

test('the browser itself lets no text become HTML, and no address elsewhere a script', async () => {
  const outcomes = await page.evaluate((elsewhere) => {
    const tried = (work: () => unknown): string => {
      try {
        work();
        return 'done';
      } catch (error) {
        return (error as Error).name;
      }
    };
    const element = document.createElement('div');
    return {
      html: tried(() => (element.innerHTML = '<b>bold</b>')),
      beside: tried(() => element.insertAdjacentHTML('beforeend', '<b>bold</b>')),
      parsed: tried(() => new DOMParser().parseFromString('<b>bold</b>', 'text/html')),
      frame: tried(() => (document.createElement('iframe').srcdoc = '<b>bold</b>')),
      worker: tried(() => new Worker(`${elsewhere}.js`)),
      policy: tried(() =>
        (
          window as unknown as { trustedTypes: { createPolicy(name: string, rules: object): unknown } }
        ).trustedTypes.createPolicy('own', { createHTML: (html: string) => html }),
      ),
      made: element.childNodes.length,
      emptied: tried(() => (element.innerHTML = '')),
    };
  }, ELSEWHERE);
  expect(outcomes).toEqual({
    html: 'TypeError',
    beside: 'TypeError',
    parsed: 'TypeError',
    frame: 'TypeError',
    worker: 'TypeError',
    policy: 'TypeError',
    made: 0,
    emptied: 'done',
  });
});
