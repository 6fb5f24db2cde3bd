/**
 * A station's process that writes without pause until it is killed, and says on its standard output what the
 * store has acknowledged: one JSON text a line, written when the promise has resolved. Waits for the
 * directory on its standard input, so that it can be started ahead.
 */
import { createInterface } from 'node:readline';
import process from 'node:process';
import { openStore } from '../../../server/store/index.ts';
import type { Category, Comment } from '../../../shared/records/index.ts';
import { sayAtOnce } from './say.ts';

export type Acknowledged =
  | { kind: 'ready' }
  | { kind: 'open'; head: number }
  | { kind: 'inserted'; ids: number[] }
  | { kind: 'changed'; id: number; level: number }
  | { kind: 'removed'; id: number }
  | { kind: 'pair'; number: number }
  | { kind: 'plain'; number: number };

function say(acknowledged: Acknowledged): void {
  sayAtOnce(JSON.stringify(acknowledged));
}

say({ kind: 'ready' });
const lines = createInterface({ input: process.stdin });
const [directory] = (await new Promise<string>((resolve) => lines.once('line', resolve))).split('\n');

const store = await openStore({ directory: directory!, stationNumber: 9 });
const comments = store.records('comments');
const categories = store.kind<Category>('directories', 'category');
await store.writePlain((sql) => sql.exec('CREATE TABLE IF NOT EXISTS plain (number INTEGER PRIMARY KEY)'));
say({ kind: 'open', head: store.feed.head() });

const known = comments.all().map((comment) => comment.id);

function comment(text: string, taskId = 0): Omit<Comment, 'key' | 'hlc'> {
  const visibleTo = { all: true, author: false, assignedOrganization: false, assignedUser: false };
  return {
    id: comments.nextId(),
    taskId,
    parentId: 0,
    level: 0,
    authorId: 1,
    at: 1,
    text,
    updateText: '',
    visibleTo,
  };
}

async function insert(): Promise<void> {
  const drafts = Array.from({ length: 1 + Math.floor(Math.random() * 30) }, () =>
    comment('x'.repeat(Math.random() * 500)),
  );
  const ids = (await comments.insertMany(drafts)).map((made) => made.id);
  say({ kind: 'inserted', ids });
  known.push(...ids);
}

async function change(): Promise<void> {
  const id = known[Math.floor(Math.random() * known.length)];
  if (id === undefined) return;
  const changed = await comments.change(id, (record) => ({ ...record, level: record.level + 1 }));
  say({ kind: 'changed', id, level: changed.level });
}

async function remove(): Promise<void> {
  const [id] = known.splice(Math.floor(Math.random() * known.length), 1);
  if (id === undefined) return;
  await comments.remove(id);
  say({ kind: 'removed', id });
}

/** Two records in two collections, both or none. */
async function pair(): Promise<void> {
  const number = categories.nextId();
  await store.transaction(async () => {
    await categories.insert({ id: number, kind: 'category', name: 'pair', isDeleted: false, icon: '', importance: 0 });
    if (Math.random() < 0.3) await new Promise((resolve) => setImmediate(resolve));
    await comments.insert(comment('pair', number));
  });
  say({ kind: 'pair', number });
}

async function plain(): Promise<void> {
  const number = await store.writePlain((sql) =>
    Number(sql.prepare('INSERT INTO plain DEFAULT VALUES').run().lastInsertRowid),
  );
  say({ kind: 'plain', number });
}

async function forever(step: () => Promise<void>): Promise<void> {
  for (;;) {
    await step().catch((error: { kind?: string }) => {
      if (error.kind !== 'not-found') throw error; // another writer has just removed it
    });
    await new Promise((resolve) => setImmediate(resolve)); // also when there was nothing to do
  }
}

await Promise.all([insert, change, change, change, remove, pair, plain].map(forever));
