import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Commits, DiskFailed, LongTransaction } from '../../../server/store/sqlite/commits.ts';

let sql: DatabaseSync;
let commits: Commits;
let reported: unknown[];
let syncs: number;
let sync: () => Promise<void>;
let flush: () => void;

beforeEach(() => {
  // A turn takes no more after some milliseconds of writing; on a busy machine one write can take those.
  vi.useFakeTimers({ toFake: ['performance'] });
  sql = new DatabaseSync(':memory:');
  sql.exec('CREATE TABLE notes (text TEXT PRIMARY KEY)');
  reported = [];
  syncs = 0;
  sync = async () => undefined;
  flush = () => undefined;
  commits = new Commits(sql, {
    flush: () => flush(),
    committed: () => undefined,
    undone: () => undefined,
    sync: () => {
      syncs++;
      return sync();
    },
    report: (error) => reported.push(error),
  });
});
afterEach(async () => {
  vi.useRealTimers();
  await commits.close();
  sql.close();
  expect(reported).toEqual([]);
});

const note = (text: string) => () => void sql.prepare('INSERT INTO notes VALUES (?)').run(text);
const notes = () =>
  sql
    .prepare('SELECT text FROM notes ORDER BY rowid')
    .all()
    .map((row) => row['text']);
const turn = () => new Promise((resolve) => setImmediate(resolve));

test('writes of one turn are one transaction and one sync', async () => {
  const writes = ['a', 'b', 'c'].map((text) => commits.write(note(text)));
  expect(sql.isTransaction).toBe(true);
  await Promise.all(writes);
  expect(sql.isTransaction).toBe(false);
  expect([notes(), syncs]).toEqual([['a', 'b', 'c'], 1]);
});

test('a write is acknowledged only when the sync is done; what is committed meanwhile shares the next one', async () => {
  let release!: () => void;
  sync = () => new Promise((resolve) => (release = resolve));
  const acknowledged: string[] = [];
  const write = (text: string) => commits.write(note(text)).then(() => acknowledged.push(text));
  const all = [write('a')];
  await turn();
  all.push(write('b'));
  await turn();
  all.push(write('c'));
  await turn();
  expect([acknowledged, notes(), syncs]).toEqual([[], ['a', 'b', 'c'], 1]);
  release();
  await turn();
  expect([acknowledged, syncs]).toEqual([['a'], 2]);
  release();
  await Promise.all(all);
  expect([acknowledged, syncs]).toEqual([['a', 'b', 'c'], 2]);
});

test('a write that throws is undone alone, and its error is its own', async () => {
  const results = await Promise.allSettled([
    commits.write(note('a')),
    commits.write(() => {
      note('b')();
      throw new Error('no');
    }),
    commits.write(note('a')),
    commits.write(note('c')),
  ]);
  expect(results.map((result) => result.status)).toEqual(['fulfilled', 'rejected', 'rejected', 'fulfilled']);
  expect(notes()).toEqual(['a', 'c']);
});

test('after a turn in which every write was refused the next one is acknowledged', async () => {
  await expect(
    commits.write(() => {
      throw new Error('no');
    }),
  ).rejects.toThrow('no');
  await turn();
  await commits.write(note('a'));
  expect(notes()).toEqual(['a']);
});

test('events are emitted after the commit in the order of writing, before any writer', async () => {
  const order: string[] = [];
  await Promise.all(
    ['a', 'b'].map((text) =>
      commits
        .write(note(text), () => order.push(`told ${text} ${sql.isTransaction ? 'too early' : 'committed'}`))
        .then(() => order.push(`wrote ${text}`)),
    ),
  );
  expect(order).toEqual(['told a committed', 'told b committed', 'wrote a', 'wrote b']);
});

test('what takes long in one turn is spread over several, and timers come in between', async () => {
  vi.useRealTimers();
  let timers = 0;
  const timer = setInterval(() => timers++, 1);
  const spin = () => {
    const until = performance.now() + 3;
    while (performance.now() < until);
  };
  const before = syncs;
  await Promise.all(Array.from({ length: 30 }, () => commits.write(spin)));
  clearInterval(timer);
  expect(syncs - before).toBeGreaterThanOrEqual(5);
  expect(timers).toBeGreaterThanOrEqual(5);
});

