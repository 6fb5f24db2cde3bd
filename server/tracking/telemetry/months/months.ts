import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** A month of UTC: years since 0 times 12, and the months of the year before it. */
export type Month = number;

/** Points of these vehicles before these times (epoch ms) are expired. */
export type Expired = ReadonlyMap<number, number>;

/** Folder of the data directory with one database for each month of positions. */
export const MONTHS_FOLDER = 'tracks';
const NAME = /^(\d{4})-(0[1-9]|1[0-2])\.db$/;
/** A damaged file of a month is kept under a name like `2026-11.damaged-2026-11-23T06-17-00.000Z.db`. */
const SET_ASIDE = /^\d{4}-\d{2}\.damaged-.*\.db$/;
/** Beside a file that was found damaged; holds the reason. */
const NOTE = '.damaged';

/** All times from here on are in one file: clocks that are wrong by decades do not make a file each. */
const LAST: Month = 2100 * 12;

/** @param time epoch ms */
export function monthOf(time: number): Month {
  if (time >= startOf(LAST)) return LAST;
  const date = new Date(Math.max(time, 0));
  return date.getUTCFullYear() * 12 + date.getUTCMonth();
}

/** The first millisecond of a month. */
export function startOf(month: Month): number {
  return Date.UTC(Math.floor(month / 12), month % 12);
}

/** The last millisecond of a month. */
export function monthEnd(month: Month): number {
  return month >= LAST ? Number.MAX_SAFE_INTEGER : startOf(month + 1) - 1;
}

export function fileOf(month: Month): string {
  return `${String(Math.floor(month / 12)).padStart(4, '0')}-${String((month % 12) + 1).padStart(2, '0')}.db`;
}

/** The month of a file name, or undefined. */
export function monthOfFile(name: string): Month | undefined {
  const [, year, month] = NAME.exec(name) ?? [];
  return year === undefined ? undefined : Number(year) * 12 + Number(month) - 1;
}

export function pathOf(directory: string, month: Month): string {
  return join(directory, MONTHS_FOLDER, fileOf(month));
}

/** The months that have a file in a data directory, in order. */
export function monthsIn(directory: string): Month[] {
  return namesIn(directory).flatMap((name) => monthOfFile(name) ?? []);
}

/** Files of months that were set aside as damaged, as paths within the data directory, oldest first. */
export function damagedMonthFiles(directory: string): string[] {
  return namesIn(directory)
    .filter((name) => SET_ASIDE.test(name))
    .map((name) => `${MONTHS_FOLDER}/${name}`);
}

export function setAsideName(month: Month, now: number): string {
  return fileOf(month).replace('.db', `.damaged-${new Date(now).toISOString().replaceAll(':', '-')}.db`);
}

/** Records that the file of a month was found damaged; every reader may do so. */
export function noteMonthDamage(directory: string, month: Month, reason: string): void {
  writeFileSync(pathOf(directory, month) + NOTE, reason, { flush: true });
}

export function notePath(directory: string, month: Month): string {
  return pathOf(directory, month) + NOTE;
}

/** Months whose file was found damaged, and why. */
export function notedMonths(directory: string): { month: Month; reason: string }[] {
  return namesIn(directory).flatMap((name) => {
    const month = name.endsWith(NOTE) ? monthOfFile(name.slice(0, -NOTE.length)) : undefined;
    return month === undefined ? [] : { month, reason: readFileSync(notePath(directory, month), 'utf8') };
  });
}

function namesIn(directory: string): string[] {
  const folder = join(directory, MONTHS_FOLDER);
  return existsSync(folder) ? readdirSync(folder).sort() : [];
}
