import type { Reason } from '../../shared/refusals/reason.ts';
import { registerMutableWriteContext } from 'rxdb';
import type { RxCollection, RxDocumentData, RxStorageChangeEvent } from 'rxdb';
import { ID_SPACE } from '../../shared/ids.ts';
import { firstStamps, stampDeletion, stampsAfter } from '../../shared/merge/merge.ts';
import { withSetsInOrder, type MergeShape } from '../../shared/merge/parts.ts';
import type { Stamps } from '../../shared/records/index.ts';
import { Refusal } from '../../shared/refusal.ts';
import type { CodeWithId } from '../../shared/refusals/reason.ts';
import { Emitter } from '../platform/emitter.ts';
import { computedStamp, SEED, type StampClock } from '../../shared/merge/stamps.ts';
import type { Commits } from './sqlite/commits.ts';
import type { Change, Draft, Origin, Records } from './types.ts';
import type { Sequences } from './sqlite/sequences.ts';
import { changedUnits, stampEdit } from './stamping-hooks.ts';
import type { SqliteInstance } from './storage/instance.ts';
import { Statements } from './storage/statements.ts';

/** The fields that every record has. */
export interface AnyRecord {
  key: string;
  id: number;
  hlc: Stamps;
  kind?: string;
}

interface RecordsPlace<T extends AnyRecord> {
  readonly collection: RxCollection<T>;
  readonly instance: SqliteInstance<T>;
  readonly shape: MergeShape;
  /** The kind, in a collection that holds several. */
  readonly kind: string | undefined;
  /** Whether the entire collection is kept in memory: small and often read. */
  readonly resident: boolean;
  keyOf(id: number): string;
  /** Name of the counter from which ids come. */
  readonly counter: string;
  readonly station: { readonly number: number };
  readonly commits: Commits;
  readonly sequences: Sequences;
  readonly clock: StampClock;
  /** Why nothing may be written now; undefined: it may. */
  refusesWrites(): Reason | undefined;
  report(error: unknown): void;
}

const CONTEXT = 'waypost-records';
/**
 * RxDB may complete these documents in place instead of copying them. For new keys only: it gives them a
 * first revision.
 */
const CONTEXT_OF_NEW = 'waypost-new-records';
registerMutableWriteContext(CONTEXT_OF_NEW);
/** Records of one step of a long write. The event loop runs between steps. */
const WRITTEN_AT_ONCE = 100;
const STEPS_UNDER_WAY = 4;

/**
 * The records of one collection or kind. Writes go through RxDB's storage instance of the collection, so that
 * its events always fire.
 */
export class CollectionRecords<T extends AnyRecord> implements Records<T> {
  readonly #place: RecordsPlace<T>;
  readonly #committed: Statements;
  readonly #pending: Statements;
  readonly #emitter: Emitter<[changes: readonly Change<T>[]]>;
  readonly #resident: Map<string, T> | undefined;
  #all: readonly T[] | undefined;
  readonly #changed: (change: Change<T>) => void;

