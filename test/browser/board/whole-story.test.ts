import type { BrowserContext, Page } from 'playwright';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Cable } from '../../support/cable.ts';
import { textOfPaper } from '../../support/text-of-paper.ts';
import { askStation } from '../harness/ask-station.ts';
import {
  enter,
  openDemoConsole,
  screenshot,
  startStationProcess,
  watchForFaults,
  type DemoConsole,
  type RunningStation,
} from '../harness/console-harness.ts';

/** One fire from the call to the log-book, at two stations and on three telephones: each test goes on from the last. */
const PHONE = { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true } as const;
const PLACE = { lat: 56.1911, lon: 18.9121 };
const TITLE = 'Kitchen burns';

interface Unit {
  readonly carId: number;
  readonly carName: string;
  readonly sentAt: number;
  readonly acknowledgedAt: number | null;
  readonly enRouteAt: number | null;
  readonly onSceneAt: number | null;
  readonly clearAt: number | null;
}
interface Detail {
  readonly priority: string;
  readonly units: readonly Unit[];
}
/** The telephone of a crew, over a line that can be cut. */
interface Phone {
  readonly carId: number;
  readonly page: Page;
  readonly line: Cable;
  readonly faults: () => string[];
}

let desk: DemoConsole;
let depot: RunningStation;
let depotToken: string;
let depotPage: Page;
let id = 0;
/** The lead, the engine that gives back, and the ambulance. */
let lead: Phone;
let broken: Phone;
let away: Phone;
let replacement = 0;
/** The kind. */
let ambulance = 0;
const contexts: BrowserContext[] = [];
const lines: Cable[] = [];
const begun = Date.now() - 1_000;

beforeAll(async () => {
  [desk, depot] = await Promise.all([
    openDemoConsole({ standsStill: true }),
    startStationProcess([], {
      WAYPOST_ADMIN_PASSWORD: 'admin-admin',
      WAYPOST_STATION_NUMBER: '2',
      WAYPOST_NAME: 'Depot',
    }),
  ]);
  const login = { login: 'admin', password: 'admin-admin' };
  depotToken = (await askStation(depot, undefined, 'POST', '/auth/login', login)).token;
  const { code } = await askDepot<{ code: string }>('POST', '/links/codes', {});
  await desk.ask('POST', '/links', { address: depot.address, code, ownAddress: null });
  const plans = await desk.ask<{ id: number; name: string }[]>('GET', '/response-plans');
  const kinds = await desk.ask<{ id: number; name: string }[]>('GET', '/vehicle-kinds');
  const kindId = (name: string) => kinds.find((kind) => kind.name === name)!.id;
  ambulance = kindId('Ambulance');
  await desk.ask('PUT', `/response-plans/${plans.find(({ name }) => name === 'Fire in a building')!.id}`, {
    needs: [
      { kindId: kindId('Fire engine'), count: 2 },
      { kindId: ambulance, count: 1 },
    ],
  });
});
afterAll(async () => {
  for (const context of contexts) await context.close();
  await desk?.close();
  await depot?.stop();
  for (const line of lines) line.close();
});

const askDepot = <T>(method: string, path: string, body?: object): Promise<T> =>
  askStation(depot, depotToken, method, path, body);
const detail = async () => (await desk.ask<{ news_data: Detail }>('GET', `/news/${id}`)).news_data;
const unitOf = async (carId: number) => (await detail()).units.find((unit) => unit.carId === carId)!;
const active = async () => (await detail()).units.filter(({ clearAt }) => clearAt === null).map(({ carId }) => carId);
const button = ({ page }: Phone, name: RegExp) => page.getByRole('button', { name });

async function openPhone(carId: number): Promise<Phone> {
  const line = await Cable.to(desk.station.address);
  lines.push(line);
  const context = await desk.browser.newContext({ ...PHONE, locale: 'en-GB', timezoneId: 'UTC', colorScheme: 'light' });
  contexts.push(context);
  const faults = watchForFaults(context, line.address);
  const page = await context.newPage();
  page.setDefaultTimeout(30_000);
  const { code } = await desk.ask<{ code: string }>('POST', '/crews/codes', { carId });
  await page.goto(`${line.address}/crew`);
  await page.getByLabel('Code').fill(code);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByText('No task').waitFor();
  return { carId, page, line, faults };
}

const proposed = () => desk.page.getByRole('list', { name: 'Proposed vehicles' }).locator('[data-car]');
const carsProposed = () =>
  proposed().evaluateAll((all) => all.map((element) => Number((element as HTMLElement).dataset['car'])));

