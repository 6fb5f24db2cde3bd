import { spawn, type ChildProcess } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { performance } from 'node:perf_hooks';
import process from 'node:process';
import { Agent, fetch } from 'undici';
import { PROGRAM } from '../../support/program.ts';
import { listCases, SORTS, type Sort } from './tasks-cases.ts';
import { fillTasks, LOGINS, PASSWORD, type Login, type TasksFacts } from './tasks-data.ts';
import { firstLooks } from './tasks-first-look.ts';
import type { BenchReport } from '../run.ts';

/** A million with WAYPOST_BENCH_FULL=1. */
const TASKS =
  process.env['WAYPOST_BENCH_FULL'] === '1' ? 1_000_000 : Number(process.env['WAYPOST_BENCH_TASKS'] ?? 100_000);
const ROUNDS = 30;
const MEMORY_LIMIT = 500;

/**
 * A station as it is served, in its own process, beside hand-written SQL over the same file in another one,
 * through the same HTTP server. Asked in turns, so that both have the same minute.
 */
export default async function bench(report: BenchReport): Promise<void> {
  // What was filled there is kept, and taken the next time.
  const kept = process.env['WAYPOST_BENCH_NEWS'];
  const directory = kept ?? mkdtempSync(join(tmpdir(), 'waypost-news-'));
  const running: ChildProcess[] = [];
  try {
    const facts = await filled(report, directory);
    const taskEvents = beginTaskEventsAnew(directory);
    const [station, stationProcess] = await started(
      running,
      [PROGRAM, 'serve', '--data', directory, '--port', '0'],
      /listening on (\S+)/,
    );
    const [byHand, byHandProcess] = await started(
      running,
      ['test/bench/tasks/tasks-by-hand.ts', directory, JSON.stringify(facts)],
      /By hand at (\S+)/,
    );
    const tokens = { member: await signIn(station, 'member'), superuser: await signIn(station, 'superuser') };
    reportMemory(report, 'it answers', stationProcess);
    const processorTimes = () => [stationProcess, byHandProcess].map(processorTime) as [number, number];
    await benchBesideTaskEvents(report, facts, station, byHand, tokens, processorTimes, taskEvents);
    reportMemory(report, 'the task book has ended', stationProcess);
    await benchLists(report, facts, station, byHand, tokens, processorTimes);
    reportMemory(report, 'the lists are done', stationProcess);
    await benchCounts(report, station, tokens);
    benchFirstLooks(report, directory, facts);
    await benchCreate(report, facts, station, byHand, tokens.superuser, processorTimes);
    await benchReplica(report, station, tokens);
    reportMemory(report, 'the end', stationProcess);
  } finally {
    for (const child of running) await ended(child);
    if (kept === undefined) rmSync(directory, { recursive: true, force: true });
  }
}

async function filled(report: BenchReport, directory: string): Promise<TasksFacts> {
  const note = join(directory, 'facts.json');
  if (existsSync(note)) return JSON.parse(readFileSync(note, 'utf8')) as TasksFacts;
  const begun = performance.now();
  const facts = await fillTasks(directory, TASKS);
  writeFileSync(note, JSON.stringify(facts));
  report.line(
    `${TASKS.toLocaleString('en')} messages filled in within ${((performance.now() - begun) / 1000).toFixed(0)} s`,
  );
  return facts;
}

/** Starts a program of ours and waits for the line in which it says its address. */
async function started(
  running: ChildProcess[],
  words: string[],
  says: RegExp,
): Promise<[address: string, process: ChildProcess]> {
  const child = spawn(process.execPath, words, {
    cwd: new URL('../../..', import.meta.url).pathname,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  running.push(child);
  return new Promise((resolve, reject) => {
    let out = '';
    child.stdout!.on('data', (bytes) => {
      out += bytes;
      const address = says.exec(out)?.[1];
      if (address) resolve([address, child]);
    });
    child.on('exit', (code) => reject(new Error(`${words[0]} ended with ${code}.`)));
  });
}

async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const end = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGTERM');
  await end;
}

const dispatcher = new Agent({ connections: 4, pipelining: 1 });

async function ask(url: string, token?: string, body?: unknown): Promise<string> {
  const response = await fetch(url, {
    dispatcher,
    headers: {
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }),
  });
  const text = await response.text();
  if (response.status !== 200) throw new Error(`${url}: ${response.status} ${text}`);
  return text;
}

