/**
 * Merging two states of one record that was edited at two stations.
 *
 * Every field has a stamp: its own in `hlc.fields`, else `hlc.base`; a part of a field has its own under
 * `field.part`, else that of the field. A merge takes each field or part from the side with the higher stamp.
 * It never reads a clock, and is commutative, associative and idempotent: a join of a semilattice (Shapiro,
 * Preguiça, Baquero, Zawirski, "Conflict-free Replicated Data Types", 2011). So all stations that have seen
 * the same edits hold the same record, whatever way the edits took. It rests on one thing: a stamp fixes the
 * value, that is, nobody writes two values with one stamp.
 *
 * `hlc.fields` also notes what an author had seen:
 *
 *     ^field    the latest stamps of other stations that this field had before its value was written. It goes
 *               with the value. Left out: the base, and earlier edits of the same station. `^`: of the base.
 *     !         a logical deletion: the latest stamp of each station in the record that was deleted.
 *     ~, ~field a physical deletion: the base, and the stamps of the edited fields.
 *
 * The older of two values is a conflict unless the author of the later one had seen it. A record is deleted as
 * long as every edit of it was seen by a deletion. An edit that a deletion did not see survives it, even an
 * earlier one: the person who deleted could not know of it.
 */
import type { Stamps } from '../records/record.ts';
import { isEqual } from './equal.ts';
import { partsOf, valueOfParts, type MergeShape } from './parts.ts';
import { coversSeen, hasSeen, joinSeen, seenOf, seenStamps } from './seen.ts';
import { isEdit, isStamp, stationPartOf, type Stamp } from './stamps.ts';

interface Stamped {
  readonly hlc: Stamps;
}

interface WrittenUnits {
  readonly value: unknown;
  readonly stamp: Stamp;
}

/** An edit that a merge overwrote although the author of the later one did not know of it. */
export interface LostEdit {
  /** The field, or `field.part`; the flag of deletion for a deletion that an edit survived. */
  readonly field: string;
  readonly kept: WrittenUnits;
  readonly lost: WrittenUnits;
  /** The rule of a clash: both edits, of different fields, are kept. */
  readonly rule?: string;
}

interface Merged<T> {
  readonly record: T;
  readonly deleted: boolean;
  /** Fields of which theirs won, completely or in part. */
  readonly taken: readonly string[];
  /** Fields of which theirs was older, completely or in part. */
  readonly kept: readonly string[];
  readonly lost: readonly LostEdit[];
  /** One side deleted the record; an edit of the other, unseen by that deletion, keeps it. */
  readonly survived: boolean;
  /** The result differs from mine. */
  readonly changed: boolean;
}

/** Field of a `LostEdit` that is a physical deletion. */
export const RECORD = '';

const TOMBSTONE = '~';
const SEEN = '^';
const DELETED = '!';
const PART = '.';

