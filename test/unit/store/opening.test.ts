import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  closeSync,
  copyFileSync,
  createWriteStream,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { DatabaseSync } from 'node:sqlite';
import { pipeline } from 'node:stream/promises';
import { expect, test } from 'vitest';
import { ZipFile } from 'yazl';
import { DamagedDatabase } from '../../../server/platform/disk/damaged-database.ts';
import { backupDirectory, openStore, restoreDirectory, integrityErrors } from '../../../server/store/index.ts';
import { copyBeforeMigration } from '../../../server/store/migrations/copy-before.ts';
import { migrate, MIGRATIONS } from '../../../server/store/migrations/index.ts';
import { categories, category, comment, temporaryDirectory, temporaryStore } from './open-store.ts';

test('a data directory is opened once; the refusal names who has it', async () => {
  const directory = temporaryDirectory();
  const { stationId } = await temporaryStore({ directory });
  await expect(openStore({ directory })).rejects.toMatchObject({
    kind: 'busy',
    message: expect.stringContaining(`(station ${stationId} with the number 0, process ${process.pid} on `),
  });
  await expect(restoreDirectory('/nowhere.zip', directory)).rejects.toMatchObject({ kind: 'busy' });
});

test('the lock ends with the process that holds it, however that ends', async () => {
  const directory = temporaryDirectory();
  const door = new URL('../../../server/store/index.ts', import.meta.url).href;
  const holder = spawn(process.execPath, [
    '--input-type=module',
    '-e',
    `const { openStore } = await import(${JSON.stringify(door)}); await openStore({ directory: ${JSON.stringify(directory)} }); console.log('open'); setInterval(() => {}, 1000);`,
  ]);
  await once(holder.stdout, 'data');
  await expect(openStore({ directory })).rejects.toThrow(`process ${holder.pid} on `);
  holder.kill('SIGKILL');
  await once(holder, 'exit');
  await temporaryStore({ directory });
});

test('a large database that is refused while it is still looked through is refused in words, too', async () => {
  const directory = temporaryDirectory();
  const store = await openStore({ directory });
  await store.writePlain((sql) =>
    sql.exec(
      "CREATE TABLE ballast (text TEXT UNIQUE); WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1000000) INSERT INTO ballast SELECT hex(i * 7919) || printf('%020d', i) FROM n",
    ),
  );
  await store.close();
  alter(
    join(directory, 'station.db'),
    `UPDATE "station._rxdb_internal.0" SET data = json_set(data, '$.data.schemaHash', 'x', '$.data.schema.properties.mood', json('{"type":"string"}')) WHERE data ->> '$.key' = 'comments-0'`,
  );
  const door = new URL('../../../server/store/index.ts', import.meta.url).href;
  // In a process of its own: it ended in silence when nothing but the thread that looks for damage was left
  // to wait for.
  const script = join(temporaryDirectory(), 'open.mjs');
  writeFileSync(
    script,
    `import { openStore } from ${JSON.stringify(door)};\nawait openStore({ directory: ${JSON.stringify(directory)} }).catch((error) => console.log(error.message));`,
  );
  const opening = spawn(process.execPath, [script]);
  let said = '';
  opening.stdout.on('data', (bytes) => (said += bytes));
  const [code] = await once(opening, 'close');
  expect([code, said]).toEqual([0, expect.stringMatching(/^The comments in .* with other fields/)]);
});

test('what the last run left in the log is in the file itself before anything is acknowledged: the disk may not have had it', async () => {
  const directory = temporaryDirectory();
  const store = await openStore({ directory });
  await categories(store).insert(category(store, { name: 'Water' }));
  // The process dies; the system still shows its log.
  const after = temporaryDirectory();
  for (const file of ['station.db', 'station.db-wal']) copyFileSync(join(directory, file), join(after, file));
  await store.close();
  const left = statSync(join(after, 'station.db-wal')).size;
  expect(left).toBeGreaterThan(0);
  const alone = temporaryDirectory();
  const again = await openStore({ directory: after });
  copyFileSync(join(after, 'station.db'), join(alone, 'station.db'));
  // The log begins again: nothing that is written from now on stands behind what the disk may lack.
  expect(statSync(join(after, 'station.db-wal')).size).toBeLessThan(left);
  await again.close();
  expect(
    categories(await temporaryStore({ directory: alone }))
      .all()
      .map(({ name }) => name),
  ).toEqual(['Water']);
});

