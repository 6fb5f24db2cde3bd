import { z } from 'zod';
import type { Actor } from '../../../shared/access.ts';
import { CALL_STATES, callState } from '../../../shared/calls/state.ts';
import type { PhoneCall } from '../../../shared/records/index.ts';
import { priorityOf } from '../../../shared/tasks/priority.ts';
import type { Calls } from '../../dispatch/calls/index.ts';
import type { Tasks } from '../../dispatch/tasks/index.ts';
import { route, type DeclaredRoute } from '../app/route.ts';
import {
  bodyId,
  bodyNumber,
  instant,
  pathId,
  queryFlag,
  queryId,
  queryLimit,
  queryText,
  textUpTo,
} from '../request/fields.ts';

const CallAnswer = z
  .object({
    id: z.int(),
    number: z.string().meta({ description: 'Digits, with `+` before a country code; empty: withheld.' }),
    name: z.string(),
    line: z.string(),
    text: z.string(),
    lat: z.number().nullable(),
    lon: z.number().nullable(),
    at: instant,
    orgId: z.int(),
    takenBy: z.object({ id: z.int(), name: z.string(), at: instant }).nullable(),
    endedAt: instant.nullable(),
    state: z.enum(CALL_STATES).meta({ description: '`missed`: ended, or 3 min old, and nobody took it.' }),
    newsId: z.int().nullable().meta({ description: 'The task that it led to.' }),
    news: z
      .object({ id: z.int(), title: z.string(), address: z.string(), status: z.int(), priority: z.int() })
      .nullable()
      .meta({ description: 'The same task, where the user may see it.' }),
  })
  .meta({ id: 'Call' });

const short = textUpTo(100);
const Report = z.object({
  number: short,
  line: short.nullish(),
  name: short.nullish(),
  text: textUpTo(2_000).nullish(),
  lat: bodyNumber(-90, 90).nullish(),
  lon: bodyNumber(-180, 180).nullish(),
});
const params = z.object({ id: pathId });
const common = { family: 'station', access: 'user', group: 'Calls' } as const;

/** Telephone calls. */
export function callRoutes(calls: Calls, tasks: Tasks, now: () => number): DeclaredRoute[] {
  const nameOfUser = (id: number) => tasks.users.get(id)?.name ?? '';
  const taskOf = (by: Actor, id: number): z.input<typeof CallAnswer>['news'] => {
    const task = id ? tasks.stored(id) : undefined;
    if (!task || !tasks.maySee(by, task)) return null;
    const priority = priorityOf(task, tasks.categories.get(task.categoryId));
    return { id, title: task.title, address: task.address, status: task.status, priority };
  };
  const present = (by: Actor, call: PhoneCall): z.input<typeof CallAnswer> => ({
    id: call.id,
    number: call.number,
    name: call.name,
    line: call.line,
    text: call.text,
    lat: call.point?.lat ?? null,
    lon: call.point?.lon ?? null,
    at: call.at,
    orgId: call.organizationId,
    takenBy: call.taken && { id: call.taken.userId, name: nameOfUser(call.taken.userId), at: call.taken.at },
    endedAt: call.endedAt || null,
    state: callState(call, now()),
    newsId: call.taskId || null,
    news: taskOf(by, call.taskId),
  });
  return [
    route({
      ...common,
      method: 'POST',
      path: '/calls',
      access: { scope: 'calls', others: 'user' },
      summary: 'Report a telephone call',
      body: Report,
      answer: CallAnswer,
      description:
        'For telephone exchanges, with an access key of the scope `calls`. The same number on the same line within 30 s is the same call. `lat` and `lon` go together.',
      run: async ({ caller, body: { number, line, name, text, lat, lon } }) =>
        present(
          caller,
          await calls.report(caller, {
            number,
            line: line ?? '',
            name: name ?? '',
            text: text ?? '',
            point: typeof lat === 'number' && typeof lon === 'number' ? { lat, lon } : null,
          }),
        ),
    }),
    route({
      ...common,
      method: 'GET',
      path: '/calls',
      summary: 'Telephone calls, the newest first',
      query: z.object({
        open: queryFlag.optional(),
        number: queryText.optional(),
        state: z.enum(CALL_STATES).optional(),
        newsId: queryId.optional(),
        limit: queryLimit(500).optional(),
      }),
      answer: z.array(CallAnswer),
      description:
        '`open`: that have not ended; `number`: of this subscriber, however it is written; `newsId`: that led to this task, or to a duplicate of it.',
      run: ({ caller, query: { open, number, state, newsId, limit = 100 } }) => {
        const task = newsId === undefined ? undefined : tasks.stored(newsId);
        const whole = task && tasks.maySee(caller, task) ? tasks.merging.wholeOf(caller, task) : [];
        const taskIds = newsId === undefined ? undefined : [newsId, ...whole.map(({ id }) => id)];
        return calls.list(caller, { open, number, state, taskIds, limit }).map((call) => present(caller, call));
      },
    }),
    route({
      ...common,
      method: 'POST',
      path: '/calls/:id/take',
      summary: 'Take a call',
      params,
      answer: CallAnswer,
      description: 'The first has it; others are refused with the name of that person.',
      run: async ({ caller, params }) => present(caller, await calls.take(caller, params.id)),
    }),
    route({
      ...common,
      method: 'POST',
      path: '/calls/:id/end',
      access: { scope: 'calls', others: 'user' },
      summary: 'End a call, with the task that it led to',
      params,
      body: z.object({ newsId: bodyId.nullish() }),
      answer: CallAnswer,
      description: 'With a key of the scope `calls`: the caller is gone. `newsId` is then not read.',
      run: async ({ caller, params, body }) =>
        present(
          caller,
          caller.token.scopes?.includes('calls')
            ? await calls.hangUp(caller, params.id)
            : await calls.end(caller, params.id, body.newsId ?? undefined),
        ),
    }),
  ];
}
