import { parentPort } from 'node:worker_threads';
import { Refusal } from '../../../shared/refusal.ts';
import type { FeedOrder, FeedResult } from './feed-thread.ts';
import { readFeed } from './reading/read-feed.ts';
import type { ReadWarning } from './reading/read-warning.ts';
import { isRelevant } from './reading/relevance.ts';

const port = parentPort!;
port.on('message', (order: FeedOrder) => port.postMessage(resultOf(order)));

function resultOf({ bytes, url, relevance }: FeedOrder): FeedResult {
  try {
    const { warnings, links, ...rest } = readFeed(bytes, url, (warning) => isRelevant(warning, relevance));
    return {
      ...rest,
      items: warnings.map(itemOf),
      links: links.map(({ entry, ...link }) => ({ ...link, entry: entry && itemOf(entry) })),
    };
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return { refused: { code: error.code, params: error.params } };
  }
}

function itemOf(warning: ReadWarning) {
  return { key: warning.key, json: JSON.stringify(warning) };
}
