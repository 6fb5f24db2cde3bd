import { Refusal } from '../../../../shared/refusal.ts';
import { ZonedTime } from '../../../../shared/zoned-time.ts';
import { TrackFile } from '../../../tracking/telemetry/tracks/index.ts';
import { csvTable } from '../csv.ts';
import { workbook, type SheetColumn } from '../workbook.ts';
import { withAddresses, type FindAddresses } from './addresses.ts';
import { controlRows } from './control-rows.ts';
import { MAX_PRINTED, reportPaper } from './report-paper.ts';
import { COLUMNS, Totals, type ReportOrder, type ReportRow } from './report.ts';
import { eventRows, StationFile } from './station-rows.ts';
import { fuelRow, mileageRows } from './track-rows.ts';

/** The rows that a sheet of a workbook can hold. */
const MAX_ROWS = 1_000_000;

type Rows = Iterable<ReportRow> | AsyncIterable<ReportRow>;

/** Yields the report in the requested form, piece by piece. */
export async function* makeReport(order: ReportOrder, findAddresses: FindAddresses): AsyncGenerator<Uint8Array> {
  const tracks = new TrackFile(order.tracks);
  const station = new StationFile(order);
  try {
    const totals = new Totals(order.kind);
    const counting = counted(rowsOf(order, tracks, station), totals);
    const rows = await begun(order.kind === 'stops' ? withAddresses(counting, findAddresses) : counting);
    if (order.form === 'json') yield* jsonReport(order, rows, totals);
    else if (order.form === 'csv') yield* csvReport(order, rows);
    else if (order.form === 'xlsx')
      yield* workbook([sheetOf(order, rows) as never], {
        language: order.language,
        zone: new ZonedTime(order.zone),
      }) as AsyncIterable<Uint8Array>;
    else yield await paperOf(order, rows, totals);
  } finally {
    tracks.close();
    station.close();
  }
}

/** The same rows, the first of which is made: when it cannot be, no piece of the report is out yet. */
async function begun(rows: Rows): Promise<Rows> {
  const iterator = Symbol.asyncIterator in rows ? rows[Symbol.asyncIterator]() : rows[Symbol.iterator]();
  const first = await iterator.next();
  return (async function* () {
    try {
      for (let next = first; !next.done; next = await iterator.next()) yield next.value;
    } finally {
      await iterator.return?.();
    }
  })();
}

function* rowsOf(order: ReportOrder, tracks: TrackFile, station: StationFile): Generator<ReportRow> {
  if (order.kind === 'tasks') return yield* station.tasks();
  const zone = new ZonedTime(order.zone);
  for (const vehicle of order.vehicles) {
    // A deleted vehicle counts up to its deletion: its device may report for another vehicle now.
    const period = { from: order.from, till: Math.min(order.till, vehicle.deletedAt ?? Infinity) };
    if (period.till <= period.from) continue;
    if (order.kind === 'mileage') yield* mileageRows(tracks, vehicle, period, zone);
    else if (order.kind === 'routes')
      yield* controlRows(
        station,
        vehicle,
        Math.min(tracks.oldest(vehicle.id) ?? Infinity, station.heardSince(vehicle.id) ?? Infinity),
        order,
      );
    else if (order.kind === 'fuel') {
      const row =
        vehicle.fuel.length > 0
          ? fuelRow(tracks, vehicle, period, station.changes(vehicle.id, 10), station.changes(vehicle.id, 11))
          : undefined;
      if (row) yield row;
    } else yield* eventRows(station, vehicle, order);
  }
}

function* counted(rows: Iterable<ReportRow>, totals: Totals): Generator<ReportRow> {
  let count = 0;
  for (const row of rows) {
    if (++count > MAX_ROWS) throw new Refusal('reports.tooLong', { most: MAX_ROWS });
    totals.add(row);
    yield row;
  }
}

/** The lines above the table: the kind, the period, the time zone. */
function headingOf({ title, from, till, zone: name, language }: ReportOrder): string[] {
  const zone = new ZonedTime(name);
  const [begin, end] = [zone.text(from), zone.text(till)];
  const zones = zone.name(from) === zone.name(till) ? zone.name(from) : `${zone.name(from)} – ${zone.name(till)}`;
  return [
    title,
    `${begin} – ${end}`,
    language === 'ru' ? `Часовой пояс: ${zone.zone} (${zones})` : `Time zone: ${zone.zone} (${zones})`,
  ];
}

async function* jsonReport(order: ReportOrder, rows: Rows, totals: Totals): AsyncGenerator<Uint8Array> {
  const { kind, title, from, till, zone, madeAt, language } = order;
  const columns = COLUMNS[kind].map(({ name, kind: of, title: names }) => ({ name, kind: of, title: names[language] }));
  const head = JSON.stringify({
    kind,
    title,
    from,
    till,
    zone,
    utcOffset: new ZonedTime(zone).name(from),
    madeAt,
    columns,
  });
  const encoder = new TextEncoder();
  let text = `${head.slice(0, -1)},"rows":[`;
  let first = true;
  for await (const row of rows) {
    text += first ? JSON.stringify(row) : `,${JSON.stringify(row)}`;
    first = false;
    if (text.length < 64 * 1024) continue;
    yield encoder.encode(text);
    text = '';
  }
  yield encoder.encode(`${text}],"totals":${JSON.stringify(totals.sums)}}`);
}

async function* csvReport(order: ReportOrder, rows: Rows): AsyncGenerator<Uint8Array> {
  const encoder = new TextEncoder();
  for await (const piece of csvTable(sheetColumns(order), rows, new ZonedTime(order.zone))) yield encoder.encode(piece);
}

function sheetOf(order: ReportOrder, rows: Rows): object {
  return { name: order.title, heading: headingOf(order), columns: sheetColumns(order), rows };
}

const sheetColumns = ({ kind: report, language }: ReportOrder) =>
  COLUMNS[report].map(({ name, kind, title }): SheetColumn<ReportRow> => ({
    header: title[language],
    kind,
    value: (row) => row[name],
  }));

async function paperOf(order: ReportOrder, rows: Rows, totals: Totals): Promise<Uint8Array> {
  const printed: ReportRow[] = [];
  let left = 0;
  for await (const row of rows) {
    if (printed.length < MAX_PRINTED) printed.push(row);
    else left++;
  }
  return await reportPaper({ order, heading: headingOf(order), rows: printed, left, totals });
}
