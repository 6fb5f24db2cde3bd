import { z } from 'zod';
import { LOG_LEVELS } from '../../log/index.ts';
import type { LogLevel, Log, LogFilter } from '../../log/index.ts';
import { queryLimit, queryText } from '../request/fields.ts';
import { route } from '../app/route.ts';
import { fieldRule } from '../../../shared/refusals/field-rules.ts';
import type { DeclaredRoute } from '../app/route.ts';

const Entry = z.object({
  id: z.string(),
  time: z.int(),
  message: z.string(),
  level: z.enum(LOG_LEVELS),
  logger: z.string(),
  thread: z.string(),
  caller: z.null(),
  mdc: z.null(),
});
/** A level by id or name. An empty value is undefined: no filter. */
const levelId = z
  .string()
  .refine(
    (text) => text === '' || levelOf(text) !== undefined,
    fieldRule('field.type', { expected: `a level id from 1 to ${LOG_LEVELS.length}` }),
  )
  .transform(levelOf)
  .meta({ type: 'integer', minimum: 1, maximum: LOG_LEVELS.length });
const Filter = z.object({
  message: queryText.optional(),
  logger: queryText.optional(),
  thread: queryText.optional(),
  level: levelId.optional(),
  minLevel: levelId.optional(),
  before: z
    .string()
    .regex(/^\d{1,20}$/, fieldRule('field.idOf', { what: 'an entry' }))
    .optional(),
});
const Value = z.array(z.object({ value: z.string() }));
const MOST = 1000;

/** B. The application log of this station, for administrators: it contains names of people and their actions. */
export function logRoutes(log: Log): DeclaredRoute[] {
  return [
    route({
      method: 'GET',
      path: '/log/app',
      family: 'B',
      access: 'admin',
      summary: 'Entries of the application log, newest first',
      description:
        '`level` is exact, `minLevel` the least. `before` is an entry’s id: older ones follow. At most 1,000 in one answer.',
      query: Filter.extend({ limit: queryLimit(1_000_000) }),
      answer: z.array(Entry),
      run: async ({ query: { limit = MOST, ...filter } }) =>
        (await log.read(filterOf(filter), Math.min(limit, MOST))).map((entry) => ({
          ...entry,
          caller: null,
          mdc: null,
        })),
    }),
    route({
      method: 'GET',
      path: '/log/app/count',
      family: 'B',
      access: 'admin',
      summary: 'How many entries fit',
      query: Filter,
      answer: z.int(),
      run: ({ query }) => log.count(filterOf(query)),
    }),
    route({
      method: 'GET',
      path: '/log/app/loggers',
      family: 'B',
      access: 'admin',
      summary: 'Sources of entries',
      answer: Value,
      run: async () => values(await log.names('logger')),
    }),
    route({
      method: 'GET',
      path: '/log/app/loggers/count',
      family: 'B',
      access: 'admin',
      summary: 'How many sources there are',
      answer: z.int(),
      run: async () => (await log.names('logger')).length,
    }),
    route({
      method: 'GET',
      path: '/log/app/threads',
      family: 'B',
      access: 'admin',
      summary: 'Threads of entries',
      answer: Value,
      run: async () => values(await log.names('thread')),
    }),
    route({
      method: 'GET',
      path: '/log/app/threads/count',
      family: 'B',
      access: 'admin',
      summary: 'How many threads there are',
      answer: z.int(),
      run: async () => (await log.names('thread')).length,
    }),
    route({
      method: 'GET',
      path: '/log/app/levels',
      family: 'B',
      access: 'admin',
      summary: 'Levels',
      answer: z.array(z.object({ id: z.int(), type: z.enum(LOG_LEVELS) })),
      run: () => LOG_LEVELS.map((type, index) => ({ id: index + 1, type })),
    }),
    route({
      method: 'GET',
      path: '/log/app/levels/count',
      family: 'B',
      access: 'admin',
      summary: 'How many levels there are',
      answer: z.int(),
      run: () => LOG_LEVELS.length,
    }),
  ];
}

/** An empty filter is no filter. */
function filterOf(filter: z.output<typeof Filter>): LogFilter {
  return Object.fromEntries(Object.entries(filter).filter(([, value]) => value !== ''));
}

function levelOf(text: string): LogLevel | undefined {
  return LOG_LEVELS.find((level, index) => text === String(index + 1) || text.toUpperCase() === level);
}

function values(names: readonly string[]): { value: string }[] {
  return names.map((value) => ({ value }));
}
