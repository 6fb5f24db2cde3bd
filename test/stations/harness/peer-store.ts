/**
 * A station's store in a process of its own. It does what its parent orders, writes what rooms write, hands
 * out its feed and takes in what another store handed out, with the place up to which it has done so: all
 * that replication asks of a store.
 */
import process from 'node:process';
import { createRevision, getDefaultRxDocumentMeta } from 'rxdb';
import { openStore } from '../../../server/store/index.ts';
import type { Records, Store } from '../../../server/store/index.ts';
import { stampOf } from '../../../shared/merge/merge.ts';
import type { Category, Comment, Stamps } from '../../../shared/records/index.ts';

/** What stations write, and what they take from each other. */
export const WRITTEN = ['comments', 'directories'] as const;
export type Wrote = (typeof WRITTEN)[number];
export const SHARED = [...WRITTEN, 'merges'] as const;
export type Shared = (typeof SHARED)[number];

export type Order =
  /** `wall`: what its clock says, in milliseconds. */
  | { readonly kind: 'open'; readonly directory: string; readonly number: number; readonly wall: number }
  | { readonly kind: 'clock'; readonly wall: number }
  | { readonly kind: 'insert'; readonly into: Wrote; readonly text: string }
  /** `at`: from 0 to below 1, which of the records. */
  | {
      readonly kind: 'edit';
      readonly in: Wrote;
      readonly at: number;
      readonly text?: string;
      readonly number?: number;
    }
  | { readonly kind: 'remove'; readonly in: Wrote; readonly at: number }
  | { readonly kind: 'position'; readonly of: number; readonly in: Shared }
  | { readonly kind: 'give'; readonly from: Shared; readonly position: Position; readonly limit: number }
  | { readonly kind: 'take'; readonly of: number; readonly into: Shared; readonly page: Page }
  | { readonly kind: 'all' };

/** Up to where a station has taken in what another wrote. */
export interface Position {
  readonly epoch: string;
  readonly seq: number;
}

export interface Page {
  readonly epoch: string;
  readonly records: readonly State[];
  readonly checkpoint: number;
}

/** A record at one moment, with its stamps. */
export interface State {
  readonly record: Readonly<Record<string, unknown>> & { readonly key: string; readonly hlc: Stamps };
  readonly deleted: boolean;
}

/** What became of a write: nothing when there was no record to write. */
export type Written = {
  readonly in: Wrote;
  readonly state: State;
  /** The fields that it changed, and the stamp that each had before. */
  readonly replaced: Readonly<Record<string, string>>;
} | null;

let wall = 0;
let store: Store;

/** The text and the number of a record, of which the two collections have one each. */
const FIELDS = { comments: ['text', 'level'], directories: ['name', 'importance'] } as const;

