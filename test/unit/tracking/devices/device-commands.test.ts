import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import { expect, onTestFinished, test, vi } from 'vitest';
import type { CommandRelay, RelayReport } from '../../../../server/tracking/devices/command-relay.ts';
import { DeviceCommands, type DeviceLinkEvents } from '../../../../server/tracking/devices/index.ts';
import { openStore } from '../../../../server/store/index.ts';
import type { Actor } from '../../../../shared/access.ts';

const MINUTE = 60_000;
const SWEEP = 30_000;
const VAN = 7;
const DEVICE = 'device-7';
const admin = {
  user: { id: 1, organizationId: 1 } as Actor['user'],
  role: { admin: true, superuser: false, accesses: [] } as unknown as Actor['role'],
};

/** The room over a store of its own. Timers and the clock go on by `pass` alone. */
async function openRoom(relay?: CommandRelay) {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'] });
  const directory = mkdtempSync(join(tmpdir(), 'waypost-devices-'));
  const store = await openStore({ directory });
  let clock = 1_000_000;
  const reports: string[] = [];
  const open = () =>
    DeviceCommands.open({
      store,
      now: () => clock,
      requireVehicle: () => undefined,
      ...(relay && { relay, deviceOf: () => DEVICE }),
      report: (_, error) => reports.push((error as Error).message),
    });
  let commands = await open();
  onTestFinished(async () => {
    vi.useRealTimers();
    await commands.close();
    await store.close();
    rmSync(directory, { recursive: true, force: true });
  });
  return {
    store,
    reports,
    pass(ms: number) {
      clock += ms;
      vi.advanceTimersByTime(ms);
    },
    reported: (event?: RelayReport['event']) => commands.reported(VAN, { device: DEVICE, event }),
    order: (text: string, keptFor = 60 * MINUTE) => commands.create(admin, VAN, { text, keptFor }),
    /** A device that logs in and hears texts. */
    device() {
      const heard: string[] = [];
      const events: DeviceLinkEvents = commands.connected(VAN, {
        protocol: 'wialon',
        send: (text) => heard.push(text) > 0,
      });
      return { heard, ...events };
    },
    list: () => commands.list(admin, VAN),
    /** States on the disk, the oldest first. */
    stored: () =>
      store.sql
        .prepare('SELECT state, failure, answer FROM device_commands ORDER BY id')
        .all()
        .map(({ state, failure, answer }) => [state, failure, answer]),
    async reopen() {
      await commands.close();
      commands = await open();
    },
  };
}

/** Waits for a condition, in turns of the event loop: the timers stand still. */
async function until(isMet: () => boolean): Promise<void> {
  while (!isMet()) await turn();
}

test('a command without an answer fails after three minutes, and the next one is sent (rule 4)', async () => {
  const room = await openRoom();
  const device = room.device();
  await room.order('getver');
  await room.order('getinfo');
  await until(() => device.heard.length === 1);
  room.pass(3 * MINUTE - 1);
  for (let turns = 0; turns < 20; turns++) await turn();
  expect(room.stored()).toEqual([
    ['sent', null, ''],
    ['queued', null, ''],
  ]);
  room.pass(1);
  await until(() => device.heard.length === 2);
  expect(room.stored()).toEqual([
    ['failed', 'unanswered', ''],
    ['sent', null, ''],
  ]);
  expect(device.heard).toEqual(['getver', 'getinfo']);
  expect(room.list().at(-1)!.endedAt).toBe(1_000_000 + 3 * MINUTE);
});

test('an answer in time stops the three minutes, and the next command has its own', async () => {
  const room = await openRoom();
  const device = room.device();
  await room.order('getver');
  await until(() => device.heard.length === 1);
  device.answered({ text: 'Ver:1', isRefusal: false });
  await until(() => room.stored()[0]![0] === 'answered');
  room.pass(MINUTE);
  await room.order('getinfo');
  await until(() => device.heard.length === 2);
  room.pass(3 * MINUTE - 1);
  for (let turns = 0; turns < 20; turns++) await turn();
  expect(room.stored()).toEqual([
    ['answered', null, 'Ver:1'],
    ['sent', null, ''],
  ]);
});

test('a command that waited too long expires and is not sent (rule 2)', async () => {
  const room = await openRoom();
  await room.order('getver', 2 * MINUTE);
  await room.order('getinfo', 60 * MINUTE);
  room.pass(2 * MINUTE - 1);
  expect(room.list().map(({ state }) => state)).toEqual(['queued', 'queued']);
  room.pass(1);
  expect(room.list().map(({ state, endedAt }) => [state, endedAt])).toEqual([
    ['queued', null],
    ['expired', 1_000_000 + 2 * MINUTE],
  ]);
  const device = room.device();
  await until(() => device.heard.length === 1);
  expect(device.heard).toEqual(['getinfo']);
  room.pass(SWEEP);
  await until(() => room.stored()[0]![0] === 'expired');
});

