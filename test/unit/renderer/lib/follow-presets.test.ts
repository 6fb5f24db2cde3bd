import { expect, test } from 'vitest';
import { asOwn, followPresets, type KeptPreset } from '../../../../renderer/src/lib/presets/follow-presets.ts';

type Kept = KeptPreset & { readonly content: string };
const source = { id: 7, name: 'Nights', content: 'new', isDeleted: false, changedAt: 20 };
const kept: Kept = { id: 'preset-7', name: 'Night', content: 'old', sharedId: 7, sharedAt: 10 };
const own: Kept = { id: 'a', name: 'Own', content: 'mine' };
const follow = (list: readonly Kept[], shared: typeof source | undefined, isReadable = true) =>
  followPresets(
    list,
    (id) => (id === 7 ? shared : undefined),
    ({ name, content }, id) => (isReadable ? { id, name, content } : undefined),
  );

test('a later change of the shared one is taken up under the id of the kept one, and own ones stay', () => {
  expect(follow([own, kept], source)).toEqual([
    own,
    { id: 'preset-7', name: 'Nights', content: 'new', sharedId: 7, sharedAt: 20 },
  ]);
});

test('an earlier state, a withdrawn one, one that is not here and one that cannot be read change nothing', () => {
  const list = [own, kept];
  for (const [shared, isReadable] of [
    [{ ...source, changedAt: 10 }, true],
    [{ ...source, isDeleted: true }, true],
    [undefined, true],
    [source, false],
  ] as const)
    expect(follow(list, shared, isReadable)).toBe(list);
});

test('made its own it follows no longer, and the id is free for taking the shared one again', () => {
  const mine = asOwn(kept);
  expect(mine).toEqual({ id: mine.id, name: 'Night', content: 'old' });
  expect(mine.id).not.toBe(kept.id);
  expect(follow([mine], source)).toEqual([mine]);
  expect(asOwn(own)).toEqual(own);
});
