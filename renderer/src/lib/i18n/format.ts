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
  const words = agoFormat(language);
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
  return dateFormat(
    language,
    sameDay
      ? time
      : { ...(Math.abs(at - now) > HALF_A_YEAR ? { year: 'numeric' } : {}), day: '2-digit', month: 'short', ...time },
  ).format(at);
}

/** The clock of the bar: time with seconds, the zone's short name, the date. */
export function clock(at: number, language: string, timeZone?: string): { time: string; zone: string; date: string } {
  const zone =
    dateFormat(language, { timeZone, timeZoneName: 'short', hour: '2-digit' })
      .formatToParts(at)
      .find((part) => part.type === 'timeZoneName')?.value ?? '';
  return {
    time: dateFormat(language, {
      timeZone,
      hour: '2-digit',
      minute: '2-digit',
      second: '2-digit',
      hourCycle: 'h23',
    }).format(at),
    zone,
    date: dateFormat(language, { timeZone, weekday: 'short', day: 'numeric', month: 'short' }).format(at),
  };
}

export function bytes(count: number, language: string): string {
  if (count < 1e3) return unit(count, 'byte', language);
  return count < 1e6 ? unit(count / 1e3, 'kilobyte', language) : unit(count / 1e6, 'megabyte', language, 1);
}

export function count(value: number, language: string): string {
  return countFormat(language).format(value);
}

function unit(value: number, name: string, language: string, digits = 0): string {
  return unitFormat(language, name, digits).format(value);
}

/** Making a format costs many times what using it does, and the board uses some each second. */
function kept<Key extends readonly unknown[], Format>(make: (...key: Key) => Format): (...key: Key) => Format {
  const formats = new Map<string, Format>();
  return (...key) => {
    const name = JSON.stringify(key);
    let format = formats.get(name);
    if (!format) formats.set(name, (format = make(...key)));
    return format;
  };
}
const localeOf = (language: string) => (language === 'en' ? 'en-GB' : language);
const dateFormat = kept(
  (language: string, options: Intl.DateTimeFormatOptions) => new Intl.DateTimeFormat(localeOf(language), options),
);
const agoFormat = kept((language: string) => new Intl.RelativeTimeFormat(localeOf(language), { numeric: 'auto' }));
const countFormat = kept((language: string) => new Intl.NumberFormat(language));
const unitFormat = kept(
  (language: string, unit: string, digits: number) =>
    new Intl.NumberFormat(language, {
      style: 'unit',
      unit,
      unitDisplay: 'short',
      maximumFractionDigits: digits,
      minimumFractionDigits: digits,
    }),
);
