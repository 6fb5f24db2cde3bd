import { z } from 'zod';
import { fieldRule } from '../../../shared/refusals/field-rules.ts';

/**
 * Value formats of area A: flags as `t` and `f`, numbers as decimal strings, times in the station's time
 * zone.
 */
export const aFlag = z.enum(['t', 'f']);
export const aNumber = z.string();

export function flagOf(value: boolean): 't' | 'f' {
  return value ? 't' : 'f';
}

/** An id as a decimal string; 0 becomes null. */
export function idOrNull(id: number): string | null {
  return id === 0 ? null : String(id);
}

/** `YYYY-MM-DD HH:MM:SS+TZ`; the offset has minutes only where needed, as in `+05:30`. */
export function dateTimeZone(instant: number): string {
  const date = new Date(instant);
  const east = -date.getTimezoneOffset();
  const minutes = Math.abs(east) % 60;
  return `${formatDateTime(date)}${east < 0 ? '-' : '+'}${two(Math.floor(Math.abs(east) / 60))}${minutes === 0 ? '' : `:${two(minutes)}`}`;
}

/** `YYYY-MM-DD HH:MM:SS` */
export function dateTime(instant: number): string {
  return formatDateTime(new Date(instant));
}

/** Hand-written for speed: a page of a list has more than a hundred of these. */
function formatDateTime(date: Date): string {
  return `${String(date.getFullYear()).padStart(4, '0')}-${two(date.getMonth() + 1)}-${two(date.getDate())} ${two(date.getHours())}:${two(date.getMinutes())}:${two(date.getSeconds())}`;
}

/** `dd.mm.yyyy hh:mm` */
export function shortDateTime(instant: number): string {
  const date = new Date(instant);
  return `${two(date.getDate())}.${two(date.getMonth() + 1)}.${String(date.getFullYear()).padStart(4, '0')} ${two(date.getHours())}:${two(date.getMinutes())}`;
}

/** `HH:MM:SS`; hours may exceed 24. */
export function period(seconds: number): string {
  return `${two(Math.floor(seconds / 3600))}:${two(Math.floor(seconds / 60) % 60)}:${two(seconds % 60)}`;
}

const TWO_DIGITS = Array.from({ length: 100 }, (_, number) => String(number).padStart(2, '0'));

function two(number: number): string {
  return TWO_DIGITS[number] ?? String(number);
}

/** `dd.mm.yyyy` as the start of that local day; undefined when there is no such day. */
export function readDay(text: string): number | undefined {
  const found = /^(\d{2})\.(\d{2})\.(\d{4})$/.exec(text.trim());
  if (!found) return undefined;
  const [day, month, year] = [Number(found[1]), Number(found[2]), Number(found[3])];
  const date = new Date(year, month - 1, day);
  date.setFullYear(year); // years before 100 are not meant as 19…
  return date.getDate() === day && date.getMonth() === month - 1 && date.getTime() >= 0 ? date.getTime() : undefined;
}

/** `dd.mm.yyyy hh:mm` (time optional) as an instant; undefined when there is no such time. */
function readDayTime(text: string): number | undefined {
  const [day = '', time = '00:00', ...rest] = text.trim().split(/\s+/);
  const begin = readDay(day);
  const clock = /^(\d{1,2}):(\d{2})(?::(\d{2}))?$/.exec(time);
  if (begin === undefined || !clock || rest.length > 0) return undefined;
  return atTime(begin, Number(clock[1]), Number(clock[2]), Number(clock[3] ?? 0));
}

/**
 * A time of day on the local day that begins at `begin`. Calendar arithmetic: a day may have 23 or 25 hours.
 */
export function atTime(begin: number, hours: number, minutes: number, seconds = 0): number | undefined {
  if (hours > 23 || minutes > 59 || seconds > 59) return undefined;
  const date = new Date(begin);
  date.setHours(hours, minutes, seconds, 0);
  return date.getTime();
}

/** `dd.mm.yyyy hh:mm` in a query. An empty value is undefined: no filter. */
export const queryDayTime = z
  .string()
  .max(30)
  .transform((text, context) => {
    if (text.trim() === '') return undefined;
    const instant = readDayTime(text);
    if (instant === undefined) context.addIssue({ code: 'custom', message: fieldRule('field.dateTime') });
    return instant;
  })
  .meta({ type: 'string', examples: ['31.12.2026 23:59'] });
