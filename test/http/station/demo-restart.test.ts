import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { eventually } from '../../support/eventually.ts';
import { tryStation, type TryStation } from '../try-station.ts';

interface Vehicle {
  readonly id: number;
  readonly lastUpdate: number;
}

test('after a restart of the demo no tank is drained: the vehicles drive on with what was in it', async () => {
  const data = mkdtempSync(join(tmpdir(), 'waypost-demo-fuel-'));
  const levels = async (at: TryStation, as: string, after: ReadonlyMap<number, number>) => {
    const vehicles = (await at.ok('GET', '/cars', { as })) as Vehicle[];
    // Every vehicle has been heard of since.
    for (const { id, lastUpdate } of vehicles) expect(lastUpdate ?? 0).toBeGreaterThan(after.get(id) ?? 0);
    // One after another: the station reads a few tracks at once, and refuses more.
    const values: number[] = [];
    for (const { id } of vehicles) {
      const sensors = (await at.ok('GET', `/cars/${id}/sensors/values`, { as })) as {
        type: string;
        raw: number | null;
      }[];
      values.push(sensors.find(({ type }) => type === 'fuel')!.raw!);
    }
    return { heard: new Map(vehicles.map(({ id, lastUpdate }) => [id, lastUpdate])), values };
  };
  try {
    const first = await tryStation({ data, demo: true, demoSpeed: 1 });
    const before = await eventually(async () => levels(first, first.station.accounts.grantControl(), new Map()));
    await first.stop();
    const second = await tryStation({ data, demo: true, demoSpeed: 1 });
    try {
      const after = await eventually(async () => levels(second, second.station.accounts.grantControl(), before.heard));
      expect(after.values.length).toBeGreaterThan(10);
      // Volts. Some are being filled meanwhile, none loses more than it burns.
      after.values.forEach((volts, i) => expect(before.values[i]! - volts).toBeLessThan(0.1));
    } finally {
      await second.stop();
    }
  } finally {
    rmSync(data, { recursive: true, force: true });
  }
}, 180_000);
