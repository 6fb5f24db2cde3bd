import type { Browser, Page } from 'playwright';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { HAS_NATS, NatsServers } from '../../support/nats-servers.ts';
import { launchChromium } from '../harness/chromium.ts';
import { enter, startStationProcess, watchForFaults, type RunningStation } from '../harness/console-harness.ts';
import { inEveryLook } from '../harness/every-look.ts';

describe.skipIf(!HAS_NATS)('the page of stations in a region', () => {
  let servers: NatsServers;
  let stations: RunningStation[] = [];
  let browser: Browser;
  let page: Page;
  let faults: () => string[];

  beforeAll(async () => {
    servers = await NatsServers.start();
    const start = (number: number, name: string) =>
      startStationProcess(['--nats-servers', servers.addresses[0]!, '--nats-region', 'north'], {
        WAYPOST_ADMIN_PASSWORD: 'admin-admin',
        WAYPOST_STATION_NUMBER: String(number),
        WAYPOST_NAME: name,
      });
    [stations, browser] = await Promise.all([
      Promise.all([start(1, 'Control room at the harbour, second floor'), start(2, 'Depot')]),
      launchChromium(),
    ]);
    const { address } = stations[0]!;
    const context = await browser.newContext({ viewport: { width: 1280, height: 720 }, locale: 'en-GB' });
    faults = watchForFaults(context, address);
    page = await context.newPage();
    page.setDefaultTimeout(30_000);
    await enter(page, address, 'admin', 'admin-admin');
    await page.goto(`${address}/#/stations`);
  });
  afterAll(async () => {
    await browser?.close();
    await Promise.all(stations.map((station) => station.stop()));
    await servers?.close();
  });

  test('names the region and its stations, and says when no server of it answers', async () => {
    await page.getByRole('heading', { name: 'Region north' }).waitFor();
    const others = page.getByRole('list', { name: 'Stations of the region' });
    await others.getByText('Depot').waitFor();
    await page.getByText('All stations of the region agree').waitFor();
    const wrong: string[] = [];
    for (const size of [
      { width: 1280, height: 720 },
      { width: 640, height: 900 },
    ]) {
      await page.setViewportSize(size);
      wrong.push(...(await inEveryLook(page, `region-${size.width}`)));
    }
    await servers.kill();
    await page.getByText('No server of the region answers. This station works alone').waitFor();
    wrong.push(...(await inEveryLook(page, 'region-away-640')));
    await servers.start();
    await page.getByText('All stations of the region agree').waitFor();
    expect(wrong).toEqual([]);
    expect(faults()).toEqual([]);
  });
});
