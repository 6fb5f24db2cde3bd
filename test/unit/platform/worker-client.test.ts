import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, afterEach, expect, test } from 'vitest';
import { PATIENCE } from '../../support/patience.ts';
import { WorkerClient, type WorkerClientOptions } from '../../../server/platform/threads/worker-client.ts';

type Question =
  | 'warn'
  | 'thread'
  | 'heard'
  | 'fail'
  | 'refuse'
  | 'throw'
  | 'exit'
  | 'hang'
  | 'hold'
  | 'let go'
  | { readonly tell: string };

/**
 * Tells its number, what it heard before, and ends as it is asked to; it holds an answer back until it is
 * told to release.
 */
const text = `
  import { threadId, workerData } from 'node:worker_threads';
  import { appendFileSync } from 'node:fs';
  import { answerRequests, warn } from ${JSON.stringify(new URL('../../../server/platform/threads/answer-requests.ts', import.meta.url).href)};
  import { Refusal } from ${JSON.stringify(new URL('../../../shared/refusal.ts', import.meta.url).href)};
  if (workerData?.starts) appendFileSync(workerData.starts, 'started\\n');
  const heard = [];
  const holding = Promise.withResolvers();
  answerRequests((question) => {
    if (question === 'fail') throw new Error('No such thing.');
    if (question === 'refuse') throw new Refusal('files.missing');
    if (question === 'throw') queueMicrotask(() => { throw new Error('out of memory'); });
    if (question === 'exit') process.exit(1);
    if (question === 'warn') return warn('It is dark.');
    if (question === 'hang') for (;;);
    if (question === 'let go') return holding.resolve('held');
    if (question === 'hold' || question === 'throw') return holding.promise;
    if (question === 'heard') return heard;
    if (question.tell) return void heard.push(question.tell);
    return threadId;
  });
`;
const directory = mkdtempSync(join(tmpdir(), 'waypost-threads-'));
const SCRIPT = join(directory, 'script.mjs');
writeFileSync(SCRIPT, text);

const open: WorkerClient<Question>[] = [];
afterEach(async () => {
  for (const thread of open.splice(0)) await thread.close();
});

afterAll(() => rmSync(directory, { recursive: true }));

function start(options: Partial<WorkerClientOptions<Question>> = {}) {
  const log: string[] = [];
  const thread = new WorkerClient<Question>({
    script: pathToFileURL(SCRIPT),
    name: 'The map',
    maxWaiting: 100,
    warn: (message) => log.push(message),
    ...options,
  });
  open.push(thread);
  return { thread, log };
}

test('what its script has to say for the log goes there, and answers nobody', async () => {
  const { thread, log } = start();
  await thread.request('warn');
  expect(log).toEqual(['It is dark.']);
  expect(await thread.request('thread')).toEqual(expect.any(Number));
});

test('it starts with the first question, and one thread answers them all, each its own, in whatever order', async () => {
  const { thread, log } = start();
  expect(thread.isRunning).toBe(false);
  const held = thread.request('hold');
  const [one, other] = await Promise.all([thread.request('thread'), thread.request('thread')]);
  expect(one).toBe(other);
  await thread.request('let go');
  expect(await held).toBe('held');
  expect(log).toEqual([]);
});

test('when nobody asks for a while it ends without a word, and the next question starts another', async () => {
  const { thread, log } = start({ idle: () => 20 });
  const before = await thread.request('thread');
  await expect.poll(() => thread.isRunning).toBe(false);
  expect(await thread.request('thread')).not.toBe(before);
  expect(log).toEqual([]);
});

test('it does not end while somebody waits', async () => {
  const { thread } = start({ idle: () => 1 });
  const id = await thread.request('thread');
  const held = thread.request('hold');
  await new Promise((resolve) => setTimeout(resolve, 50));
  const other = thread.request('thread');
  await thread.request('let go');
  expect([await held, thread.isRunning && (await other)]).toEqual(['held', await other]);
  expect(id).toEqual(expect.any(Number));
});