export function merge<T extends Stamped>(mine: T, theirs: T, shape: MergeShape = {}): Merged<T> {
  const hlc = joinStamps(mine.hlc, theirs.hlc);
  const taken: string[] = [];
  const kept: string[] = [];
  const lost: LostEdit[] = [];
  const record: Record<string, unknown> = {};
  const [ours, others] = [mine as Record<string, unknown>, theirs as Record<string, unknown>];

  const compare = (unit: string, own: unknown, other: unknown): unknown => {
    const [stamp, otherStamp] = [stampOf(mine.hlc, unit), stampOf(theirs.hlc, unit)];
    if (stamp === otherStamp) return own;
    const theirsWon = otherStamp > stamp;
    const field = fieldOf(unit);
    const list = theirsWon ? taken : kept;
    if (list.at(-1) !== field) list.push(field);
    const [winner, loser] = theirsWon ? [theirs.hlc, mine.hlc] : [mine.hlc, theirs.hlc];
    const [value, older] = theirsWon ? [other, own] : [own, other];
    if (isReported(unit, shape, hlc) && !knew(winner, loser, unit) && !isEqual(value, older))
      lost.push({
        field: unit,
        kept: { value: value ?? null, stamp: stampOf(winner, unit) },
        lost: { value: older ?? null, stamp: stampOf(loser, unit) },
      });
    return value;
  };

  for (const field of Object.keys({ ...mine, ...theirs })) {
    if (field === 'hlc') continue;
    const kind = shape.parts?.[field];
    const [own, other] = [ours[field], others[field]];
    let value: unknown;
    if (kind === undefined || (own === undefined && other === undefined)) value = compare(field, own, other);
    else {
      const [mineParts, theirParts] = [partsOf(own, kind), partsOf(other, kind)];
      const parts = new Map<string, unknown>();
      for (const part of new Set([...mineParts.keys(), ...theirParts.keys()])) {
        const result = compare(field + PART + part, mineParts.get(part), theirParts.get(part));
        if (result !== undefined) parts.set(part, result);
      }
      value = valueOfParts(parts, kind);
    }
    if (value !== undefined) record[field] = value;
  }
  record['hlc'] = hlc;
  if (shape.deletion !== undefined && hlc.fields[DELETED] !== undefined)
    record[shape.deletion] = unseenByDeletion(hlc, shape) === '';

  lost.push(...clashesOf(mine, theirs, record, shape));
  const deleted = isTombstone(hlc);
  const survivedTombstone = !deleted && isTombstone(mine.hlc) !== isTombstone(theirs.hlc);
  for (const [side, otherSide] of [
    [mine, theirs],
    [theirs, mine],
  ] as const) {
    const survivor = survivorOf(side, otherSide, record, shape, deleted);
    if (survivor) lost.push(survivor);
  }
  return {
    record: record as T,
    deleted,
    taken,
    kept,
    lost,
    survived: survivedTombstone,
    changed: !covers(mine.hlc, theirs.hlc),
  };
}

/**
 * Two edits were concurrent when each side of the merge holds one of them and not the other. `lost` is the
 * one that the other makes pointless.
 */
function clashesOf(mine: Stamped, theirs: Stamped, merged: Record<string, unknown>, shape: MergeShape): LostEdit[] {
  const found: LostEdit[] = [];
  for (const { rule, field, value, against } of shape.conflicts ?? []) {
    const [stamp, otherStamp] = [stampOf(mine.hlc, field), stampOf(theirs.hlc, field)];
    if (stamp === otherStamp || merged[field] !== value) continue;
    const [side, other] = stamp > otherStamp ? [mine, theirs] : [theirs, mine];
    for (const name of against) {
      const set = stampOf(other.hlc, name);
      // If it was set together with the field itself, the conflict belongs to that field.
      if (set <= stampOf(side.hlc, name) || set === stampOf(other.hlc, field) || !merged[name]) continue;
      found.push({
        field: name,
        rule,
        kept: { value, stamp: stampOf(side.hlc, field) },
        lost: { value: merged[name], stamp: set },
      });
    }
  }
  return found;
}

/** The deletion of `side` that the merged record does not follow, unless the other side knew of it. */
function survivorOf(
  side: Stamped,
  other: Stamped,
  merged: Record<string, unknown>,
  shape: MergeShape,
  deleted: boolean,
): LostEdit | undefined {
  const hlc = merged['hlc'] as Stamps;
  if (shape.unreported === 'all') return undefined;
  if (isTombstone(side.hlc) && !deleted) {
    const names = Object.keys(side.hlc.fields).filter((name) => name.startsWith(TOMBSTONE));
    if (names.every((name) => noted(other.hlc, name) >= noted(side.hlc, name))) return undefined;
    return {
      field: RECORD,
      kept: { value: false, stamp: latestStamp(hlc) },
      lost: { value: true, stamp: latestStamp(side.hlc) },
    };
  }
  const { deletion } = shape;
  if (deletion === undefined || merged[deletion] !== false) return undefined;
  const seen = side.hlc.fields[DELETED];
  if (seen === undefined || unseenByDeletion(side.hlc, shape) !== '') return undefined;
  const stamp = stampOf(side.hlc, deletion);
  if (hasSeen(other.hlc.fields[DELETED] ?? '', stamp)) return undefined;
  return {
    field: deletion,
    kept: { value: false, stamp: unseenByDeletion(hlc, shape) },
    lost: { value: true, stamp },
  };
}