/** A write that takes so many milliseconds of its turn. */
const slowNote = (text: string, ms: number) => () => {
  note(text)();
  vi.advanceTimersByTime(ms);
};

test('a turn takes another write after 4 ms of writing, and none after 5 ms', async () => {
  const short = [commits.write(slowNote('4 ms', 4)), commits.write(note('same turn'))];
  expect(notes()).toEqual(['4 ms', 'same turn']);
  await Promise.all(short);

  const long = [commits.write(slowNote('5 ms', 5)), commits.write(note('next turn'))];
  expect(notes()).toEqual(['4 ms', 'same turn', '5 ms']);
  await Promise.all(long);
  expect(notes()).toEqual(['4 ms', 'same turn', '5 ms', 'next turn']);
});

test('a write does not overtake waiting ones: in a new turn', async () => {
  const writes = [commits.write(slowNote('first', 8)), commits.write(slowNote('second', 8))];
  await turn();
  expect(notes()).toEqual(['first']);
  writes.push(commits.write(note('third')));
  expect(notes()).toEqual(['first']);
  await Promise.all(writes);
  expect(notes()).toEqual(['first', 'second', 'third']);
});

test('a write does not overtake waiting ones: when the disk keeps up again', async () => {
  commits.hold();
  const first = commits.write(note('first'));
  commits.release();
  const second = commits.write(note('second'));
  expect(notes()).toEqual([]);
  await Promise.all([first, second]);
  expect(notes()).toEqual(['first', 'second']);
});

test('a transaction is committed as one, across its awaits, and others wait for it', async () => {
  const order: string[] = [];
  const transaction = commits.transaction(async () => {
    await commits.writePlain(note('a'));
    order.push('a');
    await turn();
    await turn();
    await commits.writePlain(note('b'));
    order.push('b');
    return 'done';
  });
  const other = commits.write(note('c')).then(() => order.push('c'));
  await turn();
  expect([notes(), sql.isTransaction, syncs]).toEqual([['a'], true, 0]);
  expect(await transaction).toBe('done');
  await other;
  expect(order).toEqual(['a', 'b', 'c']);
  expect(notes()).toEqual(['a', 'b', 'c']);
});

test('a transaction that throws leaves nothing, and what others wrote stays', async () => {
  const first = commits.write(note('before'));
  const failing = commits.transaction(async () => {
    await commits.writePlain(note('a'));
    await turn();
    await commits.writePlain(note('b'));
    throw new Error('changed my mind');
  });
  const later = commits.write(note('after'));
  await expect(failing).rejects.toThrow('changed my mind');
  await Promise.all([first, later]);
  expect(notes()).toEqual(['before', 'after']);
});

test('a failed write inside a transaction may be caught, and the rest is kept', async () => {
  await commits.write(note('a'));
  await commits.transaction(async () => {
    await commits.writePlain(note('b'));
    await expect(commits.writePlain(note('a'))).rejects.toThrow(/UNIQUE/);
    await commits.writePlain(note('c'));
  });
  expect(notes()).toEqual(['a', 'b', 'c']);
});

test('a transaction within a transaction is part of it', async () => {
  await expect(
    commits.transaction(async () => {
      await commits.transaction(() => commits.writePlain(note('a')));
      throw new Error('all of it');
    }),
  ).rejects.toThrow('all of it');
  expect(notes()).toEqual([]);
});

test('transactions run one after the other', async () => {
  const order: string[] = [];
  await Promise.all(
    ['a', 'b', 'c'].map((text) =>
      commits.transaction(async () => {
        order.push(`begin ${text}`);
        await turn();
        await commits.writePlain(note(text));
        order.push(`end ${text}`);
      }),
    ),
  );
  expect(order).toEqual(['begin a', 'end a', 'begin b', 'end b', 'begin c', 'end c']);
});

test('work that a transaction left behind writes like anybody else', async () => {
  let straggler: Promise<void> | undefined;
  await commits.transaction(async () => {
    straggler = (async () => {
      await turn();
      await turn();
      await commits.writePlain(note('late'));
    })();
    await commits.writePlain(note('a'));
  });
  await straggler;
  expect(notes()).toEqual(['a', 'late']);
});

