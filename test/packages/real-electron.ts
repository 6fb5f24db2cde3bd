// Starts a packed desktop program in its real Electron and looks at its window: node test/packages/real-electron.ts PROGRAM
// For machines that can fetch Electron (.github/workflows/release.yml).
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { _electron } from 'playwright';

const folder = mkdtempSync(join(tmpdir(), 'waypost-electron-'));
const program = await _electron.launch({
  executablePath: process.argv[2]!,
  args: ['--data', join(folder, 'station'), '--port', '0', ...(process.platform === 'linux' ? ['--no-sandbox'] : [])],
  env: { ...process.env, WAYPOST_ADMIN_PASSWORD: 'for this test only' } as Record<string, string>,
  timeout: 120_000,
});
try {
  const page = await program.firstWindow({ timeout: 120_000 });
  await page.waitForSelector('input[type=password]', { timeout: 120_000 });
  console.log('The console asks for a password.');
} finally {
  await program.close();
  rmSync(folder, { recursive: true, force: true });
}
