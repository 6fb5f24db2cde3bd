import { execFileSync } from 'node:child_process';
import {
  appendFileSync,
  createReadStream,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { listFiles, LogFileParts, removeOld } from '../../../server/log/files.ts';
import { Log } from '../../../server/log/index.ts';
import { readBackwards } from '../../../server/log/read-backwards.ts';

const DAY = 24 * 3_600_000;
const NOON = Date.UTC(2026, 4, 10, 12);
let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'waypost-log-'));
});
afterEach(() => rmSync(directory, { recursive: true }));

test('entries come back newest first, over days and restarts', async () => {
  let now = NOON;
  const first = Log.open({ directory, clock: () => now });
  first.logger('store').info('one');
  now += DAY;
  first.logger('http', 'worker').warn('two');
  await first.close();
  const second = Log.open({ directory, clock: () => now });
  second.logger('store').error('three', new Error('why'));
  expect(
    (await second.read({}, 10)).map((entry) => [entry.message.split('\n')[0], entry.level, entry.logger, entry.thread]),
  ).toEqual([
    ['three', 'ERROR', 'store', 'main'],
    ['two', 'WARN', 'http', 'worker'],
    ['one', 'INFO', 'store', 'main'],
  ]);
  expect((await second.read({}, 2)).map((entry) => entry.level)).toEqual(['ERROR', 'WARN']);
  expect((await second.read({}, 10))[0]!.message).toContain('Error: why');
  expect(readdirSync(directory).toSorted()).toEqual(['waypost-2026-05-10.0000.log', 'waypost-2026-05-11.0001.log']);
});

test('filters hold together, and pages go on without a gap', async () => {
  const log = Log.open({ directory, clock: () => NOON });
  for (let i = 0; i < 20; i++) log.logger(i % 2 ? 'odd' : 'even')[i % 5 === 0 ? 'error' : 'info'](`Number ${i}`);
  expect(await log.count({ logger: 'odd', level: 'ERROR' })).toBe(2);
  expect(await log.count({ minLevel: 'WARN' })).toBe(4);
  expect(await log.count({ message: 'number 1' })).toBe(11);
  expect(await log.names('logger')).toEqual(['even', 'odd']);
  const seen: string[] = [];
  for (let before: string | undefined; ;) {
    const page = await log.read({ before }, 7);
    if (page.length === 0) break;
    seen.push(...page.map((entry) => entry.message));
    before = page.at(-1)!.id;
  }
  expect(seen).toEqual(Array.from({ length: 20 }, (_, i) => `Number ${19 - i}`));
});

test('sources and threads are those of all files; a file that is whole is read for them once', async () => {
  let now = NOON;
  const log = Log.open({ directory, clock: () => now });
  log.logger('store', 'worker').info('one');
  await log.flush();
  now += DAY;
  log.logger('http').info('two');
  expect([await log.names('logger'), await log.names('thread')]).toEqual([
    ['http', 'store'],
    ['main', 'worker'],
  ]);
  const [old] = await listFiles(directory);
  writeFileSync(old!, '');
  log.logger('fleet').info('three');
  expect(await log.names('logger')).toEqual(['fleet', 'http', 'store']);
  rmSync(old!);
  expect([await log.names('logger'), await log.names('thread')]).toEqual([['fleet', 'http'], ['main']]);
});

test('ids grow even when the clock is set back', async () => {
  let now = NOON;
  const log = Log.open({ directory, clock: () => now });
  log.logger('a').info('before');
  now -= 60_000;
  log.logger('a').info('after');
  const [after, before] = await log.read({}, 2);
  expect([after!.message, before!.message]).toEqual(['after', 'before']);
  expect(BigInt(after!.id) > BigInt(before!.id)).toBe(true);
});

test('the order of writing counts, and pages miss nothing, however the clock is set: back over midnight, while the station runs and while it does not', async () => {
  const written: string[] = [];
  for (const start of [NOON, NOON - 3 * DAY, NOON + DAY, NOON - DAY]) {
    let now = start;
    const log = Log.open({ directory, clock: () => now });
    for (const step of [0, 1, -DAY, -1, 2 * DAY, -DAY, 60_000]) {
      now += step;
      written.push(`Number ${written.length}`);
      log.logger('a').info(written.at(-1)!);
      if (step === -1) await log.flush();
    }
    await log.close();
  }
  const log = Log.open({ directory, clock: () => NOON });
  const seen: string[] = [];
  const ids: number[] = [];
  for (let before: string | undefined; ; before = String(ids.at(-1))) {
    const page = await log.read({ before }, 3);
    if (page.length === 0) break;
    seen.push(...page.map((entry) => entry.message));
    ids.push(...page.map((entry) => Number(entry.id)));
  }
  expect(seen).toEqual(written.toReversed());
  expect(ids).toEqual([...new Set(ids)].toSorted((a, b) => b - a));
});

test('what is written after a crash is not lost behind a line that broke off', async () => {
  const first = Log.open({ directory, clock: () => NOON });
  first.logger('a').info('before');
  await first.close();
  appendFileSync((await listFiles(directory))[0]!, '{"id":"99","time":5,"mess');
  const second = Log.open({ directory, clock: () => NOON - 60_000 });
  second.logger('a').info('after');
  expect((await second.read({}, 10)).map((entry) => entry.message)).toEqual(['after', 'before']);
});

