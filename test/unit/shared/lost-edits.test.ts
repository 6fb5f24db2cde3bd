import { expect, test } from 'vitest';
import {
  covers,
  firstStamps,
  isTombstone,
  latestStamp,
  merge,
  stampFields,
  stampLogicalDeletion,
  stampOf,
} from '../../../shared/merge/merge.ts';
import type { MergeShape } from '../../../shared/merge/parts.ts';
import { stampClock, stationPart, type StampClock } from '../../../shared/merge/stamps.ts';
import type { Stamps } from '../../../shared/records/index.ts';
import { Chance, SEED } from '../../support/chance.ts';
import { times } from '../../support/long.ts';

const SHAPE: MergeShape = {
  parts: { values: 'map', tags: 'set' },
  deletion: 'isDeleted',
  unreported: ['count'],
};

interface Note {
  readonly [field: string]: unknown;
  readonly values: Readonly<Record<string, unknown>>;
  readonly tags: readonly number[];
  readonly isDeleted: boolean;
  readonly hlc: Stamps;
}

/** What the oracle knows of one value: which edit wrote it, and all edits that its author had seen. */
interface Truth {
  readonly stamp: string;
  readonly seen: ReadonlySet<string>;
}

const UNITS = ['title', 'status', 'values.1', 'values.2', 'tags.7', 'tags.8'] as const;
type Unit = (typeof UNITS)[number];

/** A station that holds one record, and beside it what the oracle knows of each field and part. */
class Station {
  readonly clock: StampClock;
  note: Note;
  truths: Map<Unit, Truth>;
  /** Edits that a deletion of the record had seen. */
  deletions: ReadonlySet<string>;

  constructor(clock: StampClock, note: Note) {
    this.clock = clock;
    this.note = note;
    this.truths = new Map(UNITS.map((unit) => [unit, { stamp: note.hlc.base, seen: new Set() }]));
    this.deletions = new Set();
  }

  edit(unit: Unit, value: unknown): Truth {
    const stamp = this.clock.next();
    const hlc = stampFields(this.note.hlc, [unit], stamp);
    this.note = {
      ...this.#with(unit, value),
      hlc: this.note.isDeleted ? stampLogicalDeletion(hlc) : hlc,
    };
    const before = this.truths.get(unit)!;
    const truth = { stamp, seen: new Set([...before.seen, before.stamp]) };
    this.truths.set(unit, truth);
    return truth;
  }

  setDeleted(isDeleted: boolean): void {
    if (this.note.isDeleted === isDeleted) return;
    const hlc = stampFields(this.note.hlc, ['isDeleted'], this.clock.next());
    this.note = { ...this.note, isDeleted, hlc: isDeleted ? stampLogicalDeletion(hlc) : hlc };
  }

  valueOf(unit: Unit): unknown {
    const [field, part] = unit.split('.') as [string, string | undefined];
    if (part === undefined) return this.note[field];
    return field === 'tags' ? this.note.tags.includes(Number(part)) : this.note.values[part];
  }

  #with(unit: Unit, value: unknown): Note {
    const [field, part] = unit.split('.') as [string, string | undefined];
    if (part === undefined) return { ...this.note, [field]: value };
    if (field === 'values') return { ...this.note, values: { ...this.note.values, [part]: value } };
    const others = this.note.tags.filter((tag) => tag !== Number(part));
    return { ...this.note, tags: (value ? [...others, Number(part)] : others).sort() };
  }

  copy(): Station {
    const copy = new Station(this.clock, this.note);
    copy.truths = new Map(this.truths);
    return copy;
  }

  /** Merges as a store does, and the oracle by its own account. Returns what was lost, by either. */
  take({ note, truths }: Station): { told: string[]; true: string[] } {
    this.clock.receive(latestStamp(note.hlc));
    const { record, lost } = merge(this.note, note, SHAPE);
    const overwritten: string[] = [];
    for (const unit of UNITS) {
      const [mine, theirs] = [this.truths.get(unit)!, truths.get(unit)!];
      const [winner, loser] = theirs.stamp > mine.stamp ? [theirs, mine] : [mine, theirs];
      if (winner.stamp !== loser.stamp && !winner.seen.has(loser.stamp)) overwritten.push(loser.stamp);
      this.truths.set(unit, winner);
    }
    this.note = record;
    return {
      told: lost.filter(({ field }) => field !== 'isDeleted').map((edit) => edit.lost.stamp),
      true: overwritten,
    };
  }
}

