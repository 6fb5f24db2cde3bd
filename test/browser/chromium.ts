import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import { chromium as engine, type Browser, type BrowserServer } from 'playwright';
import { provided } from './provided.ts';

/** The Chromium of this machine: `WAYPOST_CHROMIUM`, else the first one on the path. */
function chromiumPath(): string {
  const named = process.env.WAYPOST_CHROMIUM;
  if (named) return named;
  for (const folder of (process.env.PATH ?? '').split(delimiter)) {
    for (const name of ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable']) {
      const file = join(folder, name);
      try {
        accessSync(file, constants.X_OK);
        return file;
      } catch {
        continue;
      }
    }
  }
  throw new Error('No Chromium found: install it, or name it in WAYPOST_CHROMIUM.');
}

/** A headless Chromium that looks for nothing outside. */
const options = () => ({
  executablePath: chromiumPath(),
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

/** Connects to the Chromium of this worker; launches one where there is none. */
export function launchChromium(): Promise<Browser> {
  const shared = provided('chromium');
  const worker = Number(process.env.VITEST_POOL_ID ?? 1);
  return shared === undefined ? engine.launch(options()) : engine.connect(shared[worker % shared.length]!);
}

/** Launches a Chromium that the test files of one worker share. */
export function launchChromiumServer(): Promise<BrowserServer> {
  return engine.launchServer(options());
}
