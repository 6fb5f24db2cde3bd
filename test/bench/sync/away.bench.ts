import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { openStore, type Store } from '../../../server/store/index.ts';
import { Chance } from '../../support/chance.ts';
import { TestStation } from '../../stations/harness/test-station.ts';
import { newTask } from '../../unit/dispatch/tasks/town-hall.ts';
import { percentile, processorSeconds, residentOf } from '../processes.ts';
import type { BenchReport } from '../run.ts';
import { fill, linked, meanwhile, newestTasks, synced, withStations, type Start } from './stations.ts';

const DAY = 86_400_000;
const DAYS = 30;
const TASKS = Number(process.env['WAYPOST_BENCH_TASKS'] ?? 20_000);
const CHANGES = Number(process.env['WAYPOST_BENCH_CHANGES'] ?? 50_000);
const RECORDS = Number(process.env['WAYPOST_BENCH_RECORDS'] ?? 200_000);
const FILES = Number(process.env['WAYPOST_BENCH_FILES'] ?? 200);
const FILE = 10 * 1024 * 1024;
/** Some only: `WAYPOST_BENCH_PARTS=takeover`. */
const PARTS = process.env['WAYPOST_BENCH_PARTS']?.split(',');
const SKEWED_CLOCK = new URL('../../stations/torture/skewed-clock.ts', import.meta.url).pathname;

/** Long absences and large takeovers, with stations as processes of their own. */
export default async function bench(report: BenchReport): Promise<void> {
  if (!PARTS || PARTS.includes('away')) await away(report);
  if (!PARTS || PARTS.includes('takeover')) await withStations((start) => takeover(report, start));
}

/** Two stations that were linked thirty days ago, and worked on the same tasks by themselves since. */
async function away(report: BenchReport): Promise<void> {
  const clocks = mkdtempSync(join(tmpdir(), 'waypost-bench-clock-'));
  const skew = join(clocks, 'skew');
  writeFileSync(skew, String(-DAYS * DAY));
  const environment = { NODE_OPTIONS: `--import=${SKEWED_CLOCK}`, TORTURE_SKEW: skew };
  const [depot, centre] = [new TestStation(1, environment), new TestStation(2, environment)];
  const stations = [depot, centre];
  try {
    for (const station of stations) await station.start();
    await centre.end();
    await fill(centre.directory, TASKS, 1_000, Date.now() - DAYS * DAY);
    await centre.start();
    const cable = await linked(depot, centre);
    await synced(depot, centre);
    cable.cut();
    for (const station of stations) await station.end();

    writeFileSync(skew, '0');
    for (const station of stations) await monthOfWork(station);
    for (const station of stations) await station.start();
    const usedBefore = stations.reduce((sum, { pid }) => sum + processorSeconds(pid), 0);
    const carriedBefore = cable.carried;
    const began = performance.now();
    cable.join();
    const lists = await meanwhile(centre, () => synced(depot, centre));
    const took = (performance.now() - began) / 1000;
    const used = stations.reduce((sum, { pid }) => sum + processorSeconds(pid), 0) - usedBefore;
    await synced(depot, centre); // what the requests wrote since
    const digests = await Promise.all(
      stations.map((station) => station.ask<{ digest: string }>('GET', '/sync/state').then(({ digest }) => digest)),
    );
    if (digests[0] !== digests[1]) throw new Error('The stations say that they are equal and are not.');
    report.line(
      `${DAYS} days apart, ${CHANGES.toLocaleString('en')} changes at each of two stations: equal after ${took.toFixed(1)} s, ${((cable.carried - carriedBefore) / (2 * CHANGES)).toFixed(0)} bytes and ${((used / (2 * CHANGES)) * 1e6).toFixed(0)} us of processor a change`,
    );
    report.line(
      `requests at the centre meanwhile: median ${percentile(lists, 0.5).toFixed(1)} ms, p99 ${percentile(lists, 0.99).toFixed(0)} ms`,
    );
  } finally {
    await Promise.all(stations.map((station) => station.end('SIGKILL')));
    for (const { directory, cables } of stations) {
      for (const cable of cables) cable.close();
      rmSync(directory, { recursive: true, force: true });
    }
    rmSync(clocks, { recursive: true, force: true });
  }
}

