import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import { runBackup } from '../../../server/store/backup/run-backup.ts';
import { checkDirectory, openStore, salvageDirectory } from '../../../server/store/index.ts';
import { salvageDatabase } from '../../../server/store/salvage/salvage-database.ts';
import { Tracks } from '../../../server/tracking/telemetry/tracks/tracks.ts';
import { openMonthForWriting } from '../../../server/tracking/telemetry/moving/copy-points.ts';
import { Chance, SEED } from '../../support/chance.ts';
import { times } from '../../support/long.ts';
import { comment, temporaryDirectory } from './open-store.ts';

const PAGE = 4096;
const COMMENTS = 2_000;

async function stationDirectory(): Promise<string> {
  const directory = temporaryDirectory();
  const store = await openStore({ directory });
  await store
    .records('comments')
    .insertMany(Array.from({ length: COMMENTS }, (_, number) => comment(store, { text: `comment ${number}` })));
  await store.close();
  const { db } = new Tracks(directory);
  const insert = db.prepare("INSERT INTO tracks VALUES (?, ?, 0, 50, 10, 1, 0, 0, NULL, NULL, 0, 0, '', 0, NULL)");
  db.exec('BEGIN');
  for (let vehicle = 1; vehicle <= 5; vehicle++)
    for (let second = 0; second < 1_000; second++) insert.run(vehicle, 1_700_000_000_000 + second * 1000);
  db.exec('COMMIT; PRAGMA wal_checkpoint(TRUNCATE)');
  db.close();
  return directory;
}

function count(path: string, table: string): number {
  const sql = new DatabaseSync(path, { readOnly: true });
  try {
    return (sql.prepare(`SELECT count(*) AS count FROM "${table}" NOT INDEXED`).get() as { count: number }).count;
  } finally {
    sql.close();
  }
}

function spoil(path: string, page: number, at = 0, length = PAGE): void {
  const bytes = readFileSync(path);
  bytes.fill(0x5a, page * PAGE + at, page * PAGE + at + length);
  writeFileSync(path, bytes);
}

/** The pages of a table or index, without its root. */
function leavesOf(path: string, name: string): number[] {
  const bytes = readFileSync(path);
  const sql = new DatabaseSync(path, { readOnly: true });
  const { rootpage } = sql.prepare('SELECT rootpage FROM sqlite_schema WHERE name = ?').get(name) as {
    rootpage: number;
  };
  sql.close();
  const pages: number[] = [];
  const visit = (page: number) => {
    const at = (page - 1) * PAGE + (page === 1 ? 100 : 0);
    const kind = bytes[at];
    if (kind !== 5 && kind !== 2) return void pages.push(page - 1);
    for (let cell = 0; cell < bytes.readUInt16BE(at + 3); cell++)
      visit(bytes.readUInt32BE((page - 1) * PAGE + bytes.readUInt16BE(at + 12 + cell * 2)));
    visit(bytes.readUInt32BE(at + 8));
  };
  visit(rootpage);
  return pages;
}

test('of a table with spoilt pages every other row is kept, and the lost ones are listed', async () => {
  const directory = await stationDirectory();
  for (const [name, table, rows] of [
    ['station.db', 'station.comments.0', COMMENTS],
    ['tracks.db', 'tracks', 5_000],
  ] as const) {
    const path = join(directory, name);
    const leaves = leavesOf(path, table);
    for (const leaf of [leaves[3]!, leaves[4]!, leaves[20]!, leaves.at(-1)!]) spoil(path, leaf);
    const to = join(temporaryDirectory(), name);
    const report = salvageDatabase(path, to).find((each) => each.table === table)!;
    // A page holds a hundred rows at most.
    expect(report.rows).toBeGreaterThan(rows - 4 * 130);
    expect(report.rows).toBeLessThan(rows);
    expect(count(to, table)).toBe(report.rows);
    expect(report.lost.length).toBeGreaterThanOrEqual(3);
  }
});

test(`the station starts after a salvage, whatever bytes were wrong (WAYPOST_SEED=${SEED})`, async () => {
  const chance = new Chance();
  for (let round = 0; round < times(3, 100); round++) {
    const directory = await stationDirectory();
    for (const name of ['station.db', 'tracks.db']) {
      const path = join(directory, name);
      // Not the first page: without the list of tables there is nothing to begin with.
      const pages = statSync(path).size / PAGE;
      for (let wrong = 0; wrong < 3; wrong++) spoil(path, 1 + chance.int(pages - 1), chance.int(4000), 20);
    }
    const damage = await checkDirectory(directory);
    const { mended, file, before, lost } = await salvageDirectory(directory, {
      backups: join(directory, 'backups'),
    }).catch((error: unknown) => {
      // The row that says which station this is may be hit; then only a backup helps, and nothing was changed.
      expect(error).toMatchObject({ code: 'backup.notSalvageable' });
      return { mended: [], file: undefined, before: undefined, lost: [] };
    });
    if (mended.length === 0) continue;
    expect(damage.map((each) => each.file)).toEqual(mended);
    expect(readFileSync(file!, 'utf8')).toContain(mended[0]!);
    for (const line of lost) expect(readFileSync(file!, 'utf8')).toContain(line);
    for (const name of mended) expect(existsSync(join(before!, name))).toBe(true);
    const store = await openStore({ directory });
    expect(store.records('comments').count()).toBeGreaterThan(COMMENTS / 2);
    await store.records('comments').insert(comment(store));
    await store.close();
    expect(await checkDirectory(directory)).toEqual([]);
  }
});

