import { describe, expect, test } from 'vitest';
import { acknowledged, gone, raised, rejoined, returned, settled, shelved, silenced, type Cause } from '../../../server/events/alarms/life-cycle.ts';
import { alerts, causeOfEvent, situationOfEvent } from '../../../server/events/alarms/causes.ts';
import { DEFAULT_RULES } from '../../../server/events/index.ts';
import { rateOf } from '../../../server/events/alarms/rate.ts';
import { alarmState, byUrgency, flooded, sounds } from '../../../shared/alarms.ts';
import type { AlarmRecord, EventRecord } from '../../../shared/records/index.ts';

const MINUTE = 60_000;
const NOW = Date.UTC(2026, 10, 20, 12);
const rule = (id: string) => DEFAULT_RULES.find((one) => one.id === id)!;
const cause = (more: Partial<Cause> = {}): Cause => ({ situation: 'x|vehicle:1|', organizationId: 1, eventId: 5, eventType: 4, messageId: 0, vehicleId: 1, info: '', place: null, since: NOW, till: 0, ...more });
const alarm = (ruleId = 'equipment', more: Partial<AlarmRecord> = {}): AlarmRecord => ({ ...raised(9, rule(ruleId), cause(), NOW), key: '9', hlc: { base: '', fields: {} }, ...more });
const event = (more: Partial<EventRecord> = {}): EventRecord => ({
  key: '5', hlc: { base: '', fields: {} }, id: 5, vehicleId: 1, type: 4, subject: 'power_cut', from: NOW, till: 0, seenAt: NOW, bySilence: false, lat: 55, lon: 37, info: '', data: {}, revisedAt: NOW, reason: 'live', ...more,
});

describe('the life of an alarm', () => {
  test('unacknowledged and heard, acknowledged and steady, cleared with its cause', () => {
    const first = alarm();
    expect([alarmState(first, NOW), sounds(first, NOW)]).toEqual(['unacknowledged', true]);
    const answered = acknowledged(first, 3, 'seen', NOW + 1);
    expect([alarmState(answered, NOW + 1), sounds(answered, NOW + 1)]).toEqual(['acknowledged', false]);
    expect(gone(answered, NOW + 2, false, NOW + 2)).toMatchObject({ goneAt: NOW + 2, clearedAt: NOW + 2 });
  });
  test('a cause that ends unanswered waits for its answer, but for a caution', () => {
    const waiting = gone(alarm(), NOW + 1, false, NOW + 1);
    expect(alarmState(waiting, NOW + 1)).toBe('unacknowledged');
    expect(acknowledged(waiting, 3, '', NOW + 2).clearedAt).toBe(NOW + 2);
    expect(gone(alarm('signal-lost'), NOW + 1, false, NOW + 1).clearedAt).toBe(NOW + 1);
    expect(sounds(alarm('signal-lost'), NOW)).toBe(false);
  });
  test('the first of two operators stands', () => {
    const answered = acknowledged(alarm(), 3, 'first', NOW + 1);
    expect(acknowledged(answered, 4, 'second', NOW + 2)).toBe(answered);
  });
  test('on the shelf nothing is heard; it comes back unanswered, or is cleared when its cause went', () => {
    const aside = shelved(acknowledged(alarm(), 3, '', NOW), 3, NOW + MINUTE, 'repair', NOW);
    expect([alarmState(aside, NOW), sounds(aside, NOW), aside.acknowledgedAt]).toEqual(['shelved', false, 0]);
    const back = returned(aside, NOW + MINUTE);
    expect(back).toMatchObject({ shelvedUntil: 0, raisedAt: NOW + MINUTE, clearedAt: 0 });
    expect([alarmState(back, NOW + MINUTE), sounds(back, NOW + MINUTE)]).toEqual(['unacknowledged', true]);
    const over = gone(aside, NOW + 10, false, NOW + 10);
    expect(alarmState(over, NOW + 10)).toBe('shelved'); // comings and goings on the shelf disturb nobody
    expect(returned(over, NOW + MINUTE).clearedAt).toBe(NOW + MINUTE);
    expect(() => shelved(alarm('sos'), 3, NOW + 1, 'x', NOW)).toThrow(/emergency/);
    expect(() => acknowledged(aside, 3, '', NOW)).toThrow(/shelf/);
  });
  test('silence lasts half a minute, and does not touch what is answered', () => {
    const quiet = silenced(alarm(), NOW);
    expect([sounds(quiet, NOW + 29_999), sounds(quiet, NOW + 30_000)]).toEqual([false, true]);
    const answered = acknowledged(alarm(), 3, '', NOW);
    expect(silenced(answered, NOW)).toBe(answered);
  });
  test('the same cause again changes nothing, another event counts, and what was cleared is open again', () => {
    const first = alarm();
    expect(rejoined(first, cause())).toBe(first);
    expect(rejoined(first, cause({ eventId: 6 }))).toMatchObject({ occurrences: 2, eventId: 6 });
    const cleared = settled(gone(acknowledged(first, 3, '', NOW), NOW + 1, false, NOW + 1), NOW + 1);
    const again = rejoined(cleared, cause({ eventId: 7 }));
    expect([again.clearedAt, again.goneAt, alarmState(again, NOW + 2)]).toEqual([0, 0, 'acknowledged']);
  });
});

