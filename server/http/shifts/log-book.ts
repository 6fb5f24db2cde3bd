import { z } from 'zod';
import { InBothLanguages } from '../../../shared/records/index.ts';
import { Refusal } from '../../../shared/refusal.ts';
import type { Caller } from '../../access/accounts/index.ts';
import type { Fleet } from '../../dispatch/fleet/index.ts';
import { CSV_MARK, csvLine, print, type Language } from '../../reporting/reports/index.ts';
import { LOG_KINDS, wordsOfLine, type LogBook, type LogLine, type LogQuery } from '../../dispatch/shifts/index.ts';
import { route, type DeclaredRoute } from '../app/route.ts';
import { attach, languageAsked } from '../fleet/workbooks.ts';
import {
  bodyId,
  filledUpTo,
  instant,
  queryFlag,
  queryId,
  queryInstant,
  queryLimit,
  queryText,
} from '../request/fields.ts';

interface LogBookRooms {
  readonly logBook: LogBook;
  readonly fleet: Fleet;
  nameOfUser(id: number): string;
  now(): number;
}

const LineAnswer = z
  .object({
    at: instant,
    kind: z.enum(LOG_KINDS),
    id: z.int().nullable().meta({ description: 'Of an entry that somebody wrote; null: the station tells it.' }),
    text: z.string(),
    alarm: InBothLanguages.nullable(),
    newsId: z.int().nullable(),
    carId: z.int().nullable(),
    carName: z.string(),
    by: z.object({ id: z.int(), name: z.string() }).nullable(),
    corrects: z.int().nullable().meta({ description: 'The entry that this one corrects.' }),
    orgId: z.int().nullable(),
  })
  .meta({ id: 'LogBookLine' });

const Filter = z.object({
  from: queryInstant,
  till: queryInstant,
  news: queryId.optional().meta({ description: 'Lines about this task' }),
  car: queryId.optional().meta({ description: 'Lines about this vehicle' }),
  text: queryText.optional().meta({ description: 'Words that the line has' }),
  written: queryFlag.optional().meta({ description: 'true: only what people wrote' }),
});
const FileFilter = Filter.extend({ lang: z.enum(['en', 'ru']).optional() });
const Order = z.object({
  text: filledUpTo(2_000),
  corrects: bodyId.nullish(),
  newsId: bodyId.nullish(),
  carId: bodyId.nullish(),
});
/** Lines of one answer. */
const MOST = 5_000;
const inStation = { family: 'station', access: 'user', group: 'Log-book' } as const;

/** The log-book of the control room. */
export function logBookRoutes({ logBook, fleet, nameOfUser, now }: LogBookRooms): DeclaredRoute[] {
  const names = { vehicle: (id: number) => fleet.known(id)?.name ?? '', user: nameOfUser };
  const present = (line: LogLine): z.input<typeof LineAnswer> => ({
    at: line.at,
    kind: line.kind,
    id: line.entryId || null,
    text: line.text,
    alarm: line.alarm && { ...line.alarm },
    newsId: line.taskId || null,
    carId: line.vehicleId || null,
    carName: line.vehicleId ? names.vehicle(line.vehicleId) : '',
    by: line.userId ? { id: line.userId, name: nameOfUser(line.userId) } : null,
    corrects: line.corrects || null,
    orgId: line.organizationId || null,
  });
  const rowsOf = async (caller: Caller, query: LogQuery, language: Language) =>
    (await logBook.list(caller, query)).map((line) => ({
      at: line.at,
      text: wordsOfLine(line, names, language),
      unit: line.vehicleId ? names.vehicle(line.vehicleId) : '',
      task: line.taskId ? String(line.taskId) : '',
      who: line.userId ? nameOfUser(line.userId) : '',
      entry: line.entryId ? String(line.entryId) : '',
    }));
  return [
    route({
      ...inStation,
      method: 'GET',
      path: '/log-book',
      cost: 5,
      summary: 'The log-book of a period',
      description:
        'At most 31 days, the newest lines of it, the oldest first. What people wrote, and what the station tells of tasks, units, alarms and closures with their own times.',
      query: Filter.extend({ limit: queryLimit(MOST) }),
      answer: z.array(LineAnswer),
      run: async ({ caller, query: { limit = 500, ...filter } }) =>
        (await logBook.list(caller, queryOf(filter))).slice(-limit).map(present),
    }),
    route({
      ...inStation,
      method: 'POST',
      path: '/log-book',
      summary: 'Write into the log-book',
      description: 'An entry is never changed. `corrects` names the entry that this one corrects; both stay.',
      body: Order,
      answer: LineAnswer,
      run: async ({ caller, body: { text, corrects, newsId, carId } }) =>
        present(
          await logBook.write(caller, { text, corrects: corrects ?? 0, taskId: newsId ?? 0, vehicleId: carId ?? 0 }),
        ),
    }),
    route({
      ...inStation,
      method: 'GET',
      path: '/log-book.csv',
      cost: 10,
      summary: 'The log-book of a period as CSV',
      query: FileFilter,
      answer: { type: 'text/csv; charset=utf-8' },
      run: async ({ caller, query: { lang, ...filter }, request, response }) => {
        const language = languageAsked(request, lang);
        const rows = await rowsOf(caller, queryOf(filter), language);
        attach(response, 'log-book.csv');
        const lines = rows.map((row) => [
          new Date(row.at).toISOString(),
          row.text,
          row.unit,
          row.task,
          row.who,
          row.entry,
        ]);
        return `${CSV_MARK}${[HEADS[language], ...lines].map(csvLine).join('')}`;
      },
    }),
    route({
      ...inStation,
      method: 'GET',
      path: '/log-book.pdf',
      cost: 20,
      summary: 'The log-book of a period on paper',
      query: FileFilter,
      answer: { type: 'application/pdf' },
      run: async ({ caller, query: { lang, ...filter }, request, response }) => {
        const language = languageAsked(request, lang);
        const rows = await rowsOf(caller, queryOf(filter), language);
        if (rows.length > MOST) throw new Refusal('shifts.longPaper', { most: MOST });
        response.set('Content-Disposition', 'inline; filename="log-book.pdf"');
        const sheet = { language, from: filter.from, until: filter.till, rows };
        return print({ kind: 'log-book', sheet, now: now() });
      },
    }),
  ];
}

const HEADS: Readonly<Record<Language, readonly string[]>> = {
  en: ['Time', 'What', 'Unit', 'Task', 'By', 'Entry'],
  ru: ['Время', 'Событие', 'Машина', 'Задача', 'Кто', 'Запись'],
};

function queryOf({ from, till, news, car, text, written }: z.output<typeof Filter>): LogQuery {
  return { from, until: till, taskId: news, vehicleId: car, text: text || undefined, written };
}
