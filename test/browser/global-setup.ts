import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { launchChromiumServer } from './chromium.ts';
import { startStationProcess } from './console-harness.ts';

/**
 * Launches one Chromium for each worker, and fills one demo for all stations: each station starts from a copy,
 * which takes half the time. Two files that run at once share no Chromium: only one of its windows is in front.
 */
export default async function prepare(project: TestProject): Promise<() => Promise<void>> {
  const demo = mkdtempSync(join(tmpdir(), 'waypost-demo-'));
  const [first, second, station] = await Promise.all([
    launchChromiumServer(),
    launchChromiumServer(),
    startStationProcess(['--demo'], { WAYPOST_ADMIN_PASSWORD: 'admin-admin', WAYPOST_DEMO_SPEED: '0' }, demo),
  ]);
  await station.stop('keep');
  project.provide('chromium', [first.wsEndpoint(), second.wsEndpoint()]);
  project.provide('demo', demo);
  return async () => {
    await Promise.all([first.close(), second.close()]);
    rmSync(demo, { recursive: true, force: true });
  };
}
