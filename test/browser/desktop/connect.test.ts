import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { buildWindows } from '../../../electron/build-windows.ts';
import type { StationNearby } from '../../../electron/connect/states.ts';
import { Shell, type ShellOptions } from '../../../electron/shell.ts';
import { fingerprintOf, type Certificate } from '../../../server/http/listener/certificate.ts';
import { makeCertificate } from '../../../server/http/listener/make-certificate.ts';
import { eventually } from '../../support/eventually.ts';
import { launchChromium } from '../harness/chromium.ts';
import { screenshot } from '../harness/console-harness.ts';
import { ElectronHarness, type MenuTemplate } from '../harness/electron-harness.ts';
import { LANGUAGES, PALETTES } from '../harness/every-look.ts';

/** The desktop program as a console of another station: its real shell, page and checks of certificates. */
let browser: Browser;
let built: string;
let folder: string;
let harness: ElectronHarness;
let station: Server;
let address: string;
let version: string;
let stationsHere: number;
let asked: string[];
let nearby: readonly StationNearby[];

const own = makeCertificate(['127.0.0.1'], Date.now());
const other = makeCertificate(['127.0.0.1'], Date.now());

/** A station as far as a console needs it to be one: it says who it is, and has a page. */
async function openTls({ key, cert }: Certificate, port = 0): Promise<Server> {
  const server = createServer({ key, cert }, (request, response) => {
    asked.push(request.url!);
    if (request.url === '/health')
      return response.end(JSON.stringify({ status: 'ok', version, station: { id: 'x', name: 'North control room' } }));
    response.setHeader('content-type', 'text/html').end('<!doctype html><title>console</title>console');
  });
  await new Promise<void>((listening) => server.listen(port, '127.0.0.1', listening));
  return server;
}

async function closeTls(): Promise<void> {
  station.closeAllConnections();
  await new Promise((closed) => station.close(closed));
}

beforeAll(async () => {
  browser = await launchChromium();
  built = mkdtempSync(join(tmpdir(), 'waypost-built-'));
  await buildWindows(built);
});
afterAll(() => browser?.close());
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'waypost-connect-'));
  version = '1.2.0';
  stationsHere = 0;
  asked = [];
  nearby = [];
  station = await openTls(own);
  address = `https://127.0.0.1:${(station.address() as AddressInfo).port}`;
  await newHarness();
});
afterEach(async () => {
  harness.app.emit('before-quit', { preventDefault: () => undefined });
  for (const window of [...harness.windows]) await window.close();
  await closeTls();
});

async function newHarness(): Promise<void> {
  harness = new ElectronHarness(await browser.newContext({ ignoreHTTPSErrors: true }));
}

async function start(overrides: Partial<ShellOptions> = {}): Promise<Shell> {
  const shell = new Shell(harness.parts(), {
    openStation: async () => {
      stationsHere++;
      return { address, stop: async () => undefined };
    },
    version: '1.2.3',
    built,
    icons: new URL('../../../resources/icons', import.meta.url).pathname,
    userData: folder,
    machineFile: join(folder, 'machine.json'),
    words: [],
    hasData: () => false,
    browse: (changed) => {
      changed(nearby);
      return () => undefined;
    },
    retryEvery: 50,
    ...overrides,
  });
  await shell.start();
  return shell;
}

/** The only window, which shows the connect page. */
async function connectPage(): Promise<Page> {
  await eventually(() => expect(harness.windows.at(-1)?.options.webPreferences.partition).toBe('waypost-connect'));
  return harness.windows.at(-1)!.page;
}

async function boardOpens(): Promise<Page> {
  await eventually(() => {
    expect(harness.windows.map(({ options }) => options.webPreferences.partition)).toEqual([undefined]);
    expect(harness.windows[0]!.shown).toBe(true);
  });
  return harness.windows[0]!.page;
}

const press = (page: Page, name: string | RegExp) => page.getByRole('button', { name }).click();

function labels(template: MenuTemplate): string[] {
  return template
    .flatMap(({ label, role, submenu }) => [label ?? role ?? '', ...labels(submenu ?? [])])
    .filter(Boolean);
}

function entry(label: string): () => void {
  return harness.trayMenu.find((one) => one.label === label)!.click!;
}

