import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Browser, BrowserContext } from 'playwright';
import { launchChromium } from '../harness/chromium.ts';
import { copyDemo, enter, startStationProcess, type RunningStation } from '../harness/console-harness.ts';
import { freePort } from '../../support/free-ports.ts';

/**
 * Bytes a second of a slow line, and what the first use of the board may bring over it: 6 s of the line less
 * the ways to and fro.
 */
const LINE = 100_000;
const MOST = 4.9 * LINE;

let station: RunningStation;
let address: string;
let browser: Browser;
let context: BrowserContext;

beforeAll(async () => {
  const data = mkdtempSync(join(tmpdir(), 'waypost-slow-'));
  await copyDemo(data);
  [station, browser] = await Promise.all([
    startStationProcess(
      ['--demo'],
      { WAYPOST_ADMIN_PASSWORD: 'admin-admin', WAYPOST_TLS_PORT: String(await freePort()) },
      data,
    ),
    launchChromium(),
  ]);
  // The station takes what comes through a proxy for another machine, and compresses for it.
  // Browsers take the better compression over TLS alone.
  address = /Over TLS: (https:\S+)/.exec(station.printed())![1]!;
  context = await browser.newContext({
    viewport: { width: 1440, height: 900 },
    locale: 'en-GB',
    ignoreHTTPSErrors: true,
    extraHTTPHeaders: { 'X-Forwarded-For': '192.0.2.7' },
  });
});
afterAll(async () => {
  await browser?.close();
  await station?.stop();
});

test('the board comes up over a slow line from nothing with few bytes', async () => {
  // A shared worker would not be slowed down, and what was kept would not be nothing.
  await context.addInitScript(() => {
    for (const name of ['SharedWorker', 'indexedDB']) Reflect.deleteProperty(globalThis, name);
  });
  const signing = await context.newPage();
  await enter(signing, address, 'dispatcher', 'dispatcher');
  await signing.close();

  const page = await context.newPage();
  const session = await context.newCDPSession(page);
  await session.send('Network.enable');
  await session.send('Network.setCacheDisabled', { cacheDisabled: true });
  await session.send('Network.emulateNetworkConditions', {
    offline: false,
    latency: 40,
    downloadThroughput: LINE,
    uploadThroughput: LINE,
  });
  const urls = new Map<string, string>();
  const loaded: { url: string; bytes: number }[] = [];
  session.on('Network.responseReceived', ({ requestId, response }) => urls.set(requestId, response.url));
  session.on('Network.loadingFinished', ({ requestId, encodedDataLength }) =>
    loaded.push({ url: urls.get(requestId) ?? '', bytes: encodedDataLength }),
  );
  const began = performance.now();
  await page.goto(`${address}/`);
  await page.locator('.light[data-level=good]').waitFor();
  await page.locator('[role=row], [role=option], .queue-row').first().waitFor();
  const seconds = (performance.now() - began) / 1000;
  const bytes = loaded.reduce((sum, each) => sum + each.bytes, 0);
  const scripts = loaded.filter((each) => each.url.endsWith('.js'));
  expect(scripts.length).toBeGreaterThan(3);
  const rows = loaded
    .toSorted((a, b) => b.bytes - a.bytes)
    .map((each) => `${each.bytes} ${each.url.replace(address, '')}`);
  console.log(`The board was up after ${seconds.toFixed(1)} s and ${bytes} bytes:\n${rows.slice(0, 30).join('\n')}`);
  expect(bytes).toBeLessThan(MOST);
});
