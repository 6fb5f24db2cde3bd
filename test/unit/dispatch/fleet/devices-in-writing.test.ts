import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Actor } from '../../../../shared/access.ts';
import { openControlRoom, type ControlRoom } from '../tasks/control-room.ts';

let room: ControlRoom;
let admin: Actor;
/** Commits that wrote vehicles. */
let commits = 0;
const create = (name: string, more: object = {}) =>
  room.fleet.create(admin, { name, organizationId: room.organizationIds[0]!, ...more });
const kept = (outcomes: readonly PromiseSettledResult<unknown>[]) => outcomes.map(({ status }) => status);

beforeEach(async () => {
  room = await openControlRoom();
  admin = await room.person(0, { superuser: true, admin: true });
  commits = 0;
  room.store.feed.watch((changed) => void (changed.has('vehicles') && commits++));
});
afterEach(() => room.close());

test('vehicles that are made at once are written together, each with a number of its own', async () => {
  const made = await Promise.all(Array.from({ length: 20 }, (_, nth) => create(`Van ${nth}`, { imei: `imei-${nth}` })));
  expect(new Set(made.map(({ vehicle }) => vehicle.glonassId)).size).toBe(20);
  expect(commits).toBeLessThan(10);
});

test('a device is one vehicle’s while it is written, by whatever way it comes', async () => {
  const { vehicle } = await create('First', { glonassId: 7, imei: 'a' });
  const outcomes = await Promise.allSettled([
    create('Second', { imei: 'b' }),
    create('Third', { imei: 'b' }),
    room.fleet.change(admin, vehicle.id, { imei: 'b' }),
    create('Fourth', { imei: 'a' }),
  ]);
  expect(kept(outcomes)).toEqual(['fulfilled', 'rejected', 'rejected', 'rejected']);
  const later = await Promise.allSettled([
    room.fleet.change(admin, vehicle.id, { imei: 'c' }),
    new Promise((resolve) => setImmediate(resolve)).then(() => create('Fifth', { imei: 'c' })),
  ]);
  expect(kept(later)).toEqual(['fulfilled', 'rejected']);
  // A refused vehicle holds nothing.
  await Promise.allSettled([create('', { imei: 'd' })]);
  await create('Sixth', { imei: 'd' });
  await create('Seventh', { imei: 'a' });
});
