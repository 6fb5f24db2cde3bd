import type { Request } from 'express';
import { Readable } from 'node:stream';
import { z } from 'zod';
import { ZonedTime } from '../../../shared/zoned-time.ts';
import { Refusal } from '../../../shared/refusal.ts';
import type { Caller } from '../../access/accounts/index.ts';
import type { Fleet } from '../../dispatch/fleet/index.ts';
import { csvTable, workbook, WORKBOOK_TYPE, type SheetColumn } from '../../reporting/reports/index.ts';
import {
  PERCENTILES,
  STAGES,
  type ResponsePick,
  type ResponseQuestion,
  type ResponseRow,
  type ResponseSummary,
  type Tasks,
} from '../../dispatch/tasks/index.ts';
import { attach, languageAsked, WorkbookQuery } from '../fleet/workbooks.ts';
import { queryFlag, queryIds, queryInstant, queryInt, queryLimit } from '../request/fields.ts';
import { route, type DeclaredRoute } from '../app/route.ts';

interface ResponseRooms {
  readonly tasks: Tasks;
  readonly fleet: Fleet;
  now(): number;
}

/** ms; a leap year, and one more day at each end. */
const LONGEST = 368 * 86_400_000;
const MOST = 500;
/** Tasks that the thread reads for a file at a time. */
const BATCH = 1000;

const ofPeriod = {
  from: queryInstant,
  till: queryInstant,
  departments: queryIds.optional(),
  types: queryIds.optional(),
  priorities: queryIds.optional(),
  cars: queryIds.optional(),
};
const Query = z.object({ ...ofPeriod, tz: WorkbookQuery.tz });
const FileQuery = z.object({ ...ofPeriod, ...WorkbookQuery });
const PickQuery = Query.extend({
  weekday: queryInt(0, 6).optional().meta({ description: '0: Monday' }),
  hour: queryInt(0, 23).optional(),
  stage: z.enum(STAGES).optional().meta({ description: 'Only messages that have a time of this stage.' }),
  missed: z.enum(['sent', 'response']).optional().meta({ description: 'Only those that missed this target.' }),
  unsent: queryFlag.optional().meta({ description: 'Only those to which nobody was sent.' }),
  limit: queryLimit(MOST),
});

const seconds = z.number().nullable();
const StageAnswer = z.object({
  stage: z.enum(STAGES),
  count: z.int(),
  p50: seconds,
  p80: seconds,
  p90: seconds,
  p95: seconds,
  kept: z.int(),
  missed: z.int(),
});
const Priority = z.object({
  priority: z.int(),
  messages: z.int(),
  unsent: z.int(),
  stages: z.array(StageAnswer),
});
const counted = (id: string) => z.array(z.object({ [id]: z.int(), messages: z.int() }));
const Answer = z
  .object({
    from: z.int(),
    till: z.int(),
    zone: z.string(),
    madeAt: z.int(),
    priorities: z.array(Priority),
    before: z.array(Priority),
    hours: z.array(z.array(z.int())),
    types: counted('typeId'),
    departments: counted('departmentId'),
    places: z.array(z.object({ lat: z.number(), lon: z.number(), messages: z.int() })),
    units: z.array(z.object({ carId: z.int(), runs: z.int(), busy: z.number(), share: z.number() })),
  })
  .meta({
    id: 'ResponseTimes',
    description:
      'Spans are seconds; null: there are no times. Priority 0 is all of them. `before` is as long a period before `from`. `hours` has the weekdays from Monday, each with 24 hours. `places` counts in cells of some 500 m. `busy` is the time within the period on at least one of its messages, `share` its part of the period.',
  });
const Row = z.object({
  newsId: z.int(),
  title: z.string(),
  date: z.int(),
  departmentId: z.int(),
  typeId: z.int(),
  priority: z.int(),
  carIds: z.array(z.int()),
  sent: seconds,
  response: seconds,
  missed: z.boolean(),
});
const Rows = z.object({ rows: z.array(Row), more: z.boolean() }).meta({ id: 'ResponseTimeMessages' });