/** Edits of tasks that both stations know, new tasks, and edits of vehicles, evenly over the days. */
async function monthOfWork({ directory, number }: TestStation): Promise<void> {
  let now = Date.now() - DAYS * DAY + 60_000;
  const store = await openStore({ directory, now: () => now });
  const chance = new Chance(number);
  const step = (DAYS * DAY - 120_000) / CHANGES;
  const tasks = store.records('tasks');
  const vehicles = store.records('vehicles');
  const known = tasks.all().map(({ id }) => id);
  const fleet = vehicles.all().map(({ id }) => id);
  const [template] = tasks.all();
  for (let done = 0; done < CHANGES; done += 100) {
    now += step * 100;
    const turn = done / 100;
    if (turn % 5 === 0) await addTasks(store, template!, `Station ${number}, ${done}`);
    else if (turn % 5 === 1)
      await vehicles.changeMany(distinct(chance, fleet), (record) => ({ ...record, notes: `Seen ${done}` }));
    else
      await tasks.changeMany(distinct(chance, known), (record) => ({
        ...record,
        ...(chance.maybe() ? { title: `${record.title.split(',')[0]}, ${number}.${done}` } : { text: `Turn ${done}` }),
        updatedAt: now,
      }));
  }
  await store.close();
}

const distinct = (chance: Chance, ids: readonly number[]): number[] => {
  const chosen = new Set<number>();
  while (chosen.size < 100) chosen.add(chance.of(ids));
  return [...chosen];
};

async function addTasks(store: Store, like: ReturnType<typeof newTask>, title: string): Promise<void> {
  const tasks = store.records('tasks');
  await tasks.insertMany(
    Array.from({ length: 100 }, () => {
      const { key: _key, hlc: _hlc, ...task } = { ...like, id: tasks.nextId(), title };
      return task;
    }),
  );
}

/** A new station takes over years of work and their photos, while both stations are used. */
async function takeover(report: BenchReport, start: Start): Promise<void> {
  const vehicles = 20_000;
  const full = await start(1, (directory) => fill(directory, RECORDS - vehicles, vehicles));
  const empty = await start(2);
  const tasks = (await newestTasks(full, FILES)).map(({ id }) => id);
  for (let file = 0; file < FILES; file++) {
    const uuid = await uploaded(full, file);
    await full.ask('POST', `/news/${tasks[file % tasks.length]}/update`, { files: [uuid] });
  }
  const alone = await listsMeanwhile(full, () => pause(5_000));
  const usedBefore = processorSeconds(full.pid) + processorSeconds(empty.pid);
  const began = performance.now();
  let recordsAfter = 0;
  const cable = await linked(empty, full);
  let there: number[] = [];
  const here = await listsMeanwhile(full, async () => {
    there = await listsMeanwhile(empty, async () => {
      const areRecordsThere = async () => {
        const { digest } = (await empty.links())[0]!;
        return digest !== null && digest.mine === digest.theirs;
      };
      while (!(await areRecordsThere())) await pause(100);
      recordsAfter = (performance.now() - began) / 1000;
      await synced(full, empty);
    });
  });
  const took = (performance.now() - began) / 1000;
  const used = processorSeconds(full.pid) + processorSeconds(empty.pid) - usedBefore;
  const gigabytes = (FILES * FILE) / 1e9;
  report.line(
    `takeover of ${RECORDS.toLocaleString('en')} records and ${gigabytes.toFixed(1)} GB in ${FILES} files: records after ${recordsAfter.toFixed(0)} s, everything after ${took.toFixed(0)} s, ${(cable.carried / 1e9).toFixed(2)} GB on the line, ${used.toFixed(0)} s of both processors`,
  );
  report.line(
    `memory afterwards: ${(residentOf(full.pid) / 1e6).toFixed(0)} MB at the old station, ${(residentOf(empty.pid) / 1e6).toFixed(0)} MB at the new one`,
  );
  for (const [where, times] of [
    ['old station', here],
    ['new station', there],
  ] as const)
    report.ratio(
      `the board's list at the ${where} meanwhile, p99`,
      percentile(times, 0.99),
      percentile(alone, 0.99),
      'ms',
      `against the old station alone; ${times.length} requests, median ${percentile(times, 0.5).toFixed(1)} ms`,
    );
}

async function uploaded(station: TestStation, file: number): Promise<string> {
  const bytes = new Uint32Array(FILE / 4);
  let state = (file + 1) * 2_654_435_761;
  for (let at = 0; at < bytes.length; at++) bytes[at] = state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
  const form = new FormData();
  form.append('file', new Blob([bytes]), `plan-${file}.bin`);
  const answer = await fetch(`${station.address}/fileload`, {
    method: 'POST',
    body: form,
    headers: { authorization: `Bearer ${station.token}` },
  });
  return /[0-9a-f-]{36}\.\w+/.exec(await answer.text())![0];
}

/** ms of the first page of the board, ten times a second, while `work` runs. */
async function listsMeanwhile(station: TestStation, work: () => Promise<unknown>): Promise<number[]> {
  const times: number[] = [];
  const asked: Promise<unknown>[] = [];
  let isOver = false;
  const working = work().finally(() => (isOver = true));
  while (!isOver) {
    const sent = performance.now();
    asked.push(station.ask('GET', '/news/listAfterId/0/50').then(() => times.push(performance.now() - sent)));
    await pause(100);
  }
  await working;
  await Promise.all(asked);
  return times;
}