describe('what alerts', () => {
  const lostAfter = 10 * MINUTE;
  test('what became known within 15 minutes, by the time of its record', () => {
    expect(alerts(event(), lostAfter, NOW + 15 * MINUTE)).toBe(true);
    expect(alerts(event(), lostAfter, NOW + 15 * MINUTE + 1)).toBe(false);
    // It began an hour ago, and shows itself now: a long stop.
    expect(alerts(event({ type: 25, from: NOW - 60 * MINUTE, seenAt: NOW }), lostAfter, NOW)).toBe(true);
    // Silence shows itself when the patience ends.
    expect(alerts(event({ type: 2, bySilence: true, from: NOW, seenAt: NOW }), lostAfter, NOW + 25 * MINUTE)).toBe(true);
    expect(alerts(event({ type: 2, bySilence: true, from: NOW, seenAt: NOW }), lostAfter, NOW + 26 * MINUTE)).toBe(false);
  });
  test('what matters only while it lasts, and is over, does not; a drain does', () => {
    expect(alerts(event({ type: 2, till: NOW }), lostAfter, NOW)).toBe(false);
    expect(alerts(event({ type: 11, till: NOW }), lostAfter, NOW)).toBe(true);
  });
  test('faults of a unit are one situation, sensors and tasks are their own', () => {
    const situation = (more: Partial<EventRecord>) => situationOfEvent(rule('equipment'), event(more));
    expect(situation({ subject: 'power_cut' })).toBe(situation({ subject: 'antenna_cut' }));
    expect(situation({ type: 9, subject: 'sensor:1' })).not.toBe(situation({ type: 9, subject: 'sensor:2' }));
    expect(situation({ vehicleId: 1 })).not.toBe(situation({ vehicleId: 2 }));
    expect(causeOfEvent(rule('task-overdue'), event({ type: 20, data: { newsId: 12 } }), 1).messageId).toBe(12);
  });
  test('every usual rule has a response in both languages, and an id of its own', () => {
    expect(new Set(DEFAULT_RULES.map(({ id }) => id)).size).toBe(DEFAULT_RULES.length);
    for (const { id, name, response } of DEFAULT_RULES) for (const text of [name.en, name.ru, response.en, response.ru]) expect(text.length, id).toBeGreaterThan(5);
    for (const { response } of DEFAULT_RULES) expect(response.ru).toMatch(/[а-я]/);
  });
});

test('the most urgent first: unanswered before answered, graver before lighter, newer before older', () => {
  const sos = alarm('sos', { id: 1, acknowledgedAt: NOW });
  const drain = alarm('fuel-drain', { id: 2 });
  const [older, newer] = [alarm('equipment', { id: 3, raisedAt: NOW - 1 }), alarm('equipment', { id: 4 })];
  expect([sos, older, newer, drain].sort(byUrgency(NOW)).map(({ id }) => id)).toEqual([2, 4, 3, 1]);
});

describe('the alarm rate', () => {
  const at = (minute: number, more: Partial<AlarmRecord> = {}) => alarm('equipment', { id: Math.random(), raisedAt: NOW + minute * MINUTE, since: NOW + minute * MINUTE, ...more });
  const rate = (alarms: readonly AlarmRecord[], hours: number) => rateOf(alarms, { from: NOW, till: NOW + hours * 60 * MINUTE, now: NOW + hours * 60 * MINUTE, nameOf: (id) => `User ${id}` });
  test('a flood is more than ten in ten minutes', () => {
    expect(flooded(Array.from({ length: 10 }, (_, i) => NOW - i * 1000), NOW)).toBeNull();
    expect(flooded(Array.from({ length: 11 }, (_, i) => NOW - i * 1000), NOW)).toEqual({ count: 11, since: NOW - 10_000 });
    expect(flooded(Array.from({ length: 11 }, (_, i) => NOW - i * MINUTE), NOW)).toBeNull();
  });
  test('floods are found in the past, and those that overlap are one', () => {
    const burst = (from: number, count: number) => Array.from({ length: count }, (_, i) => at(from + i * 0.5));
    const { floods, mostIn10Minutes, floodShare } = rate([...burst(0, 30), ...burst(100, 11), ...burst(200, 10)], 5);
    expect(floods.map(({ from, till, count }) => [(from - NOW) / MINUTE, (till - NOW) / MINUTE, count])).toEqual([[0, 14.5, 30], [100, 105, 11]]);
    expect(mostIn10Minutes).toBe(20);
    expect(floodShare).toBeCloseTo((14.5 + 5) / 300, 5);
  });
  test('the mean is for each operator who answered; what stands for more than a day is told', () => {
    const answered = (minute: number, by: number) => at(minute, { acknowledgedBy: by, acknowledgedAt: NOW + (minute + 2) * MINUTE });
    const told = rate([answered(1, 3), answered(20, 3), answered(40, 4), at(50), at(-2 * 24 * 60)], 1);
    expect(told).toMatchObject({ raised: 4, standing: 1, standingShare: 0.2, byPriority: { 3: 4 }, byRule: [{ rule: 'equipment', count: 4 }] });
    expect(told.operators).toEqual([{ id: 3, name: 'User 3', acknowledged: 2, meanAnswer: 2 * MINUTE }, { id: 4, name: 'User 4', acknowledged: 1, meanAnswer: 2 * MINUTE }]);
    expect(told.per10Minutes).toBeCloseTo(4 / 6 / 2, 5);
  });
});
