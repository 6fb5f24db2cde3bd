import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import { chromium as engine, type Browser } from 'playwright';

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
export function launchChromium(): Promise<Browser> {
  return engine.launch({
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
}
