import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { gunzipSync } from 'node:zlib';
import { Decrypter, generateX25519Identity, identityToRecipient } from 'age-encryption';
import { expect, test } from 'vitest';
import { decryptStream, encryptStream } from '../../../server/store/backup/age-stream.ts';
import { startBackupJob } from '../../../server/store/backup/backup-thread.ts';
import { keptBackups } from '../../../server/store/backup/kept-backups.ts';
import { newId, Repository } from '../../../server/store/backup/repository.ts';
import { foundBackups } from '../../../server/store/backup/restore-sources.ts';
import { runBackup, type BackupSettings } from '../../../server/store/backup/run-backup.ts';
import { isStale, nextBackup } from '../../../server/store/backup/schedule.ts';
import { confirmStaged, stageRestore } from '../../../server/store/backup/staged-restore.ts';
import { backupDirectory, openStore, restoreDirectory } from '../../../server/store/index.ts';
import { Chance, SEED } from '../../support/chance.ts';
import { categories, category, temporaryDirectory } from './open-store.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const NOW = Date.UTC(2026, 10, 25, 3);
const quiet = () => undefined;

/** A data directory of a stopped station with one category, an upload, settings and tracks. */
async function stationDirectory(): Promise<string> {
  const directory = temporaryDirectory();
  const store = await openStore({ directory });
  await categories(store).insert(category(store, { name: 'In the backup' }));
  await store.close();
  writeFileSync(join(directory, 'station.json'), '{"name":"North"}');
  upload(directory, Buffer.alloc(50_000, 1));
  for (const folder of ['tls', 'territory/one']) mkdirSync(join(directory, folder), { recursive: true });
  writeFileSync(join(directory, 'tls', 'key.pem'), 'a key');
  writeFileSync(join(directory, 'territory', 'one', 'roads.bin'), Buffer.alloc(1_200_000, 2));
  for (const name of ['tracks.db', 'speeds.db']) {
    const sql = new DatabaseSync(join(directory, name));
    sql.exec('CREATE TABLE points (id INTEGER PRIMARY KEY, what TEXT); CREATE INDEX whats ON points (what)');
    const insert = sql.prepare('INSERT INTO points (what) VALUES (?)');
    for (let number = 0; number < 500; number++) insert.run(`point ${number} ${'x'.repeat(100)}`);
    sql.close();
  }
  return directory;
}

/** What a gzip holds: a wrong bit in the time in its head, or in the gap before its end, changes nothing of it. */
function unzipped(gzip: Buffer): Buffer | undefined {
  try {
    return gunzipSync(gzip);
  } catch {
    return undefined;
  }
}

function upload(directory: string, bytes: Buffer): string {
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  mkdirSync(join(directory, 'files', sha256.slice(0, 2)), { recursive: true });
  writeFileSync(join(directory, 'files', sha256.slice(0, 2), sha256), bytes);
  return join('files', sha256.slice(0, 2), sha256);
}

function settingsOf(directory: string, over: Partial<BackupSettings> = {}): BackupSettings {
  return {
    directory,
    folder: join(directory, 'backups'),
    second: null,
    passphrase: null,
    territory: true,
    version: '1.0.0',
    workFactor: 4,
    ...over,
  };
}

/** Every file of a folder with its content, without what a station makes for itself. */
function contentOf(directory: string): Record<string, string> {
  return Object.fromEntries(
    readdirSync(directory, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name))
      .filter((path) => !/station\.(db|lock)|-wal$|-shm$|\/backups/.test(path.slice(directory.length)))
      .map((path) => [path.slice(directory.length + 1), readFileSync(path).toString('base64')])
      .sort(),
  );
}

async function namesIn(directory: string): Promise<string[]> {
  const store = await openStore({ directory });
  const names = categories(store)
    .all()
    .map(({ name }) => name);
  await store.close();
  return names;
}

