import { expect, test, vi } from 'vitest';
import { serviceManager } from '../../../server/platform/services/service-manager.ts';

const told: string[][] = [];
const notify = async (words: readonly string[]) => void told.push([...words]);

test('systemd hears that the station is ready, how it is, and that it is alive while the event loop turns', async () => {
  vi.useFakeTimers();
  try {
    told.length = 0;
    const environment = { NOTIFY_SOCKET: '/run/notify', WATCHDOG_USEC: '6000000', WATCHDOG_PID: '1' };
    const manager = serviceManager(environment, { notify });
    expect(environment).toEqual({}); // programs that the station starts have nothing to tell
    let status = 'all\nis well';
    await manager.ready(async () => status);
    expect(told).toEqual([['READY=1', 'STATUS=all is well']]);
    await vi.advanceTimersByTimeAsync(2_000);
    status = 'degraded';
    await vi.advanceTimersByTimeAsync(2_000);
    expect(told.slice(1)).toEqual([['WATCHDOG=1'], ['WATCHDOG=1', 'STATUS=degraded']]);
    await manager.stopping();
    await vi.advanceTimersByTimeAsync(10_000);
    expect(told.slice(3)).toEqual([['STOPPING=1', 'STATUS=Stopping']]);
  } finally {
    vi.useRealTimers();
  }
});

test('a status that does not come holds up no sign of life', async () => {
  vi.useFakeTimers();
  try {
    told.length = 0;
    const manager = serviceManager({ NOTIFY_SOCKET: '/run/notify', WATCHDOG_USEC: '60000000' }, { notify });
    const ready = manager.ready(() => new Promise(() => undefined));
    await vi.advanceTimersByTimeAsync(5_000);
    await ready;
    await vi.advanceTimersByTimeAsync(25_000);
    await manager.stopping();
    expect(told[0]).toEqual(['READY=1', 'STATUS=The station answers slowly.']);
    expect(told[1]).toEqual(['WATCHDOG=1']);
  } finally {
    vi.useRealTimers();
  }
});

test('without systemd nothing is sent and nothing is asked', async () => {
  told.length = 0;
  const manager = serviceManager({}, { notify });
  await manager.ready(() => Promise.reject(new Error('asked')));
  await manager.stopping();
  expect(told).toEqual([]);
});
