import { spawn, type ChildProcess } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { BrowserContext, Download, Locator, Page } from 'playwright';
import { PROGRAM } from '../../support/program.ts';
import { PATIENCE } from '../../support/patience.ts';
import { accessibilityFaults } from './accessibility.ts';
import { launchChromium, launchChromiumWithWindows, type TestBrowser, type TestContextOptions } from './chromium.ts';
import { copyFilled } from './filled-demo.ts';
import { freePort } from '../../support/free-ports.ts';

export const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
const OUT = join(ROOT, 'test/out');

export interface RunningStation {
  readonly address: string;
  /** Everything that it printed. */
  printed(): string;
  /**
   * Ends the process and removes its data. `true` kills it as a power cut would, and `keep` ends it in order:
   * both leave the data.
   */
  stop(kill?: boolean | 'keep'): Promise<void>;
}

/**
 * Starts the real station in a process of its own, on a free port, and waits until it says that it answers.
 */
export async function startStationProcess(
  flags: readonly string[],
  environment: Readonly<Record<string, string>> = {},
  data = mkdtempSync(join(tmpdir(), 'waypost-browser-')),
): Promise<RunningStation> {
  if (!existsSync(join(process.env['CONSOLE_PAGES'] ?? join(ROOT, 'dist/renderer'), 'index.html')))
    throw new Error('The console is not built: npx vite build --config renderer/vite.config.ts');
  const child = spawn(
    process.execPath,
    [PROGRAM, 'serve', ...(flags.includes('--port') ? [] : ['--port', '0']), '--data', data, ...flags],
    { cwd: ROOT, env: { ...ownEnvironment(), ...environment }, stdio: ['ignore', 'pipe', 'pipe'] },
  );
  let text = '';
  child.stderr!.on('data', (chunk: Buffer) => (text += chunk.toString()));
  const address = await new Promise<string>((resolve, reject) => {
    child.once('exit', (code) => reject(new Error(`The station ended with ${code}:\n${text}`)));
    child.stdout!.on('data', (chunk: Buffer) => {
      text += chunk.toString();
      const found = /listening on (http:\/\/\S+)/.exec(text)?.[1];
      if (found) resolve(found);
    });
  });
  return {
    address,
    printed: () => text,
    stop: (kill) => end(child, kill ? undefined : data, kill === true ? 'SIGKILL' : 'SIGTERM'),
  };
}

/** Settings that a developer has for a station of their own are not those of a test. */
function ownEnvironment(): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('WAYPOST_')));
}

async function end(child: ChildProcess, data: string | undefined, signal: NodeJS.Signals): Promise<void> {
  if (child.exitCode === null && child.signalCode === null) {
    const ended = new Promise((resolve) => child.once('exit', resolve));
    child.kill(signal);
    await ended;
  }
  if (data) rmSync(data, { recursive: true, force: true });
}

/**
 * What browsers say of requests that are refused, and of those that a station leaves that is killed: before
 * it answers, in the midst, or when it is gone.
 */
const UNANSWERED =
  /status of (4\d\d|5\d\d)|ERR_(CONNECTION|SOCKET_NOT_CONNECTED|FAILED|EMPTY_RESPONSE|INCOMPLETE_CHUNKED_ENCODING|CONTENT_LENGTH_MISMATCH)|WebSocket connection/;

/**
 * What must not happen on any page: requests that leave the station, errors, and breaches of the content
 * security policy.
 */
export function watchForFaults(context: BrowserContext, address: string): () => string[] {
  const faults: string[] = [];
  context.on('request', (request) => {
    if (!request.url().startsWith(`${address}/`) && !/^(data|blob):/.test(request.url()))
      faults.push(`A request left the station: ${request.url()}`);
  });
  context.on('weberror', (error) =>
    faults.push(`An error on the page: ${error.error().stack ?? error.error().message}`),
  );
  context.on('console', (message) => {
    if (message.type() === 'error' && !UNANSWERED.test(message.text()))
      faults.push(`An error in the console: ${message.text()}`);
  });
  context.on('response', (response) => {
    if (response.status() >= 500) faults.push(`A server error: ${response.status()} ${response.url()}`);
  });
  return () => faults;
}

/**
 * A station with demo data in a process of its own, and its console in a browser: signed in, and caught up.
 */