/** Objects of a repository: path and inode. */
function objectsOf(folder: string): string[] {
  return readdirSync(join(folder, 'objects'), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
}

test('a backup in a folder holds everything and comes back whole; the second one adds only what changed', async () => {
  const directory = await stationDirectory();
  const settings = settingsOf(directory);
  const first = await runBackup(settings, NOW, quiet);
  expect(first.notes.failure).toBeUndefined();
  expect(first.first).toMatchObject({ problems: [], backups: [{ problems: [], damaged: false, encrypted: false }] });
  // The upload and the roads are second names of the same bytes on the disk.
  const linked = objectsOf(settings.folder).filter((path) => statSync(path).nlink === 2);
  expect(linked).toHaveLength(2);

  const added = upload(directory, Buffer.alloc(10_000, 3));
  const before = new Set(objectsOf(settings.folder));
  await runBackup(settings, NOW + DAY, quiet);
  const fresh = objectsOf(settings.folder).filter((path) => !before.has(path));
  expect(fresh.length).toBeLessThanOrEqual(2); // the upload, and station.db

  const into = temporaryDirectory();
  await restoreDirectory(settings.folder, into);
  expect(await namesIn(into)).toEqual(['In the backup']);
  const restored = contentOf(into);
  for (const name of [added, 'station.json', 'tls/key.pem', 'territory/one/roads.bin'])
    expect(restored[name], name).toBe(contentOf(directory)[name]);
  for (const name of ['tracks.db', 'speeds.db']) expect(rowsOf(join(into, name))).toBe(500);
  // It is no second name of what is in the repository.
  expect(statSync(join(into, 'territory/one/roads.bin')).nlink).toBe(1);
});

test('of the territories the one in use is in a backup, and none that stays only to go back to', async () => {
  const directory = await stationDirectory();
  for (const name of ['1700000000000-0', '1700000000001-0']) {
    mkdirSync(join(directory, 'territory', name));
    writeFileSync(join(directory, 'territory', name, 'roads.bin'), name);
  }
  writeFileSync(join(directory, 'territory', 'current'), '1700000000001-0\n');
  writeFileSync(join(directory, 'territory', 'previous'), '1700000000000-0\n');
  const settings = settingsOf(directory);
  await runBackup(settings, NOW, quiet);
  const into = temporaryDirectory();
  await restoreDirectory(settings.folder, into);
  const restored = Object.keys(contentOf(into)).filter((name) => name.startsWith('territory/1'));
  expect(restored).toEqual(['territory/1700000000001-0/roads.bin']);
});

function rowsOf(path: string): number {
  const sql = new DatabaseSync(path, { readOnly: true });
  try {
    return (sql.prepare('SELECT count(*) AS count FROM points').get() as { count: number }).count;
  } finally {
    sql.close();
  }
}

test('an encrypted backup shows neither names nor contents, opens with its passphrase alone, and tells a wrong one', async () => {
  const directory = await stationDirectory();
  const settings = settingsOf(directory, { passphrase: 'correct horse battery' });
  await runBackup(settings, NOW, quiet);
  const [found] = await foundBackups(directory);
  expect(found).toMatchObject({ encrypted: true, isWhole: true });
  expect(readFileSync(found!.from, 'utf8')).not.toMatch(/key\.pem|station\.db/);
  for (const path of objectsOf(settings.folder))
    expect(readFileSync(path).subarray(0, 21).toString()).toBe('age-encryption.org/v1');

  const into = temporaryDirectory();
  await expect(restoreDirectory(found!.from, into)).rejects.toMatchObject({ code: 'backup.passphraseNeeded' });
  await expect(restoreDirectory(found!.from, into, { passphrase: 'wrong horse battery' })).rejects.toMatchObject({
    code: 'backup.passphraseWrong',
  });
  expect(readdirSync(into)).toEqual(['station.lock']);
  await restoreDirectory(found!.from, into, { passphrase: 'correct horse battery' });
  expect(await namesIn(into)).toEqual(['In the backup']);
  expect(readFileSync(join(into, 'tls', 'key.pem'), 'utf8')).toBe('a key');

  // Another passphrase begins with a key of its own; what was made before keeps its own.
  await runBackup({ ...settings, passphrase: 'another horse battery' }, NOW + DAY, quiet);
  const [newer, older] = await foundBackups(directory);
  for (const [from, passphrase] of [
    [newer!.from, 'another horse battery'],
    [older!.from, 'correct horse battery'],
  ] as const) {
    const again = temporaryDirectory();
    await restoreDirectory(from, again, { passphrase });
    expect(await namesIn(again)).toEqual(['In the backup']);
  }
});

test('age’s own reader reads what we encrypt, and we read what it encrypts, at the edges of its chunks', async () => {
  const identity = await generateX25519Identity();
  const recipient = await identityToRecipient(identity);
  for (const length of [0, 1, 65_535, 65_536, 65_537, 131_072]) {
    const bytes = Buffer.alloc(length, 7);
    const ours = await bytesOf(encryptStream(pieces(bytes, 10_000), recipient));
    const decrypter = new Decrypter();
    decrypter.addIdentity(identity);
    expect(Buffer.from(await decrypter.decrypt(ours)).equals(bytes)).toBe(true);
    const theirs = await bytesOf(encryptStream(pieces(bytes, 10_000), recipient, false));
    expect((await bytesOf(decryptStream(pieces(theirs, 777), identity))).equals(bytes)).toBe(true);
    // Without its end, and with its chunks in another order, it is refused.
    for (const native of [true, false])
      await expect(bytesOf(decryptStream(pieces(ours.subarray(0, -1), 777), identity, native))).rejects.toThrow();
  }
  const three = await bytesOf(encryptStream(pieces(Buffer.alloc(196_608, 7), 10_000), recipient));
  const chunk = 65_552;
  const begin = three.length - 3 * chunk;
  const swapped = Buffer.concat([
    three.subarray(0, begin),
    three.subarray(begin + chunk, begin + 2 * chunk),
    three.subarray(begin, begin + chunk),
    three.subarray(begin + 2 * chunk),
  ]);
  await expect(bytesOf(decryptStream(pieces(swapped, 777), identity))).rejects.toThrow();
  await expect(bytesOf(decryptStream(pieces(three.subarray(0, -chunk), 777), identity))).rejects.toThrow();
});

async function* pieces(bytes: Buffer, size: number): AsyncGenerator<Buffer> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

async function bytesOf(stream: AsyncIterable<Buffer>): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(chunk);
  return Buffer.concat(chunks);
}