test('the first start asks which station; a typed one is confirmed by its fingerprint once, and no station runs here', async () => {
  await start();
  const page = await connectPage();
  await page.getByLabel('Address of the station').fill(address.replace('https://', ''));
  await page.keyboard.press('Enter');
  await page.getByText('Is this North control room?').waitFor();
  expect((await page.locator('.fingerprint').innerText()).replaceAll('\n', ':')).toBe(fingerprintOf(own));
  await press(page, /The fingerprint is the same/);
  expect((await boardOpens()).url()).toBe(`${address}/#/`);
  expect(stationsHere).toBe(0);
  expect(labels(harness.trayMenu)).toContain('Quit');

  await newHarness();
  await start();
  expect((await boardOpens()).url()).toBe(`${address}/#/`);
});

test('a station here is one press away, and is not asked for again', async () => {
  address = address.replace('https', 'http'); // its page is not looked at
  await start();
  await press(await connectPage(), 'Use this machine');
  await eventually(() => expect(stationsHere).toBe(1));
  expect(JSON.parse(readFileSync(join(folder, 'connection.json'), 'utf8'))).toMatchObject({ choice: { kind: 'here' } });
});

test('stations of the network are offered, without moving what is being typed', async () => {
  let say: (stations: readonly StationNearby[]) => void = () => undefined;
  await start({ browse: (changed) => ((say = changed), () => undefined) });
  const page = await connectPage();
  await page.getByLabel('Address of the station').fill('sta');
  say([{ name: 'North control room', address, fingerprint: fingerprintOf(other) }]);
  await page.getByText('Found on this network').waitFor();
  expect(await page.getByLabel('Address of the station').inputValue()).toBe('sta');
  await press(page, /North control room/);
  // What counts is the certificate that the station shows, never the one that was announced.
  await page.locator('.fingerprint').waitFor();
  expect((await page.locator('.fingerprint').innerText()).replaceAll('\n', ':')).toBe(fingerprintOf(own));
});

test.each([
  ['http://station.example', 'Beyond this machine a console connects with TLS only'],
  ['what is this', 'This is not an address'],
  ['127.0.0.1:1', 'no station listens at this port'],
])('what is typed wrong is said in words: %s', async (typed, words) => {
  await start();
  const page = await connectPage();
  await page.getByLabel('Address of the station').fill(typed);
  await press(page, 'Connect');
  await page.getByText(words).waitFor();
  expect(await page.getByLabel('Address of the station').inputValue()).toBe(typed);
});

test('a file of the administrator brings the address, the language and the fingerprint: nothing is asked', async () => {
  writeFileSync(
    join(folder, 'machine.json'),
    JSON.stringify({ address, fingerprint: fingerprintOf(own), language: 'ru', fixed: true }),
  );
  await start();
  await boardOpens();
  expect(labels(harness.applicationMenu)).toContain('Во весь &экран');
  expect(labels(harness.trayMenu).join()).not.toContain('Выбрать другую');
});

test('a file that was handed out may be picked; one that cannot be used says why', async () => {
  await start();
  const page = await connectPage();
  harness.chosenFile = join(folder, 'handed-out.json');
  writeFileSync(harness.chosenFile, JSON.stringify({ address, colour: 'red' }));
  await press(page, 'Open console.json…');
  await page.getByText(/colour/).waitFor();
  writeFileSync(harness.chosenFile, JSON.stringify({ address, fingerprint: fingerprintOf(own) }));
  await press(page, 'Open console.json…');
  await boardOpens();
});

test('settings of the machine that cannot be used are said in words, and read again', async () => {
  writeFileSync(join(folder, 'machine.json'), '{');
  await start();
  await (await connectPage()).getByText('It is not valid JSON.').waitFor();
  writeFileSync(join(folder, 'machine.json'), JSON.stringify({ address, fingerprint: fingerprintOf(own) }));
  await press(await connectPage(), 'Read it again');
  await boardOpens();
});

test('a station that does not answer is waited for, and its console opens by itself', async () => {
  const { port } = station.address() as AddressInfo;
  await closeTls();
  await start({ words: ['--connect', address, `--fingerprint=${fingerprintOf(own)}`] });
  const page = await connectPage();
  await page.getByText('no station listens at this port').waitFor();
  station = await openTls(own, port);
  await boardOpens();
});