async function signIn(station: string, who: Login): Promise<string> {
  return (
    JSON.parse(await ask(`${station}/auth/login`, undefined, { login: LOGINS[who], password: PASSWORD })) as {
      token: string;
    }
  ).token;
}

interface TaskEventsProgress {
  /** Whether all messages that were there at the start are worked through. */
  hasEnded(): boolean;
  close(): void;
}

/** The station works through all past messages from its start on, as after an import or a restore. */
function beginTaskEventsAnew(directory: string): TaskEventsProgress {
  const sql = new DatabaseSync(join(directory, 'station.db'), { timeout: 5000 });
  sql.exec('DELETE FROM event_checkpoints_of_feeds');
  const last = Number(sql.prepare('SELECT seq FROM heads').get()!['seq']);
  const reached = sql.prepare("SELECT seq FROM event_checkpoints_of_feeds WHERE source = 'tasks'");
  // The last thousand changes may be noted later than they are worked through.
  return { hasEnded: () => Number(reached.get()?.['seq'] ?? 0) >= last - 1000, close: () => sql.close() };
}

/** Rounds below which a measure is not worth much. */
const FEW_ROUNDS = 30;

/**
 * Lists and creations while the station works through its past messages, held to the same limits as
 * afterwards.
 */
async function benchBesideTaskEvents(
  report: BenchReport,
  facts: TasksFacts,
  station: string,
  byHand: string,
  tokens: Record<Login, string>,
  processorTimes: ProcessorTimes,
  taskEvents: TaskEventsProgress,
): Promise<void> {
  const cases = listCases(facts).flatMap(({ name, as, query }, at) =>
    (Object.keys(SORTS) as Sort[]).map((sort) => ({
      name: `${name} by ${sort}`,
      ours: () => ask(`${station}/news/listAfterId/0/50?sortBy=${sort}&${query}`, tokens[as]),
      theirs: () => ask(`${byHand}/list/${at}/${sort}`),
    })),
  );
  const creation = creating(facts, station, byHand, tokens.superuser);
  const lists: Turns = { ours: [], theirs: [], worked: [0, 0] };
  const creations: Turns = { ours: [], theirs: [], worked: [0, 0] };
  const begun = performance.now();
  try {
    for (let round = 0; !taskEvents.hasEnded(); round++) {
      await inTurns(lists, cases[round % cases.length]!, processorTimes);
      await inTurns(creations, creation, processorTimes);
    }
  } finally {
    taskEvents.close();
  }
  report.line(
    `the station worked through its past messages in ${((performance.now() - begun) / 1000).toFixed(1)} s; meanwhile, in ${lists.ours.length} rounds${lists.ours.length < FEW_ROUNDS ? ' (few: fill in more messages)' : ''}:`,
  );
  if (lists.ours.length === 0) return;
  report.ratio(
    'lists while past messages are worked through, in the median',
    percentile(lists.ours, 0.5),
    percentile(lists.theirs, 0.5),
    'ms',
    `against SQL by hand; ${timesTheLoop(lists)}; at most 2 is wanted`,
  );
  report.ratio('the same, 95th percentile', percentile(lists.ours, 0.95), percentile(lists.theirs, 0.95), 'ms');
  report.ratio(
    'a message created while past ones are worked through',
    percentile(creations.ours, 0.5),
    percentile(creations.theirs, 0.5),
    'ms',
    `against a raw durable insert; ${timesTheLoop(creations)}; at most 3 is wanted`,
  );
}

/** ms used so far by the event loops of the station and of the hand-written SQL. */
type ProcessorTimes = () => [number, number];

/** What two did in turns: ms by the clock of each round, and ms of their event loops in all. */
interface Turns {
  readonly ours: number[];
  readonly theirs: number[];
  readonly worked: [number, number];
}

async function inTurns(
  turns: Turns,
  { ours, theirs }: { ours(): Promise<unknown>; theirs(): Promise<unknown> },
  processorTimes: ProcessorTimes,
): Promise<void> {
  const before = processorTimes();
  for (const [times, work] of [
    [turns.ours, ours],
    [turns.theirs, theirs],
  ] as const) {
    const begun = performance.now();
    await work();
    times.push(performance.now() - begun);
  }
  processorTimes().forEach((after, i) => (turns.worked[i]! += after - before[i]!));
}

function timesTheLoop({ worked: [ours, theirs] }: Turns): string {
  return `${(ours / theirs).toFixed(2)} × the event loop’s own time`;
}

