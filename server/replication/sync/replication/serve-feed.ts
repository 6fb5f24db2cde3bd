import { z } from 'zod';
import { Refusal } from '../../../../shared/refusal.ts';
import type { Files } from '../../../dispatch/files/index.ts';
import type { CollectionName, Store } from '../../../store/types.ts';
import type { Channel, ChannelAnswer } from '../types.ts';
import { isReplicated } from './collections.ts';
import { feedPage, PositionShape, type FeedFilter, type FeedPosition, type PullAnswer } from './feed-page.ts';
import type { KnownToPeer } from './intake/known-to-peer.ts';
import { FOLLOWERS, Scope } from './scope/scope.ts';
import type { ScopedLinks } from './scope/scoped-links.ts';

interface FeedServerOptions {
  readonly channel: Channel;
  readonly store: Store;
  readonly files: Pick<Files, 'blobs'>;
  readonly scoped: Pick<ScopedLinks, 'moves'>;
  /** Scope of the link; undefined: everything. */
  scope(): Scope | undefined;
  epoch(): string;
  /** Records that the other station has sent itself. */
  known(collection: CollectionName): KnownToPeer;
  /** The other station has read a collection up to here. */
  read(collection: CollectionName, position: FeedPosition): void;
  /** Begins a new epoch: the other station has read more than this one holds. Resolves when it has begun. */
  wasSetBack(): Promise<void>;
}

/** Bytes of a file in one answer. */
const PIECE = 256_000;

const PullShape = z.object({
  collection: z.string(),
  position: PositionShape.nullable(),
  limit: z.int().min(1),
});
const FileShape = z.object({ sha256: z.string().regex(/^[0-9a-f]{64}$/), offset: z.int().min(0) });

/** Answers the other station's requests for pages of the feed and for pieces of files, until the channel closes. */
export function serveFeed(options: FeedServerOptions): void {
  options.channel.handle('pull', (body) => answerPull(options, body));
  options.channel.handle('file', (body) => answerFile(options.files, body));
}

async function answerPull(options: FeedServerOptions, body: unknown): Promise<{ body: PullAnswer; bytes: Buffer }> {
  const { collection, position, limit } = PullShape.parse(body);
  if (!isReplicated(collection)) throw new Refusal('sync.notReplicated', { collection });
  const { store } = options;
  if (position?.epoch === options.epoch() && position.seq > store.feed.head()) await options.wasSetBack();
  if (position) options.read(collection, position);
  const known = options.known(collection);
  const page = feedPage(
    store,
    { collection, position, limit },
    (key, data) => known.has(key, data),
    filterOf(options, collection),
  );
  return { body: page.answer, bytes: page.bytes };
}

function filterOf(options: FeedServerOptions, collection: CollectionName): FeedFilter | undefined {
  const scope = options.scope();
  if (!scope) return undefined;
  const { channel, store, scoped } = options;
  const { organizations } = channel.link.settings;
  const mine = organizations && organizations.length > 0 ? new Scope(store, organizations) : undefined;
  return {
    epoch: options.epoch(),
    carries: (record) => scope.carries(collection, record),
    leaves: FOLLOWERS[collection] !== undefined,
    isGone: (record) => mine !== undefined && !mine.carries(collection, record),
    moves: (after, upTo) => scoped.moves(channel.link.id, collection, after, upTo),
  };
}

async function answerFile(
  { blobs }: FeedServerOptions['files'],
  body: unknown,
): Promise<ChannelAnswer<{ size: number | null }>> {
  const { sha256, offset } = FileShape.parse(body);
  if (!blobs.has(sha256)) return { body: { size: null } };
  return { body: { size: blobs.size(sha256) }, bytes: await blobs.readPiece(sha256, offset, PIECE), isFile: true };
}
