import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import { chromium as engine, type Browser, type BrowserContext, type BrowserContextOptions } from 'playwright';

/** Without the parts of a desktop browser a context costs half: it is tried first. */
const SHELLS = ['chromium-headless-shell'];
const BROWSERS = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];

function onPath(names: readonly string[]): string | undefined {
  for (const folder of (process.env.PATH ?? '').split(delimiter)) {
    for (const name of names) {
      const file = join(folder, name);
      try {
        accessSync(file, constants.X_OK);
        return file;
      } catch {
        continue;
      }
    }
  }
  return undefined;
}

/** The Chromium of this machine: `WAYPOST_CHROMIUM`, else the first one on the path. */
function chromiumPath({ windows = false } = {}): string {
  const found = process.env.WAYPOST_CHROMIUM || onPath(windows ? BROWSERS : [...SHELLS, ...BROWSERS]);
  if (!found) throw new Error('No Chromium found: install it, or name it in WAYPOST_CHROMIUM.');
  return found;
}

/** A headless Chromium that looks for nothing outside. */
const options = (executablePath = chromiumPath()) => ({
  executablePath,
  args: [
    '--no-sandbox',
    '--disable-gpu',
    '--disable-quic',
    '--no-first-run',
    '--disable-background-networking',
    '--disable-component-update',
    '--disable-sync',
    '--disable-dev-shm-usage',
  ],
});

/** How a page is opened for a test. */
export interface TestContextOptions extends BrowserContextOptions {
  /** The console fetches the pages that are not open, as it does for operators: half of the work of a short test. */
  readonly fetchesAhead?: boolean;
}
/** A Chromium whose pages save data, unless they are opened with `fetchesAhead`. */
export type TestBrowser = Browser & { newContext(options?: TestContextOptions): Promise<BrowserContext> };

/** The Chromium of this process; each worker of the test runner has its own, so its window is in front. */
let shared: Promise<Browser> | undefined;

/**
 * Gives the Chromium that the test files of this process share. Its `close` closes the contexts. Nothing flashes or
 * glides there unless a context asks for it: a flashing mark takes sixty frames a second. Nothing sounds, since
 * an alarm takes 3 % of a core for each page; it does in `launchChromiumWithWindows`. A program that is no test gets a
 * Chromium of its own.
 */
export async function launchChromium(): Promise<TestBrowser> {
  if (!process.env.VITEST) return engine.launch(options());
  if (!(await shared)?.isConnected()) shared = engine.launch(options());
  const browser = await shared!;
  const close = () => Promise.all(browser.contexts().map((context) => context.close()));
  const newContext = async ({ fetchesAhead = false, ...given }: TestContextOptions = {}) => {
    const context = await browser.newContext({ reducedMotion: 'reduce', ...given });
    await context.addInitScript(() => void Reflect.deleteProperty(globalThis, 'AudioContext'));
    if (!fetchesAhead)
      await context.addInitScript(() => Object.defineProperty(navigator, 'connection', { value: { saveData: true } }));
    return context;
  };
  return new Proxy(browser, {
    get(target, name) {
      if (name === 'close') return close;
      if (name === 'newContext') return newContext;
      const value: unknown = Reflect.get(target, name);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
}

/** Launches a Chromium on a computer with several displays, such as `0,0 1600x900`. */
export function launchChromiumOnDisplays(...displays: readonly string[]): Promise<Browser> {
  const { args, ...others } = options();
  return engine.launch({ ...others, args: [...args, `--screen-info=${displays.map((one) => `{${one}}`).join('')}`] });
}

/** Launches a Chromium whose windows are in front of each other: one that is behind has no focus. */
export function launchChromiumWithWindows(): Promise<Browser> {
  return engine.launch(options(chromiumPath({ windows: true })));
}