test('a call pops up, its protocol makes it P1, and two engines and an ambulance are proposed', async () => {
  const { page } = desk;
  await desk.ask('POST', '/calls', { number: '+441632960417', line: '112-1', name: 'Marta Lindqvist', ...PLACE });
  await page.getByRole('alert').filter({ hasText: 'Marta Lindqvist' }).waitFor();
  await page.keyboard.press('F2');
  const what = page.getByLabel('What happened');
  await expect.poll(() => what.evaluate((element) => element === document.activeElement)).toBe(true);
  await expect.poll(() => page.getByLabel('Place', { exact: true }).inputValue()).not.toBe('');
  await page.getByLabel('Type', { exact: true }).selectOption({ label: 'Fire' });
  await page.getByLabel('Category').selectOption({ label: 'Emergency' });
  await what.fill(TITLE);
  await page.getByRole('region', { name: 'Questions' }).getByText('Is anybody inside?').waitFor();
  await page.keyboard.press('Alt+1');
  await page.getByText('because: Is anybody inside? Yes').waitFor();
  await expect.poll(() => proposed().count()).toBe(3);
  await page.getByText('Fire in a building').waitFor();
  await screenshot(page, 'story-proposed');
});

test('one key sends the three, and each crew has the task on its telephone', async () => {
  const { page } = desk;
  const phones = await Promise.all((await carsProposed()).map(openPhone));
  const cars = await desk.ask<{ id: number; kindId: number }[]>('GET', '/cars');
  const isMedic = ({ carId }: Phone) => cars.find((car) => car.id === carId)!.kindId === ambulance;
  away = phones.find(isMedic)!;
  [lead, broken] = phones.filter((phone) => !isMedic(phone)) as [Phone, Phone];
  await page.getByLabel('What happened').focus();
  await page.keyboard.press('Control+Shift+Enter');
  const card = page.locator('.card');
  await card.getByRole('list', { name: 'Units' }).getByRole('listitem').nth(2).waitFor();
  id = Number(/\d+/.exec((await card.locator('h2').first().textContent())!)![0]);
  for (const phone of phones) await phone.page.getByRole('heading', { name: TITLE }).waitFor();
  expect((await detail()).priority).toBe('1');
  expect((await active()).toSorted()).toEqual(phones.map(({ carId }) => carId).toSorted());
  const calls = await desk.ask<{ news: { title: string } | null }[]>('GET', `/calls?newsId=${id}`);
  expect(calls).toMatchObject([{ news: { title: TITLE } }]);
});

test('one crew accepts; one gives the task back and is replaced', async () => {
  const { page } = desk;
  await button(lead, /^Accept/).click();
  await expect.poll(async () => (await unitOf(lead.carId)).acknowledgedAt).toEqual(expect.any(Number));
  await button(broken, /^Give back/).click();
  await button(broken, /^Breakdown/).click();
  await broken.page.getByRole('dialog').getByRole('button', { name: 'Give back' }).click();
  await broken.page.getByText('No task').waitFor();
  await page.locator('.card').getByText('Breakdown').first().waitFor();
  await page.locator('.card').getByRole('heading', { name: 'Units 2 of 3' }).waitFor();
  await page.getByRole('button', { name: 'Add a unit' }).click();
  const nearest = page.locator('.card .ranked [data-car]').first();
  await expect.poll(() => nearest.getAttribute('data-car')).not.toBe(String(broken.carId));
  replacement = Number(await nearest.getAttribute('data-car'));
  await page.keyboard.press('a');
  await expect.poll(active).toHaveLength(3);
  expect(await active()).toContain(replacement);
  expect([lead.carId, broken.carId, away.carId]).not.toContain(replacement);
});

test('a crew without coverage goes on, and catches up with the times when it was', async () => {
  await button(away, /^Accept/).click();
  await button(away, /^We are on the way/).click();
  await expect.poll(async () => (await unitOf(away.carId)).enRouteAt).toEqual(expect.any(Number));
  away.line.cut();
  await away.page.getByText(/^Offline/).waitFor();
  await button(away, /^We are on scene/).click();
  // Two, where the answer to the one before was lost with the line.
  await away.page.getByText(/^[12] actions? waits? to be sent$/).waitFor();
  // What the control room does meanwhile comes first.
  await button(lead, /^We are on the way/).click();
  await button(lead, /^We are on scene/).click();
  await expect.poll(async () => (await unitOf(lead.carId)).onSceneAt).toEqual(expect.any(Number));
  const joined = Date.now();
  away.line.join();
  await away.page.getByText(/to be sent$/).waitFor({ state: 'detached' });
  await expect.poll(async () => (await unitOf(away.carId)).onSceneAt).toEqual(expect.any(Number));
  expect((await unitOf(away.carId)).onSceneAt).toBeLessThan(joined);
});