test('what the script throws is the answer to that question alone, a refusal as a refusal', async () => {
  const { thread } = start();
  const id = await thread.request('thread');
  await expect(thread.request('fail')).rejects.toThrow(new Error('No such thing.'));
  await expect(thread.request('refuse')).rejects.toMatchObject({
    kind: 'not-found',
    message: 'There is no such file.',
  });
  expect(await thread.request('thread')).toBe(id);
});

test.each([
  ['throw', 'out of memory', 8_000],
  ['exit', 'it ended', 8_000],
  ['hang', 'it gave no answer for 3 s', 3_000],
] as const)(
  'when it dies (%s), all who wait hear why, and the next question is answered by another that was told what the first was',
  async (how, why, hangTimeout) => {
    const { thread, log } = start({ first: () => ({ tell: 'the town' }), hangTimeout });
    const before = await thread.request('thread');
    const outcomes = await Promise.allSettled([thread.request('hold'), thread.request(how), thread.request('hold')]);
    for (const outcome of outcomes)
      expect(outcome).toMatchObject({
        status: 'rejected',
        reason: { kind: 'busy', message: `The map was restarted (${why}). Try again.` },
      });
    expect(await thread.request('heard')).toEqual(['the town']);
    expect(await thread.request('thread')).not.toBe(before);
    expect(log).toEqual([`The map ended (${why}); the next request starts it again.`]);
  },
);

test('a thread that can no longer be told what the one before was goes on, and says so', async () => {
  let first: Question = { tell: 'the town' };
  const { thread, log } = start({ first: () => first });
  await thread.request('thread');
  first = 'fail';
  await thread.kill();
  expect(await thread.request('heard')).toEqual([]);
  expect(log.at(-1)).toBe('The map was started without what it is to read: No such thing.');
});

test('a thread that cannot be started is tried after longer and longer pauses, refuses meanwhile, says so once, and answers when it can', async () => {
  const starts = join(directory, 'starts');
  const later = join(directory, 'later.mjs');
  writeFileSync(starts, '');
  writeFileSync(
    later,
    `import { appendFileSync } from 'node:fs'; appendFileSync(${JSON.stringify(starts)}, 'x'); throw new Error('no memory');`,
  );
  let now = 0;
  const { thread, log } = start({ script: pathToFileURL(later), now: () => now, first: () => ({ tell: 'the town' }) });
  const pauses: number[] = [];
  let refused = 0;
  for (let began = 0; pauses.length < 10; now += 250) {
    const before = readFileSync(starts, 'utf8').length;
    await expect(thread.request('thread')).rejects.toMatchObject({
      kind: 'busy',
      message: 'The map cannot be started at the moment (no memory). Try again later.',
    });
    refused++;
    const tried = readFileSync(starts, 'utf8').length - before;
    if (tried === 0) continue;
    expect(tried).toBe(1);
    if (before > 0) pauses.push(now - began);
    began = now;
  }
  expect(pauses).toEqual([250, 500, 1000, 2000, 4000, 8000, 16_000, 30_000, 30_000, 30_000]);
  expect(refused).toBe(1 + pauses.reduce((sum, pause) => sum + pause) / 250);
  expect(log).toEqual([
    'The map cannot be started (no memory). It is tried again when it is asked, at most every 30 s if that goes on.',
  ]);

  writeFileSync(later, text);
  now += 30_000;
  expect(await thread.request('heard')).toEqual(['the town']);
  expect(log.slice(1)).toEqual(['The map runs again.']);
  // The next failure waits as short as the first one did.
  await thread.kill('once');
  rmSync(later);
  await expect(thread.request('thread')).rejects.toMatchObject({
    kind: 'busy',
    message: expect.stringContaining('cannot be started at the moment'),
  });
  now += 250;
  writeFileSync(later, text);
  expect(await thread.request('heard')).toEqual(['the town']);
});

