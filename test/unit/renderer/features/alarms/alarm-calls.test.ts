import { expect, test } from 'vitest';
import { flooded } from '../../../../../shared/events/alarms.ts';
import type { AlarmRecord } from '../../../../../shared/records/index.ts';
import { AlarmCalls } from '../../../../../renderer/src/features/alarms/alarm-calls.ts';
import {
  acknowledged,
  causeEnded,
  raised,
  unshelved,
  shelved,
  silenced,
  type Cause,
} from '../../../../../server/tracking/events/alarms/life-cycle.ts';
import { DEFAULT_RULES } from '../../../../../server/tracking/events/index.ts';

const MINUTE = 60_000;
const NOW = Date.UTC(2026, 10, 22, 3);
const cause: Cause = {
  situation: 'x|vehicle:1|',
  organizationId: 1,
  eventId: 5,
  eventType: 4,
  taskId: 0,
  vehicleId: 1,
  info: '',
  place: null,
  since: NOW,
  until: 0,
};
const alarm = (id: number, at = NOW, rule = 'equipment'): AlarmRecord => ({
  ...raised(
    id,
    DEFAULT_RULES.find((one) => one.id === rule)!,
    cause,
    at,
  ),
  key: String(id),
  hlc: { base: '', fields: {} },
});

/** A window at the back, that saw `known` when it was loaded; gives what it hears, by the alarm's id. */
function atTheBack(...known: AlarmRecord[]) {
  const calls = new AlarmCalls();
  const look = (open: AlarmRecord[], now = NOW, looking = false) => {
    const { calls: told, over } = calls.next(
      open,
      flooded(
        open.map(({ raisedAt }) => raisedAt),
        now,
      ),
      now,
      looking,
    );
    return {
      told: told.map((call) => (call.kind === 'flood' ? `flood of ${call.count}` : call.alarm.id)),
      over: over.length,
    };
  };
  expect(look(known).told).toEqual([]);
  return look;
}

test('an alarm calls once; what was there when the window was loaded, and what comes while one looks, does not', () => {
  const look = atTheBack(alarm(1));
  expect(look([alarm(1), alarm(2)]).told).toEqual([2]);
  expect(look([alarm(1), { ...alarm(2), occurrences: 3 }], NOW + 1_000).told).toEqual([]);
  expect(look([alarm(1), alarm(2), alarm(3)], NOW + 2_000, true).told).toEqual([]);
  expect(look([alarm(1), alarm(2), alarm(3)], NOW + 3_000).told).toEqual([]);
});

test('a line that was cut brings what was raised meanwhile, but nothing that is older than operators are alerted about', () => {
  const look = atTheBack();
  expect(look([alarm(1, NOW - 14 * MINUTE), alarm(2, NOW - 16 * MINUTE)]).told).toEqual([1]);
});

test('a caution calls nobody', () => {
  expect(atTheBack()([alarm(1, NOW, 'signal-lost')]).told).toEqual([]);
});

test('what is silenced calls when the silence is over, and what called is not repeated by it', () => {
  const look = atTheBack();
  expect(look([silenced(alarm(1), NOW), alarm(2)]).told).toEqual([2]);
  expect(look([silenced(alarm(1), NOW), silenced(alarm(2), NOW)], NOW + 29_000).told).toEqual([]);
  expect(look([silenced(alarm(1), NOW), silenced(alarm(2), NOW)], NOW + 30_000).told).toEqual([1]);
});

test('on the shelf an alarm calls nobody; when it comes back it does', () => {
  const look = atTheBack();
  const aside = shelved(alarm(1), 3, NOW + MINUTE, 'repair', NOW);
  expect(look([aside]).told).toEqual([]);
  expect(look([unshelved(aside, NOW + MINUTE)], NOW + MINUTE).told).toEqual([1]);
});

test('a flood is one call, and another one only after it has ended; an emergency calls also in it', () => {
  const look = atTheBack();
  const many = Array.from({ length: 11 }, (_, index) => alarm(index + 1));
  expect(look(many).told).toEqual(['flood of 11']);
  expect(look([...many, alarm(12, NOW + 1_000), alarm(13, NOW + 1_000, 'emergency-call')], NOW + 1_000).told).toEqual([
    13,
  ]);
  const later = NOW + 11 * MINUTE;
  expect(look([alarm(20, later)], later).told).toEqual([20]);
  expect(
    look(
      Array.from({ length: 12 }, (_, index) => alarm(index + 20, later)),
      later,
    ).told,
  ).toEqual(['flood of 12']);
});

test('a flood that one has seen is not told when the window goes to the back', () => {
  const look = atTheBack();
  const many = Array.from({ length: 11 }, (_, index) => alarm(index + 1));
  look(many, NOW, true);
  expect(look([...many, alarm(12)]).told).toEqual([]);
});

test('a call is taken back when the alarm is answered, put aside, or not there any more', () => {
  for (const then of [[acknowledged(alarm(1), 3, '', NOW)], [shelved(alarm(1), 3, NOW + MINUTE, 'repair', NOW)], []]) {
    const look = atTheBack();
    expect(look([alarm(1)])).toEqual({ told: [1], over: 0 });
    expect(look(then)).toEqual({ told: [], over: 1 });
    expect(look(then).over).toBe(0);
  }
  const look = atTheBack();
  look([alarm(1)]);
  // its cause went, and it still waits for an answer
  expect(look([causeEnded(alarm(1), NOW + 1, false, NOW + 1)], NOW + 1).over).toBe(0);
});