/**
 * The latest stamp of a record that its logical deletion had not seen; empty: it saw all. Computed fields do
 * not count, or a program would restore what a person deleted.
 */
function unseenByDeletion(hlc: Stamps, { unreported = [] }: MergeShape): Stamp | '' {
  const seen = hlc.fields[DELETED]!;
  let latest: Stamp | '' = hasSeen(seen, hlc.base) ? '' : hlc.base;
  for (const field of editedFields(hlc)) {
    const stamp = hlc.fields[field]!;
    if (stamp > latest && !unreported.includes(fieldOf(field)) && !hasSeen(seen, stamp)) latest = stamp;
  }
  return latest;
}

function isReported(unit: string, { unreported, deletion }: MergeShape, hlc: Stamps): boolean {
  if (unreported === 'all') return false;
  const field = fieldOf(unit);
  return !unreported?.includes(field) && !(field === deletion && hlc.fields[DELETED] !== undefined);
}

/** Whether the author of the winner's value knew the loser's. */
function knew(winner: Stamps, loser: Stamps, unit: string): boolean {
  const lost = stampOf(loser, unit);
  if (!isEdit(lost) || lost === winner.base) return true;
  const source = sourceOf(winner, unit);
  const stamp = source === '' ? winner.base : winner.fields[source]!;
  return stationPartOf(stamp) === stationPartOf(lost) || hasSeen(winner.fields[SEEN + source] ?? '', lost);
}

/** The stamp of a field or part, also of a missing one: its absence is as old as the field, or the base. */
export function stampOf(hlc: Stamps, unit: string): Stamp {
  const source = sourceOf(hlc, unit);
  return source === '' ? hlc.base : hlc.fields[source]!;
}

/** The name under which the stamp of a field or part is stored; empty: the base. */
function sourceOf(hlc: Stamps, unit: string): string {
  if (hlc.fields[unit] !== undefined) return unit;
  const field = fieldOf(unit);
  return field !== unit && hlc.fields[field] !== undefined ? field : '';
}

function fieldOf(unit: string): string {
  const dot = unit.indexOf(PART);
  return dot < 0 ? unit : unit.slice(0, dot);
}

export function isTombstone(hlc: Stamps): boolean {
  return (
    hlc.fields[TOMBSTONE] === hlc.base &&
    editedFields(hlc).every((field) => hlc.fields[TOMBSTONE + field] === hlc.fields[field])
  );
}

/** Stamps of a new record. */
export function firstStamps(stamp: Stamp): Stamps {
  return { base: stamp, fields: {} };
}

/** Stamps of a record created again under the key of a deleted one. */
export function stampsAfter(deleted: Stamps, stamp: Stamp): Stamps {
  const joined = joinStamps(firstStamps(stamp), deleted);
  const before = [deleted.base, ...editedFields(deleted).map((field) => deleted.fields[field]!)];
  const seen = seenOf(before, stationPartOf(stamp));
  return seen === '' ? joined : { base: joined.base, fields: { ...joined.fields, [SEEN]: seen } };
}

/** Stamps after an author edited fields or parts of the record as it is. */
export function stampFields(hlc: Stamps, changed: readonly string[], stamp: Stamp): Stamps {
  const fields = { ...hlc.fields };
  const station = stationPartOf(stamp);
  for (const unit of changed) {
    const source = sourceOf(hlc, unit);
    const before = hlc.fields[SEEN + source];
    const replaced = source === '' ? undefined : hlc.fields[source]!;
    if (before !== undefined || (replaced !== undefined && stationPartOf(replaced) !== station)) {
      const seen = seenOf([...seenStamps(before ?? ''), ...(replaced === undefined ? [] : [replaced])], station);
      if (seen === '') delete fields[SEEN + unit];
      else fields[SEEN + unit] = seen;
    }
    fields[unit] = stamp;
  }
  return { base: hlc.base, fields };
}

