import { execFile, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { setTimeout as pause } from 'node:timers/promises';
import type { TestStation } from '../../stations/harness/test-station.ts';
import { percentile, processorSeconds } from '../processes.ts';
import type { BenchReport } from '../run.ts';
import { consolesOpened, observing } from './consoles.ts';
import { fill, linked, meanwhile, newestTasks, synced, withStations, type Start } from './stations.ts';
import type { ConsolesOrder, ConsolesTimes } from './sync-consoles.worker.ts';

const TASKS = Number(process.env['WAYPOST_BENCH_TASKS'] ?? 20_000);
const VEHICLES = Number(process.env['WAYPOST_BENCH_VEHICLES'] ?? 50_000);
const CONSOLES = 50;
const ROOT = new URL('../../..', import.meta.url).pathname;
/** Some only: `WAYPOST_BENCH_PARTS=live,consoles`. */
const PARTS = process.env['WAYPOST_BENCH_PARTS']?.split(',');

/** Stations as processes of their own, linked over a cable of this process, and consoles as they connect. */
export default async function bench(report: BenchReport): Promise<void> {
  for (const [name, part] of Object.entries({ first, live, consoles, slow }))
    if (!PARTS || PARTS.includes(name)) await withStations((stations) => part(report, stations));
}

const processorOf = (...stations: TestStation[]) => stations.reduce((sum, { pid }) => sum + processorSeconds(pid), 0);

/** A year of tasks and a fleet, to a station that has nothing. */
async function first(report: BenchReport, start: Start): Promise<void> {
  const full = await start(1, (directory) => fill(directory, TASKS, 2_000));
  const empty = await start(2);
  const cable = await linked(empty, full);
  const usedBefore = processorOf(full, empty);
  const began = performance.now();
  await synced(full, empty);
  const took = (performance.now() - began) / 1000;
  const used = processorOf(full, empty) - usedBefore;
  const bytes = cable.carried;
  await full.end();

  const directory = mkdtempSync(join(tmpdir(), 'waypost-bench-rows-'));
  const server = spawn(
    process.execPath,
    [`${ROOT}test/bench/sync/sync-rows-by-hand.ts`, 'serve', join(full.directory, 'station.db')],
    {
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  );
  try {
    const address = await new Promise<string>((resolve) =>
      server.stdout.on('data', (text) => resolve(/at (\S+)/.exec(String(text))![1]!)),
    );
    const { stdout } = await promisify(execFile)(process.execPath, [
      `${ROOT}test/bench/sync/sync-rows-by-hand.ts`,
      'copy',
      address,
      join(directory, 'rows.db'),
    ]);
    const { rows, ms } = JSON.parse(stdout) as { rows: number; ms: number };
    report.ratio(
      'first replication, records a second',
      rows / took,
      rows / (ms / 1000),
      'records/s',
      `against the same rows by SQL over HTTP; ${rows.toLocaleString('en')} records, ${took.toFixed(1)} s, ${(bytes / rows).toFixed(0)} bytes each`,
    );
    report.line(`processor of both stations meanwhile: ${((used / rows) * 1e6).toFixed(0)} us a record`);
  } finally {
    server.kill();
    rmSync(directory, { recursive: true, force: true });
  }
}

const EDITS = 400;
const EDITS_PER_SECOND = 20;

/** From the request of a write at one station to the record in a console of the other one. */
async function live(report: BenchReport, start: Start): Promise<void> {
  const [here, there] = [await start(1, (directory) => fill(directory, 2_000, 200)), await start(2)];
  const cable = await linked(there, here);
  await synced(here, there);
  const [{ id }] = (await newestTasks(here)) as [{ id: string }];
  const observe = async (station: TestStation) => observing(station);
  const [near, far] = [await observe(here), await observe(there)];

  const idleFrom = cable.carried;
  await pause(10_000);
  const idle = (cable.carried - idleFrom) / 10;

  const written: number[] = [];
  const from = cable.carried;
  const began = performance.now();
  for (let edit = 0; edit < EDITS; edit++) {
    const title = `Edit ${edit}.`;
    const sent = performance.now();
    near.expect(title, sent);
    far.expect(title, sent);
    await here.ask('POST', `/news/${id}/update`, { title });
    written.push(performance.now() - sent);
    await pause(Math.max(0, began + ((edit + 1) * 1000) / EDITS_PER_SECOND - performance.now()));
  }
  const missing = await Promise.all([near.rest(), far.rest()]);
  const seconds = (performance.now() - began) / 1000;
  await synced(here, there);
  const bytes = cable.carried - from - idle * seconds;
  if (missing.some((count) => count > EDITS / 10)) throw new Error(`Edits did not arrive: ${missing.join()}`);
  report.ratio(
    'from a write to a console of the other station, median',
    percentile(far.delays, 0.5),
    percentile(near.delays, 0.5),
    'ms',
    'against a console of the same station',
  );
  report.ratio(
    'the same, p99',
    percentile(far.delays, 0.99),
    percentile(near.delays, 0.99),
    'ms',
    'below 500 ms is wanted',
  );
  report.line(
    `a write is answered in ${percentile(written, 0.5).toFixed(1)} ms (median), ${percentile(written, 0.99).toFixed(1)} ms (p99)`,
  );
  report.line(
    `bytes on the line for an edit of one title: ${(bytes / EDITS).toFixed(0)}, confirmed by digests; without edits ${idle.toFixed(0)} a second`,
  );
  near.close();
  far.close();
}

/** All consoles of a large station come back at the same moment, with nothing in their browsers. */
async function consoles(report: BenchReport, start: Start): Promise<void> {
  const station = await start(1, (directory) => fill(directory, 2_000, VEHICLES));
  const now = Date.now();
  for (let begin = 1; begin <= VEHICLES; begin += 500)
    await station.ask(
      'POST',
      '/telemetry',
      Array.from({ length: Math.min(500, VEHICLES - begin + 1) }, (_, at) => ({
        glonassId: begin + at,
        time: now - 60_000,
        lat: 47 + at / 5000,
        lon: 9.5,
        speed: 50,
        direction: 45,
        height: 430,
        gpsCount: 9,
      })),
    );
  const order: ConsolesOrder = {
    address: station.address,
    tokens: [station.token],
    consoles: CONSOLES,
    vehicles: VEHICLES,
  };
  const alone = await meanwhile(station, () => pause(5_000));
  const one = await consolesOpened({ ...order, consoles: 1 });
  const usedBefore = processorOf(station);
  let times: ConsolesTimes | undefined;
  const beside = await meanwhile(station, async () => (times = await consolesOpened(order)));
  const used = processorOf(station) - usedBefore;
  const { current, filled, bytes } = times!;
  report.line(
    `one console of ${VEHICLES.toLocaleString('en')} vehicles is current in ${(one.current[0]! / 1000).toFixed(1)} s (replica ${(one.filled[0]! / 1000).toFixed(1)} s), ${(one.bytes / 1e6).toFixed(1)} MB`,
  );
  report.line(
    `${CONSOLES} that come at once are all current in ${(Math.max(...current) / 1000).toFixed(1)} s (replicas ${(Math.max(...filled) / 1000).toFixed(1)} s), ${(bytes / 1e6).toFixed(0)} MB; 10 s are wanted`,
  );
  report.line(`processor of the station meanwhile, all threads: ${used.toFixed(1)} s`);
  for (const [what, share] of [
    ['median', 0.5],
    ['p99', 0.99],
  ] as const)
    report.ratio(
      `requests of everybody else meanwhile, ${what}`,
      percentile(beside, share),
      percentile(alone, share),
      'ms',
      `against the same alone; ${beside.length} requests`,
    );
}

const PHOTOS = 4;
const PHOTO = 60_000;
const SLOW_TASKS = 40;

/** 64 kbit/s, 800 ms in each direction, one segment of twenty lost. */
async function slow(report: BenchReport, start: Start): Promise<void> {
  const [here, there] = [await start(1), await start(2)];
  const cable = await linked(there, here);
  await synced(here, there);
  const uploads: string[] = [];
  for (let photo = 0; photo < PHOTOS; photo++) {
    const form = new FormData();
    const bytes = Uint8Array.from({ length: PHOTO }, (_, at) => (at * (7919 + photo) + (at >> 8)) & 0xff);
    form.append('file', new Blob([bytes]), 'plan.bin');
    const answer = await fetch(`${here.address}/fileload`, {
      method: 'POST',
      body: form,
      headers: { authorization: `Bearer ${here.token}` },
    });
    uploads.push(/[0-9a-f-]{36}\.\w+/.exec(await answer.text())![0]);
  }
  cable.rate = 8_000;
  cable.delay = 800;
  cable.losesOneOf = 20;
  cable.cut();
  cable.join();
  for (const station of [here, there]) while ((await station.links())[0]!.state !== 'synced') await pause(50);
  const from = cable.carried;
  const began = performance.now();
  const { newstype } = await here.ask<{ newstype: { news_type_id: string }[] }>('GET', '/newstype');
  const type = Number(newstype[0]!.news_type_id);
  const ids: number[] = [];
  for (let task = 0; task < SLOW_TASKS; task++) {
    const values = { title: `Flooded cellar ${task}`, text: `The water stands ${task} cm high.`, news_type_id: type };
    const files = uploads[task] === undefined ? {} : { files: [uploads[task]] };
    ids.push((await here.ask<{ newsId: number }>('POST', '/news/', { values, ...files })).newsId);
  }
  const has = (id: number) => there.ask('GET', `/news/${id}`).then(() => true).catch(() => false); // prettier-ignore
  for (const id of ids) while (!(await has(id))) await pause(50);
  const tasksAfter = (performance.now() - began) / 1000;
  const pending = async () => {
    const lists = await Promise.all(
      ids
        .slice(0, PHOTOS)
        .map((id) =>
          there
            .ask<{ files: { pending?: true }[] }>('GET', `/news/${id}/files`)
            .then(({ files }) => (files.length === 0 ? [{ pending: true }] : files)),
        ),
    );
    return lists.flat().filter((file) => file.pending).length;
  };
  const waiting = await pending();
  const sent = performance.now();
  await here.ask('POST', `/news/${ids[0]}/update`, { title: 'Pump needed' });
  const titled = () => there.ask<{ news_data: { title: string } }>('GET', `/news/${ids[0]}`);
  while ((await titled()).news_data.title !== 'Pump needed') await pause(50);
  const edited = (performance.now() - sent) / 1000;
  while ((await pending()) > 0) await pause(200);
  const filesAfter = (performance.now() - began) / 1000;
  await synced(here, there);
  const all = (performance.now() - began) / 1000;
  const bytes = cable.carried - from;
  report.line(
    `64 kbit/s, 800 ms each way, 5 % loss: ${SLOW_TASKS} tasks are there after ${tasksAfter.toFixed(1)} s, with ${waiting} of ${PHOTOS} files still on their way`,
  );
  report.line(
    `an edit beside the files is there after ${edited.toFixed(1)} s; the files (${((PHOTOS * PHOTO) / 1000).toFixed(0)} kB) after ${filesAfter.toFixed(1)} s; both lights are green after ${all.toFixed(1)} s`,
  );
  report.ratio(
    'the same beside its bytes at the rate of the line',
    all,
    bytes / 8_000,
    's',
    `${(bytes / 1000).toFixed(0)} kB`,
  );
}
