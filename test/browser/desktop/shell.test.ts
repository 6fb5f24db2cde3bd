import { createServer, type Server } from 'node:http';
import { mkdtempSync, readFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser } from 'playwright';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { buildWindows } from '../../../electron/build-windows.ts';
import { Shell, type ShellOptions } from '../../../electron/shell.ts';
import { eventually } from '../../support/eventually.ts';
import { launchChromium } from '../harness/chromium.ts';
import { ElectronHarness } from '../harness/electron-harness.ts';

/**
 * A page that uses the bridge as the console does. The console itself, in the shell, is in `desktop.test.ts`.
 */
const PAGE = `<!doctype html><title>console</title><script>
  window.routes = []; window.waypost.onRoute((route) => window.routes.push(route));
</script><body>console</body>`;

let browser: Browser;
let server: Server;
/** Of pictures of the map, which the policy of the page names. */
let pictures: Server;
const pictureAsked: string[] = [];
let address: string;
let folder: string;
let built: string;
let harness: ElectronHarness;
let stops: number;

beforeAll(async () => {
  browser = await launchChromium();
  pictures = createServer((request, response) => {
    pictureAsked.push(request.url!);
    response.end();
  });
  const policy = `img-src 'self' ${await addressOf(pictures)}`;
  server = createServer((_request, response) =>
    response.setHeader('content-type', 'text/html').setHeader('content-security-policy', policy).end(PAGE),
  );
  address = await addressOf(server);
  built = mkdtempSync(join(tmpdir(), 'waypost-built-'));
  await buildWindows(built);
});
afterAll(async () => {
  await browser?.close();
  server?.close();
  pictures?.close();
});
/** Resolves when the server listens. */
async function addressOf(listening: Server): Promise<string> {
  if (!listening.listening) await new Promise<void>((resolve) => listening.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(listening.address() as AddressInfo).port}`;
}
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'waypost-shell-'));
  harness = new ElectronHarness(await browser.newContext());
  stops = 0;
});
afterEach(async () => {
  for (const window of [...harness.windows]) await window.close();
});

async function startShell(overrides: Partial<ShellOptions> = {}): Promise<{ shell: Shell; started: boolean }> {
  const shell = new Shell(harness.parts(), {
    openStation: async () => ({ address, stop: async () => void stops++ }),
    built,
    icons: new URL('../../../resources/icons', import.meta.url).pathname,
    userData: folder,
    version: '1.2.3',
    machineFile: undefined,
    words: [],
    hasData: () => true,
    browse: () => () => undefined,
    ...overrides,
  });
  const started = await shell.start();
  for (const window of harness.windows) await eventually(() => expect(window.shown).toBe(true));
  return { shell, started };
}

const firstPage = () => harness.windows[0]!.page;

test('the program opens a station and a window on its console', async () => {
  expect((await startShell()).started).toBe(true);
  expect(harness.windows).toHaveLength(1);
  expect((await firstPage()).url()).toBe(`${address}/#/`);
});

test('a second instance opens nothing and leaves', async () => {
  harness.firstInstance = false;
  expect((await startShell()).started).toBe(false);
  expect(harness.windows).toHaveLength(0);
  expect(harness.exitCode).toBe(0);
});

test('starting the program again brings its window to the front', async () => {
  await startShell();
  harness.app.emit('second-instance');
  expect(harness.windows[0]!.focused).toBe(true);
});

test('the program says in words that a station cannot open, and ends', async () => {
  const { started } = await startShell({
    openStation: () => Promise.reject(new Error('This data directory is in use by process 4711.')),
  });
  expect(started).toBe(false);
  expect(harness.errors).toEqual(['Waypost cannot start: This data directory is in use by process 4711.']);
  expect(harness.exitCode).toBe(1);
});

test('the window sees the bridge and nothing of Node', async () => {
  await startShell();
  const page = await firstPage();
  expect(await page.evaluate(() => Object.keys((window as never as { waypost: object }).waypost).sort())).toEqual([
    'beginProviderSignIn',
    'closeWindow',
    'notify',
    'onProviderSignIn',
    'onRoute',
    'openWindow',
    'setBadge',
    'setLook',
    'withdraw',
  ]);
  expect(
    await page.evaluate(() => [
      typeof (globalThis as never as { require: unknown }).require,
      typeof (globalThis as never as { process: unknown }).process,
    ]),
  ).toEqual(['undefined', 'undefined']);
});

test('a notification of the console is one of the system, and a click on it leads to its page', async () => {
  await startShell();
  const page = await firstPage();
  await page.evaluate(() =>
    (window as never as BridgeWindow).waypost.notify({
      tag: 'task:7',
      title: 'Emergency call',
      body: 'Van 12',
      urgent: true,
      route: '#/tasks/7',
    }),
  );
  await eventually(() => expect(harness.notifications).toHaveLength(1));
  expect(harness.notifications[0]!.options).toMatchObject({
    title: 'Emergency call',
    body: 'Van 12',
    urgency: 'critical',
  });
  harness.notifications[0]!.emitter.emit('click');
  await page.waitForFunction(() => (window as never as { routes: string[] }).routes.includes('#/tasks/7'));
});