test('another certificate is refused before anything is sent, and accepted only after it was compared', async () => {
  writeFileSync(join(folder, 'connection.json'), JSON.stringify({ pins: { [address]: fingerprintOf(own) } }));
  const { port } = station.address() as AddressInfo;
  await closeTls();
  station = await openTls(other, port);
  await start({ words: [`--connect=${address}`] });
  const page = await connectPage();
  await page.getByText('shows another certificate').waitFor();
  expect(asked).toEqual([]);
  await page.getByText('What has changed').click();
  expect((await page.locator('.fingerprint').allInnerTexts()).map((text) => text.replaceAll('\n', ':'))).toEqual([
    fingerprintOf(own),
    fingerprintOf(other),
  ]);
  const accept = page.getByRole('button', { name: 'The new fingerprint is confirmed' });
  expect(await accept.isDisabled()).toBe(true);
  await page.getByLabel('I have compared').check();
  await accept.click();
  await boardOpens();
});

test('a certificate that an administrator has set cannot be replaced here', async () => {
  writeFileSync(join(folder, 'machine.json'), JSON.stringify({ address, fingerprint: fingerprintOf(other) }));
  await start();
  const page = await connectPage();
  await page.getByText('What has changed').click();
  await page.getByText('Only they can change it').waitFor();
  expect(await page.getByRole('checkbox').count()).toBe(0);
});

test.each([
  ['1.1.9', 'runs an older version'],
  ['2.0.0', 'runs a newer version'],
])('a station of version %s is opened only when the person says so, once', async (stations, words) => {
  version = stations;
  const words1 = ['--connect', address, '--fingerprint', fingerprintOf(own)];
  await start({ words: words1 });
  const page = await connectPage();
  await page.getByText(words).waitFor();
  await press(page, 'Open the console');
  await boardOpens();
  await newHarness();
  await start({ words: words1 });
  await boardOpens();
});

test('a window that loses its station gives way to words, and comes back on its page when the station answers', async () => {
  const { port } = station.address() as AddressInfo;
  writeFileSync(join(folder, 'connection.json'), JSON.stringify({ pins: { [address]: fingerprintOf(own) } }));
  await start({ words: ['--connect', address] });
  const board = await boardOpens();
  await board.evaluate(() => (location.hash = '#/map'));
  await eventually(() => expect(readFileSync(join(folder, 'windows.json'), 'utf8')).toContain('#/map'));
  await closeTls();
  harness.windows[0]!.reload();
  await (await connectPage()).getByText('North control room does not answer').waitFor();
  expect(harness.windows).toHaveLength(1);
  station = await openTls(own, port);
  expect((await boardOpens()).url()).toBe(`${address}/#/map`);

  // While it was away it got another certificate.
  station.closeAllConnections();
  await closeTls();
  station = await openTls(other, port);
  harness.windows[0]!.reload();
  const page = await connectPage();
  await page.getByText('North control room shows another certificate').waitFor();
  await page.getByText('What has changed').click();
  await page.getByLabel('I have compared').check();
  await press(page, 'The new fingerprint is confirmed: connect');
  await eventually(() => expect(harness.relaunched).toEqual(process.argv.slice(1)));
});

test('another station is chosen from the menu: the program starts again with it, without the old words', async () => {
  const argv = process.argv;
  process.argv = ['waypost', '--connect', address, '--no-sandbox'];
  try {
    await start({ words: ['--connect', address, '--fingerprint', fingerprintOf(own)] });
    await boardOpens();
    entry('Choose another station…')();
    const page = await connectPage();
    await page.getByText('Current station: North control room.').waitFor();
    expect(harness.windows).toHaveLength(2);
    await press(page, 'Use this machine');
    await eventually(() => expect(harness.relaunched).toEqual(['--no-sandbox']));
    expect(harness.exitCode).toBe(0);
  } finally {
    process.argv = argv;
  }
});

