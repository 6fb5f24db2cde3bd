import { COLLECTIONS } from '../../../../../shared/records/index.ts';
import { reason, type Reason } from '../../../../../shared/refusals/reason.ts';
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
 * Why two stations cannot replicate, with a reason that both sides find; undefined: they can. Clocks may be
 * up to five minutes apart: with more, one station's edits would always win.
 */
export function whyRefused(mine: Introduced, theirs: Introduced): Reason | undefined {
  const newer = newerOf(mine, theirs);
  if (newer) {
    const older = newer === mine ? theirs : mine;
    return reason('sync.versions', {
      newer: newer.name,
      version: newer.version,
      older: older.name,
      former: older.version,
    });
  }
  const apart = Math.abs(theirs.clock - mine.clock);
  if (apart > MOST_CLOCK_DIFFERENCE) return clocksDiffer(mine, theirs);
  if (mine.number === theirs.number)
    return reason('sync.sameNumber', { name: mine.name, station: theirs.name, number: mine.number });
  return undefined;
}

/** Both times, when the clocks differ too much. */
export function clocksDiffer(
  mine: Pick<Introduced, 'name' | 'clock'>,
  theirs: Pick<Introduced, 'name' | 'clock'>,
): Reason {
  const minutes = Math.round(Math.abs(theirs.clock - mine.clock) / 60_000);
  return reason('sync.clocks', {
    minutes,
    here: timeOf(mine.clock),
    name: mine.name,
    there: timeOf(theirs.clock),
    station: theirs.name,
  });
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
