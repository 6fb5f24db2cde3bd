/**
 * Version vectors as text: the latest seen stamp of each station, sorted by station and joined by commas. A
 * station counts its edits in order, so a stamp covers all its earlier ones (Parker et al., "Detection of
 * Mutual Inconsistency in Distributed Systems", 1983).
 */
import { stationPartOf, type Stamp } from './stamps.ts';

export type Seen = string;

const NOTHING: Seen = '';

export function seenStamps(seen: Seen): Stamp[] {
  return seen === NOTHING ? [] : seen.split(',');
}

/** Whether an author with this vector had seen `stamp`, or a later edit of the same station. */
export function hasSeen(seen: Seen, stamp: Stamp): boolean {
  const station = stationPartOf(stamp);
  return seenStamps(seen).some((one) => stationPartOf(one) === station && one >= stamp);
}

/** The vector that covers all of these stamps, except those of the station `without`. */
export function seenOf(stamps: Iterable<Stamp>, without?: string): Seen {
  const latest = new Map<string, Stamp>();
  for (const stamp of stamps) {
    const station = stationPartOf(stamp);
    if (station === without) continue;
    const known = latest.get(station);
    if (known === undefined || stamp > known) latest.set(station, stamp);
  }
  return [...latest]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([, stamp]) => stamp)
    .join(',');
}

export function joinSeen(a: Seen, b: Seen): Seen {
  if (a === b || b === NOTHING) return a;
  return a === NOTHING ? b : seenOf([...seenStamps(a), ...seenStamps(b)]);
}

export function coversSeen(upper: Seen, lower: Seen): boolean {
  return upper === lower || seenStamps(lower).every((stamp) => hasSeen(upper, stamp));
}