test('two windows that tell of one thing make one notification; it is taken back when it is answered, and may come again', async () => {
  await startShell();
  await (await firstPage()).evaluate(() => (window as never as BridgeWindow).waypost.openWindow('#/map'));
  await eventually(() => expect(harness.windows[1]?.shown).toBe(true));
  const tell = async (index: number, tag: string) =>
    (await harness.windows[index]!.page).evaluate(
      (about) =>
        (window as never as BridgeWindow).waypost.notify({
          tag: about,
          title: 'Alarm',
          body: 'Van 12',
          urgent: false,
          route: '#/',
        }),
      tag,
    );
  await tell(0, 'alarm:1');
  await tell(1, 'alarm:1');
  await tell(1, 'alarm:2');
  await eventually(() => expect(harness.notifications).toHaveLength(2));
  const withdraw = async (value: unknown) =>
    (await firstPage()).evaluate(
      (tag) => (window as never as { waypost: { withdraw(tag: unknown): void } }).waypost.withdraw(tag),
      value,
    );
  await withdraw({});
  await withdraw('alarm:unknown');
  await withdraw('alarm:1');
  await eventually(() => expect(harness.notifications.map(({ closed }) => closed)).toEqual([true, false]));
  await tell(0, 'alarm:1');
  await eventually(() => expect(harness.notifications).toHaveLength(3));
  harness.notifications[2]!.emitter.emit('close'); // the person waved it away
  await tell(0, 'alarm:1');
  await eventually(() => expect(harness.notifications).toHaveLength(4));
});

test('nonsense over the bridge does nothing', async () => {
  await startShell();
  const page = await firstPage();
  await page.evaluate(() => {
    const bridge = (window as never as { waypost: Record<string, (value: unknown) => void> }).waypost;
    for (const value of [7, 'text', {}, []]) {
      bridge.notify!({ tag: 'nonsense', title: typeof value === 'string' ? null : value, body: 'x' });
      bridge.notify!({ tag: typeof value === 'string' ? 'a'.repeat(101) : value, title: 'x', body: 'x' });
      bridge.openWindow!(value);
      bridge.closeWindow!(value);
    }
    for (const value of [-1, 1.5, '3', null]) bridge.setBadge!(value);
    bridge.openWindow!('http://evil.example/#/');
    bridge.setBadge!(4);
  });
  await eventually(() => expect(harness.badge).toBe(4));
  expect(harness.notifications).toHaveLength(0);
  expect(harness.windows).toHaveLength(1);
});

test('a frame that got into the console may ask nothing', async () => {
  await startShell();
  harness.ipc.emit('waypost:set-badge', { senderFrame: { url: 'http://evil.example/', parent: null } }, 9);
  harness.ipc.emit('waypost:set-badge', { senderFrame: { url: `${address}/`, parent: {} } }, 9);
  expect(harness.badge).toBe(0);
});

test('a window stays on the console: other pages, windows and requests are refused', async () => {
  await startShell();
  const page = await firstPage();
  const popups: string[] = [];
  page.on('popup', (popup) => popup.on('close', () => popups.push('closed')));
  await page.evaluate(() => void window.open('/other'));
  await eventually(() => expect(popups).toEqual(['closed']));
  expect(
    await page.evaluate(() =>
      fetch('http://127.0.0.1:9/outside').then(
        () => 'reached',
        () => 'refused',
      ),
    ),
  ).toBe('refused');
  await page.evaluate(() => void (location.href = 'http://127.0.0.1:9/away'));
  await eventually(() =>
    expect(harness.refused).toEqual(expect.arrayContaining(['http://127.0.0.1:9/outside', 'http://127.0.0.1:9/away'])),
  );
  expect(page.url().startsWith(address)).toBe(true);
});

test('pictures of the map come from the servers that the policy of the page names, and nothing else does', async () => {
  await startShell();
  const page = await firstPage();
  const from = await addressOf(pictures);
  await page.evaluate((src) => void (new Image().src = src), `${from}/tile.png`);
  await eventually(() => expect(pictureAsked).toEqual(['/tile.png']));
  const reached = (url: string) =>
    page.evaluate(
      (asked) =>
        fetch(asked, { mode: 'no-cors' }).then(
          () => true,
          () => false,
        ),
      url,
    );
  expect(await reached(`${from}/data`)).toBe(false);
  expect(pictureAsked).toEqual(['/tile.png']);
});

