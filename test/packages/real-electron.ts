// Starts a packed desktop program in its real Electron and looks at its window, where Electron can be had:
//   node test/packages/real-electron.ts PROGRAM
// The shipped program takes no Node inspector, so its pages are looked at through Chromium's own protocol.
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium } from 'playwright';

const folder = mkdtempSync(join(tmpdir(), 'waypost-electron-'));
const switches = ['--remote-debugging-port=0', ...(process.platform === 'linux' ? ['--no-sandbox'] : [])];
const program = spawn(process.argv[2]!, [...switches, `--user-data-dir=${folder}`, '--data', join(folder, 'station')], {
  stdio: ['ignore', 'inherit', 'pipe'],
  env: { ...process.env, WAYPOST_ADMIN_PASSWORD: 'for this test only' },
});
let code = 1;
try {
  const address = await new Promise<string>((resolve, reject) => {
    let said = '';
    program.once('exit', (status) => reject(new Error(`The program ended with ${status}: ${said}`)));
    program.stderr.on('data', (bytes) => {
      said += String(bytes);
      process.stderr.write(bytes);
      const found = /DevTools listening on (ws:\S+)/.exec(said)?.[1];
      if (found) resolve(found);
    });
  });
  const browser = await chromium.connectOverCDP(address);
  const context = browser.contexts()[0]!;
  const page = context.pages()[0] ?? (await context.waitForEvent('page', { timeout: 120_000 }));
  await page.locator('button, input').first().waitFor({ timeout: 120_000 });
  console.log(`The program shows ${await page.title()}.`);
  code = 0;
} finally {
  program.removeAllListeners('exit');
  const ended = new Promise((resolve) => program.once('exit', resolve));
  program.kill();
  await ended;
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
}
process.exit(code);