test(`a wrong bit of what a backup holds is found: by the restore, and by the backups of a week (WAYPOST_SEED=${SEED})`, async () => {
  const chance = new Chance();
  const directory = await stationDirectory();
  for (const passphrase of [null, 'correct horse battery']) {
    const settings = settingsOf(directory, { folder: join(temporaryDirectory(), 'backups'), passphrase, second: null });
    await runBackup(settings, NOW, quiet);
    const [found] = await foundBackups(settings.folder);
    const keys = readdirSync(join(settings.folder, 'keys')).map((name) => join(settings.folder, 'keys', name));
    for (const path of [...objectsOf(settings.folder), found!.from, ...keys]) {
      const good = readFileSync(path);
      const bad = Buffer.from(good);
      const at = chance.int(bad.length - 1);
      bad[at] = bad[at]! ^ (1 << chance.int(7));
      if (path.endsWith('.gz') && unzipped(bad)?.equals(gunzipSync(good))) continue;
      // A second name of a file of the station must not change that file.
      renameSync(path, `${path}.good`);
      writeFileSync(path, bad);
      const into = temporaryDirectory();
      await expect(restoreDirectory(found!.from, into, { passphrase }), `${path} at ${at}`).rejects.toMatchObject({
        name: 'Refusal',
      });
      expect(readdirSync(into)).toEqual(['station.lock']);
      renameSync(`${path}.good`, path);
    }

    if (passphrase !== null) continue;
    const [victim] = objectsOf(settings.folder);
    const bad = Buffer.from(readFileSync(victim!));
    bad[Math.floor(bad.length / 2)]! ^= 1;
    rmSync(victim!);
    writeFileSync(victim!, bad);
    let told = 0;
    for (let day = 1; day <= 7; day++) {
      const { first } = await runBackup(settings, NOW + day * DAY, quiet);
      told += first.problems.filter(({ code }) => code === 'backup.damagedObjects').length;
    }
    expect(told).toBe(1);
    const into = temporaryDirectory();
    await restoreDirectory(settings.folder, into, { passphrase });
    expect(await namesIn(into)).toEqual(['In the backup']);
  }
});