  constructor(place: RecordsPlace<T>) {
    this.#place = place;
    this.#emitter = new Emitter((error) => place.report(error));
    this.#committed = new Statements(place.instance.internals.reader);
    this.#pending = new Statements(place.instance.internals.writer);
    place.instance.changeStream().subscribe((bulk) => {
      if (!this.#resident && !this.#emitter.hasListeners) return;
      for (const change of this.#changesOf(bulk.events)) this.#took(change);
    });
    this.#changed = place.commits.collect((changes) => this.#emitter.emit(changes));
    if (place.resident)
      this.#resident = new Map(this.#select(this.#committed, '').map((record) => [record.key, record]));
  }

  get(id: number): T | undefined {
    const key = this.#place.keyOf(id);
    // Inside a transaction a rule must see its own writes.
    if (this.#place.commits.inside) return this.#select(this.#pending, ' AND key = ?', key)[0];
    return this.#resident ? this.#resident.get(key) : this.#select(this.#committed, ' AND key = ?', key)[0];
  }

  require(id: number, missing: CodeWithId): T {
    const record = this.get(id);
    if (!record) throw Refusal.of({ code: missing, params: { id } });
    return record;
  }

  all(): readonly T[] {
    if (this.#place.commits.inside) return this.#select(this.#pending, '');
    if (!this.#resident) return this.#select(this.#committed, '');
    return (this.#all ??= [...this.#resident.values()].sort((a, b) => (a.key < b.key ? -1 : 1)));
  }

  count(): number {
    if (this.#resident && !this.#place.commits.inside) return this.#resident.size;
    const statements = this.#place.commits.inside ? this.#pending : this.#committed;
    return statements.get(`SELECT count(*) AS count FROM ${this.#where}`).get()!['count'] as number;
  }

  nextId(): number {
    const { sequences, counter, station, commits } = this.#place;
    const next = sequences.next(counter);
    if (next >= ID_SPACE) throw new Refusal('store.idsUsedUp', { count: ID_SPACE.toLocaleString('en'), what: counter });
    commits.touch();
    return station.number * ID_SPACE + next;
  }

  async insert(draft: Draft<T>, origin?: Origin): Promise<T> {
    return (await this.insertMany([draft], origin))[0]!;
  }

  /**
   * Writes more than a hundred records in steps, between which the event loop runs and others may write. A
   * crash, or an id that exists already, can leave some of them written; inside a transaction all or none.
   */
  insertMany(drafts: readonly Draft<T>[], origin: Origin = 'entered'): Promise<readonly T[]> {
    return this.#inSteps(drafts, (step) => this.#insertNow(step, origin));
  }

  change(id: number, rule: (record: T) => T | Draft<T>): Promise<T> {
    return this.#write(() => {
      const { result, rows } = this.#changeNow([id], rule);
      return { result: result[0]!, rows };
    });
  }

  changeMany(ids: readonly number[], rule: (record: T) => T | Draft<T>): Promise<readonly T[]> {
    return this.#inSteps(ids, (step) => this.#changeNow(step, rule));
  }

  remove(id: number): Promise<void> {
    return this.#write(() => {
      const previous = this.#requireForWrite(id);
      const document = { ...previous, hlc: stampDeletion(previous.hlc), _deleted: true } as RxDocumentData<T>;
      return { result: undefined, rows: [{ previous, document }] };
    });
  }

  watch(listener: (changes: readonly Change<T>[]) => void): () => void {
    return this.#emitter.on(listener);
  }

  beforeCommit(listener: (changes: readonly Change<T>[]) => void): () => void {
    return this.#listen(this.#place.instance.beforeCommit, listener);
  }

  /** Calls the listener after each commit of records from peers. */
  onMerged(listener: (changes: readonly Change<T>[]) => void): () => void {
    return this.#listen(this.#place.instance.merged, listener);
  }

  #listen(listeners: SqliteInstance<T>['beforeCommit'], listener: (changes: readonly Change<T>[]) => void): () => void {
    const handler = (events: RxStorageChangeEvent<RxDocumentData<T>>[]) => {
      const changes = this.#changesOf(events);
      if (changes.length > 0) listener(changes);
    };
    listeners.add(handler);
    return () => listeners.delete(handler);
  }

  /**
   * Decides and writes in one step. Resolves when it is on disk; inside a transaction at once, because the
   * transaction waits for the disk.
   */
  #write<R>(step: () => WriteStep<T, R>): Promise<R> {
    const { commits, collection, refusesWrites } = this.#place;
    const why = refusesWrites();
    if (why !== undefined) return Promise.reject(Refusal.of(why));
    let outcome: { result: R; saved: Promise<void> } | undefined;
    const done = commits.write(() => {
      const { result, rows } = step();
      outcome = {
        result,
        saved:
          rows && rows.length > 0
            ? collection.storageInstance
                .bulkWrite(rows, rows.some((row) => row.previous) ? CONTEXT : CONTEXT_OF_NEW)
                .then(requireWritten)
            : Promise.resolve(),
      };
      outcome.saved.catch(() => undefined); // Awaited below, but perhaps not before it fails.
    });
    if (outcome && commits.insideTransaction) {
      commits.leaveToTransaction(Promise.all([done, outcome.saved]));
      return Promise.resolve(outcome.result);
    }
    return done.then(() => outcome!.saved).then(() => outcome!.result);
  }

  async #inSteps<I>(
    items: readonly I[],
    now: (step: readonly I[]) => WriteStep<T, readonly T[]>,
  ): Promise<readonly T[]> {
    const { commits } = this.#place;
    const steps: Promise<readonly T[]>[] = [];
    for (let at = 0; at < items.length; at += WRITTEN_AT_ONCE) {
      const step = items.slice(at, at + WRITTEN_AT_ONCE);
      if (at > 0 && commits.insideTransaction) await new Promise((resolve) => setImmediate(resolve));
      // The next steps are written while the first is synced. More than a few would only wait in memory.
      if (steps.length >= STEPS_UNDER_WAY) await steps[steps.length - STEPS_UNDER_WAY];
      const written = this.#write(() => now(step));
      written.catch(() => undefined); // Awaited below, but perhaps not before it fails.
      steps.push(written);
    }
    return (await Promise.all(steps)).flat();
  }

