import { isDeepStrictEqual } from 'node:util';
import { seesOrganization } from '../../../shared/access.ts';
import { Refusal } from '../../../shared/refusal.ts';
import { ZonedTime } from '../../../shared/zoned-time.ts';
import type { Caller } from '../../access/accounts/index.ts';
import { WorkerQueue } from '../../platform/threads/worker-queue.ts';
import { siblingUrl } from '../../platform/threads/worker-url.ts';
import type { Store } from '../../store/types.ts';
import type { Fate, ImportKind } from './fields.ts';
import { guessColumns, headKey } from './guess-columns.ts';
import { ImportJournal, type ImportEntry, type JournalLine } from './journal.ts';
import { ImportPreview } from './preview.ts';
import { pick } from './plan-row.ts';
import type { ReadTableResult, SourceTable } from './reading/table.ts';
import type { ImportTarget } from './target.ts';
import { TurnBudget } from './turn-budget.ts';

interface ImportsOptions {
  readonly store: Store;
  readonly targets: readonly ImportTarget[];
  readonly now: () => number;
  readonly report: (message: string, error: unknown) => void;
}

/** ms to read a file. */
const READING_LIMIT = 120_000;
/** ms for which a preview waits for its user. */
const PREVIEW_LIFE = 30 * 60_000;
const MOST_PREVIEWS = 4;
/** Records that are undone at once. */
const UNDONE_AT_ONCE = 100;

const reading = new WorkerQueue<string, ReadTableResult>(
  siblingUrl(import.meta.url, './reading/table.worker'),
  'The table',
  READING_LIMIT,
);

/** Records from files: read, previewed, written after confirmation, and undone as a whole. */
export class Imports {
  readonly #options: ImportsOptions;
  readonly #journal: ImportJournal;
  readonly #previews = new Map<string, ImportPreview>();
  /** The import that is being written or undone. */
  #writing: Promise<void> | undefined;
  /** Its entry, with counts that are not on disk yet. */
  #current: ImportEntry | undefined;
  #closed = false;

  private constructor(options: ImportsOptions, journal: ImportJournal) {
    this.#options = options;
    this.#journal = journal;
  }

  static async open(options: ImportsOptions): Promise<Imports> {
    return new Imports(options, await ImportJournal.open(options.store));
  }

  target(kind: ImportKind): ImportTarget {
    return this.#options.targets.find((target) => target.kind === kind)!;
  }

  /** Reads a file and says what each of its rows would do. */
  async preview(
    caller: Caller,
    { path, name, kind, zone }: { path: string; name: string; kind: ImportKind; zone?: string | undefined },
  ): Promise<ImportPreview> {
    const zoned = zone === undefined ? ZonedTime.here() : new ZonedTime(zone);
    this.#dropOld(caller);
    const read = await reading.run(path);
    if ('refused' in read) throw Refusal.of(read.refused);
    const target = this.target(kind);
    const preview = new ImportPreview({ target, table: read.table, file: name, caller, zone: zoned });
    const columns = this.#guess(target, read.table);
    // A file whose columns fit nothing is shown with its heads, for a person to assign them.
    if (columns.some((column) => column !== null)) await preview.judge(columns, {});
    else preview.columns = columns;
    preview.usedAt = this.#options.now();
    this.#previews.set(preview.id, preview);
    return preview;
  }

  /** A preview of this caller. */
  open(caller: Caller, id: string): ImportPreview {
    const preview = this.#previews.get(id);
    if (preview?.caller.user.id !== caller.user.id) throw new Refusal('imports.missing', { id });
    preview.usedAt = this.#options.now();
    return preview;
  }

  discard(caller: Caller, id: string): void {
    this.#previews.delete(this.open(caller, id).id);
  }

