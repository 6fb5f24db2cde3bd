import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { EventLog } from '../../../../../server/tracking/events/log/event-log.ts';
import type { EventQuery } from '../../../../../server/tracking/events/log/events-sql.ts';
import { openStore, type Store } from '../../../../../server/store/index.ts';
import { Chance } from '../../../../support/chance.ts';

const chance = new Chance();
const seed = `WAYPOST_SEED=${chance.seed}`;
const VEHICLES = [1, 2, 3, 4, 5, 6];

let directory: string;
let store: Store;
let log: EventLog;

beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), 'waypost-event-log-'));
  store = await openStore({ directory, now: () => 1_000_000 });
  log = new EventLog(store);
  const records = store.records('events');
  await records.insertMany(
    Array.from({ length: 400 }, (_, at) => {
      const from = 1 + chance.int(300); // many begin at the same moment
      const lasts = chance.maybe(0.1);
      return {
        id: 1_000_000_000 + at,
        vehicleId: chance.of(VEHICLES),
        type: 1 + chance.int(5),
        subject: '',
        from,
        until: lasts ? 0 : from + chance.int(40),
        seenAt: from,
        bySilence: false,
        lat: 55,
        lon: 37,
        info: '',
        data: {},
        revisedAt: 0,
        reason: 'live',
      };
    }),
  );
  for (const { id } of records.all().filter(() => chance.maybe(0.1))) await records.remove(id);
});
afterAll(async () => {
  await log.close();
  await store.close();
  rmSync(directory, { recursive: true, force: true });
});

/** The same by looking at every event. */
function naive({ vehicleIds, from = 0, until = Infinity, types, after, limit }: EventQuery): number[] {
  const all = store
    .records('events')
    .all()
    .filter(
      (event) =>
        vehicleIds.includes(event.vehicleId) &&
        event.from <= until &&
        (event.until === 0 || event.until >= from) &&
        (types?.includes(event.type) ?? true),
    );
  const inOrder = all
    .sort((a, b) => Number(b.until === 0) - Number(a.until === 0) || b.from - a.from || (a.key < b.key ? 1 : -1))
    .map(({ id }) => id);
  return inOrder.slice(
    after === undefined ? 0 : inOrder.indexOf(after) + 1,
    (after === undefined ? 0 : inOrder.indexOf(after) + 1) + limit,
  );
}

test('lists and their pages are what one finds by looking at every event, whatever is asked for', async () => {
  for (let round = 0; round < 60; round++) {
    const some = <T>(values: readonly T[]) => values.filter(() => chance.maybe());
    const question: EventQuery = {
      vehicleIds: some(VEHICLES),
      limit: 1 + chance.int(40),
      ...(chance.maybe() ? { from: chance.int(330) } : {}),
      ...(chance.maybe() ? { until: chance.int(330) } : {}),
      ...(chance.maybe() ? { types: some([1, 2, 3, 4, 5]) } : {}),
    };
    for (let after: number | undefined, pages = 0; pages < 4; pages++) {
      const asked = { ...question, after };
      const found = (await log.list(asked)).map(({ id }) => id);
      expect(found, `${seed} ${JSON.stringify(asked)}`).toEqual(naive(asked));
      after = found.at(-1);
      if (after === undefined) break;
    }
  }
});

test('the latest of each vehicle is the first of its list', async () => {
  for (const since of [0, 150, 320, 1_000]) {
    const latest = await log.latest(VEHICLES, since, 4);
    const firsts = VEHICLES.flatMap((vehicleId) => naive({ vehicleIds: [vehicleId], from: since, limit: 1 }));
    expect(
      latest.map(({ id }) => id),
      seed,
    ).toEqual(
      naive({ vehicleIds: VEHICLES, limit: 1_000 })
        .filter((id) => firsts.includes(id))
        .slice(0, 4),
    );
  }
});

test('a list goes on behind no event that there is not', async () => {
  expect(await log.list({ vehicleIds: VEHICLES, after: 7, limit: 10 })).toEqual([]);
});

test('what is written is listed by the next question', async () => {
  const records = store.records('events');
  const { id } = await records.insert({ ...records.all()[0]!, id: 2_000_000_000, vehicleId: 9, until: 0 });
  expect((await log.list({ vehicleIds: [9], limit: 1 })).map((event) => event.id)).toEqual([id]);
});
