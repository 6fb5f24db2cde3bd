import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import process from 'node:process';
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { readConfig } from '../../../server/config/index.ts';
import { keepHeapsTightWhenCalm } from '../../../server/platform/heap-growth.ts';
import { enableIdleCollection } from '../../../server/platform/idle-collection.ts';
import { holdYoungGeneration, keepYoungGenerationSmall } from '../../../server/platform/young-generation.ts';
import { startStation, type Station } from '../../../server/station.ts';
import type { BenchReport } from '../run.ts';
import { measureTurns, turnsText, type Turns } from '../turns.ts';
import type { WorkbookOrder } from './workbook.worker.ts';

const ROWS = Number(process.env['WAYPOST_BENCH_ROWS'] ?? 50_000);
const PASSWORD = 'correct horse';
/** ms between two looks at an import under way. */
const LOOK = 200;
/** ms for which a station with nothing to do is watched. */
const IDLE = 5_000;
/** Rows of a preview that are asked for at once. */
const PAGE = 200;

type Ask = <T>(method: string, path: string, body?: unknown) => Promise<T>;

interface PreviewAnswer {
  readonly id: string;
  readonly counts: Readonly<Record<'new' | 'changed' | 'same' | 'refused', number>>;
}

/** The preview of a large workbook, beside reading the same workbook with another library and nothing else. */
export default async function bench(report: BenchReport): Promise<void> {
  const stopped = collectAsServed();
  const directory = mkdtempSync(join(tmpdir(), 'waypost-imports-bench-'));
  const config = { ...readConfig(['--data', join(directory, 'data'), '--port', '0'], {}), 'backup.time': null };
  const station = await startStation({ ...config, adminPassword: PASSWORD });
  try {
    const ask = await signedIn(station);
    const file = join(directory, 'list.xlsx');
    const previewed = async (kind: WorkbookOrder['kind'], what: string) => {
      const bare = await made({ kind, rows: ROWS, file });
      return preview({ ask, station, report, file, kind, what, bare });
    };
    report.line(`before, with nothing to do for ${IDLE / 1000} s: ${turnsText(await idleTurns())}`);
    await written(ask, await previewed('drivers', 'new drivers'), report);
    await previewed('drivers', 'drivers that are there already');
    const before = await digestOf(ask, '/cars');
    const vehicles = await previewed('vehicles', 'new vehicles, each with a driver by name, 1 % of whom are nobody');
    report.line(`  ${await wrongCells(ask, vehicles)}`);
    await undone(ask, await written(ask, vehicles, report), report);
    report.line(
      `  the digest of all vehicles is ${(await digestOf(ask, '/cars')) === before ? 'as before' : 'ANOTHER'}`,
    );
    await written(ask, await previewed('tasks', 'new tasks'), report);
    report.line(`after, with nothing to do for ${IDLE / 1000} s: ${turnsText(await idleTurns())}`);
  } finally {
    await station.stop();
    stopped();
    rmSync(directory, { recursive: true, force: true });
  }
}

/** Collects memory as in `waypost serve`. Returns the function that ends this. */
function collectAsServed(): () => void {
  holdYoungGeneration();
  enableIdleCollection();
  const stops = [keepYoungGenerationSmall(), keepHeapsTightWhenCalm()];
  return () => stops.forEach((stop) => stop());
}

/** Writes a workbook. Resolves to the ms that reading it takes with another library. */
async function made(order: WorkbookOrder): Promise<number> {
  const worker = new Worker(new URL('./workbook.worker.ts', import.meta.url));
  try {
    worker.postMessage(order);
    return ((await once(worker, 'message')) as [number])[0];
  } finally {
    await worker.terminate();
  }
}

interface PreviewRun {
  readonly ask: Ask;
  readonly station: Station;
  readonly report: BenchReport;
  readonly file: string;
  readonly kind: string;
  readonly what: string;
  /** ms to read the workbook alone. */
  readonly bare: number;
}