test('after a restore, commands that waited fail and new ones are sent (rule 6)', async () => {
  const room = await openRoom();
  await room.order('reboot');
  await room.store.renewEpoch();
  await room.reopen();
  expect(room.stored()).toEqual([['failed', 'restored', '']]);
  const device = room.device();
  await room.order('getver');
  await until(() => device.heard.length === 1);
  expect(device.heard).toEqual(['getver']);
});

test('a station that learns while it runs that it was set back sends nothing from before', async () => {
  const room = await openRoom();
  await room.order('reboot');
  await room.store.renewEpoch();
  const device = room.device();
  await room.order('getver');
  await until(() => device.heard.length === 1);
  expect(device.heard).toEqual(['getver']);
  room.pass(SWEEP);
  await until(() => room.stored()[0]![0] === 'failed');
  expect(room.stored()[0]).toEqual(['failed', 'restored', '']);
});

test('after a restart, a command whose answer was awaited failed, and a waiting one still waits', async () => {
  const room = await openRoom();
  const device = room.device();
  await room.order('getver');
  await room.order('getinfo');
  await until(() => device.heard.length === 1);
  await room.reopen();
  expect(room.stored()).toEqual([
    ['failed', 'restarted', ''],
    ['queued', null, ''],
  ]);
});

test('an answer that the disk refuses is stored by the next sweep, and the device goes on', async () => {
  const room = await openRoom();
  const device = room.device();
  await room.order('getver');
  await room.order('getinfo');
  await until(() => device.heard.length === 1);
  const refusing = "CREATE TRIGGER full BEFORE UPDATE ON device_commands BEGIN SELECT RAISE(ABORT, 'no room'); END";
  await room.store.writePlain((sql) => sql.exec(refusing));
  device.answered({ text: 'Ver:1', isRefusal: false });
  await until(() => room.reports.length === 1);
  expect(room.reports[0]).toContain('no room');
  await room.store.writePlain((sql) => sql.exec('DROP TRIGGER full'));
  room.pass(SWEEP);
  await until(() => device.heard.length === 2);
  expect(room.stored()).toEqual([
    ['answered', null, 'Ver:1'],
    ['sent', null, ''],
  ]);
});

/** Another server, which sends what it gets. */
function takingRelay(): CommandRelay & { readonly sent: string[]; isKept: boolean } {
  const sent: string[] = [];
  return {
    ...{ protocol: 'traccar', problem: '', sent, isKept: false, onReady: () => undefined, close: () => undefined },
    async find() {
      return {
        kind: 'ready',
        send: async (text) => {
          sent.push(text);
          return this.isKept ? { kind: 'kept', keptAs: 5 } : { kind: 'sent' };
        },
      };
    },
  };
}

test('a command that another server sent ends as handed over after three minutes without an answer (rule 9)', async () => {
  const relay = takingRelay();
  const room = await openRoom(relay);
  await room.reported();
  await room.order('getver');
  await room.order('getinfo');
  await until(() => relay.sent.length === 1);
  room.pass(3 * MINUTE - 1);
  for (let turns = 0; turns < 20; turns++) await turn();
  expect(room.stored()).toEqual([
    ['sent', null, ''],
    ['queued', null, ''],
  ]);
  room.pass(1);
  await until(() => relay.sent.length === 2);
  await room.reported({ kind: 'answered', text: 'OK' });
  expect(room.stored()).toEqual([
    ['handed', null, ''],
    ['answered', null, 'OK'],
  ]);
  room.pass(3 * MINUTE);
  for (let turns = 0; turns < 20; turns++) await turn();
  expect(room.stored()[1]).toEqual(['answered', null, 'OK']);
});

test('a command that another server kept has its three minutes from when it went to the device', async () => {
  const relay = takingRelay();
  relay.isKept = true;
  const room = await openRoom(relay);
  await room.reported();
  await room.order('reboot');
  await until(() => room.stored()[0]![0] === 'relayed');
  room.pass(10 * MINUTE);
  for (let turns = 0; turns < 20; turns++) await turn();
  expect(room.stored()).toEqual([['relayed', null, '']]);
  await room.reported({ kind: 'passedOn', keptAs: 5 });
  room.pass(3 * MINUTE - SWEEP);
  for (let turns = 0; turns < 20; turns++) await turn();
  expect(room.stored()).toEqual([['sent', null, '']]);
  room.pass(SWEEP);
  await until(() => room.stored()[0]![0] === 'handed');
});
