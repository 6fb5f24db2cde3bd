import { Refusal } from '../../../shared/refusal.ts';
import type { Reason } from '../../../shared/refusals/reason.ts';
import { WorkerQueue } from '../../platform/threads/worker-queue.ts';
import { siblingUrl } from '../../platform/threads/worker-url.ts';
import type { LinkedMessage, ReadFeed } from './reading/read-warning.ts';
import type { Relevance } from './reading/relevance.ts';

export interface FeedOrder {
  readonly bytes: Uint8Array;
  readonly url: string;
  readonly relevance: Relevance;
}

/** A warning as JSON: the main thread compares texts, and parses only what is new. */
export interface ReadItem {
  readonly key: string;
  readonly json: string;
}

/** The relevant content of a document. */
export interface FeedItems extends Omit<ReadFeed, 'warnings' | 'links'> {
  readonly items: readonly ReadItem[];
  readonly links: readonly (Omit<LinkedMessage, 'entry'> & { readonly entry: ReadItem | null })[];
}
export type FeedResult = FeedItems | { readonly refused: Reason };

/** ms for one document; the largest takes a minute of a slow computer. */
const LIMIT = 180_000;

const thread = new WorkerQueue<FeedOrder, FeedResult>(siblingUrl(import.meta.url, './feed.worker'), 'The feed', LIMIT);

/** Reads a document in a thread: its publisher decides how long that takes. */
export async function readFeedInThread(order: FeedOrder): Promise<FeedItems> {
  const result = await thread.run(order);
  if ('refused' in result) throw Refusal.of(result.refused);
  return result;
}