export interface DemoConsole {
  readonly station: RunningStation;
  /** The folder that the station keeps everything in; it goes with the console. */
  readonly data: string;
  /** Ends the station as a power cut would, and starts it again at the same address with what it had. */
  cut(): Promise<void>;
  restore(): Promise<void>;
  readonly browser: TestBrowser;
  readonly context: BrowserContext;
  readonly page: Page;
  /** What must not have happened, as `watchForFaults` has it. */
  faults(): string[];
  /** Asks the station as the person who is signed in, past the console; anything but 200 fails the test. */
  ask<T>(method: string, path: string, body?: object): Promise<T>;
  close(): Promise<void>;
}

interface DemoConsoleOptions extends TestContextOptions {
  /** Who signs in at first; the supervisor unless it is said otherwise. */
  readonly login?: 'supervisor' | 'admin';
  /** Vehicles stay where they are and crews report nothing: for tests of pages only, since it is half the work. */
  readonly standsStill?: boolean;
  /** One window may be put behind another (`putBehind`). */
  readonly windows?: boolean;
  /** Settings of the station. */
  readonly environment?: Readonly<Record<string, string>>;
}

const DEMO = { WAYPOST_ADMIN_PASSWORD: 'admin-admin' };
const STANDS_STILL = { WAYPOST_DEMO_SPEED: '0' };

/** Copies a filled demo into `data`: a start fills an empty station in three times the work. */
export const copyDemo = (data: string): Promise<void> =>
  copyFilled(data, async (directory) => {
    const station = await startStationProcess(['--demo'], { ...DEMO, ...STANDS_STILL }, directory);
    await letNothingRise(station.address);
    await station.stop('keep');
  });

