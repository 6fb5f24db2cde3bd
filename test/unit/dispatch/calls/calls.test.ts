import { expect, test } from 'vitest';
import { Calls, type CallFilter } from '../../../../server/dispatch/calls/index.ts';
import { isSameNumber, plainNumber } from '../../../../shared/calls/number.ts';
import { callState, isOpenCall } from '../../../../shared/calls/state.ts';
import type { PhoneCall } from '../../../../shared/records/index.ts';
import { Chance, SEED } from '../../../support/chance.ts';
import { openControlRoom } from '../tasks/control-room.ts';

const NUMBERS = ['+74957654321', '84957654321', '4957654321', '112', '', '+12345678', '12345678', '441632960417'];

test(`a list of calls is the same as looking at all of them, and reads them along an index (seed ${SEED})`, async () => {
  const room = await openControlRoom();
  try {
    const random = new Chance();
    const records = room.store.kind<PhoneCall>('fleet', 'call');
    const now = room.clock.now;
    const drafts = Array.from({ length: 600 }, (_, index) => ({
      id: records.nextId(),
      kind: 'call' as const,
      name: '',
      isDeleted: random.maybe(0.05),
      organizationId: random.of(room.organizationIds),
      number: random.of(NUMBERS),
      line: '1',
      text: '',
      point: null,
      at: now - Math.floor(index / 2) * 1_000, // two at one time
      taken: random.maybe(0.3) ? { userId: 1, at: now } : null,
      endedAt: random.maybe(0.9) ? now : 0,
      taskId: random.maybe(0.3) ? 1 + random.int(5) : 0,
    }));
    await records.insertMany(drafts);
    const calls = new Calls({ store: room.store, now: () => now, nameOfUser: () => '', requireTask: () => undefined });
    for (let round = 0; round < 200; round++) {
      const actor = await room.person(random.int(3), { superuser: random.maybe(0.3) });
      const filter: CallFilter = {
        limit: random.of([1, 7, 1_000]),
        ...(random.maybe(0.3) && { open: random.maybe(0.5) }),
        ...(random.maybe(0.4) && { number: random.of(NUMBERS) }),
        ...(random.maybe(0.3) && { state: random.of(['ringing', 'taken', 'ended', 'missed'] as const) }),
        ...(random.maybe(0.3) && { taskIds: [1, 1 + random.int(9)] }),
      };
      const wanted = records
        .all()
        .filter(
          (call) =>
            !call.isDeleted &&
            (actor.role.superuser || call.organizationId === actor.user.organizationId) &&
            (filter.open === undefined || isOpenCall(call) === filter.open) &&
            (filter.state === undefined || callState(call, now) === filter.state) &&
            (filter.taskIds === undefined || filter.taskIds.includes(call.taskId)) &&
            (filter.number === undefined || isSameNumber(call.number, plainNumber(filter.number))),
        )
        .toSorted((one, other) => other.at - one.at || other.id - one.id)
        .slice(0, filter.limit);
      expect(
        calls.list(actor, filter).map(({ id }) => id),
        JSON.stringify(filter),
      ).toEqual(wanted.map(({ id }) => id));
    }
    const plan = room.store.sql
      .prepare(
        `EXPLAIN QUERY PLAN SELECT data FROM ${room.store.table('fleet')} INDEXED BY "calls by time" WHERE deleted = 0 AND kind = 'call' ORDER BY json_extract(data, '$."at"') DESC, json_extract(data, '$."id"') DESC`,
      )
      .all()
      .map(({ detail }) => String(detail));
    expect(plan).toEqual([expect.stringContaining('calls by time')]); // and no sorting
  } finally {
    await room.close();
  }
});
