import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  covers,
  firstStamps,
  isTombstone,
  latestStamp,
  merge,
  stampDeletion,
  stampFields,
  stampOf,
} from '../../../shared/merge/merge.ts';
import type { Stamps } from '../../../shared/records/index.ts';
import { stampClock, stationPart } from '../../../shared/merge/stamps.ts';

interface Note {
  hlc: Stamps;
  deleted: boolean;
  [field: string]: unknown;
}

/**
 * What may happen at three stations: edits, deletions, insertions of the same key, and one taking the state
 * of another.
 */
type Event = { at: number } & (
  | { kind: 'edit'; field: string; value: number }
  | { kind: 'delete' }
  | { kind: 'insert' }
  | { kind: 'take'; from: number }
);

const FIELDS = ['title', 'status', 'place'];
const event: fc.Arbitrary<Event> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      at: fc.nat(2),
      kind: fc.constant('edit' as const),
      field: fc.constantFrom(...FIELDS),
      value: fc.nat(99),
    }),
  },
  { weight: 2, arbitrary: fc.record({ at: fc.nat(2), kind: fc.constant('delete' as const) }) },
  { weight: 1, arbitrary: fc.record({ at: fc.nat(2), kind: fc.constant('insert' as const) }) },
  { weight: 3, arbitrary: fc.record({ at: fc.nat(2), kind: fc.constant('take' as const), from: fc.nat(2) }) },
);

function join(mine: Note, theirs: Note): Note {
  const merged = merge(mine, theirs);
  return { ...merged.record, deleted: merged.deleted };
}

/** Every state that was ever held, of each station, after a history. */
function play(events: readonly Event[]): Note[][] {
  let wall = 1000;
  const clocks = [0, 1, 2].map((number) => stampClock(stationPart(number, `s${number}`), () => wall));
  const first = { title: 0, status: 0, place: 0, hlc: firstStamps(clocks[0]!.next()), deleted: false };
  const held: Note[][] = [[first], [first], [first]];
  for (const one of events) {
    wall += 1;
    const mine = held[one.at]!.at(-1)!;
    const clock = clocks[one.at]!;
    clock.receive(latestStamp(mine.hlc));
    let next: Note | undefined;
    if (one.kind === 'edit' && !mine.deleted)
      next = { ...mine, [one.field]: one.value, hlc: stampFields(mine.hlc, [one.field], clock.next()) };
    if (one.kind === 'delete' && !mine.deleted) next = { ...mine, hlc: stampDeletion(mine.hlc), deleted: true };
    if (one.kind === 'insert' && mine.deleted)
      next = { title: -1, status: -1, place: -1, hlc: firstStamps(clock.next()), deleted: false };
    if (one.kind === 'take') next = join(mine, held[one.from]!.at(-1)!);
    if (next) held[one.at]!.push(next);
  }
  return held;
}

const history = fc.array(event, { minLength: 1, maxLength: 30 });
const someStates = fc.tuple(history, fc.nat(), fc.nat(), fc.nat()).map(([events, ...picks]) => {
  const states = play(events).flat();
  return picks.map((pick) => states[pick % states.length]!) as [Note, Note, Note];
});

test('merging is commutative, associative and idempotent', () => {
  fc.assert(
    fc.property(someStates, ([a, b, c]) => {
      expect(join(a, b)).toEqual(join(b, a));
      expect(join(join(a, b), c)).toEqual(join(a, join(b, c)));
      expect(join(a, a)).toEqual(a);
      expect(join(join(a, b), b)).toEqual(join(a, b));
    }),
    { numRuns: 2000 },
  );
});

test('all stations hold the same when they have taken everything, and nothing more is new to them', () => {
  fc.assert(
    fc.property(history, fc.shuffledSubarray([0, 1, 2], { minLength: 3 }), (events, order) => {
      const last = play(events).map((states) => states.at(-1)!);
      const whole = order.map((at) => last[at]!).reduce(join);
      for (const state of last) {
        expect(covers(whole.hlc, state.hlc)).toBe(true);
        expect(merge(whole, state).changed).toBe(false);
        expect(join(state, whole)).toEqual(whole);
      }
    }),
  );
});