/** Response times of units, when and where tasks came, and the time of units that they used. */
export function responseTimeRoutes(rooms: ResponseRooms): DeclaredRoute[] {
  const { tasks } = rooms;
  const inStation = { family: 'station', access: 'user', group: 'Statistics', method: 'GET', cost: 10 } as const;
  const path = '/statistics/response-times';
  return [
    route({
      ...inStation,
      path,
      summary: 'Response times by percentiles, and the load of a period',
      description:
        'Of messages whose date is from `from` up to `till` and that the caller may see, archived ones too. `sent` and `response` run from the date to the first sending and the first unit on scene, the other stages from the sending of each unit. Percentiles by nearest rank.',
      query: Query,
      answer: Answer,
      run: async ({ caller, query }) => {
        const { filter, question, seen } = asked(rooms, caller, query);
        return present(await tasks.lists.responses(caller, filter, question), question, seen);
      },
    }),
    route({
      ...inStation,
      path: `${path}/messages`,
      summary: 'The messages behind a figure of the response times',
      query: PickQuery,
      answer: Rows,
      run: async ({ caller, query: { weekday, hour, stage, missed, unsent, limit = MOST, ...query } }) => {
        const { filter, question, seen } = asked(rooms, caller, query);
        const pick = { weekday, hour, stage, missed, unsent };
        const { rows, more } = await tasks.lists.responseRows(caller, filter, question, { pick, limit });
        return { rows: rows.map((row) => presentRow(row, seen)), more };
      },
    }),
    route({
      ...inStation,
      path: `${path}.csv`,
      summary: 'The messages of a period with their response times: CSV',
      query: FileQuery,
      answer: { type: 'text/csv; charset=utf-8' },
      run: ({ caller, query, request, response }) => {
        const rows = everyRow(rooms, caller, query);
        attach(response, 'response-times.csv');
        return Readable.from(csvTable(columnsOf(rooms, caller, query, request), rows, zoneOf(query.tz)));
      },
    }),
    route({
      ...inStation,
      path: `${path}.xlsx`,
      summary: 'The messages of a period with their response times: workbook',
      query: FileQuery,
      answer: { type: WORKBOOK_TYPE },
      run: ({ caller, query, request, response }) => {
        const rows = everyRow(rooms, caller, query);
        attach(response, 'response-times.xlsx');
        const language = languageAsked(request, query.lang);
        const zone = zoneOf(query.tz);
        const name = language === 'ru' ? 'Время реагирования' : 'Response times';
        const heading = [name, `${zone.text(query.from)} – ${zone.text(query.till)}`, zone.zone];
        const columns = columnsOf(rooms, caller, query, request);
        return workbook([{ name, heading, columns, rows } as never], { language, zone });
      },
    }),
  ];
}

const zoneOf = (tz: string | undefined) => (tz === undefined ? ZonedTime.here() : new ZonedTime(tz));

function asked({ tasks, fleet, now }: ResponseRooms, caller: Caller, query: z.output<typeof Query>) {
  const { from, till, departments, types, priorities, cars, tz } = query;
  if (from >= till) throw new Refusal('field.notEarlier', { field: 'from', other: 'till' });
  if (till - from > LONGEST) throw new Refusal('reports.longPeriod');
  const seen = new Map(fleet.everyVehicleSeenBy(caller).map(({ id, name }) => [id, name]));
  const unseen = cars?.find((id) => !seen.has(id));
  if (unseen !== undefined) throw new Refusal('fleet.missing', { id: unseen });
  const question: ResponseQuestion = {
    from,
    until: till,
    now: now(),
    zone: zoneOf(tz).zone,
    rules: tasks.responseRules(),
    priorities,
    vehicleIds: cars,
  };
  return { filter: { organizationIds: departments, typeIds: types }, question, seen };
}

/** All tasks of the period; refuses wrong parameters before the first task is read. */
function everyRow(rooms: ResponseRooms, caller: Caller, query: z.output<typeof Query>): AsyncIterable<ResponseRow> {
  const { filter, question } = asked(rooms, caller, query);
  const pick: ResponsePick = {};
  return (async function* () {
    for (let after: ResponseRow | undefined; ;) {
      const place = after && { date: after.date, key: after.key };
      const asks = { pick, limit: BATCH, after: place };
      const { rows, more } = await rooms.tasks.lists.responseRows(caller, filter, question, asks);
      yield* rows;
      after = rows.at(-1);
      if (!more || !after) return;
    }
  })();
}