const answers: { readonly [Kind in Order['kind']]: (order: Extract<Order, { kind: Kind }>) => unknown } = {
  async open({ directory, number, wall: now }) {
    wall = now;
    store = await openStore({ directory, stationNumber: number, now: () => wall });
    await store.writePlain((sql) =>
      sql.exec(
        'CREATE TABLE IF NOT EXISTS positions (peer INTEGER, records TEXT, epoch TEXT, seq INTEGER, PRIMARY KEY (peer, records))',
      ),
    );
  },
  clock({ wall: now }) {
    wall = now;
  },
  async insert({ into, text }) {
    const records = recordsOf(into);
    const id = records.nextId();
    const made = await records.insert(into === 'comments' ? comment(id, text) : category(id, text));
    return { in: into, state: { record: made, deleted: false }, replaced: {} };
  },
  async edit({ in: collection, at, text, number }) {
    const id = idAt(collection, at);
    if (id === undefined) return null;
    const [textField, numberField] = FIELDS[collection];
    let before: Stamps;
    const edited = await recordsOf(collection).change(id, (record) => {
      before = record.hlc;
      return {
        ...record,
        ...(text !== undefined && { [textField]: text }),
        ...(number !== undefined && { [numberField]: number }),
      };
    });
    const changed = [textField, numberField].filter((field) => stampOf(edited.hlc, field) !== stampOf(before, field));
    const replaced = Object.fromEntries(changed.map((field) => [field, stampOf(before, field)]));
    return { in: collection, state: { record: edited, deleted: false }, replaced };
  },
  async remove({ in: collection, at }) {
    const id = idAt(collection, at);
    if (id === undefined) return null;
    const { key } = recordsOf(collection).get(id)!;
    await recordsOf(collection).remove(id);
    return { in: collection, state: statesOf(collection).find(({ record }) => record.key === key)!, replaced: {} };
  },
  position({ of, in: collection }): Position {
    const found = store.sql
      .prepare('SELECT epoch, seq FROM positions WHERE peer = ? AND records = ?')
      .get(of, collection);
    return found ? { epoch: found['epoch'] as string, seq: found['seq'] as number } : { epoch: '', seq: 0 };
  },
  give({ from, position, limit }): Page {
    const { feed } = store;
    const { records, checkpoint } = feed.since(from, position.epoch === feed.epoch ? position.seq : 0, limit);
    return { epoch: feed.epoch, records: records as unknown as readonly State[], checkpoint };
  },
  /** Whether all of the page was taken; the position moves on only then. */
  async take({ of, into, page }) {
    const rows = page.records.map(({ record, deleted }) => ({
      document: {
        ...record,
        _deleted: deleted,
        _attachments: {},
        _meta: getDefaultRxDocumentMeta(),
        _rev: createRevision('peer'),
      },
    }));
    const { error } = await store
      .collection(into)
      .storageInstance.originalStorageInstance.bulkWrite(rows as never, `replication-downstream-${of}`);
    if (error.some(({ status }) => status !== 422))
      throw new Error(`Records of station ${of} were not merged: ${JSON.stringify(error[0])}`);
    if (error.length > 0) return false;
    await store.writePlain((sql) =>
      sql
        .prepare(
          'INSERT INTO positions VALUES (?, ?, ?, ?) ON CONFLICT DO UPDATE SET epoch = excluded.epoch, seq = excluded.seq',
        )
        .run(of, into, page.epoch, page.checkpoint),
    );
    return true;
  },
  all: () => SHARED.map(statesOf),
};

function recordsOf(collection: Wrote): Records<Comment | Category> {
  return (
    collection === 'comments' ? store.records('comments') : store.kind<Category>('directories', 'category')
  ) as Records<Comment | Category>;
}

function idAt(collection: Wrote, at: number): number | undefined {
  const all = recordsOf(collection).all();
  return all[Math.floor(at * all.length)]?.id;
}

function statesOf(collection: Shared): State[] {
  return store.sql
    .prepare(`SELECT data, deleted FROM ${store.table(collection)} ORDER BY key`)
    .all()
    .map(({ data, deleted }) => ({ record: JSON.parse(data as string) as State['record'], deleted: deleted === 1 }));
}

function comment(id: number, text: string): Omit<Comment, 'key' | 'hlc'> {
  return {
    id,
    taskId: 1,
    parentId: 0,
    level: 0,
    authorId: 1,
    at: 1,
    text,
    updateText: '',
    visibleTo: { all: true, author: false, assignedOrganization: false, assignedUser: false },
  };
}

function category(id: number, name: string): Omit<Category, 'key' | 'hlc'> {
  return { id, kind: 'category', name, isDeleted: false, icon: '', importance: 0 };
}

process.on('message', async ({ id, order }: { id: number; order: Order }) => {
  const answer = async () => await answers[order.kind](order as never);
  await answer().then(
    (value) => process.send!({ id, value }),
    // another order removed it meanwhile
    (error: { kind?: string; message: string }) =>
      process.send!(error.kind === 'not-found' ? { id, value: null } : { id, error: error.message }),
  );
});
process.on('disconnect', () => process.exit());
