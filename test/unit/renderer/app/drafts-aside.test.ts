import { createPinia, setActivePinia } from 'pinia';
import { beforeEach, expect, test } from 'vitest';
import { useDraft } from '../../../../renderer/src/features/task/editor/draft.ts';

beforeEach(() => setActivePinia(createPinia()));

test('a draft gives way to a call, comes back, and the call’s draft waits in its place', () => {
  const drafts = useDraft();
  drafts.draft.title = 'Smell of gas';
  drafts.draft.answers = { 1: 0 };
  drafts.putAside();
  expect([drafts.draft.title, drafts.draft.answers, drafts.aside.length]).toEqual(['', {}, 1]);

  drafts.draft.callId = 7;
  drafts.takeUp();
  expect([drafts.draft.title, drafts.draft.answers, drafts.draft.callId]).toEqual(['Smell of gas', { 1: 0 }, 0]);
  expect(drafts.aside.map(({ callId }) => callId)).toEqual([7]);
});

test('an empty form is not kept: a type alone is the usual one', () => {
  const drafts = useDraft();
  drafts.draft.typeId = 3;
  drafts.putAside();
  expect([drafts.aside.length, drafts.written()]).toEqual([0, false]);
  drafts.takeUp();
  expect(drafts.aside.length).toBe(0);
});
