import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import type { ReportOrder } from '../../../../server/reporting/reports/fleet/report.ts';
import { startReport } from '../../../../server/reporting/reports/fleet/report-thread.ts';
import { openTelemetry } from '../../../../server/tracking/telemetry/index.ts';
import { openControlRoom } from '../../dispatch/tasks/control-room.ts';

/** A report is longer than its stream reads ahead, so it keeps its place until it is read or left. */
test('a newcomer of the turn in which a place becomes free waits behind those who waited', async () => {
  const room = await openControlRoom();
  const directory = mkdtempSync(join(tmpdir(), 'waypost-reports-'));
  const telemetry = openTelemetry({ directory, now: Date.now, findVehicle: () => undefined, publish: () => undefined });
  const { store } = room;
  const order: ReportOrder = {
    kind: 'mileage',
    form: 'json',
    vehicles: [],
    from: 0,
    till: 1000,
    zone: 'UTC',
    language: 'en',
    madeAt: 0,
    title: 'x'.repeat(200_000),
    actor: await room.person(0, { superuser: true }),
    rules: [],
    zones: {},
    reviewSeconds: {},
    routes: [],
    tracks: telemetry.file,
    station: store.file,
    tables: { events: store.table('events'), tasks: store.table('tasks'), history: store.table('history') },
  };
  try {
    const [first, second] = await Promise.all([startReport(order), startReport(order)]);
    const waiting = Array.from({ length: 20 }, () => startReport(order));
    await expect(startReport(order)).rejects.toMatchObject({ kind: 'busy' });
    const freed = new Promise((resolve) => first.once('close', resolve));
    first.destroy();
    const newcomer = startReport(order); // the one that waits longest has the place now, though it has not begun yet
    await freed;
    await expect(startReport(order)).rejects.toMatchObject({ kind: 'busy' });
    second.destroy();
    // What is read to its end leaves its thread for the next one.
    const done = [...waiting, newcomer].map(async (report) => (await text(await report)).length);
    for (const length of await Promise.all(done)) expect(length).toBeGreaterThan(order.title.length);
  } finally {
    await telemetry.close();
    await room.close();
    rmSync(directory, { recursive: true, force: true });
  }
});
