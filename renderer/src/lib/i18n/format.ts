/**
 * How quantities read, in the reader's language. Pure: time zone and language are arguments or those of the
 * machine.
 */
export function duration(seconds: number, language: string): string {
  const [whole, minutes] = [Math.max(0, Math.round(seconds)), Math.round(seconds / 60)];
  if (whole < 60) return unit(whole, 'second', language);
  if (minutes < 60) return unit(minutes, 'minute', language);
  const hours = Math.floor(minutes / 60);
  if (hours >= 48) return unit(Math.round(hours / 24), 'day', language);
  const rest = minutes % 60;
  return rest === 0
    ? unit(hours, 'hour', language)
    : `${unit(hours, 'hour', language)} ${unit(rest, 'minute', language)}`;
}

export function distance(metres: number, language: string): string {
  return metres < 950
    ? unit(Math.round(metres / 10) * 10, 'meter', language)
    : unit(metres / 1000, 'kilometer', language, metres < 9_950 ? 1 : 0);
}

export function speed(kmh: number, language: string): string {
  return unit(Math.round(kmh), 'kilometer-per-hour', language);
}

/** A running time: 4:07, 1:04:07, and from two days on in days. */
export function timer(milliseconds: number, language: string): string {
  const seconds = Math.max(0, Math.floor(milliseconds / 1000));
  if (seconds >= 2 * 86_400) return unit(Math.floor(seconds / 86_400), 'day', language);
  const [hours, minutes, rest] = [Math.floor(seconds / 3600), Math.floor((seconds % 3600) / 60), seconds % 60];
  const two = (value: number) => String(value).padStart(2, '0');
  return hours > 0 ? `${hours}:${two(minutes)}:${two(rest)}` : `${minutes}:${two(rest)}`;
}

/** How long ago something was: "now", "25 seconds ago", "4 minutes ago", "3 hours ago", "2 days ago". */
export function ago(at: number, now: number, language: string): string {
  const seconds = Math.max(0, Math.floor((now - at) / 1000));
  const words = new Intl.RelativeTimeFormat(language === 'en' ? 'en-GB' : language, { numeric: 'auto' });
  if (seconds < 60) return words.format(-(seconds - (seconds % 5)), 'second');
  if (seconds < 3_600) return words.format(-Math.floor(seconds / 60), 'minute');
  if (seconds < 2 * 86_400) return words.format(-Math.floor(seconds / 3_600), 'hour');
  return words.format(-Math.floor(seconds / 86_400), 'day');
}

const HALF_A_YEAR = 183 * 86_400_000;

/**
 * 14:05, with the date when it is not today, and with the year when the date alone could be of another one.
 */
export function moment(at: number, now: number, language: string, seconds = false): string {
  const time: Intl.DateTimeFormatOptions = {
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
    ...(seconds ? { second: '2-digit' } : {}),
  };
  const sameDay = new Date(at).toDateString() === new Date(now).toDateString();
  return new Intl.DateTimeFormat(
    language === 'en' ? 'en-GB' : language,
    sameDay
      ? time
      : { ...(Math.abs(at - now) > HALF_A_YEAR ? { year: 'numeric' } : {}), day: '2-digit', month: 'short', ...time },
  ).format(at);
}

/** The clock of the bar: time with seconds, the zone's short name, the date. */
export function clock(at: number, language: string, timeZone?: string): { time: string; zone: string; date: string } {
  const locale = language === 'en' ? 'en-GB' : language;
  const zone =
    new Intl.DateTimeFormat(locale, { timeZone, timeZoneName: 'short', hour: '2-digit' })
      .formatToParts(at)
      .find((part) => part.type === 'timeZoneName')?.value ?? '';
  return {
    time: new Intl.DateTimeFormat(locale, {
      timeZone,
      hour: '2-digit',
      minute: '2-digit',
      second: '2-digit',
      hourCycle: 'h23',
    }).format(at),
    zone,
    date: new Intl.DateTimeFormat(locale, { timeZone, weekday: 'short', day: 'numeric', month: 'short' }).format(at),
  };
}

export function bytes(count: number, language: string): string {
  if (count < 1e3) return unit(count, 'byte', language);
  return count < 1e6 ? unit(count / 1e3, 'kilobyte', language) : unit(count / 1e6, 'megabyte', language, 1);
}

export function count(value: number, language: string): string {
  return new Intl.NumberFormat(language).format(value);
}

const formats = new Map<string, Intl.NumberFormat>();
function unit(value: number, name: string, language: string, digits = 0): string {
  const key = `${language} ${name} ${digits}`;
  let format = formats.get(key);
  if (!format)
    formats.set(
      key,
      (format = new Intl.NumberFormat(language, {
        style: 'unit',
        unit: name,
        unitDisplay: 'short',
        maximumFractionDigits: digits,
        minimumFractionDigits: digits,
      })),
    );
  return format.format(value);
}
