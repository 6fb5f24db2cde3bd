import { expect, test } from 'vitest';
import { reachedOf } from '../../../../renderer/src/features/crews/crew-messages.ts';

test('how far a message has come is counted over the vehicles that it is for', () => {
  const vehicles = [
    { id: 1, groupId: 5, organizationId: 1 },
    { id: 2, groupId: 5, organizationId: 1 },
    { id: 3, groupId: 0, organizationId: 1 },
    { id: 4, groupId: 5, organizationId: 2 },
  ];
  const mark = (deliveredAt: number, readAt = 0, answeredAt = 0) => ({ deliveredAt, readAt, answeredAt });
  const receipts = { 1: mark(1, 2, 3), 2: mark(1), 4: mark(1), control: mark(9, 9) };
  const of = (kind: 'vehicle' | 'group' | 'all' | 'control', id = 0) =>
    reachedOf({ to: { kind, id }, organizationId: 1, receipts }, vehicles);
  expect(of('group', 5)).toEqual({ all: 2, delivered: 2, read: 1, answered: 1 });
  expect(of('all')).toEqual({ all: 3, delivered: 2, read: 1, answered: 1 });
  expect(of('vehicle', 2)).toEqual({ all: 1, delivered: 1, read: 0, answered: 0 });
});