function columnsOf(
  { tasks, fleet }: ResponseRooms,
  caller: Caller,
  query: z.output<typeof FileQuery>,
  request: Request,
): SheetColumn<ResponseRow>[] {
  const isRussian = languageAsked(request, query.lang) === 'ru';
  const seen = new Map(fleet.everyVehicleSeenBy(caller).map(({ id, name }) => [id, name]));
  const column = (
    en: string,
    ru: string,
    kind: SheetColumn<never>['kind'],
    value: SheetColumn<ResponseRow>['value'],
  ): SheetColumn<ResponseRow> => ({ header: isRussian ? ru : en, kind, value });
  return [
    column('Task', 'Задача', 'whole', ({ id }) => id),
    column('Title', 'Название', 'text', ({ title }) => title),
    column('Call', 'Вызов', 'instant', ({ date }) => date),
    column('Priority', 'Приоритет', 'whole', ({ priority }) => priority),
    column('Type', 'Тип', 'text', ({ typeId }) => tasks.types.get(typeId)?.name),
    column(
      'Organization',
      'Организация',
      'text',
      ({ organizationId }) => tasks.organizations.get(organizationId)?.name,
    ),
    column('Units', 'Машины', 'text', ({ vehicleIds }) => vehicleIds.flatMap((id) => seen.get(id) ?? []).join(', ')),
    column('Call to sent', 'От вызова до отправки', 'span', ({ sent }) => inSeconds(sent)),
    column('Call to on scene', 'От вызова до прибытия', 'span', ({ response }) => inSeconds(response)),
    column('Target missed', 'Норматив нарушен', 'flag', ({ missed }) => missed),
  ];
}

const inSeconds = (ms: number | null) => (ms === null ? null : ms / 1000);

function present(summary: ResponseSummary, question: ResponseQuestion, seen: ReadonlyMap<number, string>) {
  const { from, until: till, zone, now } = question;
  const length = Math.max(1, Math.min(till, now) - from);
  return {
    ...{ from, till, zone, madeAt: now },
    priorities: presentPriorities(summary.priorities),
    before: presentPriorities(summary.before),
    hours: summary.hours.map((hours) => [...hours]),
    types: summary.types.map(([typeId, messages]) => ({ typeId, messages })),
    departments: summary.organizations.map(([departmentId, messages]) => ({ departmentId, messages })),
    places: summary.places.map(({ lat, lon, tasks }) => ({ lat, lon, messages: tasks })),
    units: summary.units
      .filter(({ vehicleId }) => seen.has(vehicleId))
      .map(({ vehicleId, runs, busy }) => ({ carId: vehicleId, runs, busy: busy / 1000, share: busy / length })),
  };
}

function presentPriorities(priorities: ResponseSummary['priorities']): z.input<typeof Priority>[] {
  return priorities.map(({ priority, tasks, unsent, stages }) => ({
    ...{ priority, messages: tasks, unsent },
    stages: stages.map(({ stage, count, percentiles, kept, missed }) => {
      const by = (share: (typeof PERCENTILES)[number]) => inSeconds(percentiles[PERCENTILES.indexOf(share)] ?? null);
      return { stage, count, p50: by(50), p80: by(80), p90: by(90), p95: by(95), kept, missed };
    }),
  }));
}

function presentRow(row: ResponseRow, seen: ReadonlyMap<number, string>): z.input<typeof Row> {
  const { id, title, date, organizationId, typeId, priority, vehicleIds, sent, response, missed } = row;
  return {
    ...{ newsId: id, title, date, departmentId: organizationId, typeId, priority },
    carIds: vehicleIds.filter((vehicleId) => seen.has(vehicleId)),
    ...{ sent: inSeconds(sent), response: inSeconds(response), missed },
  };
}