test('the stamps alone decide whether a merge changes something', () => {
  fc.assert(
    fc.property(someStates, ([a, b]) => {
      const merged = merge(a, b);
      expect(merged.changed).toBe(!isDeepStrictEqual(merged.record.hlc, a.hlc));
      expect(merged.deleted).toBe(isTombstone(merged.record.hlc));
    }),
    { numRuns: 1000 },
  );
});

test('a field goes to its latest edit, and no edit is older than what it replaced', () => {
  fc.assert(
    fc.property(someStates, ([a, b]) => {
      const { record, taken, kept } = merge(a, b);
      for (const field of FIELDS) {
        const later = stampOf(a.hlc, field) >= stampOf(b.hlc, field) ? a : b;
        expect(record[field]).toBe(later[field]);
      }
      for (const field of taken) expect(record[field]).toBe(b[field]);
      for (const field of kept) expect(record[field]).toBe(a[field]);
    }),
  );
});

test('an edit that the deletion did not see survives it, also an earlier one, and the merge says so', () => {
  let wall = 1000;
  const [here, there] = [1, 2].map((number) => stampClock(stationPart(number, 'x'), () => wall));
  const note: Note = { title: 'Tree on road', status: 1, hlc: firstStamps(here!.next()), deleted: false };
  wall = 2000;
  const edited = { ...note, title: 'Tree and wire on road', hlc: stampFields(note.hlc, ['title'], here!.next()) };
  wall = 3000; // later, and without knowing of the edit
  const renamed = { ...note, status: 2, hlc: stampFields(note.hlc, ['status'], there!.next()) };
  const deleted = { ...renamed, hlc: stampDeletion(renamed.hlc), deleted: true };
  expect(isTombstone(deleted.hlc)).toBe(true);

  const merged = merge<Note>(deleted, edited);
  expect(merged).toMatchObject({ deleted: false, survived: true, changed: true, taken: ['title'], kept: ['status'] });
  expect(merged.record).toMatchObject({ title: 'Tree and wire on road', status: 2 });

  const seen = join(edited, renamed);
  const knowing = { ...seen, hlc: stampDeletion(seen.hlc), deleted: true };
  expect(merge(knowing, edited)).toMatchObject({ deleted: true, survived: false, changed: false });
  expect(merge(merged.record, knowing)).toMatchObject({ deleted: true, survived: false });
});

test('a second edit of a field survives a deletion that saw only the first', () => {
  const clock = stampClock(stationPart(1, 'x'), () => 1000);
  const note: Note = { title: 'a', hlc: firstStamps(clock.next()), deleted: false };
  const first = { ...note, title: 'b', hlc: stampFields(note.hlc, ['title'], clock.next()) };
  const second = { ...first, title: 'c', hlc: stampFields(first.hlc, ['title'], clock.next()) };
  const deleted = { ...first, hlc: stampDeletion(first.hlc), deleted: true };
  expect(merge(deleted, second)).toMatchObject({ deleted: false, survived: true, record: { title: 'c' } });
});

test('two deletions that each saw another edit delete the record together', () => {
  const clock = stampClock(stationPart(1, 'x'), () => 1000);
  const note: Note = { title: 'a', status: 1, hlc: firstStamps(clock.next()), deleted: false };
  const first = { ...note, hlc: stampDeletion(stampFields(note.hlc, ['title'], clock.next())), deleted: true };
  const second = { ...note, hlc: stampDeletion(stampFields(note.hlc, ['status'], clock.next())), deleted: true };
  expect(join(first, second).deleted).toBe(true);
});

test('a field that only a newer program knows is kept through the edits of an older one', () => {
  const clock = stampClock(stationPart(1, 'x'), () => 1000);
  const note: Note = { title: 'a', hlc: firstStamps(clock.next()), deleted: false };
  const newer = { ...note, priority: 5, hlc: stampFields(note.hlc, ['priority'], clock.next()) };
  const older = { ...note, title: 'b', hlc: stampFields(note.hlc, ['title'], clock.next()) };
  expect(join(older, newer)).toMatchObject({ title: 'b', priority: 5 });
});
