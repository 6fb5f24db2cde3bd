import { z } from 'zod';
import type { Merges, MergeView, Writer } from '../../replication/sync/index.ts';
import { route, type DeclaredRoute } from '../app/route.ts';
import { fieldRule } from '../../../shared/refusals/field-rules.ts';
import { eventIdField, queryFlag, queryLimit } from '../request/fields.ts';
import { wireFieldOf, valueOf, wordOf, type SlugSource } from './merge-names.ts';

const DEFAULT_LIMIT = 100;
const MOST = 500;

const Station = z.object({ id: z.string().nullable(), name: z.string().nullable(), number: z.int() });
const Value = z.object({
  value: z.unknown(),
  station: Station,
  user: z
    .object({ id: z.int(), name: z.string() })
    .nullable()
    .meta({ description: 'null where no history says who it was' }),
  time: z.int().meta({ description: 'epoch ms, by the clock of that station' }),
});
const Merge = z
  .object({
    id: z.int(),
    collection: z.string().meta({ description: 'what it is, such as `message`, `comment` or `car`' }),
    recordId: z.string(),
    field: z.string().meta({ description: '`deleted`: an edit brought back what another station had deleted' }),
    rule: z.string().meta({ description: 'the rule over several records that found it; empty: one field' }),
    otherId: z.string().nullable().meta({ description: 'the other record that the rule is about' }),
    message: z.int().nullable().meta({ description: 'the message to which the record belongs' }),
    kept: Value,
    lost: Value,
    resolved: z.enum(['kept', 'lost']).nullable(),
    resolvedAt: z.int().nullable(),
    resolvedBy: z.object({ id: z.int(), name: z.string() }).nullable(),
  })
  .meta({ id: 'Merge' });

export interface MergeRooms extends SlugSource {
  readonly merges: Merges;
  nameOfUser(id: number): string | undefined;
  /** A station that this one knows. */
  station(number: number): { readonly id: string; readonly name: string } | undefined;
}

/** Decisions of merges between stations that operators should check. */
export function mergeRoutes(rooms: MergeRooms): DeclaredRoute[] {
  const common = { family: 'station', access: { scope: 'sync', others: 'user' }, group: 'Stations' } as const;
  return [
    route({
      ...common,
      method: 'GET',
      path: '/merges',
      summary: 'What merges between stations decided',
      description:
        'Two stations edited one field while apart: the later edit was kept. Ascending by id, of records that the caller may see; the list goes on behind the merge `after`. `open=true`: only those that nobody has resolved.',
      query: z.object({
        after: eventIdField('a merge').optional(),
        limit: queryLimit(1_000_000),
        open: queryFlag.optional(),
      }),
      answer: z.array(Merge),
      run: ({ caller, query: { after, limit, open } }) =>
        rooms.merges
          .list(caller, { after, limit: Math.min(limit ?? DEFAULT_LIMIT, MOST), open: open ?? false })
          .map((view) => present(view, rooms)),
    }),
    route({
      ...common,
      method: 'POST',
      path: '/merges/:id',
      summary: 'Take one of the two values, at every station',
      description: 'For those who may edit the record. The other value can still be taken afterwards.',
      params: z.object({ id: eventIdField('a merge') }),
      body: z.object({ take: z.enum(['kept', 'lost'], fieldRule('field.type', { expected: 'kept or lost' })) }),
      answer: Merge,
      run: async ({ caller, params, body }) => present(await rooms.merges.resolve(caller, params.id, body.take), rooms),
    }),
  ];
}

function present({ merge, kept, lost }: MergeView, rooms: MergeRooms): z.input<typeof Merge> {
  const person = (id: number) => (id === 0 ? null : { id, name: rooms.nameOfUser(id) ?? '' });
  const side = (name: 'kept' | 'lost', { station, userId, at }: Writer): z.input<typeof Value> => {
    const known = rooms.station(station);
    return {
      value: valueOf(merge, name) ?? null,
      station: { id: known?.id ?? null, name: known?.name ?? null, number: station },
      user: person(userId),
      time: at,
    };
  };
  return {
    id: merge.id,
    collection: wordOf(merge),
    recordId: String(merge.recordId),
    field: wireFieldOf(merge, rooms),
    rule: merge.rule,
    otherId: merge.otherId === 0 ? null : String(merge.otherId),
    message: merge.taskId || null,
    kept: side('kept', kept),
    lost: side('lost', lost),
    resolved: merge.resolved || null,
    resolvedAt: merge.resolvedAt || null,
    resolvedBy: person(merge.resolvedBy),
  };
}
