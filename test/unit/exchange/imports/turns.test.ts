import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Caller } from '../../../../server/access/accounts/index.ts';
import { Imports } from '../../../../server/exchange/imports/index.ts';
import type { ImportTarget } from '../../../../server/exchange/imports/target.ts';
import { openStore } from '../../../../server/store/index.ts';
import { Refusal } from '../../../../shared/refusal.ts';
import { eventually } from '../../../support/eventually.ts';

/** ms of the main thread for each record: more than half of what one turn of the event loop may take. */
const WORK = 2;
const caller = { user: { id: 1, organizationId: 1 }, role: { superuser: true } } as Caller;
const directory = mkdtempSync(join(tmpdir(), 'waypost-import-turns-'));
let store: Awaited<ReturnType<typeof openStore>>;
let imports: Imports;
/** The turn of the event loop in which each record was written. */
const turns: number[] = [];
let turn = 0;
let watching = true;

function work(): void {
  turns.push(turn);
  const until = performance.now() + WORK;
  while (performance.now() < until);
}
const records = new Map<number, { name: string }>();
let lastId = 0;
const target: ImportTarget = {
  kind: 'drivers',
  fields: () => [{ name: 'name', type: { kind: 'text', most: 100 }, heads: ['Name', 'Имя'] }],
  ...{ keys: ['name'], unique: [], names: () => [], ids: () => [] },
  sees: (_, id) => records.has(id),
  valuesOf: (id) => records.get(id),
  check: () => undefined,
  takeId: () => ++lastId,
  create(_, id, { name }) {
    work();
    if (name === 'Row 7') throw new Refusal('field.missing', { field: 'name' });
    records.set(id, { name: String(name) });
    return Promise.resolve();
  },
  change: () => Promise.resolve(),
  remove(_, id) {
    work();
    records.delete(id);
    return Promise.resolve();
  },
};

beforeAll(async () => {
  store = await openStore({ directory });
  imports = await Imports.open({
    store,
    targets: [target],
    now: Date.now,
    report: (_, error) => expect.fail(`${error}`),
  });
  const next = () => {
    turn++;
    if (watching) setImmediate(next);
  };
  setImmediate(next);
});
afterAll(async () => {
  watching = false;
  await imports.close();
  await store.close();
  rmSync(directory, { recursive: true });
});

/** Records that were written in the fullest turn. */
const most = () => Math.max(...[...Map.groupBy(turns, (at) => at).values()].map(({ length }) => length));
const ended = (id: number, state: string) =>
  eventually(() => {
    const entry = imports.get(caller, id);
    expect(entry.state).toBe(state);
    return entry;
  });

test('records are written and undone a few in each turn of the event loop; one that is refused stops no other', async () => {
  const path = join(directory, 'list.csv');
  writeFileSync(path, `Name\n${Array.from({ length: 40 }, (_, row) => `Row ${row}`).join('\n')}\n`);
  const { id } = await imports.preview(caller, { path, name: 'list.csv', kind: 'drivers' });
  const { id: number } = await imports.confirm(caller, id);
  expect(await ended(number, 'done')).toMatchObject({ created: 39, refused: 1 });
  expect(turns).toHaveLength(40);
  expect(most()).toBeLessThanOrEqual(2);
  turns.length = 0;
  await imports.undo(caller, number);
  await ended(number, 'undone');
  expect(turns).toHaveLength(39);
  expect(most()).toBeLessThanOrEqual(2);
});