test('a directory stays what it was made as', async () => {
  const directory = temporaryDirectory();
  const store = await temporaryStore({ directory, stationNumber: 3 });
  const { stationId } = store;
  const { epoch } = store.feed;
  await store.close();
  await expect(openStore({ directory, stationNumber: 4 })).rejects.toThrow(/station number 3 .* as number 4/);
  await expect(openStore({ directory: temporaryDirectory(), stationNumber: 214 })).rejects.toMatchObject({
    kind: 'invalid',
  });
  const again = await temporaryStore({ directory });
  expect([again.stationId, again.stationNumber, again.feed.epoch]).toEqual([stationId, 3, epoch]);
});

test('closing twice is fine, and what was written before is there', async () => {
  const directory = temporaryDirectory();
  const store = await temporaryStore({ directory });
  const inserting = categories(store).insert(category(store));
  await Promise.all([inserting, store.close()]);
  await store.close();
  await expect(categories(store).insert(category(store))).rejects.toThrow();
  expect(categories(await temporaryStore({ directory })).count()).toBe(1);
});

test('a database that a newer program wrote is refused in words', async () => {
  const directory = temporaryDirectory();
  await (await openStore({ directory })).close();
  const sql = new DatabaseSync(join(directory, 'station.db'));
  sql.exec('PRAGMA user_version = 900');
  sql.close();
  await expect(openStore({ directory })).rejects.toThrow(
    /^The data in station\.db was written by a newer Waypost \(version 900 of its steps/,
  );
});

test('records of a newer version, or of fields unknown here, are refused in words instead of begun again', async () => {
  const directory = temporaryDirectory();
  const store = await openStore({ directory });
  await store.records('comments').insert(comment(store));
  await store.close();
  const path = join(directory, 'station.db');
  alter(path, 'ALTER TABLE "station.comments.0" RENAME TO "station.comments.1"');
  await expect(openStore({ directory })).rejects.toThrow(/newer Waypost \(version 1 of comments/);
  alter(path, 'ALTER TABLE "station.comments.1" RENAME TO "station.comments.0"');
  alter(
    path,
    `UPDATE "station._rxdb_internal.0" SET data = json_set(data, '$.data.schemaHash', 'x', '$.data.schema.properties.mood', json('{"type":"string"}')) WHERE data ->> '$.key' = 'comments-0'`,
  );
  await expect(openStore({ directory })).rejects.toThrow(/^The comments in .* with other fields/);
});

test('a database is copied before it is converted, and the two newest copies are kept', () => {
  const directory = temporaryDirectory();
  mkdirSync(directory, { recursive: true });
  const path = join(directory, 'station.db');
  const sql = new DatabaseSync(path);
  sql.exec('CREATE TABLE a (x); INSERT INTO a VALUES (7)');
  copyBeforeMigration(sql, path);
  expect(readdirSync(directory)).toEqual(['station.db']); // it is new
  for (const step of [1, 2, 3]) {
    sql.exec(`PRAGMA user_version = ${step}`);
    copyBeforeMigration(sql, path);
  }
  sql.exec(`PRAGMA user_version = ${MIGRATIONS.length}`);
  copyBeforeMigration(sql, path);
  sql.close();
  expect(readdirSync(directory).sort()).toEqual(['station.before-step-3.db', 'station.before-step-4.db', 'station.db']);
  const copy = new DatabaseSync(join(directory, 'station.before-step-4.db'), { readOnly: true });
  expect(copy.prepare('SELECT x, user_version FROM a, pragma_user_version').get()).toEqual({ x: 7, user_version: 3 });
  copy.close();
});

test('without room for the copy nothing is converted', () => {
  const directory = temporaryDirectory();
  mkdirSync(join(directory, 'station.before-step-2.db', 'in the way'), { recursive: true });
  const sql = new DatabaseSync(join(directory, 'station.db'));
  sql.exec('CREATE TABLE a (x); PRAGMA user_version = 1');
  expect(() => copyBeforeMigration(sql, join(directory, 'station.db'))).toThrow(/could not copy it first/);
  sql.close();
});

test('a migration that fails is undone and named, and the next start tries again', () => {
  const sql = new DatabaseSync(':memory:');
  const first = { name: 'first', up: (db: DatabaseSync) => db.exec('CREATE TABLE a (x)') };
  let broken = true;
  const second = {
    name: 'second',
    up: (db: DatabaseSync) => {
      db.exec('CREATE TABLE b (x)');
      if (broken) throw new Error('no');
    },
  };
  expect(() => migrate(sql, [first, second])).toThrow(/Step 2 \(second\)/);
  const tables = () =>
    sql
      .prepare("SELECT name FROM sqlite_schema WHERE type = 'table'")
      .all()
      .map((row) => row['name']);
  expect([tables(), sql.prepare('PRAGMA user_version').get()]).toEqual([['a'], { user_version: 1 }]);
  broken = false;
  migrate(sql, [first, second]);
  expect(tables()).toEqual(['a', 'b']);
});

test('a damaged database is named, with the way to restore it, and is not touched', async () => {
  for (const damage of [
    (path: string) => writeFileSync(path, 'These are not the pages that you are looking for.'.repeat(100)),
    (path: string) => overwrite(path, Math.floor(statSync(path).size / 2), 20_000),
  ]) {
    const directory = temporaryDirectory();
    const store = await openStore({ directory });
    await store.records('comments').insertMany(Array.from({ length: 300 }, () => comment(store)));
    await store.close();
    const path = join(directory, 'station.db');
    damage(path);
    const before = readFileSync(path);
    const error = await openStore({ directory }).catch((caught: unknown) => caught);
    expect(error).toBeInstanceOf(DamagedDatabase);
    expect(String(error)).toMatch(/station\.db is damaged.*waypost restore/s);
    expect(readFileSync(path).equals(before)).toBe(true);
  }
});

test('a backup of a running station holds one moment, and restores into an empty directory with a new epoch', async () => {
  const directory = temporaryDirectory();
  const store = await temporaryStore({ directory, stationNumber: 5 });
  mkdirSync(join(directory, 'files', 'ab'), { recursive: true });
  writeFileSync(join(directory, 'files', 'ab', 'abcdef'), 'a picture');
  writeFileSync(join(directory, 'files', '.part'), 'half of one');
  const pairs = async (number: number) =>
    store.transaction(async () => {
      await categories(store).insert(category(store, { importance: number }));
      await store.records('comments').insert(comment(store, { taskId: number }));
    });
  for (let number = 0; number < 50; number++) await pairs(number);
  let writing = true;
  const writer = (async () => {
    for (let number = 50; writing; number++) await pairs(number);
  })();
  const zip = join(temporaryDirectory(), 'backup.zip');
  const note = await backupDirectory(directory, zip);
  writing = false;
  await writer;
  expect(note.station).toEqual({ id: store.stationId, number: 5 });
  expect(readdirSync(join(zip, '..'))).toEqual(['backup.zip']);
  await expect(backupDirectory(directory, zip)).rejects.toMatchObject({ kind: 'conflict' });

  const elsewhere = temporaryDirectory();
  expect(await restoreDirectory(zip, elsewhere)).toMatchObject({ before: undefined });
  expect(readFileSync(join(elsewhere, 'files', 'ab', 'abcdef'), 'utf8')).toBe('a picture');
  expect(existsSync(join(elsewhere, 'files', '.part'))).toBe(false);
  const nextId = categories(store).nextId();
  await expect(openStore({ directory: elsewhere })).rejects.toThrow(/has a store open already/);
  await store.close();
  const restored = await temporaryStore({ directory: elsewhere });
  expect(restored.stationId).toBe(store.stationId);
  expect(restored.feed.epoch).not.toBe(store.feed.epoch);
  const count = categories(restored).count();
  expect(count).toBeGreaterThanOrEqual(50);
  expect(restored.records('comments').count()).toBe(count);
  expect(categories(restored).nextId()).toBeGreaterThan(nextId);
  expect(integrityErrors(restored.sql)).toEqual([]);
});

test('a restored station gives no stamp that it gave before its loss, also when the clock says the same: a stamp fixes the value', async () => {
  const now = () => 1_700_000_000_000;
  const directory = temporaryDirectory();
  const store = await temporaryStore({ directory, now });
  const { id } = await categories(store).insert(category(store));
  const zip = join(temporaryDirectory(), 'backup.zip');
  await backupDirectory(directory, zip);
  const rename = async (station: typeof store, name: string) =>
    (await categories(station).change(id, (record) => ({ ...record, name }))).hlc.fields['name'];
  const lost = await rename(store, 'Known to a linked station only');
  await store.close();
  await restoreDirectory(zip, directory, { confirmed: true });
  const restored = await temporaryStore({ directory, now });
  expect(await rename(restored, 'Something else')).not.toBe(lost);
});

test('a restore over a station wants to be confirmed, and keeps what was there aside', async () => {
  const directory = temporaryDirectory();
  const store = await openStore({ directory });
  await categories(store).insert(category(store, { name: 'In the backup' }));
  const zip = join(temporaryDirectory(), 'backup.zip');
  await backupDirectory(directory, zip);
  await categories(store).insert(category(store, { name: 'After it' }));
  await store.close();

  await expect(restoreDirectory(zip, directory)).rejects.toMatchObject({ kind: 'conflict' });
  const { before } = await restoreDirectory(zip, directory, { confirmed: true });
  expect(
    categories(await temporaryStore({ directory }))
      .all()
      .map((record) => record.name),
  ).toEqual(['In the backup']);
  const old = new DatabaseSync(join(before!, 'station.db'), { readOnly: true });
  expect(old.prepare('SELECT count(*) AS count FROM "station.directories.0" WHERE deleted = 0').get()).toEqual({
    count: 2,
  });
  old.close();
});

test('a restore where a database was deleted by hand does not take up the log that it left', async () => {
  const directory = temporaryDirectory();
  const store = await openStore({ directory });
  await categories(store).insert(category(store, { name: 'In the backup' }));
  const zip = join(temporaryDirectory(), 'backup.zip');
  await backupDirectory(directory, zip);
  await categories(store).insert(category(store, { name: 'After it' }));
  const left = temporaryDirectory();
  copyFileSync(join(directory, 'station.db-wal'), join(left, 'station.db-wal'));
  await store.close();

  const { before } = await restoreDirectory(zip, left);
  expect(readdirSync(before!)).toEqual(['station.db-wal']);
  expect(existsSync(join(left, 'station.db-wal'))).toBe(false);
  expect(
    categories(await temporaryStore({ directory: left }))
      .all()
      .map((record) => record.name),
  ).toEqual(['In the backup']);
});

test('a restore takes no note of damage over, which was about the database that was there', async () => {
  const directory = temporaryDirectory();
  const store = await openStore({ directory });
  const zip = join(temporaryDirectory(), 'backup.zip');
  await backupDirectory(directory, zip);
  await store.close();
  writeFileSync(join(directory, 'tracks.db.damaged'), 'found while running');
  mkdirSync(join(directory, 'tracks.new'));

  const { before } = await restoreDirectory(zip, directory, { confirmed: true });
  expect(readdirSync(before!)).toEqual(expect.arrayContaining(['tracks.db.damaged', 'tracks.new']));
  expect(readdirSync(directory).filter((name) => name.startsWith('tracks.'))).toEqual([]);
});

test('a zip that is no backup, or a damaged one, is refused and changes nothing', async () => {
  const directory = temporaryDirectory();
  const store = await openStore({ directory });
  await store
    .records('comments')
    .insertMany(Array.from({ length: 500 }, (_, number) => comment(store, { text: `comment ${Math.sin(number)}` })));
  const zip = join(temporaryDirectory(), 'backup.zip');
  await backupDirectory(directory, zip);
  await store.close();
  const into = temporaryDirectory();

  const text = join(into, 'notes.txt');
  writeFileSync(text, 'not a zip');
  await expect(restoreDirectory(text, into)).rejects.toMatchObject({ kind: 'invalid' });
  rmSync(text);
  overwrite(zip, Math.floor(statSync(zip).size / 2), 500);
  await expect(restoreDirectory(zip, into)).rejects.toMatchObject({ kind: 'invalid' });
  expect(readdirSync(into)).toEqual(['station.lock']);
});

test('a backup holds the settings, the certificate and the learned speeds too, and a restore brings them back', async () => {
  const directory = temporaryDirectory();
  const store = await openStore({ directory });
  writeFileSync(join(directory, 'station.json'), '{"name":"North"}');
  mkdirSync(join(directory, 'tls'));
  writeFileSync(join(directory, 'tls', 'key.pem'), 'a key');
  const speeds = new DatabaseSync(join(directory, 'speeds.db'));
  speeds.exec('CREATE TABLE learned (x); INSERT INTO learned VALUES (7)');
  const zip = join(temporaryDirectory(), 'backup.zip');
  await backupDirectory(directory, zip);
  speeds.close();
  await store.close();
  expect(statSync(zip).mode & 0o777).toBe(0o600);

  const elsewhere = temporaryDirectory();
  // Settings that an administrator prepared are not a station yet; they give way to those of the backup and
  // are kept aside.
  writeFileSync(join(elsewhere, 'station.json'), '{"name":"Prepared"}');
  const { before } = await restoreDirectory(zip, elsewhere);
  expect(readFileSync(join(elsewhere, 'station.json'), 'utf8')).toBe('{"name":"North"}');
  expect(readFileSync(join(before!, 'station.json'), 'utf8')).toBe('{"name":"Prepared"}');
  expect(readFileSync(join(elsewhere, 'tls', 'key.pem'), 'utf8')).toBe('a key');
  const restored = new DatabaseSync(join(elsewhere, 'speeds.db'), { readOnly: true });
  expect(restored.prepare('SELECT x FROM learned').get()).toEqual({ x: 7 });
  restored.close();
});

/** A zip of these entries; a Buffer is the content of a file. */
async function zipOf(entries: Readonly<Record<string, Buffer>>): Promise<string> {
  const path = join(temporaryDirectory(), 'made.zip');
  const zip = new ZipFile();
  for (const [name, bytes] of Object.entries(entries)) zip.addBuffer(bytes, name);
  zip.end();
  await pipeline(zip.outputStream, createWriteStream(path));
  return path;
}

test('a malformed or exploding zip is refused in words and leaves nothing behind', async () => {
  const directory = temporaryDirectory();
  const store = await openStore({ directory });
  const good = join(temporaryDirectory(), 'backup.zip');
  await backupDirectory(directory, good);
  await store.close();
  const note = Buffer.from(
    JSON.stringify({ format: 1, madeAt: new Date().toISOString(), station: { id: 'x', number: 0 } }),
  );
  const stationDb = readFileSync(join(directory, 'station.db'));
  const bad: Record<string, string> = {
    'a file and a folder of one name': await zipOf({
      'backup.json': note,
      'station.db': stationDb,
      'files/a': Buffer.from('x'),
      'files/a/b': Buffer.from('y'),
    }),
    'a folder in place of the database': await zipOf({ 'backup.json': note, 'station.db/x': Buffer.from('x') }),
    'no database at all': await zipOf({
      'backup.json': note,
      'station.db': Buffer.from('not a database'.repeat(1000)),
    }),
    'an empty database': await zipOf({ 'backup.json': note, 'station.db': Buffer.alloc(0) }),
    'a note that is null': await zipOf({ 'backup.json': Buffer.from('null'), 'station.db': stationDb }),
    'a note without a station': await zipOf({ 'backup.json': Buffer.from('{"format":1}'), 'station.db': stationDb }),
    'damaged tracks': await zipOf({
      'backup.json': note,
      'station.db': stationDb,
      'tracks.db': Buffer.from('not a database'.repeat(1000)),
    }),
    'a name that is too long': await zipOf({
      'backup.json': note,
      'station.db': stationDb,
      [`files/${'x'.repeat(300)}`]: Buffer.from('x'),
    }),
    'a bomb': await zipOf({ 'backup.json': note, 'station.db': stationDb, 'files/zeros': Buffer.alloc(300_000_000) }),
  };
  for (const [what, zip] of Object.entries(bad)) {
    const into = join(temporaryDirectory(), 'new');
    const error = await restoreDirectory(zip, into).catch((caught: unknown) => caught);
    expect({ what, error, name: (error as Error).name }).toMatchObject({
      what,
      name: 'Refusal',
      error: { kind: 'invalid', message: expect.stringContaining(zip) },
    });
    expect({ what, left: existsSync(into) }).toEqual({ what, left: false });
  }
  const into = join(temporaryDirectory(), 'new');
  await restoreDirectory(good, into);
  expect(existsSync(join(into, 'station.db'))).toBe(true);
});

test('a restore that was broken off keeps an empty station from beginning in its place', async () => {
  const directory = temporaryDirectory();
  mkdirSync(join(directory, '.restoring'));
  await expect(openStore({ directory })).rejects.toThrow(/was not finished/);
});

function alter(path: string, statement: string): void {
  const sql = new DatabaseSync(path);
  sql.exec(statement);
  sql.close();
}

function overwrite(path: string, at: number, length: number): void {
  const file = openSync(path, 'r+');
  writeSync(file, Buffer.alloc(length, 0x5a), 0, length, at);
  closeSync(file);
}
