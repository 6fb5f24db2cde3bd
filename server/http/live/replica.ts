import { Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { z } from 'zod';
import type { VehicleFills } from '../../dispatch/fleet/index.ts';
import type { Feed } from '../../store/index.ts';
import { Refusal } from '../../../shared/refusal.ts';
import { queryInt, textUpTo } from '../request/fields.ts';
import { collectionCalled, ReplicaFeed, type ReplicaRooms } from './replica-feed.ts';
import { fieldRule } from '../../../shared/refusals/field-rules.ts';
import { route, type DeclaredRoute } from '../app/route.ts';

const Page = z
  .object({
    epoch: z.string(),
    /** The epoch in the request is out of date: discard the replica and pull from the beginning. */
    reset: z.literal(true).optional(),
    documents: z.array(z.looseObject({ key: z.string() })),
    checkpoint: z.string(),
    more: z.boolean(),
  })
  .meta({ id: 'ReplicaPage' });

const DEFAULT_LIMIT = 500;

/** The pull feed of consoles: first the working set of the user, then the changes. */
export function replicaRoutes(feed: Feed, rooms: ReplicaRooms, fills: VehicleFills): DeclaredRoute[] {
  const replica = new ReplicaFeed(feed, rooms);
  return [
    route({
      method: 'GET',
      path: '/replica/vehicles/fill',
      family: 'station',
      access: 'user',
      group: 'Replica',
      summary: 'All vehicles for a console that has none',
      description:
        'Compressed lines, each a JSON array of documents as in `GET /replica/vehicles`. The headers `Waypost-Epoch` and `Waypost-Checkpoint` are the `epoch` and `after` from which to pull what has changed since.',
      answer: { type: 'application/x-ndjson' },
      run: async ({ caller, request, response }) => {
        const epoch = replica.epochOf(caller);
        const { head, bytes } = await fills.fillOf(caller);
        response.type('application/x-ndjson');
        response.setHeader('Waypost-Epoch', epoch);
        response.setHeader('Waypost-Checkpoint', String(head));
        response.setHeader('Vary', 'Accept-Encoding');
        if (request.acceptsEncodings('gzip') === false) return Readable.from([bytes]).pipe(createGunzip());
        response.setHeader('Content-Encoding', 'gzip');
        return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
      },
    }),
    route({
      method: 'GET',
      path: '/replica/:collection',
      family: 'station',
      access: 'user',
      group: 'Replica',
      summary: 'What a console holds, and what changed of it',
      description:
        'Pull from `after` 0 until `more` is false (a page may hold fewer records than `limit`, or none), and again with the last `checkpoint` after each nudge (`REPLICA_CHANGES` on the socket, after `SET_REPLICA` with `{collections: [names]}`). `merges` may be among the names: they are read with `GET /merges`. Superusers may name `links`: they get `LINKS` with `{links, digest}`, as `GET /links` and `GET /sync/state` tell them, at once and when something changes. Anybody who replicates also gets `SYNC_STATE`, as `GET /sync/state` tells it without the digest, at once and when it changes. Who replicates `fleet` also hears `ROADS_IN_FORCE` with `{closures: [{id, effect}]}`, `effect` being another text when the closure does something else to routes: at once, and whenever routes obey other closures, other speeds or another territory. A document `{key, _deleted: true}` is gone or may no longer be seen. `reset` means that rights changed or the station was restored: throw away what is held and begin again. Messages: open ones, and those done within 24 hours; a console drops older ones itself.',
      params: z.object({ collection: textUpTo(100) }),
      query: z.object({
        after: z
          .string()
          .regex(/^\d{1,16}((\.\d{1,10})?~\d{1,16})?$/, fieldRule('field.type', { expected: 'a checkpoint' }))
          .optional(),
        epoch: textUpTo(200).optional(),
        limit: queryInt(1, 5000).optional(),
      }),
      answer: Page,
      run: ({ caller, params, query }) => {
        const collection = collectionCalled(params.collection);
        if (!collection) throw new Refusal('request.noCollection', { name: params.collection });
        return replica.pull(caller, collection, {
          after: query.after ?? '0',
          epoch: query.epoch,
          limit: query.limit ?? DEFAULT_LIMIT,
        });
      },
    }),
  ];
}
