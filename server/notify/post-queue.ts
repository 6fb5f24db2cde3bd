import { Refusal } from '../../shared/refusal.ts';
import { dateOf, print } from '../reports/index.ts';
import type { Store } from '../store/types.ts';

export interface PostItem {
  readonly id: number;
  readonly at: number;
  readonly messageId: number;
  /** Whose message it is about; 0 when that is not known any more. */
  readonly departmentId: number;
  readonly name: string;
  readonly address: string;
  readonly sender: string;
  readonly senderAddress: string;
  readonly subject: string;
  readonly text: string;
  readonly printedAt: number | null;
}

const COLUMNS =
  'id, at, message_id AS messageId, department_id AS departmentId, name, address, sender, sender_address AS senderAddress, subject, text, printed_at AS printedAt';

/** Letters that somebody has to print and post. */
export class PostQueue {
  readonly #store: Pick<Store, 'sql' | 'writePlain'>;
  readonly #now: () => number;

  constructor({ store, now }: { store: Pick<Store, 'sql' | 'writePlain'>; now: () => number }) {
    this.#store = store;
    this.#now = now;
  }

  /** Newest first. @param filter.departmentId only about messages of this department */
  list({
    before = null,
    departmentId = null,
    limit,
  }: {
    before?: number | null | undefined;
    departmentId?: number | null | undefined;
    limit: number;
  }): PostItem[] {
    const ofDepartment = departmentId === null ? '' : 'department_id = ? AND ';
    return this.#store.sql
      .prepare(`SELECT ${COLUMNS} FROM post WHERE ${ofDepartment}(? IS NULL OR id < ?) ORDER BY id DESC LIMIT ?`)
      .all(...(departmentId === null ? [] : [departmentId]), before, before, limit) as unknown as PostItem[];
  }

  /** The letter as PDF. @param departmentId it must be about a message of this department; null: of any */
  async letter(id: number, departmentId: number | null = null): Promise<Uint8Array> {
    const { name, address, sender, senderAddress, subject, text, at } = this.#demand(id, departmentId);
    return print({
      kind: 'letter',
      letter: {
        from: { name: sender, address: senderAddress },
        to: { name, address },
        subject,
        text,
        at,
        place: dateOf(at).slice(0, 10),
      },
    });
  }

  async printed(id: number, departmentId: number | null = null): Promise<PostItem> {
    this.#demand(id, departmentId);
    await this.#store.writePlain((sql) =>
      sql.prepare('UPDATE post SET printed_at = coalesce(printed_at, ?) WHERE id = ?').run(this.#now(), id),
    );
    return this.#demand(id, departmentId);
  }

  #demand(id: number, departmentId: number | null): PostItem {
    const found = this.#store.sql.prepare(`SELECT ${COLUMNS} FROM post WHERE id = ?`).get(id) as unknown as
      PostItem | undefined;
    if (!found || (departmentId !== null && found.departmentId !== departmentId))
      throw new Refusal('not-found', `There is no letter ${id}.`);
    return found;
  }
}