function stations(count: number, wall: () => number): Station[] {
  const clocks = Array.from({ length: count }, (_, number) => stampClock(stationPart(number, `s${number}`), wall));
  const note: Note = {
    title: 'start',
    status: 'start',
    values: {},
    tags: [],
    isDeleted: false,
    hlc: firstStamps(clocks[0]!.next()),
  };
  return clocks.map((clock) => new Station(clock, note));
}

test(`[sync 31] every edit is seen by the value that replaced it, or reported as lost, and only then (WAYPOST_SEED=${SEED})`, () => {
  const chance = new Chance();
  for (let run = 0; run < times(200, 20_000); run++) {
    let wall = 1_700_000_000_000;
    const all = stations(2 + chance.int(4), () => wall);
    const reported = new Set<string>();
    const written: (Truth & { unit: Unit; value: unknown })[] = [];
    let last = 0;
    const take = (to: Station, from: Station): void => {
      const { told, true: overwritten } = to.take(from);
      for (const stamp of told) {
        expect(overwritten, 'an edit that the later author knew is not reported').toContain(stamp);
        reported.add(stamp);
      }
      // Sets have few values: two stations that wrote the same one lost nothing.
      const isOfSet = (stamp: string) => written.find((one) => one.stamp === stamp)?.unit.startsWith('tags');
      expect(overwritten.filter((stamp) => !isReported(stamp) && !isOfSet(stamp))).toEqual([]);
    };
    /** Itself, or a later value whose author had replaced it knowingly. */
    const isReported = (stamp: string): boolean =>
      reported.has(stamp) || written.some((one) => reported.has(one.stamp) && one.seen.has(stamp));
    for (let step = 0; step < 40; step++) {
      if (chance.maybe(0.5)) wall += chance.int(3);
      const station = chance.of(all);
      if (chance.maybe(0.4)) take(station, chance.of(all));
      else if (chance.maybe(0.1)) station.setDeleted(chance.maybe());
      else {
        const unit = chance.of(UNITS);
        const value = unit.startsWith('tags') ? chance.maybe() : `value ${++last}`;
        written.push({ ...station.edit(unit, value), unit, value });
      }
    }
    for (let changed = true; changed;) {
      changed = false;
      for (const to of all)
        for (const from of all) {
          if (covers(to.note.hlc, from.note.hlc)) continue;
          take(to, from);
          changed = true;
        }
    }
    for (const station of all) {
      expect(station.note).toEqual(all[0]!.note);
      expect(station.truths).toEqual(all[0]!.truths);
    }
    const end = all[0]!;
    for (const { unit, stamp, value } of written) {
      const truth = end.truths.get(unit)!;
      if (truth.stamp === stamp) expect(end.valueOf(unit)).toEqual(value);
      else if (!truth.seen.has(stamp) && !unit.startsWith('tags'))
        expect(isReported(stamp), `${String(value)} is gone`).toBe(true);
    }
  }
});

test(`merges of fields, parts and deletions are commutative, associative and idempotent (WAYPOST_SEED=${SEED})`, () => {
  const chance = new Chance();
  const join = (a: Note, b: Note): Note => merge(a, b, SHAPE).record;
  for (let run = 0; run < times(250, 20_000); run++) {
    let wall = 1_700_000_000_000;
    const all = stations(3, () => wall);
    const states: Note[] = all.map(({ note }) => note);
    for (let step = 0; step < 25; step++) {
      wall += chance.int(2);
      const station = chance.of(all);
      const unit = chance.of(UNITS);
      const kind = chance.next();
      if (kind < 0.35) station.take(chance.of(all));
      else if (kind < 0.55) station.setDeleted(chance.maybe(0.6));
      else station.edit(unit, unit.startsWith('tags') ? chance.maybe() : chance.int(50));
      states.push(station.note);
    }
    const [a, b, c] = [chance.of(states), chance.of(states), chance.of(states)];
    expect(join(a, b)).toEqual(join(b, a));
    expect(join(join(a, b), c)).toEqual(join(a, join(b, c)));
    expect(join(a, a)).toEqual(a);
    expect(join(join(a, b), b)).toEqual(join(a, b));
    expect(merge(a, b, SHAPE).lost.length).toBe(merge(b, a, SHAPE).lost.length);
    expect(isTombstone(join(a, b).hlc)).toBe(false);
  }
});

