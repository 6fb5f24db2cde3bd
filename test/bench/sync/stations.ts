import { rmSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { openStore } from '../../../server/store/index.ts';
import type { Task, TaskType } from '../../../shared/records/index.ts';
import { TestStation } from '../../stations/harness/test-station.ts';
import { Cable } from '../../support/cable.ts';
import { newTask } from '../../unit/dispatch/tasks/town-hall.ts';
import { BLANK_VEHICLE } from '../../support/blank-vehicle.ts';

export type Start = (
  number: number,
  fill?: (directory: string) => Promise<void>,
  environment?: NodeJS.ProcessEnv,
) => Promise<TestStation>;

/** What is started ends with the part. */
export async function withStations(part: (start: Start) => Promise<void>): Promise<void> {
  const started: TestStation[] = [];
  try {
    await part(async (number, fill, environment) => {
      const station = new TestStation(number, environment);
      started.push(station);
      await station.start();
      if (!fill) return station;
      await station.end();
      await fill(station.directory);
      return station.start();
    });
  } finally {
    await Promise.all(started.map((station) => station.end('SIGKILL')));
    for (const { directory, cables } of started) {
      for (const cable of cables) cable.close();
      rmSync(directory, { recursive: true, force: true });
    }
  }
}

export async function linked(from: TestStation, to: TestStation): Promise<Cable> {
  const cable = await Cable.to(to.address);
  to.cables.push(cable);
  const { code } = await to.ask<{ code: string }>('POST', '/links/codes', {});
  await from.ask('POST', '/links', { address: cable.address, code, ownAddress: null });
  return cable;
}

export async function synced(...stations: TestStation[]): Promise<void> {
  for (;;) {
    const links = (await Promise.all(stations.map((station) => station.links()))).flat();
    if (links.every(({ state, digest }) => state === 'synced' && digest?.mine === digest?.theirs)) return;
    await pause(20);
  }
}

/** A data directory that a station has already seeded. */
export async function fill(directory: string, tasks: number, vehicles: number, now = Date.now()): Promise<void> {
  const store = await openStore({ directory, now: () => now });
  const [type] = store.kind<TaskType>('directories', 'type').all();
  const [user] = store.kind<{ id: number; kind: 'user'; organizationId: number }>('accounts', 'user').all();
  const { id: authorId, organizationId } = user!;
  const year = 365 * 86_400_000;
  const messages = store.records('tasks');
  for (let done = 0; done < tasks; done += 1_000) {
    await messages.insertMany(
      Array.from({ length: Math.min(1_000, tasks - done) }, (_, at) => {
        const date = Math.round(now - year * (1 - (done + at) / tasks));
        const {
          key: _key,
          hlc: _hlc,
          ...task
        }: Task = newTask({
          id: messages.nextId(),
          title: `Burst pipe ${done + at}`,
          text: 'Water comes up through the road surface in front of the house; the caller says that it is more. '.repeat(
            3,
          ),
          organizationId,
          authorId,
          typeId: type!.id,
          status: date > now - 7 * 86_400_000 ? 1 : 4,
          statusSince: date,
          date,
          updatedAt: date,
          address: `Harbour Street ${at}`,
          point: { lon: 9.5 + at / 10_000, lat: 47.1, zoom: 16 },
        });
        return task;
      }),
    );
  }
  const fleet = store.records('vehicles');
  for (let done = 0; done < vehicles; done += 1_000)
    await fleet.insertMany(
      Array.from({ length: Math.min(1_000, vehicles - done) }, (_, at) => ({
        ...BLANK_VEHICLE,
        id: fleet.nextId(),
        name: `Van ${done + at + 1}`,
        glonassId: done + at + 1,
        plate: `AB ${done + at} CD`,
        organizationId,
        iconIndex: 1,
      })),
    );
  await store.close();
}

export async function newestTasks(station: TestStation, count = 5): Promise<readonly { readonly id: string }[]> {
  return (await station.ask<{ news_list: { id: string }[] }>('GET', `/news/listAfterId/0/${count}`)).news_list;
}

/** ms of requests of other people, 20 a second, while `work` runs: a list, a task, a write. */
export async function meanwhile(station: TestStation, work: () => Promise<unknown>): Promise<number[]> {
  const [{ id }] = (await newestTasks(station)) as [{ id: string }];
  const times: number[] = [];
  const asked: Promise<unknown>[] = [];
  let isOver = false;
  const working = work().finally(() => (isOver = true));
  for (let turn = 0; !isOver; turn++) {
    const sent = performance.now();
    const answered =
      turn % 3 === 0
        ? station.ask('GET', '/news/listAfterId/0/50')
        : turn % 3 === 1
          ? station.ask('GET', `/news/${id}`)
          : station.ask('POST', `/news/${id}/update`, { text: `Turn ${turn}` });
    asked.push(answered.catch(() => undefined).then(() => times.push(performance.now() - sent)));
    await pause(50);
  }
  await working;
  await Promise.all(asked);
  return times;
}
