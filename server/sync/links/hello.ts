import { COLLECTIONS } from '../../../shared/records/index.ts';
import type { Hello } from './wire.ts';

export const PROTOCOL = 1;
/** ms that the clocks of two stations may differ. */
export const MOST_CLOCK_DIFFERENCE = 5 * 60_000;

/** Version of each collection of this program. */
export const SCHEMA: Readonly<Record<string, number>> = Object.fromEntries(
  Object.entries(COLLECTIONS).map(([name, { version }]) => [name, version]),
);

type Introduced = Pick<Hello, 'protocol' | 'version' | 'schema' | 'number' | 'name' | 'clock'>;

/**
 * Why two stations cannot replicate, in words that hold on both sides; undefined: they can. Clocks may be up to
 * five minutes apart: more would let one station's edits win for ever.
 */
export function whyRefused(mine: Introduced, theirs: Introduced): string | undefined {
  const newer = newerOf(mine, theirs);
  if (newer) {
    const older = newer === mine ? theirs : mine;
    return `${newer.name} has Waypost ${newer.version}, and ${older.name} has Waypost ${older.version}, which does not know its records. Update ${older.name}. Nothing is lost meanwhile.`;
  }
  const apart = Math.abs(theirs.clock - mine.clock);
  if (apart > MOST_CLOCK_DIFFERENCE) return clockWords(mine, theirs);
  if (mine.number === theirs.number)
    return `${mine.name} and ${theirs.name} have the same station number, ${mine.number}.`;
  return undefined;
}

/** Both times, when the clocks differ too much. */
export function clockWords(
  mine: Pick<Introduced, 'name' | 'clock'>,
  theirs: Pick<Introduced, 'name' | 'clock'>,
): string {
  const minutes = Math.round(Math.abs(theirs.clock - mine.clock) / 60_000);
  return `The clocks differ by ${minutes} min: it is ${timeOf(mine.clock)} at ${mine.name} and ${timeOf(theirs.clock)} at ${theirs.name}. The link goes on when both are right.`;
}

/** The station with the newer protocol or records; undefined: they are equal. */
function newerOf(mine: Introduced, theirs: Introduced): Introduced | undefined {
  if (mine.protocol !== theirs.protocol) return mine.protocol > theirs.protocol ? mine : theirs;
  const names = Object.keys({ ...mine.schema, ...theirs.schema });
  const version = (one: Introduced, name: string) => one.schema[name] ?? -1;
  if (names.some((name) => version(theirs, name) > version(mine, name))) return theirs;
  return names.some((name) => version(theirs, name) < version(mine, name)) ? mine : undefined;
}

function timeOf(ms: number): string {
  return `${new Date(ms).toISOString().slice(0, 19).replace('T', ' ')} UTC`;
}
