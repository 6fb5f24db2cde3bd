/**
 * Merging two states of one record that was edited at two stations.
 *
 * Every field has a stamp: its own in `hlc.fields`, else `hlc.base`. A merge takes each field from the side
 * with the higher stamp. It never reads a clock, and is commutative, associative and idempotent: a join of a
 * semilattice (Shapiro, Preguiça, Baquero, Zawirski, "Conflict-free Replicated Data Types", 2011). So all
 * stations that have seen the same edits hold the same record, whatever way the edits took. It rests on one
 * thing: a stamp fixes the value, that is, nobody writes two values with one stamp.
 *
 * A deletion notes the stamps that it saw, in `hlc.fields` under `~` (for the base) and `~field`. A record is
 * deleted as long as every edit of it was seen by a deletion. An edit that a deletion did not see survives
 * it, even an earlier one: whoever deleted could not know of it, and what an operator wrote is not lost
 * without his knowing.
 */
import type { Stamps } from '../records/record.ts';
import type { Stamp } from './stamps.ts';

interface Stamped {
  readonly hlc: Stamps;
}

interface Merged<T> {
  readonly record: T;
  readonly deleted: boolean;
  /** Fields in which theirs won. */
  readonly taken: readonly string[];
  /** Fields that theirs had with an older stamp: what they say there is lost. */
  readonly kept: readonly string[];
  /**
   * One side had deleted the record, and an edit of the other, which that deletion had not seen, keeps it.
   */
  readonly survived: boolean;
  /** The result says something that mine did not. */
  readonly changed: boolean;
}

const SEEN = '~';

export function merge<T extends Stamped>(mine: T, theirs: T): Merged<T> {
  const hlc = joinStamps(mine.hlc, theirs.hlc);
  const taken: string[] = [];
  const kept: string[] = [];
  const record: Record<string, unknown> = {};
  for (const field of Object.keys({ ...mine, ...theirs })) {
    if (field === 'hlc') continue;
    const ours = stampOf(mine.hlc, field);
    const other = stampOf(theirs.hlc, field);
    const winner = other > ours ? theirs : mine;
    if (other > ours) taken.push(field);
    else if (other < ours) kept.push(field);
    const value = (winner as Record<string, unknown>)[field];
    if (value !== undefined) record[field] = value;
  }
  record['hlc'] = hlc;
  const deleted = isTombstone(hlc);
  return {
    record: record as T,
    deleted,
    taken,
    kept,
    survived: !deleted && isTombstone(mine.hlc) !== isTombstone(theirs.hlc),
    changed: !covers(mine.hlc, theirs.hlc),
  };
}

/**
 * The stamp of a field, also of one that the record does not have: that it is not there is as old as the
 * base.
 */
export function stampOf(hlc: Stamps, field: string): Stamp {
  return hlc.fields[field] ?? hlc.base;
}

export function isTombstone(hlc: Stamps): boolean {
  return (
    hlc.fields[SEEN] === hlc.base && editedFields(hlc).every((field) => hlc.fields[SEEN + field] === hlc.fields[field])
  );
}

/** Stamps of a record made now. */
export function firstStamps(stamp: Stamp): Stamps {
  return { base: stamp, fields: {} };
}

/** Stamps after `changed` fields were edited. */
export function stampFields(hlc: Stamps, changed: readonly string[], stamp: Stamp): Stamps {
  const fields = { ...hlc.fields };
  for (const field of changed) fields[field] = stamp;
  return { base: hlc.base, fields };
}

/** Stamps after the record was deleted by somebody who saw it as it is. */
export function stampDeletion(hlc: Stamps): Stamps {
  const fields: Record<string, Stamp> = { [SEEN]: hlc.base };
  for (const field of editedFields(hlc)) {
    fields[field] = hlc.fields[field]!;
    fields[SEEN + field] = hlc.fields[field]!;
  }
  return { base: hlc.base, fields };
}

/** Whether `upper` says all that `lower` says: the order of the semilattice. */
export function covers(upper: Stamps, lower: Stamps): boolean {
  return (
    upper.base >= lower.base &&
    Object.keys({ ...upper.fields, ...lower.fields }).every((name) => noted(upper, name) >= noted(lower, name))
  );
}

/** The highest stamp in a record: what a receiving clock must get past. */
export function latestStamp(hlc: Stamps): Stamp {
  let latest = hlc.base;
  for (const stamp of Object.values(hlc.fields)) if (stamp > latest) latest = stamp;
  return latest;
}

/**
 * The pointwise maximum, in one way of writing: sorted, and without what the base says already. A field's
 * stamp is never below its base.
 */
export function joinStamps(a: Stamps, b: Stamps): Stamps {
  const base = later(a.base, b.base);
  const seen = later(noted(a, SEEN), noted(b, SEEN));
  const fields: Record<string, Stamp> = {};
  for (const name of Object.keys({ ...a.fields, ...b.fields }).sort()) {
    const stamp = later(noted(a, name), noted(b, name));
    const implied = name === SEEN ? '' : name.startsWith(SEEN) ? seen : base;
    if (stamp !== implied) fields[name] = stamp;
  }
  return { base, fields };
}

/** What is noted under a name of `hlc.fields`, or implied by the base or by the deletion that saw it. */
function noted(hlc: Stamps, name: string): Stamp {
  return hlc.fields[name] ?? (name.startsWith(SEEN) ? (hlc.fields[SEEN] ?? '') : hlc.base);
}

function editedFields(hlc: Stamps): string[] {
  return Object.keys(hlc.fields).filter((name) => !name.startsWith(SEEN));
}

function later(a: Stamp, b: Stamp): Stamp {
  return a > b ? a : b;
}