test.each([
  ['its first message', 'exit', 'thread'],
  ['each question', { tell: 'the town' }, 'exit'],
] as const)('a thread that dies of %s is not started again and again', async (_, first, question) => {
  const starts = join(directory, `starts of ${question}`);
  const { thread, log } = start({ first: () => first, worker: { workerData: { starts } }, now: () => 0 });
  for (let i = 0; i < 20; i++)
    await expect(thread.request(question)).rejects.toMatchObject({
      kind: 'busy',
      message: expect.stringContaining('cannot be started'),
    });
  expect(readFileSync(starts, 'utf8')).toBe('started\n');
  expect(log).toHaveLength(1);
});

test('what Node will not even begin is refused in the same way', async () => {
  const { thread, log } = start({ script: new URL('http://127.0.0.1/script.mjs') });
  await expect(thread.request('thread')).rejects.toMatchObject({
    kind: 'busy',
    message: expect.stringContaining('cannot be started'),
  });
  await expect(thread.request('thread')).rejects.toMatchObject({ kind: 'busy' });
  expect(log).toHaveLength(1);
});

test('closed, it refuses what waits and what comes, and starts no more', async () => {
  const { thread, log } = start();
  await thread.request('thread');
  const waiting = Promise.allSettled([thread.request('hold'), thread.request('hang')]);
  await thread.close();
  for (const outcome of await waiting)
    expect(outcome).toMatchObject({ status: 'rejected', reason: { kind: 'busy', message: 'The map is closed.' } });
  await expect(thread.request('thread')).rejects.toMatchObject({ kind: 'busy', message: 'The map is closed.' });
  expect(thread.isRunning).toBe(false);
  expect(log).toEqual([]);
});

test('what is asked beyond those who may wait is refused, and what waits is answered', async () => {
  const { thread } = start({ maxWaiting: 3 });
  const held = [thread.request('hold'), thread.request('hold'), thread.request('thread')];
  await expect(thread.request('thread')).rejects.toMatchObject({
    kind: 'busy',
    message: 'The map has too many requests waiting. Try again.',
  });
  await held[2];
  await thread.request('let go');
  expect(await Promise.all(held.slice(0, 2))).toEqual(['held', 'held']);
});

test('a deferred question starts no thread; the next one sends it first, in place of `first`, beyond those who wait', async () => {
  const { thread, log } = start({ maxWaiting: 1, first: () => ({ tell: 'first' }) });
  thread.defer({ tell: 'deferred' });
  expect(thread.isRunning).toBe(false);
  expect(await thread.request('heard')).toEqual(['deferred']);
  // It has answered: its end is no failed start, and the next question starts another at once.
  await thread.kill();
  expect(await thread.request('heard')).toEqual(['first']);
  expect(log).toEqual(['The map ended (it was ended); the next request starts it again.']);
});

test('a thread that ends after the answer to a deferred question alone had worked', async () => {
  const { thread } = start({ first: () => ({ tell: 'first' }) });
  thread.defer({ tell: 'deferred' });
  await expect(thread.request('exit')).rejects.toMatchObject({ code: 'platform.restarted' });
  expect(await thread.request('heard')).toEqual(['first']);
});

test('a question that cannot be sent is refused to who asked it, and to nobody else', async () => {
  const { thread } = start({ maxWaiting: 1 });
  await expect(thread.request({ tell: (() => 1) as unknown as string })).rejects.toThrow('could not be cloned');
  expect(await thread.request('thread')).toBeTypeOf('number');
});

test('a process lives while a question waits, and ends by itself when none does', () => {
  const program = join(directory, 'program.mjs');
  writeFileSync(
    program,
    `
    import { WorkerClient } from ${JSON.stringify(new URL('../../../server/platform/threads/worker-client.ts', import.meta.url).href)};
    const thread = new WorkerClient({ script: new URL('script.mjs', import.meta.url), name: 'The map', maxWaiting: 5 });
    thread.request('heard').then((heard) => console.log('answered', heard.length));
  `,
  );
  expect(execFileSync(process.execPath, [program], { encoding: 'utf8', timeout: Math.max(PATIENCE, 20_000) })).toBe(
    'answered 0\n',
  );
});
