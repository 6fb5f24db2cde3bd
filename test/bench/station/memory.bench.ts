import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import process from 'node:process';
import { setTimeout as pause } from 'node:timers/promises';
import { PROGRAM } from '../../support/program.ts';
import { AS_PACKAGED, memoryOf, percentile, processorSeconds } from '../processes.ts';
import type { BenchReport } from '../run.ts';

/** Seconds with drivers before the memory counts: the demo writes its past meanwhile. */
const SETTLES = 180;
/** Seconds of which the memory counts. */
const COUNTED = 60;
const PASSWORD = 'admin-admin';
const MB = 1024 * 1024;

interface Measured {
  /** Of the process, once a second. */
  readonly memory: readonly ReturnType<typeof memoryOf>[];
  /** Processor time of the seconds that count. */
  readonly work: number;
  readonly threads: readonly { name: string; held: number; used: number }[];
  /** ms of the first and of a later answer. */
  readonly answers: Readonly<Record<string, readonly [first: number, later: number]>>;
}

/**
 * The memory of a station with the demo while its vehicles drive and nobody asks, beside one whose vehicles stand
 * still, and its first answers then. With `WAYPOST_BEFORE=PROGRAM` another build runs beside them at the same time.
 */
export default async function memory(report: BenchReport): Promise<void> {
  const filled = mkdtempSync(join(tmpdir(), 'waypost-bench-'));
  await end((await start(PROGRAM, filled, { WAYPOST_DEMO_SPEED: '0' })).child);
  const before = process.env['WAYPOST_BEFORE'];
  const [now, still, then] = await Promise.all([
    measure(PROGRAM, filled, '1'),
    measure(PROGRAM, filled, '0'),
    before === undefined ? undefined : measure(before, filled, '1'),
  ]);
  rmSync(filled, { recursive: true });

  if (then) {
    for (const kind of ['resident', 'anonymous'] as const) {
      report.ratio(`${kind} memory with drivers beside the other build`, median(now, kind), median(then, kind), 'MB');
      report.ratio('most of it', most(now, kind), most(then, kind), 'MB');
    }
    report.ratio('processor time', now.work, then.work, `s in ${COUNTED} s`);
    for (const [name, [first]] of Object.entries(now.answers))
      report.ratio(`first ${name}`, first, then.answers[name]![0], 'ms');
  }
  report.line(`with drivers: ${describe(now)}`);
  for (const { name, held, used } of now.threads)
    report.line(`  heap of ${name}: ${(held / MB).toFixed(1)} MB, ${(used / MB).toFixed(1)} used`);
  for (const [name, [first, later]] of Object.entries(now.answers))
    report.ratio(`first ${name} beside a later one`, first, later, 'ms');
  report.line(`without drivers: ${describe(still)}`);
  for (const { name, held, used } of still.threads)
    report.line(`  heap of ${name}: ${(held / MB).toFixed(1)} MB, ${(used / MB).toFixed(1)} used`);
}

type Kind = keyof ReturnType<typeof memoryOf>;

function median({ memory }: Measured, kind: Kind): number {
  return (
    percentile(
      memory.map((one) => one[kind]),
      0.5,
    ) / MB
  );
}

function most({ memory }: Measured, kind: Kind): number {
  return Math.max(...memory.map((one) => one[kind])) / MB;
}

function describe(one: Measured): string {
  return (
    `${median(one, 'resident').toFixed(0)} MB after ${SETTLES} s, at most ${most(one, 'resident').toFixed(0)}; ` +
    `${median(one, 'anonymous').toFixed(0)} that no file backs, ${median(one, 'proportional').toFixed(0)} in ` +
    `proportion; ${one.work.toFixed(1)} s of a core in ${COUNTED} s`
  );
}

async function measure(program: string, filled: string, speed: string): Promise<Measured> {
  const data = mkdtempSync(join(tmpdir(), 'waypost-bench-'));
  cpSync(filled, data, { recursive: true });
  const heaps = join(data, 'thread-heaps.json');
  const { child, address } = await start(program, data, { THREAD_HEAPS: heaps, WAYPOST_DEMO_SPEED: speed }, [
    '--import',
    new URL('thread-heaps.mjs', import.meta.url).href,
  ]);
  await pause(SETTLES * 1000);
  const worked = processorSeconds(child.pid!);
  const memory: Measured['memory'][number][] = [];
  for (let second = 0; second < COUNTED; second++) {
    await pause(1000);
    memory.push(memoryOf(child.pid!));
  }
  const work = processorSeconds(child.pid!) - worked;
  child.kill('SIGUSR2');
  while (!existsSync(heaps)) await pause(50);
  const answers = await ask(address);
  await end(child);
  const threads = JSON.parse(readFileSync(heaps, 'utf8')) as Measured['threads'];
  rmSync(data, { recursive: true });
  return { memory, work, threads, answers };
}

async function start(
  program: string,
  data: string,
  environment: NodeJS.ProcessEnv,
  flags: readonly string[] = [],
): Promise<{ child: ChildProcess; address: string }> {
  const child = spawn(
    process.execPath,
    [...flags, resolve(program), 'serve', '--demo', '--data', data, '--port', '0'],
    {
      env: { ...process.env, ...AS_PACKAGED, WAYPOST_ADMIN_PASSWORD: PASSWORD, ...environment },
      stdio: ['ignore', 'pipe', 'ignore'],
    },
  );
  const [line] = (await once(child.stdout!, 'data')) as [Buffer];
  return { child, address: /http:\/\/\S+/.exec(String(line))![0] };
}

async function end(child: ChildProcess): Promise<void> {
  child.kill('SIGTERM');
  await once(child, 'exit');
}

async function ask(address: string): Promise<Measured['answers']> {
  const signedIn = await fetch(`${address}/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ login: 'admin', password: PASSWORD }),
  });
  const { token } = (await signedIn.json()) as { token: string };
  const get = async (path: string): Promise<Response> => {
    const response = await fetch(address + path, { headers: { authorization: `Bearer ${token}` } });
    if (!response.ok) throw new Error(`${path}: ${response.status}`);
    return response;
  };
  const timed = async (path: string): Promise<number> => {
    const began = performance.now();
    await (await get(path)).arrayBuffer();
    return performance.now() - began;
  };
  const { bounds } = (await (await get('/territory')).json()) as { bounds: [number, number, number, number] };
  const [lon, lat] = [(bounds[0] + bounds[2]) / 2, (bounds[1] + bounds[3]) / 2];
  const answers: Record<string, [number, number]> = {};
  for (const [name, path] of Object.entries(questionsAt(lon, lat))) {
    const first = await timed(path);
    await timed(path);
    answers[name] = [first, await timed(path)];
  }
  return answers;
}

/** Each is answered by another thread. */
function questionsAt(lon: number, lat: number): Record<string, string> {
  const z = 15;
  const x = Math.floor((lon / 360 + 0.5) * 2 ** z);
  const y = Math.floor((0.5 - Math.asinh(Math.tan((lat * Math.PI) / 180)) / (2 * Math.PI)) * 2 ** z);
  return {
    route: `/viaroute?loc=${lat},${lon}&loc=${lat + 0.01},${lon + 0.01}`,
    search: '/geocoding?query=market',
    tile: `/tiles/${z}/${x}/${y}.mvt`,
    list: '/news/listAfterId/0/20',
  };
}
