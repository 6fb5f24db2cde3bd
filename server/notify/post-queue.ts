import { Refusal } from '../../shared/refusal.ts';
import { dateOf, print } from '../reports/index.ts';
import type { Store } from '../store/door.ts';

export interface PostItem {
  readonly id: number;
  readonly at: number;
  readonly messageId: number;
  readonly name: string;
  readonly address: string;
  readonly sender: string;
  readonly senderAddress: string;
  readonly subject: string;
  readonly text: string;
  readonly printedAt: number | null;
}

const COLUMNS = 'id, at, message_id AS messageId, name, address, sender, sender_address AS senderAddress, subject, text, printed_at AS printedAt';

/** Letters that somebody has to print and post. */
export class PostQueue {
  readonly #store: Pick<Store, 'sql' | 'writePlain'>;
  readonly #now: () => number;

  constructor({ store, now }: { store: Pick<Store, 'sql' | 'writePlain'>; now: () => number }) {
    this.#store = store;
    this.#now = now;
  }

  /** Newest first. */
  list({ before, limit }: { before?: number | undefined; limit: number }): PostItem[] {
    return this.#store.sql.prepare(`SELECT ${COLUMNS} FROM post WHERE (? IS NULL OR id < ?) ORDER BY id DESC LIMIT ?`).all(before ?? null, before ?? null, limit) as unknown as PostItem[];
  }

  /** The letter as PDF. */
  async letter(id: number): Promise<Uint8Array> {
    const { name, address, sender, senderAddress, subject, text, at } = this.#demand(id);
    return print({ kind: 'letter', letter: { from: { name: sender, address: senderAddress }, to: { name, address }, subject, text, at, place: dateOf(at).slice(0, 10) } });
  }

  async printed(id: number): Promise<PostItem> {
    this.#demand(id);
    await this.#store.writePlain((sql) => sql.prepare('UPDATE post SET printed_at = coalesce(printed_at, ?) WHERE id = ?').run(this.#now(), id));
    return this.#demand(id);
  }

  #demand(id: number): PostItem {
    const found = this.#store.sql.prepare(`SELECT ${COLUMNS} FROM post WHERE id = ?`).get(id) as unknown as PostItem | undefined;
    if (!found) throw new Refusal('not-found', `There is no letter ${id}.`);
    return found;
  }
}