test('a second place gets every backup and its keys; when it is gone, the first one is made all the same and says so', async () => {
  const directory = await stationDirectory();
  const disk = temporaryDirectory();
  const settings = settingsOf(directory, { second: disk, passphrase: 'correct horse battery' });
  expect((await runBackup(settings, NOW, quiet)).notes).toMatchObject({ secondAt: NOW });
  const into = temporaryDirectory();
  await restoreDirectory(disk, into, { passphrase: 'correct horse battery' });
  expect(await namesIn(into)).toEqual(['In the backup']);

  const away = join(temporaryDirectory(), 'away');
  const [folder] = readdirSync(disk);
  renameSync(join(disk, folder!), away); // an empty mount point
  const gone = await runBackup(settings, NOW + DAY, quiet);
  expect(gone.first.backups).toHaveLength(2);
  expect(gone.notes).toMatchObject({ secondAt: NOW, secondFailure: { code: 'backup.placeGone' } });
  expect(readdirSync(disk)).toEqual([]);
  rmSync(disk, { recursive: true });
  expect((await runBackup({ ...settings, second: join(disk, 'sub') }, NOW + 2 * DAY, quiet)).notes).toMatchObject({
    secondFailure: { code: 'backup.placeMissing' },
  });

  mkdirSync(disk);
  renameSync(away, join(disk, folder!));
  const back = await runBackup(settings, NOW + 3 * DAY, quiet);
  expect(back.notes.secondFailure).toBeUndefined();
  expect(back.second?.backups.map(({ id }) => id)).toEqual(back.first.backups.map(({ id }) => id));
});

test('a damaged tracks.db is left out and named, a damaged upload comes from the backups before, station.db is refused', async () => {
  const directory = await stationDirectory();
  const settings = settingsOf(directory, { folder: join(temporaryDirectory(), 'backups') });
  const file = join(directory, upload(directory, Buffer.alloc(20_000, 9)));
  await runBackup(settings, NOW, quiet);
  const tracks = readFileSync(join(directory, 'tracks.db'));
  tracks.fill(0x5a, 4096, 12_000);
  writeFileSync(join(directory, 'tracks.db'), tracks);
  rmSync(file);
  writeFileSync(file, 'other bytes');
  const report = await runBackup(settings, NOW + DAY, quiet);
  expect(report.notes.failure).toBeUndefined();
  expect(report.first.backups[0]!.problems).toMatchObject([{ code: 'backup.leftOut', params: { file: 'tracks.db' } }]);
  const into = temporaryDirectory();
  await restoreDirectory(settings.folder, into);
  expect(readFileSync(join(into, file.slice(directory.length))).equals(Buffer.alloc(20_000, 9))).toBe(true);

  const station = readFileSync(join(directory, 'station.db'));
  station.fill(0x5a, 8192);
  writeFileSync(join(directory, 'station.db'), station);
  const failed = await runBackup(settings, NOW + 2 * DAY, quiet);
  expect(failed.notes.failure?.code).toBe('backup.stationDamaged');
  expect(failed.first.backups).toHaveLength(2);
});

