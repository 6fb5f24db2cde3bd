import { createPinia, setActivePinia } from 'pinia';
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { nextTick } from 'vue';
import { createMemoryHistory, createRouter, type Router } from 'vue-router';
import { useBoardAddress } from '../../../../renderer/src/app/use-board-address.ts';
import { linkOver } from '../../../../renderer/src/app/use-desktop.ts';
import { useBoard } from '../../../../renderer/src/lib/stores/board.ts';
import { useDraft } from '../../../../renderer/src/features/task/editor/draft.ts';
import { useQueue } from '../../../../renderer/src/features/queue/queue-store.ts';
import { useSession } from '../../../../renderer/src/lib/stores/session.ts';

let router: Router;
/** The page of all tasks comes, or does not. */
let arrive: () => void;
let fail: () => void;
beforeEach(async () => {
  vi.stubGlobal('matchMedia', () => ({ matches: false }));
  vi.stubGlobal('innerWidth', 1440);
  vi.stubGlobal('innerHeight', 900);
  vi.stubGlobal('requestIdleCallback', () => 0);
  vi.stubGlobal('addEventListener', () => undefined);
  vi.stubGlobal('localStorage', { getItem: () => null, setItem: () => undefined });
  vi.stubGlobal('document', { documentElement: { dataset: {} } });
  setActivePinia(createPinia());
  useSession().user = { right: { admin: true } } as never;
  const page = { template: '<p />' };
  const fetched = new Promise<typeof page>((resolve, reject) => {
    arrive = () => resolve(page);
    fail = () => reject(new Error('The line is lost.'));
  });
  router = createRouter({
    history: createMemoryHistory(),
    routes: [
      { path: '/', component: page },
      { path: '/reports', component: page },
      { path: '/map', component: page },
      { path: '/archive', component: () => fetched },
    ],
  });
  useBoardAddress(router);
  await router.push('/');
});
const address = () => router.currentRoute.value.fullPath;
/** Resolves when the router has called the guards of where it goes. */
const guards = () => new Promise((resolve) => setImmediate(resolve));
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

test('words that are typed while a page is fetched stay, and do not keep the person from it', async () => {
  const [queue, board] = [useQueue(), useBoard()];
  const going = router.push('/archive');
  await guards();
  queue.narrow({ words: 'flood' });
  await nextTick();
  board.openTask(168);
  await nextTick();
  arrive();
  await going;
  expect(address()).toBe('/archive');
  await back();
  await expect.poll(address).toBe('/?task=168&words=flood');
  expect([board.chosenTaskId, queue.filter.words]).toEqual([168, 'flood']);
});

test('what is typed while a page is fetched that does not come stands in the address', async () => {
  const going = router.push('/archive').catch((error: Error) => error.message);
  await guards();
  useQueue().narrow({ words: 'flood' });
  await nextTick();
  fail();
  expect(await going).toBe('The line is lost.');
  await expect.poll(address).toBe('/?words=flood');
});

test('what is typed on the way to another task is kept; what was typed before goes with the address', async () => {
  const [queue, board] = [useQueue(), useBoard()];
  let pass = () => {};
  const held = new Promise<void>((resolve) => (pass = resolve));
  const remove = router.beforeEach(() => held);
  const going = router.push('/?task=170');
  await guards();
  queue.narrow({ words: 'flood' });
  await nextTick();
  pass();
  remove();
  await going;
  await expect.poll(address).toBe('/?task=170&words=flood');
  expect([board.chosenTaskId, queue.filter.words]).toEqual([170, 'flood']);
  await router.push('/?task=171');
  await expect.poll(() => [board.chosenTaskId, queue.filter.words]).toEqual([171, '']);
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

test('filter, view and map stand in the address; Back returns to them, and another window shows the same', async () => {
  let now = Date.now();
  onTestFinished(() => void vi.restoreAllMocks());
  vi.spyOn(Date, 'now').mockImplementation(() => (now += 2_000));
  const [board, queue] = [useBoard(), useQueue()];
  queue.choose('done');
  await expect.poll(address).toBe('/?view=done');
  queue.narrow({ overdue: true, typeIds: [4, 5] });
  await expect.poll(address).toBe('/?view=done&typeIds=4,5&overdue=1');
  board.mapView = { lat: 56.1911, lon: 18.9121, zoom: 15 };
  await expect.poll(address).toBe('/?view=done&typeIds=4,5&overdue=1&map=56.19110,18.91210,15');
  board.openTask(168);
  await expect.poll(address).toContain('task=168');
  const link = address();
  await back();
  expect([board.chosenTaskId, queue.viewId, queue.filter.overdue]).toEqual([undefined, 'done', true]);
  await back();
  expect([queue.viewId, queue.filter.overdue, queue.filter.typeIds]).toEqual(['done', false, []]);
  expect(board.mapView).toEqual({ lat: 56.1911, lon: 18.9121, zoom: 15 });
  await back();
  expect([queue.viewId, queue.filter.statuses]).toEqual(['open', [1, 2, 3]]);

  await router.push(link);
  expect([board.chosenTaskId, queue.viewId, queue.filter.typeIds]).toEqual([168, 'done', [4, 5]]);
  await router.push('/reports');
  await router.push('/map?map=56.2,18.9,13');
  expect(board.mapView).toEqual({ lat: 56.2, lon: 18.9, zoom: 13 });
  await router.push('/');
  await expect
    .poll(address, { message: 'coming from another page leaves the board as it was' })
    .toBe(link.replace('56.19110,18.91210,15', '56.20000,18.90000,13'));
});

test('words that are typed and a map that is dragged leave no steps behind', async () => {
  const [board, queue] = [useBoard(), useQueue()];
  await router.push('/reports');
  await router.push('/');
  for (const words of ['g', 'ga', 'gas leak']) {
    queue.narrow({ words });
    await nextTick();
  }
  board.mapView = { lat: 56.2, lon: 18.9, zoom: 12 };
  await expect.poll(address).toBe('/?words=gas+leak&map=56.20000,18.90000,12');
  await back();
  expect(address()).toBe('/reports');
});

test('what an address says wrongly narrows nothing and moves nothing', async () => {
  const [board, queue] = [useBoard(), useQueue()];
  const filter = queue.filter;
  for (const wrong of [
    'typeIds=4,x',
    'assigned=somebody',
    'overdue=yes',
    'map=91.0,18.9,15',
    'map=1',
    'task=1e3',
    'view=',
  ])
    await router.push(`/?${wrong}`);
  expect([queue.filter, board.mapView, board.chosenTaskId]).toEqual([filter, undefined, undefined]);
  await expect.poll(address).toBe('/');
});
