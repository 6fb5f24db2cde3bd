import type { CollectionName, Store } from '../../../store/types.ts';
import { REPLICATED } from './collections.ts';
import { countAfter, type FeedPosition } from './feed-page.ts';
import type { LinkProgress } from '../types.ts';
import { waitingByKind } from './waiting-kinds.ts';

/** How far linked stations have read what this one wrote, also while they cannot be reached. */
export class ReadPositions {
  readonly #store: Store;

  constructor(store: Store) {
    this.#store = store;
  }

  of(link: number): Map<string, FeedPosition> {
    const rows = this.#store.sql.prepare('SELECT records, epoch, seq FROM read_positions WHERE link = ?').all(link);
    return new Map(
      rows.map(({ records, epoch, seq }) => [
        records as CollectionName,
        { epoch: epoch as string, seq: seq as number },
      ]),
    );
  }

  async save(link: number, positions: ReadonlyMap<string, FeedPosition>): Promise<void> {
    await this.#store.writePlain((sql) => {
      const write = sql.prepare(
        'INSERT OR REPLACE INTO read_positions (link, records, epoch, seq) VALUES (?, ?, ?, ?)',
      );
      for (const [records, { epoch, seq }] of positions) write.run(link, records, epoch, seq);
    });
  }
}

/** Records that another station, which has read so far, has not read, in all and by kind. */
export function unread(
  store: Store,
  read: ReadonlyMap<string, FeedPosition>,
  epoch: string,
): Pick<LinkProgress, 'waitingOut' | 'kindsOut'> {
  const counts = REPLICATED.map((name): [CollectionName, number] => {
    const position = read.get(name);
    return [name, countAfter(store, name, position?.epoch === epoch ? position.seq : 0)];
  });
  const { waiting, kinds } = waitingByKind(counts);
  return { waitingOut: waiting, kindsOut: kinds };
}
