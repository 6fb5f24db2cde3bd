// Runs a staged desktop program in this Node, over the harness that stands in Electron's place:
// node test/packages/desktop.ts TREE
import { mkdtempSync, rmSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { launchChromiumWithWindows } from '../browser/harness/chromium.ts';
import { ElectronHarness } from '../browser/harness/electron-harness.ts';

const tree = process.argv[2]!;
const folder = mkdtempSync(join(tmpdir(), 'waypost-desktop-'));
process.env['WAYPOST_TEST_USER_DATA'] = folder;
const browser = await launchChromiumWithWindows();
let code = 1;
try {
  const harness = new ElectronHarness(await browser.newContext());
  Object.assign(globalThis, { electronOfHarness: harness.parts() });
  registerHooks({
    resolve: (specifier, context, next) =>
      specifier === 'electron'
        ? { url: 'data:text/javascript,export default globalThis.electronOfHarness', shortCircuit: true }
        : next(specifier, context),
  });
  process.argv = ['electron', '.', '--data', join(folder, 'station'), '--port', '0'];
  process.env['WAYPOST_ADMIN_PASSWORD'] = 'for this test only';
  await import(pathToFileURL(join(tree, 'dist/electron/main.js')).href);
  // Its entry does not wait for windows: the station is loaded and started before.
  const until = Date.now() + 120_000;
  while (harness.windows.length + harness.errors.length === 0 && Date.now() < until) await setTimeout(50);
  if (harness.errors.length > 0) throw new Error(harness.errors.join('\n'));
  const page = await harness.windows[0]!.page;
  await page.waitForSelector('input[type=password]', { timeout: 60_000 });
  console.log('The console asks for a password.');
  code = 0;
} finally {
  await browser.close();
  rmSync(folder, { recursive: true, force: true });
}
process.exit(code);
