import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Actor } from '../../../../shared/access.ts';
import type { RoleCapability } from '../../../../shared/records/index.ts';
import { Closures } from '../../../../server/geo/closures/index.ts';
import { changeClosure, createClosure } from '../../../../server/geo/closures/closure-order.ts';
import { isInForce, nextChange } from '../../../../server/geo/closures/in-force.ts';
import { openStore, type Store } from '../../../../server/store/index.ts';

const POINT = { type: 'Point', coordinates: [9.5, 47.1] };
const HOUR = 3_600_000;
const dispatcher = actor({ capability: 'edit', stateIds: null });

let directory: string;
let store: Store;
/** The ids that the router was told, one list after the other. */
let told: number[][];
let reports: unknown[];
let failing: boolean;
/** Of road under every closure. */
let metres: number;
/** Begins at a whole hour; only `pass` moves it. */
let now: number;

beforeEach(async () => {
  directory = mkdtempSync(join(tmpdir(), 'waypost-closures-'));
  store = await openStore({ directory });
  [told, reports, failing, metres, now] = [[], [], false, 0, 1000 * HOUR];
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
});
afterEach(async () => {
  vi.useRealTimers();
  await store.close();
  rmSync(directory, { recursive: true });
});

const open = (): Promise<Closures> =>
  Closures.open({
    store,
    now: () => now,
    report: (error) => reports.push(error),
    wideLimit: 20,
    affectedRoads: async () => ({ metres, names: [], lines: [] }),
    applyClosures: async (closures) => {
      if (failing) throw new Error('no router');
      told.push(closures.map(({ id }) => id));
    },
  });
async function pass(ms: number): Promise<void> {
  for (let left = ms; left > 0; left -= 1000) {
    now += Math.min(left, 1000);
    await vi.advanceTimersByTimeAsync(Math.min(left, 1000));
  }
}
function actor(...accesses: { capability: RoleCapability; stateIds: number[] | null }[]): Actor {
  return {
    user: { id: 2, organizationId: 1 },
    role: { admin: false, superuser: false, accesses },
  } as unknown as Actor;
}

test('a closure counts from its first instant on, and no longer at its last', () => {
  const closure = {
    ...createClosure(1, { name: 'x', geometry: POINT, from: 10, until: 20 }),
    key: '',
    hlc: { base: '', fields: {} },
  };
  expect([9, 10, 19, 20].map((instant) => isInForce(closure, instant))).toEqual([false, true, true, false]);
  expect(isInForce({ ...closure, from: null, until: null }, 0)).toBe(true);
  expect(isInForce({ ...closure, isDeleted: true }, 15)).toBe(false);
  expect(
    [5, 10, 20].map((instant) => nextChange([closure, { ...closure, isDeleted: true, from: 6 }], instant)),
  ).toEqual([10, 20, undefined]);
});

test('the router gets closures when they begin and end, and not in between', async () => {
  const closures = await open();
  const { id: first } = await closures.create(dispatcher, {
    name: 'first',
    geometry: POINT,
    from: now + HOUR,
    until: now + 3 * HOUR,
  });
  const { id: second } = await closures.create(dispatcher, {
    name: 'second',
    geometry: POINT,
    from: now + 2 * HOUR,
    until: now + 3 * HOUR,
  });
  expect(told).toEqual([]);
  await pass(HOUR - 1);
  expect(told).toEqual([]);
  await pass(1);
  expect(told).toEqual([[first]]);
  await pass(HOUR);
  expect(told).toEqual([[first], [first, second]]);
  await pass(HOUR);
  expect(told).toEqual([[first], [first, second], []]);
  await closures.close();
});

test('a clock that was set forward is noticed within a minute', async () => {
  const closures = await open();
  const { id } = await closures.create(dispatcher, { name: 'tomorrow', geometry: POINT, from: now + 24 * HOUR });
  now += 25 * HOUR;
  await vi.advanceTimersByTimeAsync(60_000);
  expect(told).toEqual([[id]]);
  await closures.close();
});

