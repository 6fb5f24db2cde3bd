import { afterAll, beforeAll, expect, test } from 'vitest';
import { openDemoConsole, type DemoConsole } from '../harness/console-harness.ts';
import { inEveryLook } from '../harness/every-look.ts';

/** What pages say that only the station knows, while it is away: that it is away, and nothing else. */
let desk: DemoConsole;

beforeAll(async () => {
  desk = await openDemoConsole({ login: 'admin', viewport: { width: 1280, height: 720 }, fetchesAhead: true });
});
afterAll(() => desk?.close());

/** `known` is seen when the station has answered; `claims` would be made up without an answer. */
const PAGES = [
  {
    path: '/territory',
    known: 'Road sections',
    claims: ['No territory is loaded', 'Import a territory', 'Import another territory'],
  },
  { path: '/fleet/retention', known: 'Now kept forever', claims: ['Now kept', 'Nothing would be deleted'] },
  { path: '/events', known: 'Entered a geozone', claims: ['No matching events in this period'] },
  { path: '/log', known: 'vehicles drive', claims: ['No messages'] },
  { path: '/quarantine', known: 'The quarantine is empty', claims: ['The quarantine is empty'] },
] as const;

test('a page that cannot ask the station says so, claims nothing, and fills by itself when it is back', async () => {
  const { page, station } = desk;
  const go = async (path: string) => {
    await page.goto(`${station.address}/#${path}`);
    await page.locator('h1').waitFor();
  };
  // Pages are there before the line is cut, as for a person who has worked for a while; what they knew went when
  // they were left.
  for (const { path, known } of PAGES) {
    await go(path);
    await page.getByText(known).first().waitFor();
  }
  await go('/settings');
  // So is the other language.
  await page.waitForFunction(() =>
    performance.getEntriesByType('resource').some(({ name }) => /\/ru-[^/]*\.js/.test(name)),
  );
  await desk.cut();
  await page.locator('.light[data-level=lost]').waitFor();
  const wrong: string[] = [];
  for (const { path, claims } of PAGES) {
    await go(path);
    await page.getByRole('alert').filter({ hasText: 'The station cannot be reached' }).first().waitFor();
    const text = await page.locator('main').last().innerText();
    wrong.push(
      ...claims.filter((claim) => text.includes(claim)).map((claim) => `${path} says “${claim}”`),
      ...(await inEveryLook(page, `away${path.replaceAll('/', '-')}`)),
    );
  }
  expect(wrong).toEqual([]);
  await go('/territory');
  await page.getByRole('alert').filter({ hasText: 'The station cannot be reached' }).waitFor();
  await desk.restore();
  await page.getByText('Road sections').waitFor();
}, 180_000);