test('a spoilt index costs nothing, and a truncated file its end', async () => {
  const directory = await stationDirectory();
  const path = join(directory, 'station.db');
  const sql = new DatabaseSync(path);
  const { name } = sql
    .prepare(
      "SELECT name FROM sqlite_schema WHERE type = 'index' AND tbl_name = 'station.comments.0' AND sql IS NOT NULL",
    )
    .get() as { name: string };
  sql.close();
  for (const leaf of leavesOf(path, name)) spoil(path, leaf);
  truncateSync(join(directory, 'tracks.db'), Math.floor(statSync(join(directory, 'tracks.db')).size / 2 / PAGE) * PAGE);
  rmSync(`${path}-wal`, { force: true });
  expect((await checkDirectory(directory)).map(({ file }) => file)).toEqual(['station.db', 'tracks.db']);
  const into = join(temporaryDirectory(), 'new');
  const { mended, lost } = await salvageDirectory(directory, { into, backups: join(directory, 'backups') });
  expect(mended).toEqual(['station.db', 'tracks.db']);
  expect(lost.filter((line) => !line.startsWith('tracks.db'))).toEqual([]);
  expect(count(join(into, 'station.db'), 'station.comments.0')).toBe(COMMENTS);
  expect(count(join(into, 'tracks.db'), 'tracks')).toBeGreaterThan(1_000);
  // The damaged directory is as it was.
  expect((await checkDirectory(directory)).map(({ file }) => file)).toEqual(['station.db', 'tracks.db']);
});

test('tracks that were set aside are joined again, and a damaged upload comes back from the backups', async () => {
  const directory = await stationDirectory();
  const bytes = Buffer.alloc(10_000, 7);
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  const upload = join('files', sha256.slice(0, 2), sha256);
  mkdirSync(join(directory, 'files', sha256.slice(0, 2)), { recursive: true });
  writeFileSync(join(directory, upload), bytes);
  const folder = join(directory, 'backups');
  const settings = { directory, folder, second: null, passphrase: null, territory: true, version: '1' };
  await runBackup(settings, Date.UTC(2026, 10, 25), () => undefined);

  const old = join(directory, 'tracks.damaged-2026-11-23T06-17-00.000Z.db');
  writeFileSync(old, readFileSync(join(directory, 'tracks.db')));
  spoil(old, leavesOf(old, 'tracks')[5]!);
  const tracks = new DatabaseSync(join(directory, 'tracks.db'));
  tracks.exec(
    'DELETE FROM tracks WHERE vehicle < 5; CREATE TABLE beginning (since INTEGER NOT NULL); INSERT INTO beginning VALUES (9e15)',
  );
  tracks.close();
  rmSync(join(directory, upload));
  writeFileSync(join(directory, upload), 'something else');

  const { mended, lost } = await salvageDirectory(directory, { backups: folder });
  expect(mended).toEqual(['tracks.db', upload]);
  expect(lost).toEqual([expect.stringMatching(/^tracks\.damaged-.*: points from/)]);
  expect(count(join(directory, 'tracks.db'), 'tracks')).toBeGreaterThan(4_850);
  expect(readFileSync(join(directory, upload)).equals(bytes)).toBe(true);
  expect(existsSync(old)).toBe(false);
  expect(await checkDirectory(directory)).toEqual([]);
});

/** The file of a month with a thousand points of each of two vehicles. */
function makeMonth(directory: string, name: string): string {
  mkdirSync(join(directory, 'tracks'), { recursive: true });
  const path = join(directory, 'tracks', name);
  const db = openMonthForWriting(path);
  const insert = db.prepare("INSERT INTO tracks VALUES (?, ?, 0, 50, 10, 1, 0, 0, NULL, NULL, 0, 0, '', 0, NULL)");
  db.exec('BEGIN');
  for (const vehicle of [1, 2])
    for (let second = 0; second < 1_000; second++) insert.run(vehicle, Date.UTC(2026, 9) + second * 1000);
  db.exec('COMMIT');
  db.close();
  return path;
}

test('a damaged month is mended alone, and one that was set aside is joined with its new file', async () => {
  const directory = await stationDirectory();
  const [september, october] = ['2026-09.db', '2026-10.db'].map((name) => makeMonth(directory, name)) as [
    string,
    string,
  ];
  makeMonth(directory, '2026-11.db');
  const leaf = leavesOf(september, 'tracks')[2]!;
  const aside = 'tracks/2026-10.damaged-2026-11-23T06-17-00.000Z.db';
  writeFileSync(join(directory, aside), readFileSync(october));
  const db = new DatabaseSync(october);
  db.exec('DELETE FROM tracks WHERE vehicle = 1; PRAGMA wal_checkpoint(TRUNCATE)');
  db.close();
  const head = new DatabaseSync(join(directory, 'tracks.db'));
  head.exec('INSERT INTO track_gaps VALUES (24321, 9000000000000)');
  head.close();
  spoil(september, leaf);
  expect((await checkDirectory(directory)).map(({ file }) => file)).toEqual(['tracks/2026-09.db', aside]);

  const { mended, lost, before } = await salvageDirectory(directory, { backups: join(directory, 'backups') });
  expect(mended).toEqual(['tracks.db', 'tracks/2026-09.db', 'tracks/2026-10.db']);
  expect(lost).toEqual([expect.stringMatching(/^tracks\/2026-09\.db: tracks: rows from/)]);
  expect(count(september, 'tracks')).toBeGreaterThan(1_800);
  expect(count(october, 'tracks')).toBe(2_000);
  expect(count(join(directory, 'tracks', '2026-11.db'), 'tracks')).toBe(2_000);
  expect(existsSync(join(before!, aside))).toBe(true);
  // Records of that time are taken in again.
  expect(count(join(directory, 'tracks.db'), 'track_gaps')).toBe(0);
  expect(await checkDirectory(directory)).toEqual([]);
});
