import type { Closures } from '../../closures/index.ts';
import { route, type DeclaredRoute } from '../app/route.ts';

type PlannedClosure = ReturnType<Closures['list']>[number];

const TYPE = 'text/calendar; charset=utf-8';
/** Octets of a line of iCalendar (RFC 5545, 3.1). */
const LINE = 75;

/** The last millisecond that a time of iCalendar can name: its years have four digits. */
const LAST = Date.UTC(9999, 11, 31, 23, 59, 59, 999);

/** Closures with a beginning, as a calendar that other programs subscribe to. */
export function closureCalendarRoutes(
  closures: Closures,
  { stationId, name, now }: { readonly stationId: string; readonly name: string; readonly now: () => number },
): DeclaredRoute[] {
  return [
    route({
      family: 'station',
      access: 'user',
      group: 'Closures',
      method: 'GET',
      path: '/closures.ics',
      summary: 'Planned closures as a calendar',
      description:
        'iCalendar (RFC 5545), for calendars that subscribe to an address: `?token=KEY` with a key of the scope `read`. Closures without a beginning are left out; one without an end has no end there either.',
      answer: { type: TYPE },
      run: ({ response }) => {
        response.type(TYPE);
        const planned = closures.list().filter(({ from }) => from !== null && from <= LAST);
        const events = planned.flatMap((closure) => eventOf(closure, stationId, now()));
        return [
          'BEGIN:VCALENDAR',
          'VERSION:2.0',
          'PRODID:-//Waypost//Closures//EN',
          `X-WR-CALNAME:${textOf(name)}`,
          ...events,
          'END:VCALENDAR',
        ]
          .map((line) => `${folded(line)}\r\n`)
          .join('');
      },
    }),
  ];
}

function eventOf({ id, name, reason, geometry, from, until, factor }: PlannedClosure, station: string, now: number) {
  const [lon, lat] = geometry.type === 'Point' ? geometry.coordinates : [];
  return [
    'BEGIN:VEVENT',
    `UID:closure-${id}@${station}`,
    `DTSTAMP:${timeOf(now)}`,
    `DTSTART:${timeOf(from!)}`,
    ...(until === null || until > LAST ? [] : [`DTEND:${timeOf(until)}`]),
    `SUMMARY:${textOf(name)}`,
    ...(reason === '' ? [] : [`DESCRIPTION:${textOf(reason)}`]),
    ...(lat === undefined ? [] : [`GEO:${lat};${lon}`]),
    `CATEGORIES:${factor === 0 ? 'Closed' : 'Slowed'}`,
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