async function preview({ ask, station, report, file, kind, what, bare }: PreviewRun): Promise<PreviewAnswer> {
  const form = new FormData();
  form.append('file', new Blob([readFileSync(file)]), 'list.xlsx');
  const uuid = await uploaded(station, form);
  const turns = measureTurns();
  const began = performance.now();
  const answer = await ask<PreviewAnswer>('POST', '/imports/previews', { uuid, kind });
  const took = performance.now() - began;
  const counts = Object.entries(answer.counts).map(([fate, count]) => `${count.toLocaleString('en')} ${fate}`);
  report.ratio(
    `preview of ${ROWS.toLocaleString('en')} rows: ${what}`,
    took / 1000,
    bare / 1000,
    's',
    'against read-excel-file alone',
  );
  report.line(`  ${counts.join(', ')}; ${turnsText(await turns.stop())}`);
  return answer;
}

/** Of the records of a list that are not deleted. */
async function digestOf(ask: Ask, list: string): Promise<string> {
  return createHash('sha256')
    .update(JSON.stringify(await ask('GET', list)))
    .digest('hex');
}

/** Turns of a station that has nothing to do: what the machine and other programs on it add. */
async function idleTurns(): Promise<Turns> {
  const turns = measureTurns();
  await new Promise((resolve) => setTimeout(resolve, IDLE));
  return turns.stop();
}

/** Compares the refused cells with those that `workbook.worker.ts` made wrong. */
async function wrongCells(ask: Ask, { id, counts }: PreviewAnswer): Promise<string> {
  const named: string[] = [];
  for (let offset = 0; offset < counts.refused; offset += PAGE) {
    const path = `/imports/previews/${id}/rows?fate=refused&offset=${offset}&limit=${PAGE}`;
    const rows = await ask<{ faults: { cell: string }[] }[]>('GET', path);
    named.push(...rows.flatMap(({ faults }) => faults.map(({ cell }) => cell)));
  }
  const wrong = Array.from({ length: ROWS }, (_, row) => row).filter((row) => row % 100 === 50);
  // The first row has the heads.
  const missing = wrong.filter((row) => !named.includes(`F${row + 2}`)).length;
  return `${named.length} cells refused; of ${wrong.length} wrong cells ${missing} are not named`;
}

async function undone(ask: Ask, id: number, report: BenchReport): Promise<void> {
  const turns = measureTurns();
  const began = performance.now();
  let entry = await ask<{ state: string; left: number }>('POST', `/imports/${id}/undo`, {});
  while (entry.state === 'undoing') {
    await new Promise((resolve) => setTimeout(resolve, LOOK));
    entry = await ask('GET', `/imports/${id}`);
  }
  const seconds = (performance.now() - began) / 1000;
  report.line(`  undone in ${seconds.toFixed(1)} s, ${entry.left} left; ${turnsText(await turns.stop())}`);
}

async function written(ask: Ask, { id }: PreviewAnswer, report: BenchReport): Promise<number> {
  const turns = measureTurns();
  const began = performance.now();
  let entry = await ask<{ id: number; state: string; created: number }>('POST', `/imports/previews/${id}/confirm`, {});
  while (entry.state === 'writing') {
    await new Promise((resolve) => setTimeout(resolve, LOOK));
    entry = await ask('GET', `/imports/${entry.id}`);
  }
  const seconds = (performance.now() - began) / 1000;
  report.line(
    `  ${entry.created.toLocaleString('en')} written in ${seconds.toFixed(1)} s; ${turnsText(await turns.stop())}`,
  );
  return entry.id;
}

let token = '';

async function signedIn(station: Station): Promise<Ask> {
  const ask: Ask = async (method, path, body) => {
    const response = await fetch(station.address + path, {
      method,
      headers: { 'content-type': 'application/json', 'authorization': `Bearer ${token}` },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    if (response.status !== 200) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
    return response.json() as never;
  };
  ({ token } = await ask<{ token: string }>('POST', '/auth/login', { login: 'admin', password: PASSWORD }));
  return ask;
}

async function uploaded(station: Station, body: FormData): Promise<string> {
  const headers = { authorization: `Bearer ${token}` };
  const response = await fetch(`${station.address}/fileload`, { method: 'POST', headers, body });
  return ((await response.json()) as { data: string[] }).data[0]!;
}
