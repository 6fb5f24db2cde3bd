import { createServer, type Server } from 'node:http';
import { mkdtempSync, rmSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Provider from 'oidc-provider';
import type { Browser } from 'playwright';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { buildWindows } from '../../../electron/build-windows.ts';
import { Shell } from '../../../electron/shell.ts';
import { tryStation, type TryStation } from '../../http/try-station.ts';
import { eventually } from '../../support/eventually.ts';
import { launchChromium } from '../harness/chromium.ts';
import { screenshot } from '../harness/console-harness.ts';
import { ElectronHarness } from '../harness/electron-harness.ts';

let browser: Browser;
let server: Server;
let at: TryStation;
let harness: ElectronHarness;
let folder: string;

beforeAll(async () => {
  browser = await launchChromium();
  folder = mkdtempSync(join(tmpdir(), 'waypost-provider-'));
  server = createServer();
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const client = { 'oidc.clientId': 'waypost', 'oidc.clientSecret': 'a secret of thirty-two characters' };
  at = await tryStation({ 'oidc.issuer': issuer, 'oidc.name': 'Town Hall', ...client });
  const provider = new Provider(issuer, {
    clients: [
      {
        client_id: client['oidc.clientId'],
        client_secret: client['oidc.clientSecret'],
        redirect_uris: [`${at.station.address}/auth/oidc/callback`],
      },
    ],
    cookies: { keys: ['test'] },
    pkce: { required: () => true },
    findAccount: (_context, id) => ({ accountId: id, claims: async () => ({ sub: id }) }),
  });
  server.on('request', provider.callback());
  await at.signIn(); // the station is set up
  await buildWindows(join(folder, 'built'));
  harness = new ElectronHarness(await browser.newContext());
  await new Shell(harness.parts(), {
    openStation: async () => ({ address: at.station.address, stop: async () => undefined }),
    built: join(folder, 'built'),
    icons: new URL('../../../resources/icons', import.meta.url).pathname,
    userData: folder,
    version: '1.2.3',
    machineFile: undefined,
    words: [],
    hasData: () => true,
    browse: () => () => undefined,
  }).start();
});
afterAll(async () => {
  await browser?.close();
  await at?.stop();
  server?.close();
  rmSync(folder, { recursive: true, force: true });
});

test('the desktop program signs in at the provider through the browser of the machine', async () => {
  const page = await harness.windows[0]!.page;
  for (const palette of ['Day', 'Dusk', 'Night']) {
    await page.getByRole('radio', { name: palette }).click();
    await screenshot(page, `sign-in-provider-${palette.toLowerCase()}`);
  }
  await page.getByRole('button', { name: 'Sign in with Town Hall' }).click();
  await page.getByText('Sign in on the page in your browser').waitFor();
  await screenshot(page, 'sign-in-elsewhere');
  await eventually(() => expect(harness.openedElsewhere).toHaveLength(1));
  const [address] = harness.openedElsewhere;
  expect(address).toMatch(
    new RegExp(`^${at.station.address}/auth/oidc\\?loopback=\\d+&state=[\\w-]{43}&challenge=[\\w-]{43}$`),
  );

  const elsewhere = await (await browser.newContext()).newPage();
  // A page of the machine that guesses the port has not the state.
  const port = new URL(address!).searchParams.get('loopback');
  const guessed = await elsewhere.goto(`http://127.0.0.1:${port}/?code=guessed&state=guessed`);
  expect(guessed!.status()).toBe(404);
  await elsewhere.goto(address!);
  await elsewhere.locator('input[name=login]').fill('anna');
  await elsewhere.locator('input[name=password]').fill('any');
  await elsewhere.locator('button[type=submit]').click();
  await elsewhere.getByRole('button', { name: 'Continue' }).click();
  await elsewhere.getByText('Go back to Waypost.').waitFor();
  await page.getByText('No open tasks').waitFor();
  expect(await page.evaluate(async () => (await (await fetch('/users/current')).json()).login)).toBe('anna');
  expect(harness.refused).toEqual([]);
});