/** Stamps after an edit that left the record logically deleted: the deletion saw all of it. */
export function stampLogicalDeletion(hlc: Stamps): Stamps {
  const stamps = [hlc.base, ...editedFields(hlc).map((field) => hlc.fields[field]!)];
  return { base: hlc.base, fields: { ...hlc.fields, [DELETED]: joinSeen(hlc.fields[DELETED] ?? '', seenOf(stamps)) } };
}

/** Stamps after an author deleted the record as it is. */
export function stampDeletion(hlc: Stamps): Stamps {
  const fields: Record<string, Stamp> = { [TOMBSTONE]: hlc.base };
  for (const [name, stamp] of Object.entries(hlc.fields)) {
    if (name.startsWith(TOMBSTONE)) continue;
    fields[name] = stamp;
    if (isUnit(name)) fields[TOMBSTONE + name] = stamp;
  }
  return { base: hlc.base, fields };
}

/** Whether `upper` contains `lower`: the order of the semilattice. */
export function covers(upper: Stamps, lower: Stamps): boolean {
  if (upper.base < lower.base) return false;
  for (const name of Object.keys({ ...upper.fields, ...lower.fields })) {
    if (name === DELETED) {
      if (!coversSeen(upper.fields[name] ?? '', lower.fields[name] ?? '')) return false;
    } else if (!name.startsWith(SEEN) && noted(upper, name) < noted(lower, name)) return false;
  }
  return true;
}

/** The highest stamp in a record: a receiving clock must go past it. */
export function latestStamp(hlc: Stamps): Stamp {
  let latest = hlc.base;
  for (const field of editedFields(hlc)) if (hlc.fields[field]! > latest) latest = hlc.fields[field]!;
  return latest;
}

/** Every stamp in it, including those that authors had seen. */
export function allStamps(hlc: Stamps): Stamp[] {
  return [hlc.base, ...Object.values(hlc.fields).flatMap(seenStamps)];
}

/** Whether it has the shape of stamps; nothing else may be merged. */
export function areStamps(hlc: Stamps): boolean {
  return allStamps(hlc).every(isStamp);
}

/**
 * The pointwise maximum in canonical form: sorted, without what is implied. A part's stamp is never below its
 * field's, nor a field's below the base.
 */
export function joinStamps(a: Stamps, b: Stamps): Stamps {
  const joined: Stamps = { base: later(a.base, b.base), fields: {} };
  const { fields } = joined;
  for (const name of Object.keys({ ...a.fields, ...b.fields }).sort()) {
    if (name.startsWith(SEEN)) continue;
    if (name === DELETED) {
      fields[name] = joinSeen(a.fields[name] ?? '', b.fields[name] ?? '');
      continue;
    }
    const stamp = later(noted(a, name), noted(b, name));
    if (stamp === noted(joined, name)) continue;
    fields[name] = stamp;
    const seen = isUnit(name) && (noted(a, name) === stamp ? a : b).fields[SEEN + name];
    if (seen) fields[SEEN + name] = seen;
  }
  const seen = (a.base === joined.base ? a : b).fields[SEEN];
  if (seen !== undefined) fields[SEEN] = seen;
  return joined;
}

/** The note under a name of `hlc.fields`, or implied by the field, the base, or the deletion that saw it. */
function noted({ base, fields }: Stamps, name: string): Stamp {
  const stamp = fields[name];
  if (stamp !== undefined) return stamp;
  const field = fieldOf(name);
  if (field !== name && fields[field] !== undefined) return fields[field];
  return name.startsWith(TOMBSTONE) ? (fields[TOMBSTONE] ?? '') : base;
}

/** Whether a name in `hlc.fields` is that of a field or a part. */
function isUnit(name: string): boolean {
  return !name.startsWith(TOMBSTONE) && !name.startsWith(SEEN) && name !== DELETED;
}

function editedFields(hlc: Stamps): string[] {
  return Object.keys(hlc.fields).filter(isUnit);
}

function later(a: Stamp, b: Stamp): Stamp {
  return a > b ? a : b;
}