/** Each order with each of the usual filters. */
async function benchLists(
  report: BenchReport,
  facts: TasksFacts,
  station: string,
  byHand: string,
  tokens: Record<Login, string>,
  processorTimes: ProcessorTimes,
): Promise<void> {
  const worst = { ratio: 0, name: '' };
  const worstByClock = { ratio: 0, name: '' };
  for (const [at, { name, as, query }] of listCases(facts).entries()) {
    for (const sort of Object.keys(SORTS) as Sort[]) {
      const ours = () => ask(`${station}/news/listAfterId/0/50?sortBy=${sort}&${query}`, tokens[as]);
      const theirs = () => ask(`${byHand}/list/${at}/${sort}`);
      requireSame(`${name} by ${sort}`, await ours(), await theirs());
      const turns = await rounds({ ours, theirs }, ROUNDS, processorTimes);
      const [time, baseline] = [percentile(turns.ours, 0.5), percentile(turns.theirs, 0.5)];
      report.ratio(`${name} by ${sort}`, time, baseline, 'ms', `against SQL by hand; ${timesTheLoop(turns)}`);
      for (const [which, ratio] of [
        [worst, turns.worked[0] / turns.worked[1]],
        [worstByClock, time / baseline],
      ] as const)
        if (ratio > which.ratio) Object.assign(which, { ratio, name: `${name} by ${sort}` });
    }
  }
  report.line(`the worst by the clock: ${worstByClock.ratio.toFixed(2)} × (${worstByClock.name})`);
  report.line(
    `the worst by the time of the event loop itself, which others on the machine do not change: ${worst.ratio.toFixed(2)} × (${worst.name}); at most 2 is wanted`,
  );
}

function requireSame(name: string, ours: string, theirs: string): void {
  const listed = (JSON.parse(ours) as { news_list: { id: string }[] }).news_list.map(({ id }) => Number(id));
  const rows = (JSON.parse(theirs) as { id: number }[]).map(({ id }) => id);
  if (rows.length === 0 || JSON.stringify(listed) !== JSON.stringify(rows))
    throw new Error(`${name} is not what the SQL gives: ${listed.join()} and ${rows.join()}`);
}

/** Blocks of so many pages, without and with counting in turns, so short that both have the same minute. */
const BLOCKS = 60;
const PAGES = 75;

/**
 * How much later the slowest of a hundred pages comes while counts and statistics are asked for all the time;
 * and the same of each third of the run, which tells how much chance there is in it.
 */
async function benchCounts(report: BenchReport, station: string, tokens: Record<Login, string>): Promise<void> {
  const page = () => ask(`${station}/news/listAfterId/0/50`, tokens.member);
  const blocks: { readonly counting: boolean; readonly times: number[] }[] = [];
  let asked = 0;
  let spent = 0;
  for (let block = 0; block < BLOCKS; block++) {
    const counting = block % 2 === 1;
    let going = counting;
    const askers = ['count', 'stats'].map(async (what) => {
      while (going) {
        const begun = performance.now();
        // another question each time: none is known already
        await ask(`${station}/news/${what}?date_from=${++asked}`, tokens.superuser);
        spent += performance.now() - begun;
        await pause(50); // as many people as a control room has look at them
      }
    });
    const times: number[] = [];
    for (let round = 0; round < PAGES; round++) {
      const begun = performance.now();
      await page();
      times.push(performance.now() - begun);
      await pause(2);
    }
    blocks.push({ counting, times });
    going = false;
    await Promise.all(askers);
  }
  const of = (some: typeof blocks, counting: boolean, share: number) =>
    percentile(
      some.filter((block) => block.counting === counting).flatMap(({ times }) => times),
      share,
    );
  report.ratio(
    '99th percentile of a page while counts and statistics run',
    of(blocks, true, 0.99),
    of(blocks, false, 0.99),
    'ms',
    'against the same alone; at most 1.5 is wanted',
  );
  const thirds = [0, 1, 2]
    .map((third) => blocks.slice((third * BLOCKS) / 3, ((third + 1) * BLOCKS) / 3))
    .map((some) => of(some, true, 0.99) / of(some, false, 0.99));
  report.line(
    `the same in each third of the ${BLOCKS} blocks of ${PAGES} pages: ${thirds.map((ratio) => `${ratio.toFixed(2)} ×`).join(', ')}`,
  );
  report.ratio('median of the same', of(blocks, true, 0.5), of(blocks, false, 0.5), 'ms');
  report.line(`counts and statistics: ${asked} questions, ${(spent / asked).toFixed(0)} ms each, in a worker`);
  const begun = performance.now();
  await ask(`${station}/news/listAfterId/0/50?hasPhoto=true&withArchive=true`, tokens.superuser);
  report.line(`a list by a filter that nobody used yet, with its count: ${(performance.now() - begun).toFixed(0)} ms`);
}

