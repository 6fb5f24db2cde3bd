import { parentPort } from 'node:worker_threads';
import { Refusal } from '../../shared/refusal.ts';
import type { FeedOrder, FeedResult } from './feed-thread.ts';
import { readFeed } from './reading/read-feed.ts';
import { isRelevant } from './reading/relevance.ts';

const port = parentPort!;
port.on('message', (order: FeedOrder) => port.postMessage(resultOf(order)));

function resultOf({ bytes, url, relevance }: FeedOrder): FeedResult {
  try {
    const { warnings, links, ...rest } = readFeed(bytes, url);
    const relevant = warnings.filter((warning) => isRelevant(warning, relevance));
    return {
      ...rest,
      items: relevant.map((warning) => ({ key: warning.key, json: JSON.stringify(warning) })),
      links: links.map(({ entry, ...link }) => ({
        ...link,
        entry: entry && isRelevant(entry, relevance) ? { key: entry.key, json: JSON.stringify(entry) } : null,
      })),
      elsewhere: warnings.length - relevant.length,
    };
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return { refused: { code: error.code, params: error.params } };
  }
}