  /** Begins to write what the preview says. Rows that are refused by now stay out. */
  async confirm(caller: Caller, id: string): Promise<ImportEntry> {
    const preview = this.open(caller, id);
    const { target, table, file, columns } = preview;
    this.#requireIdle();
    if (!columns.some((column) => column !== null)) throw new Refusal('imports.noColumns');
    this.#previews.delete(id);
    const begun = Promise.withResolvers<ImportEntry>();
    this.#run(async () => {
      const entry = await this.#journal.add({
        kind: target.kind,
        file,
        userId: caller.user.id,
        organizationId: caller.user.organizationId,
        at: this.#options.now(),
        state: 'writing',
        rows: table.rows,
        ...{ done: 0, created: 0, changed: 0, refused: 0, left: 0 },
      });
      begun.resolve(entry);
      await this.#journal.remember(target.kind, new Map(table.heads.map((head, at) => [headKey(head), columns[at]!])));
      await this.#write(caller, entry, preview);
    }, begun.reject);
    return begun.promise;
  }

  /** Imports of users whom the caller sees, newest first. */
  list(caller: Caller): ImportEntry[] {
    return this.#journal
      .list()
      .map((entry) => this.#latest(entry))
      .filter(({ organizationId }) => seesOrganization(caller, organizationId));
  }

  get(caller: Caller, id: number): ImportEntry {
    const entry = this.#journal.get(id);
    if (!entry || !seesOrganization(caller, entry.organizationId)) throw new Refusal('imports.missing', { id });
    return this.#latest(entry);
  }

  /** Starts undoing an import. Records that somebody changed since keep those changes. */
  async undo(caller: Caller, id: number): Promise<ImportEntry> {
    const entry = this.get(caller, id);
    this.#requireIdle();
    if (entry.state !== 'done' && entry.state !== 'broken') throw new Refusal('imports.notUndoable');
    const undoing: ImportEntry = { ...entry, state: 'undoing' };
    this.#current = undoing;
    this.#run(async () => {
      await this.#journal.save(undoing);
      await this.#takeBack(caller, undoing);
    });
    return undoing;
  }

  async close(): Promise<void> {
    this.#closed = true;
    this.#previews.clear();
    await this.#writing;
  }

  #latest(entry: ImportEntry): ImportEntry {
    return this.#current?.id === entry.id ? this.#current : entry;
  }

  #guess(target: ImportTarget, { heads, geometry }: SourceTable): readonly (string | null)[] {
    const guessed = guessColumns(heads, target.fields(), this.#journal.remembered(target.kind));
    const hasShapes = target.fields().some(({ name }) => name === 'geometry');
    return guessed.map((field, column) => (column === geometry ? (hasShapes ? 'geometry' : null) : field));
  }

  async #write(caller: Caller, entry: ImportEntry, preview: ImportPreview): Promise<void> {
    const { target } = preview;
    let counted = entry;
    const turns = new TurnBudget();
    for await (const fates of preview.plan(turns)) {
      if (this.#closed) return;
      const steps = fates.flatMap((fate) => stepOf(fate, target));
      await this.#journal.note(
        entry.id,
        steps.map(({ line }) => line),
      );
      const outcomes = await turns.settleAll(steps, ({ run }) => run(caller));
      const failed = outcomes.map((outcome) => this.#isRefused(outcome));
      const taken = (isNew: boolean) => steps.filter((step, at) => step.isNew === isNew && !failed[at]).length;
      counted = {
        ...counted,
        done: counted.done + fates.length,
        created: counted.created + taken(true),
        changed: counted.changed + taken(false),
        refused:
          counted.refused + fates.filter(({ kind }) => kind === 'refused').length + failed.filter(Boolean).length,
      };
      this.#current = counted;
      await this.#journal.save(counted);
    }
    await this.#journal.save({ ...counted, state: 'done' });
  }

  async #takeBack(caller: Caller, entry: ImportEntry): Promise<void> {
    const target = this.target(entry.kind);
    const turns = new TurnBudget();
    let { left } = entry;
    for (;;) {
      const lines = this.#journal.lines(entry.id, UNDONE_AT_ONCE);
      if (lines.length === 0 || this.#closed) break;
      const outcomes = await turns.settleAll(lines, (line) => undoLine(line, target, caller));
      for (const outcome of outcomes) if (this.#isRefused(outcome) || isLeft(outcome)) left++;
      await this.#journal.forget(lines);
      this.#current = { ...entry, left };
      await turns.pause();
    }
    if (!this.#closed) await this.#journal.save({ ...entry, left, state: 'undone' });
  }

  /** An error that is no refusal is a bug and ends the import. */
  #isRefused(outcome: PromiseSettledResult<unknown>): boolean {
    if (outcome.status === 'fulfilled') return false;
    if (outcome.reason instanceof Refusal) return true;
    throw outcome.reason as Error;
  }

  #requireIdle(): void {
    if (this.#writing) throw new Refusal('imports.busy');
  }

  #run(work: () => Promise<void>, failed?: (error: unknown) => void): void {
    this.#writing = work()
      .catch(async (error: unknown) => {
        failed?.(error);
        this.#options.report('An import ended early.', error);
        if (this.#current) await this.#journal.save({ ...this.#current, state: 'broken' });
      })
      .catch((error: unknown) => this.#options.report('The end of an import could not be noted.', error))
      .finally(() => {
        this.#writing = undefined;
        this.#current = undefined;
      });
  }

  /** A caller has one preview. Those that nobody used for long are dropped. */
  #dropOld({ user }: Caller): void {
    const now = this.#options.now();
    for (const [id, preview] of this.#previews)
      if (preview.caller.user.id === user.id || now - preview.usedAt > PREVIEW_LIFE) this.#previews.delete(id);
    if (this.#previews.size >= MOST_PREVIEWS) throw new Refusal('imports.previews');
  }
}

interface Step {
  readonly isNew: boolean;
  readonly line: JournalLine;
  run(caller: Caller): Promise<unknown>;
}

function stepOf(fate: Fate, target: ImportTarget): Step[] {
  if (fate.kind === 'new') {
    const recordId = target.takeId();
    const { values } = fate;
    return [
      {
        isNew: true,
        line: { recordId, before: undefined, after: values },
        run: (caller) => target.create(caller, recordId, values),
      },
    ];
  }
  if (fate.kind === 'changed') {
    const { id: recordId, before, after } = fate;
    return [
      { isNew: false, line: { recordId, before, after }, run: (caller) => target.change(caller, recordId, after) },
    ];
  }
  return [];
}

/** Resolves to whether something of the import is left, because it was changed since. */
async function undoLine(
  { recordId, before, after }: JournalLine,
  target: ImportTarget,
  caller: Caller,
): Promise<boolean> {
  const values = target.valuesOf(recordId);
  if (!values) return false;
  if (before === undefined) {
    await target.remove(caller, recordId);
    return false;
  }
  const names = Object.keys(after);
  const own = names.filter((name) => isDeepStrictEqual(values[name], after[name]));
  if (own.length > 0) await target.change(caller, recordId, pick(before, own));
  return names.some((name) => !own.includes(name) && !isDeepStrictEqual(values[name], before[name]));
}

function isLeft(outcome: PromiseSettledResult<boolean>): boolean {
  return outcome.status === 'fulfilled' && outcome.value;
}