test('windows come back where they were, on the page they showed, on displays that are there', async () => {
  await startShell();
  harness.displays = [
    { x: 0, y: 0, width: 1600, height: 900 },
    { x: 1600, y: 0, width: 1600, height: 900 },
  ];
  await (await firstPage()).evaluate(() => (window as never as BridgeWindow).waypost.openWindow('#/map'));
  await eventually(() => expect(harness.windows).toHaveLength(2));
  const wall = harness.windows[1]!;
  await eventually(() => expect(wall.shown).toBe(true));
  wall.bounds = { x: 1700, y: 40, width: 1400, height: 800 };
  wall.emit('moved');
  const saved = JSON.parse(readFileSync(join(folder, 'windows.json'), 'utf8')) as { route: string; x: number }[];
  expect(saved.map(({ route, x }) => [route, x])).toEqual([
    ['#/', expect.any(Number)],
    ['#/map', 1700],
  ]);

  harness = new ElectronHarness(await browser.newContext());
  await startShell();
  expect(harness.windows.map((window) => window.bounds.x)).toEqual([expect.any(Number), 100]);
  expect((await harness.windows[1]!.page).url()).toBe(`${address}/#/map`);
});

test('a window of a layout opens on its display, on the first one where that is missing, and once', async () => {
  await startShell();
  harness.displays = [
    { x: 0, y: 0, width: 1600, height: 900 },
    { x: 1600, y: 0, width: 1280, height: 900 },
  ];
  const page = await firstPage();
  const open = (route: string, corner: unknown) =>
    page.evaluate(([to, at]) => (window as never as BridgeWindow).waypost.openWindow(to as string, at as object), [
      route,
      corner,
    ] as const);
  await open('#/crews', { left: 1600, top: 0 });
  await eventually(() => expect(harness.windows).toHaveLength(2));
  expect(harness.windows[1]!.bounds).toMatchObject({ x: expect.toSatisfy((x: number) => x >= 1600), width: 1152 });
  await open('#/crews', { left: 1600, top: 0 });
  await open('#/card', { left: -1920, top: 200 });
  await eventually(() => expect(harness.windows).toHaveLength(3));
  expect(harness.windows[2]!.bounds).toMatchObject({ x: expect.toSatisfy((x: number) => x < 1600), width: 1440 });
  await open('#/shift', { left: 'x' });
  await eventually(() => expect(harness.windows).toHaveLength(4));
  expect(harness.windows[3]!.bounds.x).toBeLessThan(1600);
  for (const window of harness.windows) await eventually(() => expect(window.shown).toBe(true));
});

test('a window of a layout goes to another display, and closes; others stay', async () => {
  await startShell();
  harness.displays = [
    { x: 0, y: 0, width: 1600, height: 900 },
    { x: 1600, y: 0, width: 1280, height: 900 },
  ];
  const page = await firstPage();
  const open = (route: string, corner?: object) =>
    page.evaluate(([to, at]) => (window as never as BridgeWindow).waypost.openWindow(to as string, at as object), [
      route,
      corner,
    ] as const);
  const close = (route: string) =>
    page.evaluate((to) => (window as never as BridgeWindow).waypost.closeWindow(to), route);
  await open('#/crews', { left: 0, top: 0 });
  await eventually(() => expect(harness.windows).toHaveLength(2));
  const panel = harness.windows[1]!;
  panel.maximize();
  await open('#/crews', { left: 1600, top: 0 });
  await eventually(() =>
    expect(panel).toMatchObject({ maximized: true, bounds: { x: 1600, width: 1280, height: 810 } }),
  );
  const there = { ...panel.bounds, x: 1650, width: 700 };
  panel.setBounds(there);
  await open('#/crews', { left: 1600, top: 0 });
  await open('#/map');
  await eventually(() => expect(harness.windows).toHaveLength(3));
  expect(panel.bounds, 'it is on that display').toEqual(there);
  await close('#/map');
  await close('#/crews');
  await eventually(() => expect(harness.windows).toHaveLength(2));
  expect(harness.windows.includes(panel), 'the one that no layout opened stays').toBe(false);
});

test('closing the last window leaves the station at work; the tray opens it again', async () => {
  await startShell();
  await harness.windows[0]!.close();
  expect(harness.exitCode).toBeUndefined();
  expect(stops).toBe(0);
  harness.trayMenu.find((entry) => entry.label === 'Show Waypost')!.click!();
  await eventually(() => expect(harness.windows).toHaveLength(1));
});

test('quitting stops the station first, once, and then ends', async () => {
  let release = () => {};
  await startShell({
    openStation: async () => ({
      address,
      stop: () =>
        new Promise<void>((done) => {
          stops++;
          release = done;
        }),
    }),
  });
  const quit = harness.trayMenu.at(-1)!.click!;
  quit();
  quit();
  expect(stops).toBe(1);
  expect(harness.exitCode).toBeUndefined();
  release();
  await eventually(() => expect(harness.exitCode).toBe(0));
});

interface BridgeWindow {
  waypost: {
    notify(notice: object): void;
    openWindow(route: string, corner?: object): void;
    closeWindow(route: string): void;
  };
}