/** Without targets no task of the demo rises, and raises an alarm, while a test counts alarms. */
async function letNothingRise(address: string): Promise<void> {
  let token = '';
  const ask = async (method: string, path: string, body?: object): Promise<unknown> => {
    const response = await fetch(address + path, {
      method,
      headers: { 'authorization': `Bearer ${token}`, 'content-type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    });
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
    return response.json();
  };
  ({ token } = (await ask('POST', '/auth/login', { login: 'admin', password: DEMO.WAYPOST_ADMIN_PASSWORD })) as {
    token: string;
  });
  const organizations = (await ask('GET', '/organizations')) as { id: number }[];
  for (const { id } of organizations) {
    const path = `/dispatch/settings?orgId=${id}`;
    const { leadSeconds, targets } = (await ask('GET', path)) as { leadSeconds: number; targets: object[] };
    await ask('PUT', path, { leadSeconds, targets: targets.map((target) => ({ ...target, sentSeconds: 0 })) });
  }
}

/** A demo station whose vehicles stand still. */
export async function startStillDemo(): Promise<RunningStation> {
  const data = mkdtempSync(join(tmpdir(), 'waypost-browser-'));
  await copyDemo(data);
  return startStationProcess(['--demo'], { ...DEMO, ...STANDS_STILL }, data);
}

/** `prepare` is done with the context before its page is opened. */
export async function openDemoConsole(
  { login = 'supervisor', standsStill = false, windows = false, environment, ...options }: DemoConsoleOptions = {},
  prepare: (context: BrowserContext, station: RunningStation) => Promise<void> = async () => {},
): Promise<DemoConsole> {
  const data = mkdtempSync(join(tmpdir(), 'waypost-browser-'));
  await copyDemo(data);
  const port = await freePort();
  const start = () =>
    startStationProcess(
      ['--demo', '--port', String(port)],
      { ...DEMO, ...(standsStill ? STANDS_STILL : {}), ...environment },
      data,
    );
  const [first, browser] = await Promise.all([start(), windows ? launchChromiumWithWindows() : launchChromium()]);
  let station = first;
  const close = async () => {
    await browser.close();
    await station.stop();
    rmSync(data, { recursive: true, force: true });
  };
  const context = await browser.newContext({
    viewport: { width: 1440, height: 900 },
    locale: 'en-GB',
    colorScheme: 'light',
    timezoneId: 'UTC',
    ...options,
  });
  const faults = watchForFaults(context, station.address);
  const open = async () => {
    await prepare(context, station);
    const opened = await context.newPage();
    // What does not come is said with its name, and not by the end of the test.
    opened.setDefaultTimeout(Math.max(PATIENCE, 30_000));
    await enter(opened, station.address, login, login === 'admin' ? 'admin-admin' : login);
    await opened.locator('.light[data-level=good]').waitFor();
    return opened;
  };
  // A station that is left running would slow down all files that follow.
  const page = await open().catch(async (error: unknown) => {
    await close();
    throw error;
  });
  return {
    get station() {
      return station;
    },
    cut: () => station.stop(true),
    async restore() {
      station = await start();
    },
    data,
    browser,
    context,
    page,
    faults,
    async ask<T>(method: string, path: string, body?: object): Promise<T> {
      const answer = await page.request.fetch(`${station.address}${path}`, { method, ...(body ? { data: body } : {}) });
      if (answer.status() !== 200) throw new Error(`${method} ${path}: ${answer.status()} ${await answer.text()}`);
      return (await answer.json()) as T;
    },
    close,
  };
}

/** Opens the console with a session that was asked for past the form: for tests of anything but the form. */
export async function enter(page: Page, address: string, login: string, password: string): Promise<void> {
  const answer = await page.request.post(`${address}/auth/login`, {
    data: { login, password },
    headers: { origin: address },
  });
  if (!answer.ok()) throw new Error(`${login} is not let in: ${answer.status()} ${await answer.text()}`);
  await page.goto(`${address}/`);
  await page.locator('.light').waitFor();
}

/** Fills in the form, as a person does. */
export async function signIn(page: Page, address: string, login: string, password: string): Promise<void> {
  await page.goto(`${address}/`);
  await page.getByLabel(/Login|Логин/).fill(login);
  await page.getByLabel(/Password|Пароль/).fill(password);
  await page.keyboard.press('Enter');
  await page.locator('.light').waitFor(); // the page of the sign-in has a main part, too
}

/** Loads a page as in a new tab: what was typed or open there is not taken up again. */
export async function loadAnew(page: Page): Promise<void> {
  await page.evaluate(() => window.addEventListener('pagehide', () => sessionStorage.clear()));
  await page.reload();
}

/**
 * Puts a page behind another one, as when an operator works in another program: otherwise every page believes
 * that it has the focus. Gives that other page. Needs the Chromium of `launchChromiumWithWindows`.
 */
export async function putBehind(page: Page): Promise<Page> {
  const session = await page.context().newCDPSession(page);
  await session.send('Emulation.setFocusEmulationEnabled', { enabled: false });
  const other = await page.context().newPage();
  await other.bringToFront();
  await page.waitForFunction(() => !document.hasFocus());
  return other;
}

/** Waits until the map stands still and each of its tiles is drawn. */
export async function mapDrawn(page: Page): Promise<void> {
  await page.waitForFunction(() => {
    const tiles = [...document.querySelectorAll('.leaflet-tile')];
    return (
      tiles.length > 0 &&
      tiles.every((tile) => tile.classList.contains('leaflet-tile-loaded')) &&
      !document.querySelector('.leaflet-zoom-anim, .leaflet-pan-anim')
    );
  });
}

/** Waits until nothing in it glides or fades any more. */
export async function atRest(locator: Locator): Promise<void> {
  await locator.evaluate((element) =>
    Promise.all(
      element
        .getAnimations({ subtree: true })
        .filter((animation) => animation.effect?.getComputedTiming().iterations !== Infinity)
        .map((animation) => animation.finished.catch(() => undefined)),
    ),
  );
}

/** `WAYPOST_PICTURES=1` asks for pictures for people to look at. */
export const PICTURES = process.env['WAYPOST_PICTURES'] === '1';

/** Leaves a picture in `test/out`, when pictures are asked for. What is worth one has no fault that axe-core finds. */
export async function screenshot(page: Page, name: string): Promise<void> {
  if (!PICTURES) return;
  await takePicture(page, name);
  const faults = await accessibilityFaults(page);
  if (faults.length > 0) throw new Error(`${name}:\n${faults.join('\n')}`);
}

export async function takePicture(page: Page, name: string): Promise<void> {
  mkdirSync(OUT, { recursive: true });
  // colours as they are when they have arrived
  await page.screenshot({ path: join(OUT, `${name}.png`), animations: 'disabled' });
}

/** The path of a file that the page has downloaded. Chromium runs in another process, so it is fetched from there. */
export async function downloaded(download: Download): Promise<string> {
  const path = join(mkdtempSync(join(tmpdir(), 'waypost-download-')), download.suggestedFilename());
  await download.saveAs(path);
  return path;
}
