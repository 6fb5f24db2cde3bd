import {
  closeSync,
  copyFileSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { checkDirectory, describeDamage, salvageDirectory } from '../../../server/store/index.ts';
import { monthOf } from '../../../server/tracking/telemetry/months/months.ts';
import { openMonthForWriting } from '../../../server/tracking/telemetry/moving/copy-points.ts';
import { listMonth } from '../../../server/tracking/telemetry/tracks/schema.ts';
import { Chance, SEED } from '../../support/chance.ts';
import { times } from '../../support/long.ts';
import { tryStation } from '../try-station.ts';

/** A station that was stopped, with tasks and with a vehicle that has driven. Tests damage copies of it. */
const template = mkdtempSync(join(tmpdir(), 'waypost-damage-'));
const TIMES = Array.from({ length: 200 }, (_, second) => Date.now() - 600_000 + second * 1000);

beforeAll(async () => {
  const station = await tryStation({ data: template });
  const as = await station.signIn();
  const { newstype } = await station.ok('POST', '/newstype', { as, body: { name: 'Fire' } });
  for (let number = 0; number < 40; number++) {
    await station.ok('POST', '/news/', {
      as,
      body: { values: { title: `Task ${number}`, news_type_id: Number(newstype.id) } },
    });
  }
  await station.ok('POST', '/cars', { as, body: { name: 'Engine 1', glonassId: 77 } });
  const records = TIMES.map((time, index) => ({
    glonassId: 77,
    time,
    lat: 50 + index / 10_000,
    lon: 10,
    speed: 30,
    direction: 0,
  }));
  await station.ok('POST', '/telemetry', { as, body: records });
  await station.stop();
});
afterAll(() => rmSync(template, { recursive: true, force: true }));

function copyOfTemplate(): string {
  const directory = mkdtempSync(join(tmpdir(), 'waypost-damaged-'));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  cpSync(template, directory, { recursive: true });
  return directory;
}

/** Each round starts a station. */
const ROUNDS = times(10, 500);

function placesOf(bytes: Buffer, text: string): number[] {
  const places: number[] = [];
  for (let at = bytes.indexOf(text); at >= 0; at = bytes.indexOf(text, at + 1)) places.push(at);
  return places;
}

function overwrite(path: string, at: number, bytes: Buffer): void {
  const file = openSync(path, 'r+');
  writeSync(file, bytes, 0, bytes.length, at);
  closeSync(file);
}

const garbage = (chance: Chance, length: number) => Buffer.from(Array.from({ length }, () => chance.int(256)));

test(`20 wrong bytes anywhere in station.db: the station starts, or says the file in words (WAYPOST_SEED=${SEED})`, async () => {
  const chance = new Chance();
  const directory = copyOfTemplate();
  const path = join(directory, 'station.db');
  const size = statSync(path).size;
  const records = placesOf(readFileSync(path), '"id":');
  let refused = 0;
  for (let round = 0; round < ROUNDS; round++) {
    copyFileSync(join(template, 'station.db'), path);
    for (const suffix of ['-wal', '-shm']) rmSync(path + suffix, { force: true });
    // Every other time in the records: most of the file is not.
    const at = round % 2 === 0 ? chance.int(size - 20) : records[chance.int(records.length)]!;
    overwrite(path, at, garbage(chance, 20));
    try {
      const station = await tryStation({ data: directory });
      await station.stop();
    } catch (error) {
      expect({
        round,
        at,
        name: (error as Error).name,
        message: (error as Error).message,
        stack: (error as Error).stack,
      }).toMatchObject({
        name: 'DamagedDatabase',
        message: expect.stringContaining(path),
      });
      refused++;
    }
  }
  expect(refused).toBeGreaterThan(0);
});

test('a record of station.db that is not JSON any more is named', async () => {
  const directory = copyOfTemplate();
  const path = join(directory, 'station.db');
  const at = readFileSync(path).indexOf('"title":"Task 7"');
  expect(at).toBeGreaterThan(0);
  overwrite(path, at, Buffer.from('x'.repeat(10)));
  await expect(tryStation({ data: directory })).rejects.toMatchObject({
    name: 'DamagedDatabase',
    message: expect.stringMatching(/station\.db is damaged: the record \S+ of tasks cannot be read.*waypost restore/s),
  });
});

test('a user’s text that begins like JSON is not damage: a failed start gives its own reason', async () => {
  const directory = copyOfTemplate();
  const path = join(directory, 'station.db');
  const sql = new DatabaseSync(path);
  sql.prepare("INSERT INTO sign_in_failures VALUES ('login:[x', '[x', ?)").run(Date.now());
  sql.close();
  const reason = new Error('No certificate can be made.');
  expect(describeDamage(path, reason)).toBe(reason);
});

test('a failed first start gives its own reason, also on a full disk', () => {
  const directory = mkdtempSync(join(tmpdir(), 'waypost-new-'));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  const path = join(directory, 'station.db');
  writeFileSync(path, '');
  for (const reason of [
    new Error('No certificate can be made.'),
    Object.assign(new Error('database or disk is full'), { errcode: 13 }),
  ]) {
    expect(describeDamage(path, reason)).toBe(reason);
  }
});

test('a damaged tracks.db is set aside: the station starts, says so, dispatches and takes positions in', async () => {
  for (const damage of [
    (path: string) => writeFileSync(path, 'no database'.repeat(5000)),
    (path: string) => writeFileSync(path, readFileSync(path).subarray(0, 5000)),
    (path: string) => overwrite(path, Math.floor(statSync(path).size / 2), Buffer.alloc(6000, 0x5a)),
    (path: string) => overwrite(path, 0, Buffer.alloc(100)),
  ]) {
    const directory = copyOfTemplate();
    const path = join(directory, 'tracks.db');
    for (const suffix of ['-wal', '-shm']) rmSync(path + suffix, { force: true });
    damage(path);
    const damaged = readFileSync(path);
    const station = await tryStation({ data: directory });
    try {
      const aside = readdirSync(directory).find((name) => name.startsWith('tracks.damaged-') && name.endsWith('.db'))!;
      expect(readFileSync(join(directory, aside)).equals(damaged)).toBe(true);
      const health = await station.ok('GET', '/health');
      expect(health).toMatchObject({
        status: 'degraded',
        problems: [{ code: 'tracks.set-aside', text: expect.stringContaining(aside) }],
      });
      const as = await station.signIn();
      expect((await station.ok('GET', '/news/count', { as })).countNews).toBe(40);
      const log: { message: string }[] = await station.ok('GET', '/log/app?minLevel=ERROR', { as });
      expect(log.map(({ message }) => message)).toContainEqual(expect.stringContaining(aside));

      const now = Date.now();
      const record = { glonassId: 77, lat: 51, lon: 11, speed: 10, direction: 0 };
      const taken = await station.ok('POST', '/telemetry', {
        as,
        body: [
          { ...record, time: now },
          { ...record, time: TIMES[5]! },
        ],
      });
      expect(taken).toMatchObject({
        accepted: 1,
        quarantined: [{ index: 1, reason: expect.stringContaining('set aside') }],
      });
      const [{ id }] = await station.ok('GET', '/cars', { as });
      expect(await station.ok('GET', `/cars/${id}/track?from=0&till=${now + 1}`, { as })).toMatchObject([
        { time: now, lat: 51 },
      ]);
    } finally {
      await station.stop();
    }
    const again = await tryStation({ data: directory });
    expect((await again.ok('GET', '/health')).status).toBe('degraded');
    expect(
      readdirSync(directory).filter((name) => name.startsWith('tracks.damaged-') && name.endsWith('.db')),
    ).toHaveLength(1);
    await again.stop();
  }
});

test('readable last states, retention rules and quarantine entries are copied into the new tracks.db', async () => {
  const directory = copyOfTemplate();
  const path = join(directory, 'tracks.db');
  const at = readFileSync(path).indexOf('CREATE TABLE tracks');
  expect(at).toBeGreaterThan(0);
  const pages = statSync(path).size / 4096;
  // The pages of the track itself are behind those of the other tables' roots: the last one holds positions
  // alone.
  overwrite(path, (pages - 1) * 4096, Buffer.alloc(4096, 0x5a));
  const station = await tryStation({ data: directory });
  try {
    const as = await station.signIn();
    expect((await station.ok('GET', '/health')).status).toBe('degraded');
    const [{ id }] = await station.ok('GET', '/cars', { as });
    expect(await station.ok('GET', `/cars/${id}`, { as })).toMatchObject({ info: { odometr: expect.closeTo(2.2, 1) } });
  } finally {
    await station.stop();
  }
});

test('a damaged month of tracks: the station serves the other months, names it, and `check` names it, too', async () => {
  const directory = copyOfTemplate();
  const monthsAgo = (months: number) => {
    const now = new Date();
    return Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - months, 2);
  };
  const [older, newer] = [monthsAgo(8), monthsAgo(7)] as [number, number];
  const nameOf = (time: number) => `${new Date(time).toISOString().slice(0, 7)}.db`;
  const first = await tryStation({ data: directory });
  const id = await first.signIn().then(async (as) => (await first.ok('GET', '/cars', { as }))[0].id as number);
  await first.stop();
  mkdirSync(join(directory, 'tracks'), { recursive: true });
  for (const begin of [older, newer]) {
    const db = openMonthForWriting(join(directory, 'tracks', nameOf(begin)));
    const insert = db.prepare("INSERT INTO tracks VALUES (?, ?, 0, 50, 10, 1, 0, 0, NULL, NULL, 0, 0, '', 0, NULL)");
    db.exec('BEGIN');
    for (let second = 0; second < 2000; second++) insert.run(id, begin + second * 1000);
    db.exec('COMMIT; PRAGMA wal_checkpoint(TRUNCATE)');
    db.close();
  }
  const head = new DatabaseSync(join(directory, 'tracks.db'));
  for (const begin of [older, newer]) listMonth(head, monthOf(begin));
  head.close();
  const path = join(directory, 'tracks', nameOf(older));
  overwrite(path, 4096, Buffer.alloc(statSync(path).size - 4096, 0x5a));
  const name = `tracks/${nameOf(older)}`;
  expect(await checkDirectory(directory)).toMatchObject([{ file: name, problems: [expect.any(String)] }]);

  const station = await tryStation({ data: directory });
  try {
    const as = await station.signIn();
    const pointsFrom = (from: number, until: number) =>
      station.ask('GET', `/cars/${id}/track?from=${from}&till=${until}`, { as });
    const whole = await pointsFrom(newer, newer + 3_600_000);
    expect([whole.status, whole.json().length > 0]).toEqual([200, true]);
    const broken = await pointsFrom(older, older + 3_600_000);
    expect(broken.status === 200 || broken.headers.get('waypost-refusal') !== null, broken.text).toBe(true);
    await expect
      .poll(async () => (await station.ok('GET', '/health')).problems, { timeout: 20_000 })
      .toMatchObject([{ code: 'tracks.set-aside', text: expect.stringContaining(nameOf(older).slice(0, 7)) }]);
    expect((await pointsFrom(older, older + 3_600_000)).json()).toEqual([]);
    expect((await pointsFrom(newer, newer + 3_600_000)).json()).toHaveLength(whole.json().length);
    expect((await pointsFrom(TIMES[0]!, Date.now())).json().length).toBeGreaterThan(0);
    expect((await station.ok('GET', '/news/count', { as })).countNews).toBe(40);
  } finally {
    await station.stop();
  }
  const [aside] = await checkDirectory(directory);
  expect(aside).toMatchObject({ file: expect.stringMatching(new RegExp(`^${name.slice(0, -3)}\\.damaged-`)) });
  const { mended } = await salvageDirectory(directory, { backups: join(directory, 'backups') });
  expect(mended).toContain(name);
  expect(await checkDirectory(directory)).toEqual([]);
});
