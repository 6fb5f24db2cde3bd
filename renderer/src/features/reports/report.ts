import type { Sorting } from '../../ui/lists/sorting.ts';

export const REPORT_NAMES = ['mileage', 'stops', 'fuel', 'speeding', 'geozones', 'routes', 'tasks'] as const;
export type ReportName = (typeof REPORT_NAMES)[number];

export interface ReportAnswerColumn {
  readonly name: string;
  /** `instant` and `day` are epoch ms, `span` seconds. */
  readonly kind: 'text' | 'whole' | 'number' | 'flag' | 'instant' | 'day' | 'span' | (string & {});
  readonly title: string;
}
type ReportValue = string | number | boolean | null | undefined;
export type ReportAnswerRow = Readonly<Record<string, ReportValue>>;

/** GET /reports/:kind */
export interface ReportAnswer {
  readonly title: string;
  readonly from: number;
  readonly till: number;
  readonly zone: string;
  readonly utcOffset: string;
  readonly columns: readonly ReportAnswerColumn[];
  readonly rows: readonly ReportAnswerRow[];
  readonly totals: Readonly<Record<string, number>>;
}

/**
 * A value as the table shows it: times in the report's zone, durations as hours and minutes; unknown is
 * empty.
 */
export function reportCell(
  { kind, name }: ReportAnswerColumn,
  value: ReportValue,
  language: string,
  zone: string,
  t: (key: string) => string,
): string {
  if (value === null || value === undefined || value === '') return '';
  const locale = language === 'en' ? 'en-GB' : language;
  if (typeof value === 'boolean') return t(value ? 'directories.yes' : 'directories.no');
  if (typeof value === 'string') return value;
  switch (kind) {
    case 'instant':
      return formatOf(zone, true).format(value);
    case 'day':
      return formatOf(zone, false).format(value);
    case 'span':
      return spanText(value);
    case 'whole':
      return new Intl.NumberFormat(locale, { maximumFractionDigits: 0 }).format(value);
    default:
      // A hundredth of a degree is a kilometre.
      return new Intl.NumberFormat(locale, { maximumFractionDigits: name === 'lat' || name === 'lon' ? 5 : 2 }).format(
        value,
      );
  }
}

const formats = new Map<string, Intl.DateTimeFormat>();
/** Days as 31.12.2026 in both languages, as they are typed and as they stand on paper. */
function formatOf(timeZone: string, withTime: boolean): Intl.DateTimeFormat {
  const key = `${timeZone} ${withTime}`;
  let format = formats.get(key);
  if (!format)
    formats.set(
      key,
      (format = new Intl.DateTimeFormat('ru', {
        timeZone,
        day: '2-digit',
        month: '2-digit',
        year: 'numeric',
        ...(withTime ? { hour: '2-digit', minute: '2-digit', second: '2-digit', hourCycle: 'h23' } : {}),
      })),
    );
  return format;
}

/** Seconds as hours, minutes and seconds: 26:04:09. */
function spanText(seconds: number): string {
  const whole = Math.round(seconds);
  const two = (value: number) => String(value).padStart(2, '0');
  return `${Math.floor(whole / 3600)}:${two(Math.floor(whole / 60) % 60)}:${two(whole % 60)}`;
}

/** Sorts the rows by a column, unknown values last; without a column in the order of the station. */
export function sortReport(
  { rows, columns }: ReportAnswer,
  { by, descending }: Sorting<string>,
  language: string,
): readonly ReportAnswerRow[] {
  if (!columns.some((column) => column.name === by)) return rows;
  const { compare } = new Intl.Collator(language, { numeric: true });
  const known = (value: ReportValue) => value !== null && value !== undefined && value !== '';
  return rows.toSorted((one, other) => {
    const [a, b] = [one[by], other[by]];
    if (!known(a) || !known(b)) return Number(known(b)) - Number(known(a));
    const order = typeof a === 'number' && typeof b === 'number' ? a - b : compare(String(a), String(b));
    return descending ? -order : order;
  });
}