test('a station that starts tells its router what is in force, and one without closures tells it nothing', async () => {
  const before = await open();
  expect(told).toEqual([]);
  const { id } = await before.create(dispatcher, { name: 'here', geometry: POINT });
  await before.close();
  told = [];
  const after = await open();
  expect(told).toEqual([[id]]);
  await after.delete(dispatcher, id);
  expect(told).toEqual([[id], []]);
  await after.close();
});

test('a closure merged from another station is applied, too', async () => {
  const closures = await open();
  const records = store.kind<never>('fleet', 'closure' as never) as unknown as {
    insert(draft: object): Promise<{ id: number }>;
  };
  const { id } = await records.insert(createClosure(7, { name: 'theirs', geometry: POINT }));
  await pass(1);
  expect(told).toEqual([[id]]);
  await records.insert({
    ...createClosure(8, { name: 'of a newer program', geometry: POINT }),
    geometry: { type: 'Spiral', coordinates: [] },
  });
  await pass(1);
  expect(told).toEqual([[id], [id]]);
  expect(closures.get(7).name).toBe('theirs');
  await closures.close();
});

test('a router that failed gets the closures again, and closing a road does not wait for it', async () => {
  const closures = await open();
  failing = true;
  const { id } = await closures.create(dispatcher, { name: 'x', geometry: POINT });
  expect(reports).toContainEqual(new Error('no router'));
  failing = false;
  await pass(60_000);
  expect(told).toEqual([[id]]);
  failing = true;
  await closures.delete(dispatcher, id);
  failing = false;
  await pass(60_000);
  expect(told).toEqual([[id], []]);
  await closures.close();
});

test('to close roads takes the right to edit in any state, or to administer', async () => {
  const closures = await open();
  const order = { name: 'x', geometry: POINT };
  for (const by of [
    actor(),
    actor({ capability: 'view', stateIds: null }),
    actor({ capability: 'edit', stateIds: [1] }),
  ]) {
    await expect(closures.create(by, order)).rejects.toMatchObject({ kind: 'forbidden' });
  }
  const { id } = await closures.create({ ...actor(), role: { ...actor().role, admin: true } }, order);
  await expect(closures.change(actor(), id, { factor: 1 })).rejects.toMatchObject({ kind: 'forbidden' });
  await expect(closures.delete(actor(), id)).rejects.toMatchObject({ kind: 'forbidden' });
  await closures.close();
});

test('more road than the limit takes the right to close wide areas, or to administer every organisation', async () => {
  const closures = await open();
  const order = { name: 'x', geometry: POINT };
  const edit = { capability: 'edit', stateIds: null } as const;
  const wide = (stateIds: number[] | null) => ({ capability: 'closures-wide', stateIds }) as const;
  const administrator = (superuser: boolean): Actor => ({
    ...actor(edit),
    role: { ...actor(edit).role, admin: true, superuser },
  });
  for (metres of [20_000, 20_001]) {
    for (const by of [dispatcher, actor(edit, wide([1])), administrator(false)]) {
      if (metres > 20_000)
        await expect(closures.create(by, order)).rejects.toMatchObject({
          kind: 'forbidden',
          message: expect.stringContaining('20.1 km'),
        });
      else await closures.create(by, order);
    }
  }
  for (const by of [actor(edit, wide(null)), administrator(true)]) await closures.create(by, order);
  await expect(closures.create(actor(wide(null)), order)).rejects.toMatchObject({ kind: 'forbidden' });
  await closures.close();
});

test('a change keeps what it does not tell, null takes a time away, and both times must fit each other', () => {
  const made = {
    ...createClosure(1, { name: ' x ', geometry: POINT, from: 10 }),
    key: '',
    hlc: { base: '', fields: {} },
  };
  expect(made).toMatchObject({ name: 'x', reason: '', from: 10, until: null, factor: 0, geometry: POINT });
  expect(changeClosure(made, { factor: 0.5 })).toEqual({ ...made, factor: 0.5 });
  expect(changeClosure(made, { from: null, until: 5 })).toEqual({ ...made, from: null, until: 5 });
  expect(() => changeClosure(made, { until: 10 })).toThrow('till must be later than from');
  expect(() => changeClosure(made, { factor: Number.NaN })).toThrow('factor');
  expect(createClosure(1, { name: 'x', geometry: { ...POINT, crs: { secret: 1 } } }).geometry).toEqual(POINT);
});
