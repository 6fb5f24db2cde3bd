import type { Request, Response } from 'express';
import { z } from 'zod';
import { Refusal } from '../../../shared/refusal.ts';
import { ZonedTime } from '../../../shared/zoned-time.ts';
import type { Caller } from '../../access/accounts/index.ts';
import type { Geocoder } from '../../geo/geocoding/index.ts';
import {
  addressesBy,
  REPORT_FILE_FORMS,
  REPORT_KINDS,
  reportOrder,
  startReport,
  WORKBOOK_TYPE,
  type ReportFileForm,
  type ReportForm,
  type ReportKind,
  type ReportOrder,
  type ReportRooms,
} from '../../reporting/reports/index.ts';
import { queryIds, queryInstant, queryInt } from '../request/fields.ts';
import { JsonStream, route, type DeclaredRoute } from '../app/route.ts';
import { attach, languageAsked, WorkbookQuery } from '../fleet/workbooks.ts';

type AllReportRooms = ReportRooms & { readonly geocoder: Pick<Geocoder, 'reverse'> };

const MOST_DAYS = 366;
const Query = z.object({
  from: queryInstant.optional(),
  till: queryInstant.optional(),
  days: queryInt(1, MOST_DAYS).optional().meta({
    description: 'Instead of `from` and `till`: today up to now and the days before it, so many in all.',
  }),
  cars: queryIds.optional(),
  groups: queryIds.optional(),
  organizations: queryIds.optional(),
  ...WorkbookQuery,
});
const Report = z
  .object({
    kind: z.enum(REPORT_KINDS),
    title: z.string(),
    from: z.int(),
    till: z.int(),
    zone: z.string(),
    utcOffset: z.string(),
    madeAt: z.int(),
    columns: z.array(z.object({ name: z.string(), kind: z.string(), title: z.string() })),
    rows: z.array(z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()]))),
    totals: z.record(z.string(), z.number()),
  })
  .meta({
    id: 'FleetReport',
    description:
      'Rows have the values of `columns` by their names, and `carId`. Instants and days are epoch ms, spans seconds.',
  });

const FILE_TYPES: Readonly<Record<ReportFileForm, string>> = {
  xlsx: WORKBOOK_TYPE,
  csv: 'text/csv; charset=utf-8',
  pdf: 'application/pdf',
};
const FILE_NAMES: Readonly<Record<ReportFileForm, string>> = { xlsx: 'workbook', csv: 'CSV', pdf: 'on paper' };

const SUMMARIES: Readonly<Record<ReportKind, string>> = {
  mileage: 'How far vehicles drove, by day',
  stops: 'Where vehicles stood',
  fuel: 'Fuel filled, drained and used',
  speeding: 'Where vehicles were too fast',
  geozones: 'Which geozones vehicles visited',
  routes: 'When vehicles were at the control points of their routes',
  tasks: 'How tasks were carried out',
};

const MORE: Readonly<Partial<Record<ReportKind, string>>> = {
  stops: '`address` is the nearest one of the territory, at most 300 m away; null where there is none.',
  routes:
    '`planned` is `arriveAfter` of the point after `from` of the route, or, where it has none, after the vehicle joined it; `late` is in minutes, less than 0 for too early, and up to now for who is not there yet; `missed`: a later point was visited, the drive is over, or the vehicle was waited for for an hour. Nothing was missed at a time before the first record of the vehicle.',
};

/** B. Reports about vehicles, each as JSON, as a workbook and as PDF. */
export function reportRoutes(rooms: AllReportRooms): DeclaredRoute[] {
  const inB = { family: 'B', access: 'user', group: 'Reports', method: 'GET', query: Query } as const;
  const general =
    'From `from` up to `till` (epoch ms), or of the last `days`, of the vehicles that `cars`, `groups` and `organizations` leave of those the caller may see, those that were deleted too, up to when they were. `tz` says whose days they are; the station’s own zone when it is not given.';
  const descriptionOf = (kind: ReportKind) => [general, MORE[kind]].filter(Boolean).join(' ');
  return REPORT_KINDS.flatMap((kind) => [
    route({
      ...inB,
      path: `/reports/${kind}`,
      cost: 10,
      summary: SUMMARIES[kind],
      description: descriptionOf(kind),
      answer: Report,
      run: async ({ caller, query, request }) =>
        new JsonStream(
          await startReport(order(rooms, caller, kind, 'json', query, request), addressesBy(rooms.geocoder)),
        ),
    }),
    ...REPORT_FILE_FORMS.map((form) =>
      route({
        ...inB,
        path: `/reports/${kind}.${form}`,
        cost: 10,
        summary: `${SUMMARIES[kind]}: ${FILE_NAMES[form]}`,
        description: descriptionOf(kind),
        answer: { type: FILE_TYPES[form] },
        run: ({ caller, query, request, response }) => send(response, rooms, caller, kind, form, query, request),
      }),
    ),
  ]);
}

async function send(
  response: Response,
  rooms: AllReportRooms,
  caller: Caller,
  kind: ReportKind,
  form: ReportForm,
  query: z.output<typeof Query>,
  request: Request,
) {
  const report = await startReport(order(rooms, caller, kind, form, query, request), addressesBy(rooms.geocoder));
  attach(response, `${kind}.${form}`);
  return report;
}

function order(
  rooms: ReportRooms,
  caller: Caller,
  kind: ReportKind,
  form: ReportForm,
  { cars, groups, organizations, tz, lang, ...period }: z.output<typeof Query>,
  request: Request,
): ReportOrder {
  const zone = tz === undefined ? ZonedTime.here() : new ZonedTime(tz);
  return reportOrder(rooms, caller, {
    ...{ kind, form, vehicleIds: cars, groupIds: groups, organizationIds: organizations },
    ...periodOf(period, zone, rooms.now()),
    zone: zone.zone,
    language: languageAsked(request, lang),
  });
}

const DAY = 86_400_000;

/** The period that was asked for: its ends, or the last days by the clock of the zone. */
function periodOf(
  { from, till, days }: Pick<z.output<typeof Query>, 'from' | 'till' | 'days'>,
  zone: ZonedTime,
  now: number,
): { from: number; until: number } {
  if (days === undefined) {
    if (from === undefined) throw new Refusal('field.missing', { field: 'from' });
    if (till === undefined) throw new Refusal('field.missing', { field: 'till' });
    return { from, until: till };
  }
  // Noon is on the same day for every offset of the clock.
  const today = zone.dayOf(now);
  return { from: zone.dayOf(today + DAY / 2 - (days - 1) * DAY), until: now };
}
