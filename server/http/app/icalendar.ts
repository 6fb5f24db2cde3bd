/** Calendars that other programs subscribe to (iCalendar, RFC 5545). */
export const CALENDAR_TYPE = 'text/calendar; charset=utf-8';

/** The last millisecond that a time of iCalendar can name: its years have four digits. */
export const LAST_IN_CALENDAR = Date.UTC(9999, 11, 31, 23, 59, 59, 999);
/** Octets of a line (section 3.1). */
const LINE = 75;

/** An event of a calendar. Times in epoch ms. */
export interface CalendarEvent {
  /** The same as long as it is the same event. */
  readonly uid: string;
  readonly now: number;
  readonly begin: number;
  /** null: it has none. */
  readonly end: number | null;
  readonly name: string;
  readonly text: string;
  readonly address?: string;
  readonly place: { readonly lon: number; readonly lat: number } | undefined;
  readonly category: string;
}

/** A calendar of events, each as `eventLines` has it. */
export function calendarOf(product: string, name: string, events: readonly (readonly string[])[]): string {
  const head = ['BEGIN:VCALENDAR', 'VERSION:2.0', `PRODID:-//Waypost//${product}//EN`, `X-WR-CALNAME:${textOf(name)}`];
  return [...head, ...events.flat(), 'END:VCALENDAR'].map((line) => `${folded(line)}\r\n`).join('');
}

/** The lines of an event. */
export function eventLines({
  uid,
  now,
  begin,
  end,
  name,
  text,
  address = '',
  place,
  category,
}: CalendarEvent): string[] {
  return [
    'BEGIN:VEVENT',
    `UID:${uid}`,
    `DTSTAMP:${timeOf(now)}`,
    `DTSTART:${timeOf(begin)}`,
    ...(end === null || end > LAST_IN_CALENDAR ? [] : [`DTEND:${timeOf(end)}`]),
    `SUMMARY:${textOf(name)}`,
    ...(text === '' ? [] : [`DESCRIPTION:${textOf(text)}`]),
    ...(address === '' ? [] : [`LOCATION:${textOf(address)}`]),
    ...(place === undefined ? [] : [`GEO:${place.lat};${place.lon}`]),
    `CATEGORIES:${textOf(category)}`,
    'END:VEVENT',
  ];
}

/** `20260601T120000Z` */
function timeOf(time: number): string {
  return new Date(time).toISOString().replace(/[-:]|\.\d{3}/g, '');
}

/** Without control characters; commas, semicolons, backslashes and line ends are escaped. */
function textOf(text: string): string {
  return text
    .replace(/[\\;,]/g, (sign) => `\\${sign}`)
    .replace(/\r\n|\r|\n/g, '\\n')
    .replace(/[\0-\x08\x0a-\x1f\x7f]/g, '');
}

/** A long line continues behind a line end and a space; no letter is cut. */
function folded(line: string): string {
  const lines: string[] = [];
  let part = '';
  let octets = 0;
  for (const letter of line) {
    const size = Buffer.byteLength(letter);
    if (octets + size > LINE) {
      lines.push(part);
      part = ' ';
      octets = 1;
    }
    part += letter;
    octets += size;
  }
  return [...lines, part].join('\r\n');
}