test('of the files of months only those that changed are copied, and a restore puts them in place of those that are there', async () => {
  const directory = await stationDirectory();
  const folder = join(temporaryDirectory(), 'backups');
  const settings = settingsOf(directory, { folder });
  const months = ['tracks/2026-10.db', 'tracks/2026-11.db'];
  mkdirSync(join(directory, 'tracks'));
  for (const name of months) copyFileSync(join(directory, 'tracks.db'), join(directory, name));
  const aside = 'tracks/2026-09.damaged-2026-11-23T06-17-00.000Z.db';
  writeFileSync(join(directory, aside), 'damaged');
  const add = (name: string) => {
    const sql = new DatabaseSync(join(directory, name));
    sql.exec("INSERT INTO points (what) VALUES ('one more')");
    sql.close();
  };
  for (const name of months) add(name);
  add(months[0]!);
  await runBackup(settings, NOW, quiet);
  const before = new Set(objectsOf(folder));
  const path = join(directory, months[0]!);
  utimesSync(path, 1_700_000_000, 1_700_000_000);
  add(months[1]!);
  await runBackup(settings, NOW + DAY, quiet);
  expect(objectsOf(folder).filter((path) => !before.has(path)).length).toBeLessThanOrEqual(2); // and station.db

  // A month that did not change is not even read.
  const whole = readFileSync(path);
  writeFileSync(path, Buffer.from(whole).fill(0x5a, 4096, 12_000));
  utimesSync(path, 1_700_000_000, 1_700_000_000);
  expect((await runBackup(settings, NOW + DAY + HOUR, quiet)).first.backups[0]!.problems).toEqual([]);
  writeFileSync(path, whole);

  const into = temporaryDirectory();
  mkdirSync(join(into, 'tracks'));
  writeFileSync(join(into, 'tracks', '2026-01.db'), 'of another station');
  writeFileSync(join(into, 'tracks.db'), 'of another station');
  const { before: kept } = await restoreDirectory(folder, into, { confirmed: true });
  expect(readdirSync(join(into, 'tracks')).sort()).toEqual([...months, aside].map((name) => name.slice(7)).sort());
  expect(months.map((name) => rowsOf(join(into, name)))).toEqual([502, 502]);
  expect(readFileSync(join(kept!, 'tracks', '2026-01.db'), 'utf8')).toBe('of another station');

  const zip = join(temporaryDirectory(), 'backup.zip');
  await backupDirectory(directory, zip);
  const fromZip = join(temporaryDirectory(), 'new');
  await restoreDirectory(zip, fromZip);
  expect(months.map((name) => rowsOf(join(fromZip, name)))).toEqual([502, 502]);

  // Damage of one month leaves the others in the backup.
  writeFileSync(path, readFileSync(path).fill(0x5a, 4096, 12_000));
  const report = await runBackup(settings, NOW + 2 * DAY, quiet);
  expect(report.first.backups[0]!.problems).toMatchObject([{ code: 'backup.leftOut', params: { file: months[0] } }]);
  const without = temporaryDirectory();
  await restoreDirectory(folder, without);
  expect(existsSync(join(without, months[0]!))).toBe(false);
  expect(rowsOf(join(without, months[1]!))).toBe(502);
});

test('a folder with the backups of another station is refused, and nothing in it is removed', async () => {
  const directory = await stationDirectory();
  const settings = settingsOf(directory, { folder: join(temporaryDirectory(), 'backups') });
  await runBackup(settings, NOW, quiet);
  const other = await stationDirectory();
  const report = await runBackup({ ...settings, directory: other }, NOW + 400 * DAY, quiet);
  expect(report.notes.failure?.code).toBe('backup.otherStation');
  expect(report.first.backups).toHaveLength(1);
});

test('a backup that is ended in the middle leaves the older ones whole, and the next one clears up', async () => {
  const directory = await stationDirectory();
  const settings = settingsOf(directory);
  await runBackup(settings, NOW, quiet);
  // Ended while it copies a database, and while it stores files.
  for (const step of ['station.db', 'files']) {
    upload(directory, Buffer.alloc(3_000_000, step));
    const reached = Promise.withResolvers<void>();
    const job = startBackupJob({ kind: 'make', settings, now: NOW + HOUR }, (at) => at === step && reached.resolve());
    const ended = job.result.catch((error: unknown) => error);
    await reached.promise;
    await job.end();
    expect(await ended).toMatchObject({ code: 'platform.closed' });
    const [newest] = await foundBackups(directory);
    await restoreDirectory(newest!.from, temporaryDirectory());
  }
  const report = await runBackup(settings, NOW + 2 * HOUR, quiet);
  expect(report.notes.failure).toBeUndefined();
  const left = readdirSync(settings.folder, { recursive: true }).filter((name) => /\.(new-|making)/.test(String(name)));
  expect(left).toEqual([]);
  const named = new Set<string>();
  const repository = await Repository.open(settings.folder);
  for (const id of await repository.ids()) for (const name of (await repository.manifest(id)).objects) named.add(name);
  expect(objectsOf(settings.folder).map((path) => path.split('/').at(-1)!)).toEqual([...named].sort());
});

