import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { openTelemetry } from '../../../server/tracking/telemetry/index.ts';
import type { LastState } from '../../../shared/fleet/last-state.ts';
import { times } from '../../support/long.ts';

const KILLS = times(8, 100);
const seed = Number(process.env['WAYPOST_SEED'] ?? Math.floor(Math.random() * 2 ** 31));

const TITLE =
  'a station killed while telemetry comes in keeps every acknowledged record, and the states fit the tracks';

test(TITLE, { timeout: KILLS * 30_000 }, async () => {
  const directory = mkdtempSync(join(tmpdir(), 'waypost-telemetry-kill-'));
  const acknowledged = new Map<number, Set<number>>();
  let next = 0;
  for (let kill = 0; kill < KILLS; kill++) {
    const said = await writeAndKill(directory, next, (seed + kill * 7919) % 120);
    for (const [second, vehicle] of said) {
      acknowledged.set(vehicle, (acknowledged.get(vehicle) ?? new Set()).add(second));
      next = Math.max(next, second);
    }
    next += 5; // seconds that were under way may be there or not
    await check(directory, acknowledged, `WAYPOST_SEED=${seed} kill ${kill}`);
  }
  expect([...acknowledged.values()].reduce((sum, seconds) => sum + seconds.size, 0)).toBeGreaterThanOrEqual(KILLS);
  rmSync(directory, { recursive: true, force: true });
});

const ACKNOWLEDGED = /^\d+ \d+\n/m;

async function writeAndKill(directory: string, from: number, after: number): Promise<[number, number][]> {
  const writer = spawn(
    process.execPath,
    [fileURLToPath(new URL('../harness/telemetry-writer.ts', import.meta.url)), directory, String(from)],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  );
  let text = '';
  const ended = new Promise((resolve) => writer.once('close', resolve));
  writer.stdout.on('data', (chunk: Buffer) => {
    const before = text;
    text += chunk.toString();
    // From the first acknowledgement on: however slow the machine, there is something that must not be lost.
    if (!ACKNOWLEDGED.test(before) && ACKNOWLEDGED.test(text)) setTimeout(() => writer.kill('SIGKILL'), after);
  });
  await ended;
  const whole = text
    .slice(0, text.lastIndexOf('\n') + 1)
    .split('\n')
    .filter((line) => /^\d+ \d+$/.test(line));
  return whole.map((line) => line.split(' ').map(Number) as [number, number]);
}

async function check(
  directory: string,
  acknowledged: ReadonlyMap<number, ReadonlySet<number>>,
  where: string,
): Promise<void> {
  const states = new Map<number, LastState>();
  const telemetry = openTelemetry({
    directory,
    now: () => 2_000_000_000_000,
    findVehicle: () => undefined,
    publish: (some) => some.forEach((state) => states.set(state.id, state)),
  });
  for (const [vehicle, seconds] of acknowledged) {
    const track = telemetry.track(vehicle, 0, Number.MAX_SAFE_INTEGER);
    const there = new Set(track.map((point) => (point.time - 1_000_000_000_000) / 1000));
    expect(
      [...seconds].filter((second) => !there.has(second)),
      where,
    ).toEqual([]);
    expect(states.get(vehicle)!.time, where).toBe(track.at(-1)!.time);
  }
  await telemetry.close();
}
