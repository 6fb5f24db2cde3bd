import type { Caller } from '../../../access/accounts/index.ts';
import type { MergeRecord, Resolution } from '../../../../shared/records/index.ts';
import { Refusal } from '../../../../shared/refusal.ts';
import type { Records, Store } from '../../../store/index.ts';
import type { MergeSubjects } from './subjects.ts';
import { writersOf, type Writer } from './writers.ts';

export interface MergeQuery {
  /** Id of the merge after which the list continues. */
  readonly after?: number | undefined;
  readonly limit: number;
  /** Only those that nobody has resolved. */
  readonly open: boolean;
}

/** A merge with the authors of the two values, as far as this station knows them. */
export interface MergeView {
  readonly merge: MergeRecord;
  readonly kept: Writer;
  readonly lost: Writer;
}

/** Merges that are read at once while those are sought that the caller may see. */
const PAGE = 500;

/** Decisions of merges, for users who may see the records. */
export class Merges {
  readonly #store: Store;
  readonly #records: Records<MergeRecord>;
  readonly #subjects: MergeSubjects;
  readonly #now: () => number;

  constructor(store: Store, subjects: MergeSubjects, now: () => number) {
    this.#store = store;
    this.#records = store.records('merges') as unknown as Records<MergeRecord>;
    this.#subjects = subjects;
    this.#now = now;
  }

  /** Ascending by id. */
  list(caller: Caller, { after = -1, limit, open }: MergeQuery): MergeView[] {
    const select = this.#store.sql.prepare(
      `SELECT data FROM ${this.#store.table('merges')} WHERE deleted = 0 AND id > ?${open ? " AND resolved = ''" : ''} ORDER BY id LIMIT ${PAGE}`,
    );
    const found: MergeView[] = [];
    for (let last: number | undefined = after; last !== undefined && found.length < limit;) {
      const page: MergeRecord[] = select.all(last).map((row) => JSON.parse(row['data'] as string) as MergeRecord);
      for (const merge of page)
        if (found.length < limit && this.#subjects.of(merge)?.sees(caller)) found.push(this.#view(merge));
      last = page.length < PAGE ? undefined : page.at(-1)!.id;
    }
    return found;
  }

  /**
   * Chooses one of the two values, at every linked station. Refuses, as not found, merges that the caller may
   * not see.
   */
  async resolve(caller: Caller, id: number, take: Exclude<Resolution, ''>): Promise<MergeView> {
    const merge = this.#records.get(id);
    const subject = merge && this.#subjects.of(merge);
    if (!merge || !subject?.sees(caller)) throw new Refusal('sync.noMerge', { id });
    const write = async () => {
      subject.demandEdit(caller);
      if (take === 'lost' && merge.field === 'id')
        throw new Refusal('sync.otherRecord', { id: String(merge.lost.value) });
      if (take === 'lost' || merge.resolved === 'lost' || merge.rule === 'vehicle-twice')
        await subject.write(caller, take);
      return this.#records.change(id, (record) =>
        record.resolved === take
          ? record
          : { ...record, resolved: take, resolvedAt: this.#now(), resolvedBy: caller.user.id },
      );
    };
    return this.#view(await (subject.inTransaction ? this.#store.transaction(write) : write()));
  }

  #view(merge: MergeRecord): MergeView {
    return { merge, ...writersOf(this.#store, merge) };
  }
}