test(`[sync 34] a record is deleted exactly as long as a deletion saw every edit of it (WAYPOST_SEED=${SEED})`, () => {
  const chance = new Chance();
  for (let run = 0; run < times(250, 20_000); run++) {
    let wall = 1_700_000_000_000;
    const [here, there] = stations(2, () => wall) as [Station, Station];
    wall += 1;
    if (chance.maybe()) here.edit('title', 'edited before');
    there.take(here);
    const unseen = chance.maybe();
    if (unseen) there.edit(chance.of(['title', 'values.1', 'tags.7']), 'unseen');
    wall += chance.int(2);
    here.setDeleted(true);
    if (chance.maybe()) here.edit('status', 'edited by somebody who sees that it is deleted');
    const merged = merge(here.note, there.note, SHAPE);
    expect(merged.record.isDeleted).toBe(!unseen);
    const deletions = merged.lost.filter(({ field }) => field === 'isDeleted');
    expect(deletions.map(({ lost }) => lost.stamp)).toEqual(unseen ? [stampOf(here.note.hlc, 'isDeleted')] : []);
    there.take(here);
    expect(merge(there.note, here.note, SHAPE).lost).toEqual([]);
    // Who deletes it again has seen the edit.
    there.setDeleted(true);
    here.take(there);
    expect(here.note.isDeleted).toBe(true);
    here.setDeleted(false);
    there.take(here);
    expect(there.note.isDeleted).toBe(false);
  }
});

test('[sync 35] a field that a program works out neither restores a deleted record nor is reported', () => {
  const [here, there] = stations(2, () => 1_700_000_000_000) as [Station, Station];
  here.setDeleted(true);
  const counted = { ...there.note, count: 3, hlc: stampFields(there.note.hlc, ['count'], there.clock.next()) };
  expect(merge(here.note, counted, SHAPE)).toMatchObject({ record: { isDeleted: true, count: 3 }, lost: [] });
});

test('the stamps of a record that one station edits are as small as before', () => {
  const [only] = stations(1, () => 1_700_000_000_000) as [Station];
  for (const unit of UNITS) for (let i = 0; i < 3; i++) only.edit(unit, i);
  expect(Object.keys(only.note.hlc.fields).sort()).toEqual([...UNITS].sort());
});

test('stations that edit different parts of one field keep both', () => {
  const [here, there] = stations(2, () => 1_700_000_000_000) as [Station, Station];
  here.edit('values.1', 'ours');
  there.edit('values.2', 'theirs');
  here.edit('tags.7', true);
  there.edit('tags.8', true);
  const merged = merge(here.note, there.note, SHAPE);
  expect(merged.record).toMatchObject({ values: { 1: 'ours', 2: 'theirs' }, tags: [7, 8] });
  expect(merged.lost).toEqual([]);
});

test('the lost edit says what it wrote, where and over what', () => {
  const [here, there] = stations(2, () => 1_700_000_000_000) as [Station, Station];
  there.clock.receive(here.clock.latest);
  const [{ stamp: lost }, { stamp: kept }] = [here.edit('title', 'ours'), there.edit('title', 'theirs')];
  const edit = { field: 'title', kept: { value: 'theirs', stamp: kept }, lost: { value: 'ours', stamp: lost } };
  expect(merge(here.note, there.note, SHAPE).lost).toEqual([edit]);
  expect(merge(there.note, here.note, SHAPE).lost).toEqual([edit]);
});
