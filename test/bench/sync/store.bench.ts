import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { DatabaseSync } from 'node:sqlite';
import type { StatementSync } from 'node:sqlite';
import { openStore } from '../../../server/store/index.ts';
import type { Draft, Store } from '../../../server/store/index.ts';
import type { Task } from '../../../shared/records/index.ts';
import type { BenchReport } from '../run.ts';

const RECORDS = 100_000;
const LIST = `WHERE deleted = 0 AND isDeleted = 0 AND archived = 0 ORDER BY date DESC, key DESC LIMIT 50 OFFSET ?`;

/** The store against plain `node:sqlite` with the same table, the same indexes and the same disk. */
export default async function bench(report: BenchReport): Promise<void> {
  const directory = mkdtempSync(join(tmpdir(), 'waypost-bench-'));
  const store = await openStore({ directory });
  const raw = rawCopyOf(store, join(directory, 'raw.db'));
  const tasks = store.records('tasks');
  try {
    await bulk(report, store, raw);

    const insertRaw = await median(300, () => void insertInto(raw, task(store, 1)));
    const insert = await median(300, () => tasks.insert(task(store, 1)));
    report.ratio(
      'insert one message, on disk when it returns',
      insert,
      insertRaw,
      'ms',
      'raw: INSERT with synchronous=FULL',
    );
    const transaction = await perItem(20, 100, () =>
      Promise.all(Array.from({ length: 100 }, () => tasks.insert(task(store, 1)))),
    );
    report.ratio('the same, 100 at once', transaction, insertRaw, 'ms', 'they share a commit and a sync');
    const ids = store.sql
      .prepare(`SELECT data ->> '$.id' AS id FROM ${store.table('tasks')} ORDER BY seq LIMIT 2000`)
      .all()
      .map((row) => row['id'] as number);
    let turn = 0;
    const nextId = () => ids[turn++ % ids.length]!;
    report.ratio(
      'change one field of a message, on disk when it returns',
      await median(300, () => tasks.change(nextId(), (record) => ({ ...record, status: 1 + (record.status % 4) }))),
      insertRaw,
      'ms',
      'raw: INSERT',
    );

    const byKey = raw.prepare('SELECT data FROM messages WHERE key = ?');
    const get = await perItem(50, 100, () => {
      for (let number = 0; number < 100; number++) tasks.get(nextId());
    });
    const keys = raw
      .prepare('SELECT key FROM messages LIMIT 2000')
      .all()
      .map((row) => row['key'] as string);
    const getRaw = await perItem(50, 100, () => {
      for (let number = 0; number < 100; number++)
        JSON.parse(byKey.get(keys[turn++ % keys.length]!)!['data'] as string);
    });
    report.ratio('get a message by its id', get, getRaw, 'ms', 'raw: prepared SELECT and JSON.parse');

    const listRaw = raw.prepare(`SELECT data FROM messages ${LIST}`);
    const listSql = store.sql.prepare(`SELECT data FROM ${store.table('tasks')} ${LIST}`);
    const parse = (rows: Record<string, unknown>[]) => rows.map((row) => JSON.parse(row['data'] as string) as Task);
    const baseline = await median(200, () => parse(listRaw.all(turn++ % 500)));
    report.ratio(
      'a page of 50 by store.sql',
      await median(200, () => parse(listSql.all(turn++ % 500))),
      baseline,
      'ms',
      `${RECORDS.toLocaleString('en')} messages; raw: the same SELECT on its own database`,
    );
    const find = () =>
      store
        .collection('tasks')
        .find({
          selector: { isDeleted: false, archived: false },
          sort: [{ date: 'desc' }],
          limit: 50,
          skip: turn++ % 500,
        })
        .exec();
    report.ratio(
      'a page of 50 as RxDocuments',
      await median(200, find),
      baseline,
      'ms',
      'raw: the same SELECT and JSON.parse',
    );
    // Each count is another question, since RxDB keeps the answers of the last ones.
    const count = () =>
      store
        .collection('tasks')
        .count({
          selector: { isDeleted: false, archived: false, organizationId: 1 + (turn % 7), date: { $gt: turn++ } },
        })
        .exec();
    const countRaw = raw.prepare(
      'SELECT count(*) AS count FROM messages WHERE deleted = 0 AND isDeleted = 0 AND archived = 0 AND organizationId = ? AND date > ?',
    );
    report.ratio(
      'count an index range of some 13,000 through RxDB',
      await median(50, count),
      await median(50, () => countRaw.get(1 + (turn % 7), turn++)),
      'ms',
    );
  } finally {
    raw.close();
    await store.close();
    rmSync(directory, { recursive: true });
  }
}

