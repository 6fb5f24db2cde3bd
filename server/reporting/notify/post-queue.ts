import { Refusal } from '../../../shared/refusal.ts';
import { dateOf, print } from '../reports/index.ts';
import type { Store } from '../../store/types.ts';

export interface PostItem {
  readonly id: number;
  readonly at: number;
  readonly taskId: number;
  /** Whose message it is about; 0 when that is not known any more. */
  readonly organizationId: number;
  readonly name: string;
  readonly address: string;
  readonly sender: string;
  readonly senderAddress: string;
  readonly subject: string;
  readonly text: string;
  readonly printedAt: number | null;
}

const COLUMNS =
  'id, at, task_id AS taskId, organization_id AS organizationId, name, address, sender, sender_address AS senderAddress, subject, text, printed_at AS printedAt';

/** Letters that somebody has to print and post. */
export class PostQueue {
  readonly #store: Pick<Store, 'sql' | 'writePlain'>;
  readonly #now: () => number;

  constructor({ store, now }: { store: Pick<Store, 'sql' | 'writePlain'>; now: () => number }) {
    this.#store = store;
    this.#now = now;
  }

  /** Newest first. @param filter.organizationId only about messages of this department */
  list({
    before = null,
    organizationId = null,
    limit,
  }: {
    before?: number | null | undefined;
    organizationId?: number | null | undefined;
    limit: number;
  }): PostItem[] {
    const ofOrganization = organizationId === null ? '' : 'organization_id = ? AND ';
    return this.#store.sql
      .prepare(`SELECT ${COLUMNS} FROM post WHERE ${ofOrganization}(? IS NULL OR id < ?) ORDER BY id DESC LIMIT ?`)
      .all(...(organizationId === null ? [] : [organizationId]), before, before, limit) as unknown as PostItem[];
  }

  /** The letter as PDF. @param organizationId it must be about a message of this department; null: of any */
  async letter(id: number, organizationId: number | null = null): Promise<Uint8Array> {
    const { name, address, sender, senderAddress, subject, text, at } = this.#require(id, organizationId);
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

  async printed(id: number, organizationId: number | null = null): Promise<PostItem> {
    this.#require(id, organizationId);
    await this.#store.writePlain((sql) =>
      sql.prepare('UPDATE post SET printed_at = coalesce(printed_at, ?) WHERE id = ?').run(this.#now(), id),
    );
    return this.#require(id, organizationId);
  }

  #require(id: number, organizationId: number | null): PostItem {
    const found = this.#store.sql.prepare(`SELECT ${COLUMNS} FROM post WHERE id = ?`).get(id) as unknown as
      PostItem | undefined;
    if (!found || (organizationId !== null && found.organizationId !== organizationId))
      throw new Refusal('reports.noLetter', { id });
    return found;
  }
}