test('units clear singly, the task is closed, and a second station has seen all of it', async () => {
  const context = await desk.browser.newContext({ viewport: { width: 1440, height: 900 }, locale: 'en-GB' });
  contexts.push(context);
  depotPage = await context.newPage();
  await enter(depotPage, depot.address, 'admin', 'admin-admin');
  await depotPage.goto(`${depot.address}/#/?task=${id}`);
  await depotPage.getByRole('heading', { name: TITLE }).waitFor();
  const there = depotPage.getByRole('list', { name: 'Units' }).getByRole('listitem');
  await expect.poll(() => there.count()).toBe(3);
  await desk.ask('PUT', `/cars/${replacement}/status`, { status: 4 });
  await expect
    .poll(async () => (await there.allInnerTexts()).filter((text) => text.includes('On scene')).length)
    .toBe(3);
  await screenshot(depotPage, 'story-at-the-depot');

  await button(away, /^We are free/).click();
  await expect.poll(active).toHaveLength(2);
  await expect.poll(() => there.count()).toBe(2);
  await button(lead, /^We are free/).click();
  await expect.poll(active).toEqual([replacement]);
  await desk.page.locator('.card').getByRole('button', { name: /^Done/ }).click();
  await expect.poll(active).toEqual([]);
  const theirs = async () => (await askDepot<{ news_data: Detail }>('GET', `/news/${id}`)).news_data.units;
  await expect.poll(theirs).toEqual((await detail()).units);
});

test('log-book, task sheet, statistics and events have the times of the units, at both stations', async () => {
  const { units } = await detail();
  expect(new Set(units.map(({ carId }) => carId))).toEqual(
    new Set([lead.carId, broken.carId, away.carId, replacement]),
  );
  const till = Date.now() + 60_000;
  const moments = units.flatMap(({ carId, sentAt, onSceneAt, clearAt }) => [
    ['unit-sent', carId, sentAt],
    ...(onSceneAt === null ? [] : [['unit-on-scene', carId, onSceneAt]]),
    ['unit-clear', carId, clearAt],
  ]);
  type Line = { kind: string; carId: number; at: number };
  const book = `/log-book?from=${begun}&till=${till}&news=${id}`;
  const ofUnits = (lines: Line[]) =>
    lines.flatMap(({ kind, carId, at }) => (kind.startsWith('unit-') ? [[kind, carId, at]] : []));
  const sorted = (all: unknown[][]) => all.map(String).toSorted();
  for (const lines of [await desk.ask<Line[]>('GET', book), await askDepot<Line[]>('GET', book)])
    expect(sorted(ofUnits(lines))).toEqual(sorted(moments));

  const sheet = await desk.page.request.get(`${desk.station.address}/news/${id}/pdf`);
  const printed = await textOfPaper(await sheet.body());
  for (const { carName, ...times } of units) {
    const { sentAt, acknowledgedAt, enRouteAt, onSceneAt, clearAt } = times;
    const clocks = [sentAt, acknowledgedAt, enRouteAt, onSceneAt, clearAt].map(clock).join(' ');
    expect(printed).toContain(`${carName} ${clocks}`);
  }

  type Row = { newsId: number; date: number; carIds: number[]; sent: number; response: number };
  const { rows } = await desk.ask<{ rows: Row[] }>(
    'GET',
    `/statistics/response-times/messages?from=${begun - 60_000}&till=${till}`,
  );
  const row = rows.find(({ newsId }) => newsId === id)!;
  const earliest = (times: (number | null)[]) => Math.min(...times.filter((time) => time !== null));
  expect(row.date + row.sent * 1_000).toBe(earliest(units.map(({ sentAt }) => sentAt)));
  expect(row.date + row.response * 1_000).toBe(earliest(units.map(({ onSceneAt }) => onSceneAt)));

  const [sent, givenBack, accepted, done] = [18, 21, 22, 19];
  type Event = { eventId: number; carId: number; dataFrom: number; data: { newsId?: number } };
  const events = async () =>
    (
      await desk.ask<Event[]>(
        'GET',
        `/events?types=18,19,21,22,23&cars=${units.map(({ carId }) => carId).join(',')}&from=${begun}`,
      )
    )
      .filter(({ data }) => data.newsId === id)
      .map(({ eventId, carId, dataFrom }) => `${eventId} ${carId} ${dataFrom}`);
  const gaveBack = units.find(({ carId }) => carId === broken.carId)!;
  const expected = [
    ...units.map(({ carId, sentAt }) => `${sent} ${carId} ${sentAt}`),
    ...units.flatMap(({ carId, acknowledgedAt }) =>
      acknowledgedAt === null ? [] : [`${accepted} ${carId} ${acknowledgedAt}`],
    ),
    `${givenBack} ${broken.carId} ${gaveBack.clearAt}`,
    `${done} ${replacement} ${units.find(({ carId }) => carId === replacement)!.clearAt}`,
  ];
  await expect.poll(events).toEqual(expect.arrayContaining(expected));
  expect([...desk.faults(), ...[lead, broken, away].flatMap(({ faults }) => faults())]).toEqual([]);
});

/** As the paper has it, in the zone of the station, which is that of this process. */
function clock(time: number | null): string {
  return time === null ? '–' : new Date(time).toTimeString().slice(0, 8);
}