async function bulk(report: BenchReport, store: Store, raw: DatabaseSync): Promise<void> {
  const rawStarted = performance.now();
  for (let at = 0; at < RECORDS; at += 100) {
    raw.exec('BEGIN');
    for (let number = 0; number < 100; number++) insertInto(raw, task(store, at + number));
    raw.exec('COMMIT');
  }
  const rawSeconds = (performance.now() - rawStarted) / 1000;

  let worst = 0;
  let worked = 0;
  let last = performance.now();
  let cpu = process.threadCpuUsage();
  const timer = setInterval(() => {
    const now = process.threadCpuUsage();
    worst = Math.max(worst, performance.now() - last - 10);
    worked = Math.max(worked, (now.user + now.system - cpu.user - cpu.system) / 1000);
    last = performance.now();
    cpu = now;
  }, 10);
  const started = performance.now();
  for (let at = 0; at < RECORDS; at += 2_000)
    await store.records('tasks').insertMany(Array.from({ length: 2_000 }, (_, number) => task(store, at + number)));
  const seconds = (performance.now() - started) / 1000;
  clearInterval(timer);
  report.ratio(
    `bulk insert of ${RECORDS.toLocaleString('en')} messages`,
    seconds,
    rawSeconds,
    's',
    'raw: 100 in a transaction, synchronous=FULL',
  );
  report.line(
    `worst wait of a 10 ms timer meanwhile: ${worst.toFixed(0)} ms, of which this thread worked ${worked.toFixed(0)} ms at most`,
  );
}

/** A database with the same columns and indexes, written by hand. */
function rawCopyOf(store: Store, path: string): DatabaseSync {
  const raw = new DatabaseSync(path);
  raw.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA cache_size = -32768');
  const name = store.table('tasks').slice(1, -1);
  for (const { sql } of store.sql
    .prepare("SELECT sql FROM sqlite_schema WHERE tbl_name = ? AND sql IS NOT NULL ORDER BY type = 'index'")
    .all(name))
    raw.exec((sql as string).replaceAll(`"${name}"`, 'messages'));
  return raw;
}

const insertions = new WeakMap<DatabaseSync, StatementSync>();
let rawSeq = 0;

function insertInto(raw: DatabaseSync, draft: Draft<Task>): void {
  let insertion = insertions.get(raw);
  if (!insertion)
    insertions.set(
      raw,
      (insertion = raw.prepare(
        "INSERT INTO messages (key, rev, deleted, lwt, seq, data) VALUES (?, '1-raw', 0, 1, ?, ?)",
      )),
    );
  const key = String(draft.id).padStart(10, '0');
  const data = JSON.stringify({ ...draft, key, hlc: { base: '01a1f92853110000-003.498kfm7r6avw', fields: {} } });
  insertion.run(key, ++rawSeq, data);
}

function task(store: Store, number: number): Draft<Task> {
  const at = 1_700_000_000_000 + number * 1000;
  return {
    id: store.records('tasks').nextId(),
    title: `Message ${number}`,
    text: 'A tree lies across both lanes; the bus stands behind it with some thirty people. '.repeat(4),
    organizationId: 1 + (number % 7),
    authorId: 1,
    typeId: 1 + (number % 5),
    categoryId: 0,
    status: 1 + (number % 4),
    statusSince: at,
    confirmed: 0,
    confirmedComment: '',
    assignedOrganizationId: number % 3,
    assignedUserId: 0,
    assignedVehicleId: number % 50,
    restricted: false,
    archived: number % 10 === 0,
    isDeleted: false,
    notice: 0,
    date: at,
    updatedAt: at,
    systemData: '',
    address: `Harbour Road ${number % 200}`,
    point: { lon: 14.5, lat: 35.9, zoom: 16 },
    mainPhoto: null,
    customValues: {},
    photos: 0,
    videos: 0,
    files: 0,
    sounds: 0,
  };
}

/** Milliseconds that `work` takes, in the middle of `times` runs. */
async function median(times: number, work: () => unknown): Promise<number> {
  const taken: number[] = [];
  for (let run = 0; run < times; run++) {
    const started = performance.now();
    await work();
    taken.push(performance.now() - started);
  }
  return taken.sort((a, b) => a - b)[Math.floor(times / 2)]!;
}

async function perItem(times: number, items: number, work: () => unknown): Promise<number> {
  return (await median(times, work)) / items;
}
