import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import type { Page } from 'playwright';
import { launchChromium } from '../../browser/harness/chromium.ts';
import { copyDemo, enter, ROOT, startStationProcess } from '../../browser/harness/console-harness.ts';
import { measureFrames, type Frames } from '../../browser/harness/frames.ts';
import { PROGRAM } from '../../support/program.ts';
import type { BenchReport } from '../run.ts';

const VEHICLES = 5_000;
const LASTS = 5_000;

/**
 * Frames that the board gives while 5,000 vehicles send a position each second, in Chromium without a graphics card,
 * beside a page without a map.
 */
export default async function bench(report: BenchReport): Promise<void> {
  const data = mkdtempSync(join(tmpdir(), 'waypost-frames-'));
  await copyDemo(data);
  const station = await startStationProcess(['--demo'], { WAYPOST_ADMIN_PASSWORD: 'admin-admin' }, data);
  const simulator = spawn(process.execPath, [PROGRAM, 'simulate', '--vehicles', String(VEHICLES), '--data', data], {
    cwd: ROOT,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const browser = await launchChromium();
  try {
    const page = await browser.newPage({ viewport: { width: 1920, height: 1080 }, locale: 'en-GB' });
    await enter(page, station.address, 'dispatcher', 'dispatcher');
    await page.locator('.light[data-level=good]').waitFor();
    await page
      .locator('.panel .count')
      .filter({ hasText: `of ${VEHICLES.toLocaleString('en-GB')} free` })
      .waitFor({ timeout: 300_000 });
    const rest = await measureFrames(page, LASTS);
    const dragged = await measureFrames(page, LASTS, () => drag(page));
    await page.getByRole('link', { name: 'Settings' }).click();
    await page.getByRole('heading', { name: 'Settings' }).waitFor();
    const plain = await measureFrames(page, LASTS);
    for (const [name, frames] of [
      [`${VEHICLES} vehicles, at rest`, rest],
      [`${VEHICLES} vehicles, dragged`, dragged],
    ] as const)
      report.ratio(name, frames.perSecond, plain.perSecond, 'frames/s', pauses(frames));
  } finally {
    await browser.close();
    simulator.kill('SIGKILL');
    await station.stop(false);
    rmSync(data, { recursive: true, force: true });
  }
}

const pauses = ({ p95, blocked }: Frames) =>
  `95 % within ${p95.toFixed(0)} ms, ${(blocked * 100).toFixed(0)} % of the time in tasks over 50 ms`;

async function drag(page: Page): Promise<void> {
  const box = (await page.locator('.map').boundingBox())!;
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
  await page.mouse.move(x, y);
  await page.mouse.down();
  for (let step = 0; step < 60; step++)
    await page.mouse.move(x + 160 * Math.sin(step / 8), y + 100 * Math.sin(step / 9));
  await page.mouse.up();
}
