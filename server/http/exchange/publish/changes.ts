import { Readable } from 'node:stream';
import { z } from 'zod';
import { CHANGE_TYPES, type ChangeType } from '../../../../shared/change-types.ts';
import { Refusal } from '../../../../shared/refusal.ts';
import type { Accounts, Caller } from '../../../access/accounts/index.ts';
import type { ChangeOutbox, ChangeEntry, PresentChange } from '../../../exchange/publish/index.ts';
import { route, type DeclaredRoute } from '../../app/route.ts';

/** Streams that one user may have at once. */
const STREAMS = 20;
/** ms between two comments that keep proxies from closing a silent connection. */
const HEARTBEAT = 20_000;
/** ms for which types stay wanted after a stream ended, so that its client may come back. */
const GRACE = 10 * 60_000;
/** Entries of the outbox that are read at once. */
const STEP = 100;

const types = z
  .string()
  .transform((text) => text.split(',').filter(Boolean))
  .pipe(z.array(z.enum(CHANGE_TYPES)).min(1))
  .optional()
  .meta({ description: 'Types separated by commas; default: all.' });

interface ChangesRooms {
  readonly outbox: ChangeOutbox;
  readonly accounts: Pick<Accounts, 'renew'>;
  readonly present: PresentChange;
}

/** Changes as server-sent events. */
export function changeRoutes({ outbox, accounts, present }: ChangesRooms): DeclaredRoute[] {
  const streams = new Map<number, number>();
  return [
    route({
      method: 'GET',
      path: '/changes',
      family: 'station',
      access: { scope: 'tasks', others: 'user' },
      group: 'Webhooks',
      summary: 'Changes as they happen, as server-sent events',
      description:
        'The type of an event is that of its change; its data are what a webhook gets. A client that comes back within ten minutes with `Last-Event-ID` misses nothing. If its changes are gone, the first event is `reset`: read the lists again.',
      query: z.object({ types }),
      answer: { type: 'text/event-stream' },
      run: ({ caller, query, request, response }) => {
        if (request.method === 'HEAD') return '';
        const open = streams.get(caller.user.id) ?? 0;
        if (open >= STREAMS) throw new Refusal('publish.tooManyStreams', { most: STREAMS });
        streams.set(caller.user.id, open + 1);
        const wanted = query.types ?? CHANGE_TYPES;
        const release = outbox.want(wanted);
        // A proxy or a compressor that collects the stream would hold changes back.
        response.set({ 'Cache-Control': 'no-store, no-transform', 'X-Accel-Buffering': 'no' });
        const ended = new AbortController();
        const stream = Readable.from(
          events({
            ...{ outbox, present, wanted, ended: AbortSignal.any([ended.signal, outbox.ended]) },
            caller: () => accounts.renew(caller),
            after: request.headers['last-event-id'],
          }),
          { objectMode: false, highWaterMark: 65_536 },
        );
        response.once('close', () => {
          ended.abort();
          streams.set(caller.user.id, streams.get(caller.user.id)! - 1);
          setTimeout(release, GRACE).unref();
        });
        return stream;
      },
    }),
  ];
}

interface EventsOptions {
  readonly outbox: ChangeOutbox;
  readonly present: PresentChange;
  readonly wanted: readonly ChangeType[];
  /** With the rights of now; undefined: the token has ended. */
  readonly caller: () => Caller | undefined;
  /** Id of the last event that the client has; undefined: it begins now. */
  readonly after: string | string[] | undefined;
  readonly ended: AbortSignal;
}

async function* events({ outbox, present, wanted, caller, after, ended }: EventsOptions): AsyncGenerator<string> {
  const idOf = (id: number) => `${outbox.epoch}.${id}`;
  const known = after === undefined ? outbox.head : positionOf(after, outbox.epoch);
  let position = known !== undefined && outbox.reaches(known) ? known : outbox.head;
  // The client gets an id at once, so that it misses nothing if it loses the connection before the first change.
  yield position === known ? `id: ${idOf(position)}\n\n` : `event: reset\nid: ${idOf(position)}\ndata: {}\n\n`;
  for (;;) {
    const entries = outbox.since(position, STEP);
    const by = caller();
    if (!by || ended.aborted) return;
    const text = entries
      .filter(({ change }) => wanted.includes(change.type))
      .map((entry) => eventOf(idOf(entry.id), entry, present(by, entry.change)?.data))
      .join('');
    position = entries.at(-1)?.id ?? position;
    if (text !== '') yield text;
    if (entries.length === 0 && !(await hasMore(outbox, position, ended))) yield ': \n\n';
  }
}

function eventOf(id: string, { at, change: { type } }: ChangeEntry, data: object | undefined): string {
  if (!data) return '';
  const body = JSON.stringify({ type, timestamp: new Date(at).toISOString(), data });
  return `id: ${id}\nevent: ${type}\ndata: ${body}\n\n`;
}

/** Waits until there is something after `position`; false when nothing came for a while. */
async function hasMore(outbox: ChangeOutbox, position: number, ended: AbortSignal): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, HEARTBEAT);
  timer.unref();
  const stop = outbox.onAdded(resolve);
  ended.addEventListener('abort', () => resolve(), { once: true });
  if (outbox.head > position || ended.aborted) resolve();
  await promise;
  clearTimeout(timer);
  stop();
  return outbox.head > position;
}

/** undefined: not an id of this epoch. */
function positionOf(id: string | string[], epoch: string): number | undefined {
  const [, position] = String(id).split(`${epoch}.`);
  return position !== undefined && /^\d{1,15}$/.test(position) ? Number(position) : undefined;
}