test('while the disk cannot keep up writes wait, and go on when it can', async () => {
  commits.hold();
  const write = commits.write(note('a'));
  await turn();
  await turn();
  expect(notes()).toEqual([]);
  commits.release();
  await write;
  expect(notes()).toEqual(['a']);
});

test('when a sync fails nothing more is acknowledged', async () => {
  sync = () => Promise.reject(new Error('EIO'));
  const results = await Promise.allSettled([commits.write(note('a')), commits.write(note('b'))]);
  expect(results.map((result) => result.status)).toEqual(['rejected', 'rejected']);
  sync = async () => undefined;
  await expect(commits.write(note('c'))).rejects.toThrow(/disk of the station could not store.*restarted/);
  await expect(commits.transaction(async () => undefined)).rejects.toThrow(/restarted/);
  expect(reported.splice(0)).toEqual([expect.any(DiskFailed)]);
});

test('a commit that fails rejects everybody in it, and the next one works', async () => {
  sql.exec(
    'CREATE TABLE parents (id INTEGER PRIMARY KEY); CREATE TABLE children (parent INTEGER REFERENCES parents DEFERRABLE INITIALLY DEFERRED); PRAGMA foreign_keys = 1',
  );
  const results = await Promise.allSettled([
    commits.write(note('a')),
    commits.write(() => sql.exec('INSERT INTO children VALUES (7)')),
  ]);
  expect(results.map((result) => result.status)).toEqual(['rejected', 'rejected']);
  await commits.write(note('b'));
  expect(notes()).toEqual(['b']);
});

test('when SQLite rolls back a whole transaction, as on a full disk, every writer in it gets the error', async () => {
  const before = commits.write(note('before'));
  const giveUp = () => {
    sql.exec('ROLLBACK');
    throw new Error('database or disk is full');
  };
  const failing = commits.transaction(async () => {
    await commits.writePlain(note('a'));
    await commits.writePlain(giveUp).catch(() => undefined);
    await commits.writePlain(note('b'));
  });
  const results = await Promise.allSettled([before, failing, commits.write(giveUp)]);
  expect(results.map((result) => result.status)).toEqual(['rejected', 'rejected', 'rejected']);
  await commits.write(note('after'));
  expect(notes()).toEqual(['after']);
});

test("an error of a listener is reported, and is not the writer's", async () => {
  await commits.write(note('a'), () => {
    throw new Error('listener');
  });
  expect(notes()).toEqual(['a']);
  expect(String(reported.splice(0)[0])).toContain('listener');
});

test('a transaction that takes 5 s is reported as such, and still ends', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const { promise, resolve } = Promise.withResolvers<void>();
  const long = commits.transaction(async () => {
    await commits.writePlain(note('a'));
    await promise;
  });
  await turn();
  vi.advanceTimersByTime(4_999);
  expect(reported).toEqual([]);
  vi.advanceTimersByTime(1);
  expect(reported.splice(0)).toEqual([expect.any(LongTransaction)]);
  resolve();
  await long;
  vi.advanceTimersByTime(60_000);
  expect([notes(), reported]).toEqual([['a'], []]);
});

test('closing commits what is written and refuses what comes after', async () => {
  const write = commits.write(note('a'));
  await commits.close();
  await write;
  expect(notes()).toEqual(['a']);
  await expect(commits.write(note('b'))).rejects.toThrow('closed');
});

test('a write of a listener while the store closes is committed like those before it, and its writer gets the answer', async () => {
  sync = async () => {
    for (let turns = 0; turns < 3; turns++) await turn(); // a disk
  };
  const flushed: unknown[][] = [];
  flush = () => flushed.push(notes());
  const told = commits.collect(() => void commits.write(note('b')).then(() => acknowledged.push('b')));
  const acknowledged: string[] = [];
  void commits.write(note('a'), () => told('a')).then(() => acknowledged.push('a'));
  await commits.close();
  expect([notes(), flushed, acknowledged, syncs]).toEqual([['a', 'b'], [['a'], ['a', 'b']], ['a', 'b'], 2]);
});