test('a restore that a running station has prepared is put in place by the next start, also after a break in the middle', async () => {
  const directory = await stationDirectory();
  const settings = settingsOf(directory, { folder: join(temporaryDirectory(), 'backups') });
  await runBackup(settings, NOW, quiet);
  const empty = temporaryDirectory();
  await (await openStore({ directory: empty })).close();
  writeFileSync(join(empty, 'tracks.db'), 'the tracks of the empty station');
  await stageRestore(settings.folder, empty, null, quiet);
  // A kill before the confirmation: the station starts as it was.
  expect(await namesIn(empty)).toEqual([]);
  expect(existsSync(join(empty, '.restore-staging'))).toBe(false);

  await stageRestore(settings.folder, empty, null, quiet);
  await confirmStaged(empty);
  // A kill after the first renames.
  const { before } = JSON.parse(readFileSync(join(empty, '.restoring', 'ready'), 'utf8')) as { before: string };
  mkdirSync(join(empty, before));
  for (const name of ['station.db', 'tracks.db']) renameSync(join(empty, name), join(empty, before, name));
  renameSync(join(empty, '.restoring', 'station.db'), join(empty, 'station.db'));
  expect(await namesIn(empty)).toEqual(['In the backup']);
  expect(rowsOf(join(empty, 'tracks.db'))).toBe(500);
  expect(readFileSync(join(empty, before, 'tracks.db'), 'utf8')).toBe('the tracks of the empty station');
  expect(existsSync(join(empty, '.restoring'))).toBe(false);
});

test('7 daily and 4 weekly backups are kept; one that is not whole goes when a whole one is newer', () => {
  const made = Array.from({ length: 60 }, (_, day) => [
    { id: newId(NOW + day * DAY), isWhole: true },
    { id: newId(NOW + day * DAY + HOUR), isWhole: day % 2 === 0 },
  ]).flat();
  const kept = keptBackups(made);
  const last = NOW + 59 * DAY;
  // One for each day, and the last one, which is not whole.
  expect([...kept].filter((id) => id >= newId(last - 6 * DAY - HOUR).slice(0, 16)).length).toBe(8);
  expect(kept.size).toBeLessThanOrEqual(12);
  expect(kept.size).toBeGreaterThanOrEqual(10);
  expect(
    keptBackups([
      { id: newId(NOW), isWhole: false },
      { id: newId(NOW + DAY), isWhole: true },
    ]).size,
  ).toBe(1);
  expect(keptBackups([])).toEqual(new Set());
});

test('a backup is due at its time of day; a missed one at once, a failed one an hour later', () => {
  const at = (day: number, hours: number, minutes = 0) => new Date(2026, 10, day, hours, minutes).getTime();
  const facts = { time: '03:00', since: at(20, 10), lastGood: undefined, lastAttempt: undefined };
  expect(nextBackup(facts)).toBe(at(21, 3));
  expect(nextBackup({ ...facts, lastGood: at(21, 3) })).toBe(at(22, 3));
  expect(nextBackup({ ...facts, lastGood: at(21, 2, 59) })).toBe(at(21, 3));
  expect(nextBackup({ ...facts, lastGood: at(21, 3), lastAttempt: at(24, 3) })).toBe(at(24, 4));
  expect(nextBackup({ ...facts, lastGood: at(21, 15), lastAttempt: at(21, 15) })).toBe(at(22, 3));
  expect(isStale(at(23, 3), at(20, 10), at(21, 3))).toBe(false);
  expect(isStale(at(23, 3) + 1, at(20, 10), at(21, 3))).toBe(true);
  expect(isStale(at(22, 10) + 1, at(20, 10), undefined)).toBe(true);
});

test('a zip or a folder that is not a backup is refused with the reason', async () => {
  const empty = temporaryDirectory();
  await expect(restoreDirectory(empty, temporaryDirectory())).rejects.toMatchObject({ code: 'backup.notBackup' });
  copyFileSync(import.meta.filename, join(empty, 'x.json'));
  await expect(restoreDirectory(join(empty, 'x.json'), temporaryDirectory())).rejects.toMatchObject({
    name: 'Refusal',
  });
});
