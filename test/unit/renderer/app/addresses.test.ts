import { createPinia, setActivePinia } from 'pinia';
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { nextTick } from 'vue';
import { createMemoryHistory, createRouter, type Router } from 'vue-router';
import { useBoardAddress } from '../../../../renderer/src/app/use-board-address.ts';
import { linkOver } from '../../../../renderer/src/app/use-desktop.ts';
import { useBoard } from '../../../../renderer/src/lib/stores/board.ts';
import { useDraft } from '../../../../renderer/src/features/task/editor/draft.ts';
import { useSession } from '../../../../renderer/src/lib/stores/session.ts';

let router: Router;
beforeEach(async () => {
  vi.stubGlobal('matchMedia', () => ({ matches: false }));
  vi.stubGlobal('innerWidth', 1440);
  vi.stubGlobal('innerHeight', 900);
  vi.stubGlobal('localStorage', { getItem: () => null, setItem: () => undefined });
  vi.stubGlobal('document', { documentElement: { dataset: {} } });
  setActivePinia(createPinia());
  useSession().user = { right: { admin: true } } as never;
  const page = { template: '<p />' };
  router = createRouter({
    history: createMemoryHistory(),
    routes: [
      { path: '/', component: page },
      { path: '/reports', component: page },
    ],
  });
  useBoardAddress(router);
  await router.push('/');
});
const address = () => router.currentRoute.value.fullPath;
async function back(): Promise<void> {
  const before = address();
  router.back();
  await expect.poll(address).not.toBe(before);
}

test('the notification of an alarm closes neither the task nor the call that is open', async () => {
  const board = useBoard();
  board.openTask(168);
  await expect.poll(address).toBe('/?task=168');
  await router.push(linkOver(router, '#/?alarm=7'));
  expect([address(), board.chosenTaskId]).toEqual(['/?task=168&alarm=7', 168]);
  await router.push(linkOver(router, '#/'));
  expect(board.chosenTaskId).toBe(168);
  board.startWriting();
  await expect.poll(address).toContain('task=new');
  await router.push(linkOver(router, '#/?alarm=8'));
  expect(board.writing).toBe(true);
});

test('the notification of a task opens it, also from another page', async () => {
  const board = useBoard();
  board.openTask(168);
  await expect.poll(address).toBe('/?task=168');
  await router.push(linkOver(router, '#/?task=170'));
  expect(board.chosenTaskId).toBe(170);
  await router.push('/reports');
  expect(linkOver(router, '#/?alarm=7')).toBe('/?alarm=7');
  await router.push(linkOver(router, '#/?task=171'));
  expect(board.chosenTaskId).toBe(171);
});

test('Back does not lead to the empty form of a call that was saved, and leads to one with words in it', async () => {
  let now = Date.now();
  onTestFinished(() => void vi.restoreAllMocks());
  vi.spyOn(Date, 'now').mockImplementation(() => (now += 2_000)); // nobody goes through the queue by keys so slowly
  const board = useBoard();
  const { draft, clear } = useDraft();
  board.openTask(168);
  await expect.poll(address).toBe('/?task=168');
  board.startWriting();
  await expect.poll(address).toBe('/?task=new');
  draft.title = 'Tree over both lanes';
  await nextTick();
  clear();
  board.openTask(169);
  await expect.poll(address).toBe('/?task=169');
  await back();
  expect([address(), board.chosenTaskId, board.writing]).toEqual(['/?task=168', 168, false]);

  board.startWriting();
  await expect.poll(address).toBe('/?task=new');
  draft.title = 'Half a sentence';
  board.openTask(169);
  await expect.poll(address).toBe('/?task=169');
  await back();
  expect(board.writing).toBe(true);
});
