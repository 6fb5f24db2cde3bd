import { expect, test } from 'vitest';
import { ActionQueue, type Kept, type Outcome } from '../../../../renderer/src/crew/queue/action-queue.ts';
import { shownState, type ShownState } from '../../../../renderer/src/crew/queue/shown-state.ts';
import { outcomeOf } from '../../../../renderer/src/crew/crew-client.ts';
import { Chance, SEED } from '../../../support/chance.ts';
import { times } from '../../../support/long.ts';

/** What outlives the page. */
function storage() {
  const kept = new Map<number, Kept>();
  return {
    kept,
    all: async () => [...kept.values()].reverse(),
    put: async (one: Kept) => void kept.set(one.no, one),
    delete: async (no: number) => void kept.delete(no),
  };
}

const textOf = ({ action }: Kept) => (action.kind === 'comment' ? action.text : '');

test(`whatever breaks off, everything is done once and in order, seed ${SEED}`, async () => {
  for (let round = 0; round < times(100, 5_000); round++) {
    const chance = new Chance(SEED + round);
    const disk = storage();
    const known = new Set<string>();
    const done: string[] = [];
    const refused: string[] = [];
    let covered = 0;
    let keys = 0;
    const send = async (kept: Kept): Promise<Outcome> => {
      await Promise.resolve();
      if (chance.maybe(1 - covered)) return 'later'; // the question was lost
      const text = textOf(kept);
      if (text.startsWith('bad')) return { sentence: 'no' };
      if (!known.has(kept.key)) done.push(text);
      known.add(kept.key);
      return chance.maybe(1 - covered) ? 'later' : 'done'; // the answer was lost
    };
    const open = () =>
      ActionQueue.open({
        storage: disk,
        now: () => 0,
        carId: () => 1,
        newKey: () => `${round}-${++keys}`,
        changed: () => undefined,
        send,
      });
    let queue = await open();
    const added: string[] = [];
    for (let step = 0; step < 30; step++) {
      covered = chance.of([0, 0.5, 0.9, 1]);
      const text = `${chance.maybe(0.2) ? 'bad' : 'good'} ${step}`;
      if (chance.maybe(0.6)) {
        added.push(text);
        await queue.add({ kind: 'comment', taskId: 1, text });
      }
      const running = queue.run();
      if (chance.maybe(0.3)) await running;
      if (chance.maybe(0.1)) {
        await running;
        queue = await open(); // the page was closed and opened again
      }
    }
    covered = 1;
    await queue.run();
    await queue.run();
    for (const kept of queue.all) {
      expect(kept.refused, 'only what was refused is left').toBeDefined();
      refused.push(textOf(kept));
      await queue.discard(kept.no);
    }
    expect([done, refused, disk.kept.size]).toEqual([
      added.filter((text) => text.startsWith('good')),
      added.filter((text) => text.startsWith('bad')),
      0,
    ]);
  }
});

test('numbers go on after what was refused, and what waits cannot be discarded', async () => {
  const disk = storage();
  const options = {
    storage: disk,
    now: () => 7,
    carId: () => 1,
    newKey: () => 'key',
    changed: () => undefined,
    send: async (): Promise<Outcome> => 'later',
  };
  const queue = await ActionQueue.open(options);
  await Promise.all([queue.add({ kind: 'accept', taskId: 1 }), queue.add({ kind: 'status', status: 4 })]);
  await queue.discard(1);
  expect(queue.all.map(({ no, at, action }) => [no, at, action.kind])).toEqual([
    [1, 7, 'accept'],
    [2, 7, 'status'],
  ]);
  const again = await ActionQueue.open(options);
  await again.add({ kind: 'status', status: 1 });
  expect(again.all.map(({ no }) => no)).toEqual([1, 2, 3]);
});

test('what an answer means: done, later, or refused', () => {
  const of = (status: number, code?: string) =>
    outcomeOf({ status, sentence: 'No.', ...(code && { reason: { code, params: {} } as never }) });
  expect([of(200), of(204), of(0), of(401), of(429), of(500), of(503), of(507)]).toEqual([
    'done',
    'done',
    ...Array.from({ length: 6 }, () => 'later'),
  ]);
  expect(of(409, 'sync.standbyOf'), 'a standby takes it after its promotion').toBe('later');
  for (const refused of [of(409, 'crews.overtaken'), of(404, 'crews.notOnTask'), of(400)])
    expect(refused).toMatchObject({ sentence: 'No.' });
});

test('what is done is shown until the station tells a newer state', async () => {
  let shown: string[] = [];
  const queue = await ActionQueue.open({
    storage: storage(),
    now: () => 7,
    carId: () => 1,
    newKey: () => 'key',
    changed: (all, done) => (shown = [...done.map(({ action }) => `done ${action.kind}`), ...all.map(textOf)]),
    send: async (kept): Promise<Outcome> => (kept.action.kind === 'comment' ? 'later' : 'done'),
  });
  await queue.add({ kind: 'accept', taskId: 7 });
  await queue.add({ kind: 'comment', taskId: 7, text: 'waits' });
  await queue.run();
  expect([shown, queue.all.map(textOf)]).toEqual([['done accept', 'waits'], ['waits']]);
  queue.learned();
  expect(shown).toEqual(['waits']);
});

test('what waits is shown as done', () => {
  const task = { id: 7, acknowledgedAt: null } as ShownState['tasks'][number];
  const state = { status: 3, statusSince: 1, tasks: [task] } as unknown as ShownState;
  const kept = (no: number, action: Kept['action'], more = {}): Kept => ({
    no,
    carId: 1,
    key: '',
    at: 9,
    action,
    ...more,
  });
  expect(shownState(state, [kept(1, { kind: 'accept', taskId: 7 })])).toMatchObject({
    status: 9,
    tasks: [{ acknowledgedAt: 9 }],
  });
  expect(shownState(state, [kept(1, { kind: 'status', status: 4 })])).toMatchObject({ status: 4, statusSince: 9 });
  expect(shownState(state, [kept(1, { kind: 'giveBack', taskId: 7, reason: 'x' })]).tasks).toEqual([]);
  const refused = { refused: { sentence: 'No.' } };
  expect(shownState(state, [kept(1, { kind: 'status', status: 4 }, refused)])).toEqual(state);
});