  #changeNow(
    ids: readonly number[],
    rule: (record: T) => T | Draft<T>,
  ): { result: readonly T[]; rows: StoredRow<T>[] } {
    const { keyOf, instance, clock, shape } = this.#place;
    const stored = new Map(
      instance.readManyForWrite(ids.map(keyOf)).map((document) => [document.key as string, document]),
    );
    let stamp: string | undefined;
    const rows: StoredRow<T>[] = [];
    const results = ids.map((id) => {
      const previous = stored.get(keyOf(id));
      if (!previous || previous._deleted) throw new Refusal('record.missing', { what: this.#name, id });
      const before = recordOf<T>(previous);
      const wanted = rule(before) as T;
      if (wanted === before) return before;
      const after = withSetsInOrder(wanted, shape);
      const changed = changedUnits(before, after, shape);
      if (changed.length === 0) return before;
      const record = {
        ...after,
        key: before.key,
        id: before.id,
        hlc: stampEdit(before.hlc, changed, (stamp ??= clock.next()), after, shape),
      };
      rows.push({ previous, document: { ...record, ...metaOf(previous) } as RxDocumentData<T> });
      return record;
    });
    return { result: results, rows };
  }

  #insertNow(drafts: readonly Draft<T>[], origin: Origin): WriteStep<T, readonly T[]> {
    const { keyOf, instance, kind, clock, sequences, counter, station, shape } = this.#place;
    const stored = new Map(
      instance
        .readManyForWrite(drafts.map((draft) => keyOf((draft as unknown as T).id)))
        .map((document) => [document.key as string, document]),
    );
    let stamp: string | undefined;
    const first = firstStamps(
      origin === 'seed' ? SEED : origin === 'computed' ? computedStamp(clock.station) : (stamp = clock.next()),
    );
    const records: T[] = [];
    const rows: StoredRow<T>[] = [];
    for (const draft of drafts as unknown as readonly T[]) {
      if (draft.kind !== kind && kind !== undefined)
        throw new Error(`A record of the kind ${draft.kind} among those of the kind ${kind}.`);
      const key = keyOf(draft.id);
      const previous = stored.get(key);
      if (previous && !previous._deleted) throw new Refusal('record.exists', { what: this.#name, id: draft.id });
      const hlc = previous ? stampsAfter(previous.hlc, (stamp ??= clock.next())) : first;
      const record = { ...withSetsInOrder(draft, shape), key, hlc };
      // Seeded records have ids of their own, which must not be given again.
      if (Math.floor(draft.id / ID_SPACE) === station.number) sequences.taken(counter, draft.id % ID_SPACE);
      records.push(record);
      if (previous)
        rows.push({ previous, document: { ...record, ...metaOf(previous), _deleted: false } as RxDocumentData<T> });
      else
        rows.push({
          document: {
            ...record,
            _deleted: false,
            _attachments: {},
            _meta: undefined,
            _rev: undefined,
          } as unknown as RxDocumentData<T>,
        });
    }
    return { result: records, rows };
  }

  #requireForWrite(id: number): RxDocumentData<T> {
    const document = this.#place.instance.readForWrite(this.#place.keyOf(id));
    if (!document || document._deleted) throw new Refusal('record.missing', { what: this.#name, id });
    return document;
  }

  #select(statements: Statements, and: string, ...values: string[]): T[] {
    const rows = statements.get(`SELECT data FROM ${this.#where}${and} ORDER BY key`).all(...values);
    return rows.map((row) => JSON.parse(row['data'] as string) as T);
  }

  get #where(): string {
    const { instance, kind } = this.#place;
    return `${instance.layout.table} WHERE deleted = 0${kind === undefined ? '' : ` AND kind = '${kind.replaceAll("'", "''")}'`}`;
  }

  get #name(): string {
    return this.#place.kind ?? `record of ${this.#place.collection.name}`;
  }

  /** Several kinds share a collection, and each sees every event: events of other kinds must cost nothing. */
  #changesOf(events: readonly RxStorageChangeEvent<RxDocumentData<T>>[]): readonly Change<T>[] {
    const { kind } = this.#place;
    let changes: Change<T>[] | undefined;
    for (const { documentData, previousDocumentData: previous, operation } of events) {
      if (kind !== undefined && (documentData as RxDocumentData<T>).kind !== kind) continue;
      (changes ??= []).push({
        record: recordOf<T>(documentData as RxDocumentData<T>),
        before: previous && !previous._deleted ? recordOf<T>(previous as RxDocumentData<T>) : undefined,
        deleted: operation === 'DELETE',
      });
    }
    return changes ?? NO_CHANGES;
  }

  #took({ record, before, deleted }: Change<T>): void {
    if (this.#resident) {
      if (deleted) this.#resident.delete(record.key);
      else this.#resident.set(record.key, record);
      this.#all = undefined;
    }
    if (this.#emitter.hasListeners) this.#changed({ record, before, deleted });
  }
}

const NO_CHANGES: readonly never[] = [];

interface StoredRow<T> {
  previous?: RxDocumentData<T>;
  document: RxDocumentData<T>;
}

interface WriteStep<T, R> {
  readonly result: R;
  readonly rows?: StoredRow<T>[];
}

/** Cannot fail: the step has just read what is stored. */
function requireWritten({ error }: { error: { documentId: string; status: number }[] }): void {
  if (error.length > 0)
    throw new Error(`The record ${error[0]!.documentId} could not be written (${error[0]!.status}).`);
}

function recordOf<T>(document: RxDocumentData<T>): T {
  const { _rev, _meta, _deleted, _attachments, ...record } = document as RxDocumentData<Record<string, unknown>>;
  return record as T;
}

function metaOf<T>(
  document: RxDocumentData<T>,
): Pick<RxDocumentData<object>, '_rev' | '_meta' | '_deleted' | '_attachments'> {
  const { _rev, _meta, _deleted, _attachments } = document as RxDocumentData<object>;
  return { _rev, _meta, _deleted, _attachments };
}
