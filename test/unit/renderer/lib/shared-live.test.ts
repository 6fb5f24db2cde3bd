import { expect, test } from 'vitest';
import { LiveHub } from '../../../../renderer/src/lib/live/shared/hub.ts';
import { hubLineOf } from '../../../../renderer/src/lib/live/shared/messages.ts';
import { SharedSource } from '../../../../renderer/src/lib/live/shared/shared-source.ts';
import type { ReplicaView, SourceListener } from '../../../../renderer/src/lib/live/source.ts';
import { LiveRecords } from '../../../../renderer/src/lib/replica/live-records.ts';
import type { ReplicaSinks } from '../../../../renderer/src/lib/replica/replica.ts';
import { REPLICA_NAMES } from '../../../../renderer/src/lib/replica/schemas.ts';

const sinksOf = () =>
  Object.fromEntries(REPLICA_NAMES.map((name) => [name, new LiveRecords()])) as unknown as ReplicaSinks;

/** A hub whose station is played by the test. */
function hub() {
  let sinks!: ReplicaSinks;
  let listener!: SourceListener;
  const sent: [string, unknown][] = [];
  let opened = 0;
  let closed = 0;
  const shared = new LiveHub({
    open: async (options) => {
      opened++;
      ({ records: sinks, listener } = options);
      return {
        lastHeard: 5,
        hasEnded: false,
        send: (command, data) => void sent.push([command, data]),
        close: async () => void closed++,
      };
    },
    ended: () => void closed++,
  });
  /** A window: what it holds, and what it was told. */
  const open = () => {
    const { port1, port2 } = new MessageChannel();
    const told: string[] = [];
    const window = { sinks: sinksOf(), told, replica: undefined as ReplicaView | undefined };
    const source = new SharedSource(hubLineOf(port1), {
      records: window.sinks,
      listener: {
        onState: (state) => void told.push(state),
        onMessage: ({ command }) => void told.push(command),
        onReplica: (replica) => (window.replica = replica),
        onProgress: (caughtUp) => void told.push(caughtUp ? `caught up with ${window.sinks.vehicles.size}` : 'behind'),
      },
    });
    shared.attach(hubLineOf(port2));
    return Object.assign(window, { source, close: () => (port1.close(), port2.close()) });
  };
  return { open, sent, counts: () => ({ opened, closed }), sinks: () => sinks, listener: () => listener };
}

const vehicle = (id: number) => ({ key: String(id), id, glonassId: id }) as never;

test('[sync 107] windows of one browser have one source: each holds the same records and hears the same messages', async () => {
  const { open, sinks, listener, counts } = hub();
  const first = open();
  for (let id = 1; id <= 2_500; id++) sinks().vehicles.put(vehicle(id));
  await sinks().vehicles.notified();
  listener().onProgress(true);
  listener().onState('open');
  const second = open();
  for (const { told } of [first, second]) await expect.poll(() => told).toContain('caught up with 2500');
  sinks().vehicles.remove('7');
  sinks().vehicles.put(vehicle(2_501));
  listener().onMessage({ command: 'CAR_UPDATES', data: [] });
  for (const { sinks: held, told } of [first, second]) {
    await expect
      .poll(() => [held.vehicles.size, held.vehicles.get('7'), held.vehicles.get('2501')?.id])
      .toEqual([2_500, undefined, 2_501]);
    expect(told).toEqual(expect.arrayContaining(['open', 'CAR_UPDATES']));
  }
  expect(counts()).toEqual({ opened: 1, closed: 0 });
  for (const { close } of [first, second]) close();
});

test('[sync 107] the station is asked for what any of the windows wants, and for less when one is closed', async () => {
  const { open, sent } = hub();
  const [first, second] = [open(), open()];
  first.source.send('SET_REPLICA', { collections: ['messages'] });
  second.source.send('SET_REPLICA', { collections: ['messages', 'links'] });
  first.source.send('SET_OBSERVABLE_CARS', [1, 2]);
  second.source.send('SET_OBSERVABLE_CARS', [2]);
  second.source.send('ADD_OBSERVABLE_CARS', [3]);
  const last = (command: string) => sent.findLast(([name]) => name === command)?.[1];
  await expect.poll(() => last('SET_OBSERVABLE_CARS')).toEqual([1, 2, 3]);
  expect(last('SET_REPLICA')).toEqual({ collections: ['messages', 'links'] });
  second.source['line'].post({ kind: 'leave' });
  await expect.poll(() => last('SET_OBSERVABLE_CARS')).toEqual([1, 2]);
  for (const { close } of [first, second]) close();
});

test('[sync 107] comments are watched through the hub, again when the replica begins again; signing out ends it for all', async () => {
  const { open, listener, counts } = hub();
  const [first, second] = [open(), open()];
  const watched: number[] = [];
  let stopped = 0;
  const replica: ReplicaView = {
    watchComments: (taskId, tell) => {
      watched.push(taskId);
      tell([{ key: 'c', id: 1, taskId } as never]);
      return () => void stopped++;
    },
  };
  listener().onReplica(replica);
  await expect.poll(() => first.replica).toBeDefined();
  const found: number[] = [];
  const stop = first.replica!.watchComments(8, (comments) => found.push(...comments.map(({ taskId }) => taskId)));
  await expect.poll(() => found).toEqual([8]);
  listener().onReplica(undefined);
  listener().onReplica(replica);
  await expect.poll(() => found).toEqual([8, 8]);
  stop();
  await expect.poll(() => stopped).toBe(2);
  expect(watched).toEqual([8, 8]);
  await first.source.close();
  await expect.poll(() => second.source.hasEnded).toBe(true);
  expect(second.told.at(-1)).toBe('lost');
  expect(counts()).toEqual({ opened: 1, closed: 2 });
  for (const { close } of [first, second]) close();
});

test('a task is open where any window has it open; a window that opens it later hears who else has', async () => {
  const { open, sent, listener } = hub();
  const [first, second] = [open(), open()];
  const last = () => sent.findLast(([name]) => name === 'SET_PRESENCE')?.[1];
  first.source.send('SET_PRESENCE', [{ newsId: 5, writing: false }]);
  await expect.poll(last).toEqual([{ newsId: 5, writing: false }]);
  listener().onMessage({ command: 'PRESENCE', data: { newsId: 5, users: [] } });
  await expect.poll(() => second.told).toContain('PRESENCE');
  second.source.send('SET_PRESENCE', [
    { newsId: 5, writing: true },
    { newsId: 6, writing: false },
  ]);
  await expect.poll(last).toEqual([
    { newsId: 5, writing: true },
    { newsId: 6, writing: false },
  ]);
  await expect.poll(() => second.told.filter((command) => command === 'PRESENCE')).toHaveLength(2);
  expect(first.told.filter((command) => command === 'PRESENCE')).toHaveLength(1);
  second.source['line'].post({ kind: 'leave' });
  await expect.poll(last).toEqual([{ newsId: 5, writing: false }]);
  // After a break the station tells everything again: what was said before holds no more.
  listener().onState('lost');
  first.source.send('SET_PRESENCE', [{ newsId: 5, writing: false }]);
  await expect.poll(() => sent.filter(([name]) => name === 'SET_PRESENCE')).toHaveLength(4);
  expect(first.told.filter((command) => command === 'PRESENCE')).toHaveLength(1);
  for (const { close } of [first, second]) close();
});