test('menus and tray follow the system’s language, then the console’s; what is shipped has no developer tools', async () => {
  harness.languages = ['ru-RU', 'en'];
  harness.isPackaged = true;
  await start({ words: ['--connect', address, '--fingerprint', fingerprintOf(own)] });
  const board = await boardOpens();
  expect(labels(harness.trayMenu)[0]).toBe('Показать Waypost');
  expect(JSON.stringify(harness.applicationMenu)).not.toContain('toggleDevTools');
  expect(harness.windows[0]!.options.webPreferences).toMatchObject({ devTools: false });
  expect(harness.session().mayRequest('devtools://devtools/bundled/inspector.html')).toBe(false);
  await board.evaluate(() =>
    (window as never as { waypost: { setLook(look: object): void } }).waypost.setLook({
      language: 'en',
      palette: 'night',
    }),
  );
  await eventually(() => expect(labels(harness.trayMenu)[0]).toBe('Show Waypost'));
  expect(JSON.parse(readFileSync(join(folder, 'look.json'), 'utf8'))).toEqual({ language: 'en', palette: 'night' });
});

test('the connect page has a policy without scripts of others, no Node and no bridge of the console; it asks for nothing outside', async () => {
  await start();
  const page = await connectPage();
  await page.getByText('Which station').waitFor();
  expect(
    await page.evaluate(async () => [
      Object.keys((window as never as { waypostConnect: object }).waypostConnect),
      typeof (globalThis as never as { require: unknown }).require,
      typeof (globalThis as never as { waypost: unknown }).waypost,
      await fetch('https://127.0.0.1:9/').then(
        () => 'reached',
        () => 'refused',
      ),
    ]),
  ).toEqual([['send', 'onView'], 'undefined', 'undefined', 'refused']);
  const answer = await page.request.fetch('http://127.0.0.1:9/').catch(() => undefined);
  expect(answer).toBe(undefined);
  harness.ipc.emit('waypost-connect:request', { senderFrame: { url: `${address}/`, parent: null } }, { ask: 'here' });
  harness.ipc.emit(
    'waypost-connect:request',
    { senderFrame: { url: 'waypost://connect/', parent: {} } },
    { ask: 'here' },
  );
  expect(stationsHere).toBe(0);
});

test('every state of the page fits its window in both languages and three palettes', async () => {
  nearby = [
    { name: 'North control room', address, fingerprint: fingerprintOf(own) },
    { name: 'Municipal services of the southern district', address: 'https://10.20.30.40:8443', fingerprint: '' },
  ];
  await start();
  const page = await connectPage();
  const window = harness.windows.at(-1)!;
  const look = async (name: string) => {
    const wrong: string[] = [];
    for (const language of LANGUAGES)
      for (const palette of PALETTES) {
        await page.evaluate(
          (wanted) =>
            (globalThis as never as { waypostConnect: { send(request: object): void } }).waypostConnect.send({
              ask: 'look',
              look: wanted,
            }),
          { language, palette },
        );
        await page.waitForSelector(`html[lang=${language}][data-palette=${palette}]`);
        if (await page.evaluate(() => document.documentElement.scrollWidth > innerWidth))
          wrong.push(`${name} ${language}`);
        await screenshot(page, `connect-${name}-${palette}-${language}`);
      }
    expect(wrong).toEqual([]);
    await page.evaluate(() =>
      (globalThis as never as { waypostConnect: { send(request: object): void } }).waypostConnect.send({
        ask: 'look',
        look: { language: 'en', palette: 'day' },
      }),
    );
    await page.waitForSelector('html[lang=en][data-palette=day]');
  };
  await page.getByLabel('Address of the station').fill('127.0.0.1:1');
  await press(page, 'Connect');
  await page.getByText('no station listens').waitFor();
  await look('choose');
  await page.setViewportSize({ width: 480, height: 480 });
  await look('narrow');
  await page.setViewportSize({ width: window.bounds.width, height: window.bounds.height });
  await press(page, /North control room/);
  await page.getByText('Is this North control room?').waitFor();
  await look('confirm');
  version = '2.0.0';
  await press(page, 'Choose another station');
  await press(page, /North control room/);
  await press(page, /The fingerprint is the same/);
  await page.getByText('runs a newer version').waitFor();
  await look('version');
  await press(page, 'Choose another station');
  const { port } = station.address() as AddressInfo;
  await closeTls();
  station = await openTls(other, port);
  await press(page, /North control room/);
  await page.getByText('What has changed').waitFor();
  await page.getByText('What has changed').click();
  await look('changed');
});
