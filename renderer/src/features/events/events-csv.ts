import type { EventItem } from '../../lib/api/types.ts';
import { secondText } from '../../lib/time/period.ts';

/**
 * Events as a CSV file for spreadsheets: semicolons, UTF-8 with a mark. A text that a spreadsheet would take
 * for a formula gets an apostrophe in front.
 */
export function eventsCsv(
  heads: readonly string[],
  events: readonly (EventItem & { readonly carNo?: string })[],
  nameOf: (event: EventItem) => string,
): string {
  const lines = events.map((event) => [
    nameOf(event),
    event.carName,
    event.carNo ?? '',
    secondText(event.dataFrom),
    event.dataTill === null ? '' : secondText(event.dataTill),
    event.dataTill === null ? '' : String(Math.round((event.dataTill - event.dataFrom) / 1000)),
    event.info,
    event.lat.toFixed(6),
    event.lon.toFixed(6),
  ]);
  return `\uFEFF${[heads, ...lines].map((line) => line.map(cell).join(';')).join('\r\n')}\r\n`;
}

function cell(text: string): string {
  const safe = /^[=+\-@\t\r]/.test(text) && !/^-?\d+(\.\d+)?$/.test(text) ? `'${text}` : text;
  return /[";\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
