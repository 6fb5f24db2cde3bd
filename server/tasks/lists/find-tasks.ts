import type { Message } from '../../../shared/records/index.ts';
import { wordMatcher } from '../../../shared/text/search-words.ts';
import { placeOf, type Page } from './tasks-sql.ts';

/** What a search shows of a message that has a point. */
export interface FoundMessage extends Pick<Message, 'id' | 'title' | 'address'> {
  readonly lon: number;
  readonly lat: number;
}

/** Newest messages that are looked through: whoever types in a search box means one of these weeks. */
const LOOKED_THROUGH = 2_000;
const STEP = 200;

/**
 * The newest messages whose number, title or address hold each word of the query, at most `limit`. `read`
 * gives a page of those with a point that may be found.
 */
export function findMessages(read: (page: Page) => readonly Message[], query: string, limit: number): FoundMessage[] {
  const says = wordMatcher(query);
  const found: FoundMessage[] = [];
  let after: Page['after'];
  for (let looked = 0; says && looked < LOOKED_THROUGH && found.length < limit; looked += STEP) {
    const messages = read({ sortBy: 'date', direction: 'desc', after, limit: STEP });
    for (const message of messages)
      if (message.point && says([message.title, message.address, `#${message.id}`]))
        found.push(shown(message, message.point));
    const last = messages.at(-1);
    if (!last || messages.length < STEP) break;
    after = placeOf(last);
  }
  return found.slice(0, limit);
}

function shown({ id, title, address }: Message, { lon, lat }: { lon: number; lat: number }): FoundMessage {
  return { id, title, address, lon, lat };
}
