import { expect, test } from 'vitest';
import { firstStamps, merge, stampFields } from '../../../../shared/merge/merge.ts';
import type { MergeShape } from '../../../../shared/merge/parts.ts';
import { stampClock, stationPart } from '../../../../shared/merge/stamps.ts';
import { COLLECTIONS, type CrewMessage } from '../../../../shared/records/index.ts';
import { CREW_CODE_LIFE, SignInCodes, WRONG_CODES } from '../../../../server/dispatch/crews/sign-in-codes.ts';
import { sessionEnd, IDLE, LONGEST } from '../../../../server/dispatch/crews/crew-sessions.ts';
import {
  createMessage,
  isTo,
  marked,
  receiptOf,
  SHOWN_FOR,
  shownTo,
} from '../../../../server/dispatch/crews/messages.ts';
import { acceptReport } from '../../../../server/dispatch/crews/report.ts';

test('a code lives ten minutes, is used once, and one vehicle has one', () => {
  let next = 0;
  const codes = new SignInCodes(() => next++);
  const [a, b] = [codes.make(1, 7, 0), codes.make(2, 7, 0)];
  expect(a).toEqual({ code: '00000000', expiresAt: CREW_CODE_LIFE });
  expect(codes.use(b.code, CREW_CODE_LIFE), 'expired').toBeUndefined();
  expect(codes.use(a.code, CREW_CODE_LIFE - 1)).toEqual({ vehicleId: 1, userId: 7 });
  expect(codes.use(a.code, 1)).toBeUndefined();
  const [c, d] = [codes.make(3, 7, 0), codes.make(3, 7, 0)];
  expect(codes.use(c.code, 1), 'the vehicle has a newer one').toBeUndefined();
  expect(codes.use(d.code, 1)).toEqual({ vehicleId: 3, userId: 7 });
});

test('so many wrong codes make those before them void', () => {
  let next = 0;
  const codes = new SignInCodes(() => next++);
  const [a, b] = [codes.make(1, 7, 0), codes.make(2, 7, 0)];
  for (let wrong = 1; wrong < WRONG_CODES; wrong++) codes.use('99999999', 1);
  expect(codes.use(a.code, 1)).toBeDefined();
  codes.use('99999999', 1);
  expect(codes.use(b.code, 1)).toBeUndefined();
});

test('a session ends a day after its last use, and seven days after its start', () => {
  expect(sessionEnd({ createdAt: 0, usedAt: 5 })).toBe(5 + IDLE);
  expect(sessionEnd({ createdAt: 0, usedAt: LONGEST - 1 })).toBe(LONGEST);
});

test('a status that somebody knew better since is refused, and impossible ones are', () => {
  const of = (unitStatus: number, unitStatusSince: number, more = {}) => ({
    name: 'Engine 1',
    state: { unitStatus, unitStatusSince },
    sentAt: undefined,
    taskIds: [],
    ...more,
  });
  expect(acceptReport(of(3, 100), 4, 100)).toBe(true);
  expect(() => acceptReport(of(3, 101), 4, 100)).toThrow('was changed after this one');
  expect(acceptReport(of(4, 101), 4, 100), 'they say the same').toBe(false);
  expect(() => acceptReport(of(3, 100, { sentAt: 90 }), 1, 200)).toThrow();
  expect(acceptReport(of(4, 100, { sentAt: 90, taskIds: [7] }), 1, 200)).toBe(true);
  expect(() => acceptReport(of(4, 100, { taskIds: [7] }), 6, 200)).toThrow('Engine 1 is on task 7');
  expect(acceptReport({ ...of(0, 0), state: undefined }, 2, 0)).toBe(true);
});

const message = (more: Partial<CrewMessage> = {}): CrewMessage => ({
  ...(createMessage(
    1,
    { organizationId: 1, userId: 7, vehicleId: 0 },
    { to: { kind: 'vehicle', id: 3 }, text: ' Come home ', mustAnswer: false },
    100,
  ) as CrewMessage),
  ...more,
});

test('a message is for its vehicle, those of its group, or all of its organization', () => {
  const vehicle = { id: 3, groupId: 5, organizationId: 1 };
  const to = (kind: CrewMessage['to']['kind'], id = 0) => isTo(message({ to: { kind, id } }), vehicle);
  expect([to('vehicle', 3), to('vehicle', 4), to('group', 5), to('group', 6), to('all'), to('control')]).toEqual([
    true,
    false,
    true,
    false,
    true,
    false,
  ]);
  expect(isTo(message({ to: { kind: 'all', id: 0 }, organizationId: 2 }), vehicle)).toBe(false);
  expect(isTo(message({ isDeleted: true }), vehicle)).toBe(false);
});

test('a mark implies the earlier ones, and the first time counts', () => {
  const read = marked(message(), 3, 'read', 200);
  expect(receiptOf(read, 3)).toEqual({ deliveredAt: 200, readAt: 200, answeredAt: 0 });
  const answered = marked(read, 3, 'answered', 300);
  expect(receiptOf(answered, 3)).toEqual({ deliveredAt: 200, readAt: 200, answeredAt: 300 });
  expect(marked(answered, 3, 'delivered', 50)).toBe(answered);
  expect(receiptOf(marked(answered, undefined, 'read', 400), 3), 'the control room has its own').toEqual(
    receiptOf(answered, 3),
  );
});

test('a telephone shows messages of a day, and longer what must be answered', () => {
  const vehicle = { id: 3, groupId: 0, organizationId: 1 };
  const later = 100 + SHOWN_FOR;
  const must = message({ id: 2, mustAnswer: true });
  expect(shownTo([must, message()], vehicle, later - 1).map(({ id }) => id)).toEqual([1, 2]);
  expect(shownTo([must, message()], vehicle, later).map(({ id }) => id)).toEqual([2]);
  expect(shownTo([marked(must, 3, 'answered', 150)], vehicle, later)).toEqual([]);
});

test('marks that two stations took while apart are all kept', () => {
  const clocks = [1, 2].map((station) => stampClock(stationPart(station, 'aaaa'), () => 1000));
  const begun = message({ to: { kind: 'all', id: 0 }, hlc: firstStamps(clocks[0]!.next()) });
  const taken = ([3, 4] as const).map((vehicleId, station) => {
    const after = marked(begun, vehicleId, 'read', 200 + vehicleId);
    const parts = ['deliveredAt', 'readAt', 'answeredAt'].map((mark) => `receipts.${vehicleId}.${mark}`);
    return { ...after, hlc: stampFields(begun.hlc, parts, clocks[station]!.next()) };
  });
  for (const [mine, theirs] of [taken, taken.toReversed()]) {
    const { record } = merge(mine!, theirs!, COLLECTIONS.fleet as MergeShape);
    expect([receiptOf(record, 3).readAt, receiptOf(record, 4).readAt]).toEqual([203, 204]);
  }
});