test('less important entries are not kept, and endless ones are cut', async () => {
  const log = Log.open({ directory, clock: () => NOON, minLevel: 'WARN', longest: 10 });
  log.logger('a').info('nothing');
  log.logger('a').warn('x'.repeat(50));
  log.logger('a').warn('🚒'.repeat(10));
  log.logger('a').warn('🚒'.repeat(11));
  expect((await log.read({}, 10)).map((entry) => entry.message)).toEqual([
    `${'🚒'.repeat(9)}…`,
    '🚒'.repeat(10),
    `${'x'.repeat(9)}…`,
  ]);
});

test('a line that broke off in a crash is passed over', async () => {
  const log = Log.open({ directory, clock: () => NOON });
  log.logger('a').info('whole');
  await log.flush();
  const file = (await listFiles(directory))[0]!;
  appendFileSync(file, '{"id":"99","time":5,"mess');
  expect((await log.read({}, 10)).map((entry) => entry.message)).toEqual(['whole']);
});

test('a flood is dropped and counted, and does not fill the memory', async () => {
  const log = Log.open({ directory, clock: () => NOON });
  const say = log.logger('flood');
  for (let i = 0; i < 3000; i++) say.info('y'.repeat(7000));
  await log.flush();
  await log.flush();
  const [last] = await log.read({ level: 'WARN' }, 1);
  expect(last!.message).toMatch(/^\d+ entries could not be kept/);
  expect(statSync((await listFiles(directory))[0]!).size).toBeLessThan(9_000_000);
});

test.skipIf(process.platform === 'win32')(
  'while the disk takes nothing, no more waits in memory than may',
  async () => {
    const [file, pipe] = [join(directory, 'waypost-2026-05-10.0000.log'), join(directory, 'pipe')];
    execFileSync('mkfifo', [file]); // takes what is written when somebody reads it
    const log = Log.open({ directory, clock: () => NOON });
    const written: Promise<void>[] = [];
    for (let mega = 0; mega < 20; mega++) {
      for (let i = 0; i < 125; i++) log.logger('a').info('x'.repeat(8000));
      written.push(log.flush());
      await new Promise((resolve) => setImmediate(resolve));
    }
    renameSync(file, pipe);
    createReadStream(pipe).resume();
    await Promise.all(written);
    await log.flush();
    expect((await log.read({}, 1))[0]!.message).toMatch(
      /^\d+ entries could not be kept: they came too fast, or the disk took none\.$/,
    );
    expect(statSync(file).size).toBeLessThan(9_000_000);
  },
);

test.skipIf(process.platform !== 'linux')(
  'what a full disk did not take is counted, and told as soon as there is room, behind no half line',
  async () => {
    const log = Log.open({ directory, clock: () => NOON });
    const full = join(directory, 'waypost-2026-05-10.0000.log');
    symlinkSync('/dev/full', full);
    for (const text of ['one', 'two']) {
      log.logger('a').info(text);
      await log.flush();
      rmSync(full, { force: true });
    }
    await log.flush();
    expect((await log.read({}, 10)).map(({ level, message }) => [level, message])).toEqual([
      ['WARN', '1 entries could not be kept: they came too fast, or the disk took none.'],
      ['INFO', 'two'],
    ]);
    expect(readdirSync(directory)).toEqual(['waypost-2026-05-10.0001.log']);
  },
);

test('files of past days go after 30 days, and the oldest beyond the room there is', async () => {
  for (const [name, size] of [
    ['2026-04-01.0000', 10],
    ['2026-05-08.0000', 600],
    ['2026-05-09.0000', 300],
    ['2026-05-09.0001', 300],
    ['2026-05-10.0000', 300],
  ] as const)
    writeFileSync(join(directory, `waypost-${name}.log`), 'z'.repeat(size));
  writeFileSync(join(directory, 'other.txt'), 'stays');
  await removeOld(directory, NOON - 30 * DAY, 1000);
  expect(readdirSync(directory).toSorted()).toEqual([
    'other.txt',
    'waypost-2026-05-09.0000.log',
    'waypost-2026-05-09.0001.log',
    'waypost-2026-05-10.0000.log',
  ]);
});

test('a file of a day ends when it is large, and a restart goes on with the last', () => {
  const parts = new LogFileParts(directory, 100);
  const names = [60, 60, 60].map((bytes) => parts.take(NOON, bytes).slice(-8, -4));
  expect(names).toEqual(['0000', '0000', '0001']);
  writeFileSync(join(directory, 'waypost-2026-05-10.0001.log'), `${'z'.repeat(59)}\n`);
  const again = new LogFileParts(directory, 100);
  expect([60, 60].map((bytes) => again.take(NOON, bytes).slice(-8, -4))).toEqual(['0001', '0002']);
});

test('lines are read backwards whole, wherever the chunks are cut', async () => {
  const file = join(directory, 'lines.txt');
  const lines = ['first', 'ёлка 😀', '', 'x'.repeat(40), 'last'];
  writeFileSync(file, `${lines.join('\n')}\n`);
  for (let chunk = 1; chunk < 60; chunk++) {
    const read: string[] = [];
    for await (const line of readBackwards(file, chunk)) read.push(line);
    expect(read, `chunk ${chunk}`).toEqual(lines.filter(Boolean).toReversed());
  }
});
