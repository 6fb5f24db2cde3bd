import { expect, test } from 'vitest';
import {
  changedParts,
  closureChanges,
  CLOSURE_PARTS,
  closureConflicts,
  mergeChanges,
  freshDraft,
  isShare,
  resolveConflict,
  type ClosureDraft,
  type ClosureEdit,
} from '../../../../../renderer/src/features/routes/closures/closures.ts';

const line = (...vertices: [number, number][]) => ({ kind: 'line', vertices, radius: 0 }) as const;
const saved: ClosureDraft = {
  name: 'Mill Street',
  reason: 'pipe',
  kind: 'closed',
  percent: 30,
  from: '2026-11-22T14:00',
  till: '',
  drawing: line([7.4, 43.7], [7.41, 43.7]),
};
const edited = (draft: Partial<ClosureDraft>): ClosureEdit => ({ base: saved, draft: { ...saved, ...draft } });

test('only what was changed is sent', () => {
  expect(closureChanges(edited({}))).toEqual({});
  expect(closureChanges(edited({ name: ' Mill Lane ' }))).toEqual({ name: 'Mill Lane' });
  expect(closureChanges(edited({ kind: 'slowed', percent: 40 }))).toEqual({ factor: 0.4 });
  expect(closureChanges(edited({ percent: 40 }))).toEqual({}); // a closed road has no share
  expect(
    Object.keys(closureChanges(edited({ till: '2026-11-22T18:00', drawing: line([7.4, 43.7], [7.42, 43.7]) }))),
  ).toEqual(['till', 'geometry']);
});

test('what somebody else saves comes in where nothing was changed here, and is not sent back', () => {
  const theirs = { ...saved, till: '2026-11-22T20:00', kind: 'slowed', percent: 50 } as const;
  const now = mergeChanges(edited({ name: 'Mill Lane' }), theirs);
  expect(now.draft).toEqual({ ...theirs, name: 'Mill Lane' });
  expect(closureChanges(now)).toEqual({ name: 'Mill Lane' });
  expect(closureConflicts(now, theirs)).toEqual([]);
});

test('where both have changed the same, each of the two can be chosen; the same value from both is no conflict', () => {
  const theirs = { ...saved, name: 'Mill Road', reason: 'burst pipe' };
  const mine = mergeChanges(edited({ name: 'Mill Lane', reason: 'burst pipe' }), theirs);
  expect(closureConflicts(mine, theirs)).toEqual(['name']);
  expect(mine.draft.name).toBe('Mill Lane');
  const taken = resolveConflict(mine, theirs, 'name', 'theirs');
  expect([taken.draft.name, changedParts(taken), closureConflicts(taken, theirs)]).toEqual(['Mill Road', [], []]);
  const kept = resolveConflict(mine, theirs, 'name', 'mine');
  expect([closureChanges(kept), closureConflicts(kept, theirs)]).toEqual([{ name: 'Mill Lane' }, []]);
});

test('of every part: untouched it follows, touched it is asked about', () => {
  const other: ClosureDraft = {
    name: 'Other',
    reason: 'other',
    kind: 'slowed',
    percent: 70,
    from: '',
    till: '2026-11-23T00:00',
    drawing: line([7, 43], [8, 43]),
  };
  const third: ClosureDraft = {
    name: 'Third',
    reason: 'third',
    kind: 'slowed',
    percent: 20,
    from: '2026-11-22T15:00',
    till: '2026-11-24T00:00',
    drawing: line([6, 43], [8, 43]),
  };
  expect(mergeChanges(edited({}), other)).toEqual({ base: other, draft: other });
  expect(closureConflicts(edited(third), other)).toEqual(CLOSURE_PARTS);
  expect(mergeChanges(edited(third), other)).toEqual(edited(third));
});

test('a new closure has nothing changed before something is typed or drawn', () => {
  const edit = { base: freshDraft(), draft: freshDraft() };
  expect(changedParts(edit)).toEqual([]);
  expect(changedParts({ ...edit, draft: { ...edit.draft, drawing: line([7, 43], [8, 43]) } })).toEqual(['drawing']);
});

test('a road can be slowed to whole percents from 1 to 99', () => {
  expect([1, 30, 99].map(isShare)).toEqual([true, true, true]);
  expect([0, 100, 150, -5, 2.5, Number.NaN, '' as const].map(isShare)).toEqual(Array.from({ length: 7 }, () => false));
});