function benchFirstLooks(report: BenchReport, directory: string, facts: TasksFacts): void {
  const looks = firstLooks(join(directory, 'station.db'), facts);
  report.line(
    `the longest first look at a list, processor time of the event loop, of ${looks.length} lists: ${looks[0]!.time.toFixed(1)} ms (${looks[0]!.list}); the median ${looks[Math.floor(looks.length / 2)]!.time.toFixed(1)} ms`,
  );
}

/** A message that is created and on the disk, beside a row of the same length that is. */
async function benchCreate(
  report: BenchReport,
  facts: TasksFacts,
  station: string,
  byHand: string,
  token: string,
  processorTimes: ProcessorTimes,
): Promise<void> {
  const turns = await rounds(creating(facts, station, byHand, token), 200, processorTimes);
  report.ratio(
    'a message created and on the disk',
    percentile(turns.ours, 0.5),
    percentile(turns.theirs, 0.5),
    'ms',
    `against a raw durable insert; ${timesTheLoop(turns)}; at most 3 is wanted`,
  );
}

function creating(
  facts: TasksFacts,
  station: string,
  byHand: string,
  token: string,
): { ours(): Promise<unknown>; theirs(): Promise<unknown> } {
  const data = 'x'.repeat(1300);
  const values = { title: 'Burst pipe', text: 'Water comes up. '.repeat(30), news_type_id: facts.types[0] };
  return {
    ours: () => ask(`${station}/news/`, token, { action: 'put', values, point: [9.5, 47.1] }),
    theirs: () => ask(`${byHand}/insert`, undefined, { data }),
  };
}

async function benchReplica(report: BenchReport, station: string, tokens: Record<Login, string>): Promise<void> {
  for (const who of ['member', 'superuser'] as const) {
    const begun = performance.now();
    let documents = 0;
    let longest = 0;
    for (let after: string | undefined = '0'; after !== undefined;) {
      const asked = performance.now();
      const page = JSON.parse(await ask(`${station}/replica/messages?limit=1000&after=${after}`, tokens[who])) as {
        documents: unknown[];
        checkpoint: string;
        more: boolean;
      };
      longest = Math.max(longest, performance.now() - asked);
      documents += page.documents.length;
      after = page.more ? page.checkpoint : undefined;
    }
    report.line(
      `replica of ${who}: ${documents} messages in ${((performance.now() - begun) / 1000).toFixed(1)} s, the longest page ${longest.toFixed(0)} ms`,
    );
  }
}

/** Milliseconds for which the event loop of a process has run; 0 where the system does not tell. */
function processorTime({ pid }: ChildProcess): number {
  const file = `/proc/${pid}/task/${pid}/schedstat`;
  return existsSync(file) ? Number(readFileSync(file, 'utf8').split(' ')[0]) / 1e6 : 0;
}

/** The most that the station had so far, as the system counts it. */
function reportMemory(report: BenchReport, when: string, station: ChildProcess): void {
  const status = `/proc/${station.pid}/status`;
  if (!existsSync(status)) return report.line('memory of the station: this system does not tell');
  const peak = Number(/VmHWM:\s+(\d+) kB/.exec(readFileSync(status, 'utf8'))![1]) / 1000;
  report.line(
    `memory of the station, the most until ${when}: ${peak.toFixed(0)} MB; less than ${MEMORY_LIMIT} is wanted`,
  );
}

/** So many rounds of two things that are done in turns, after some that are not counted. */
async function rounds(
  both: { ours(): Promise<unknown>; theirs(): Promise<unknown> },
  count: number,
  processorTimes: ProcessorTimes,
): Promise<Turns> {
  for (let round = 0; round < 5; round++) await inTurns({ ours: [], theirs: [], worked: [0, 0] }, both, processorTimes);
  const turns: Turns = { ours: [], theirs: [], worked: [0, 0] };
  for (let round = 0; round < count; round++) await inTurns(turns, both, processorTimes);
  return turns;
}

function percentile(times: readonly number[], share: number): number {
  return [...times].sort((a, b) => a - b)[Math.floor(times.length * share)]!;
}

function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}
