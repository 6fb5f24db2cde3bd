import { describe, expect, test } from 'vitest';
import {
  acknowledged,
  assignAlarm,
  causeEnded,
  raised,
  reopened,
  unshelved,
  withClearedAt,
  shelved,
  silenced,
  type Cause,
} from '../../../../../server/tracking/events/alarms/life-cycle.ts';
import {
  alerts,
  causeOfEvent,
  causeOfTask,
  causeOfUnitStatus,
  situationOfEvent,
} from '../../../../../server/tracking/events/alarms/causes.ts';
import { DEFAULT_RULES } from '../../../../../server/tracking/events/index.ts';
import { rateOf } from '../../../../../server/tracking/events/alarms/rate.ts';
import { alarmState, byUrgency, flooded, sounds } from '../../../../../shared/events/alarms.ts';
import { AlarmRuleStore } from '../../../../../server/tracking/events/alarms/alarm-rule-store.ts';
import { unknownState } from '../../../../../shared/fleet/last-state.ts';
import type { AlarmRecord, AlarmRule, EventRecord, Task } from '../../../../../shared/records/index.ts';
import { waits } from '../../../../../shared/tasks/waiting.ts';

const MINUTE = 60_000;
const NOW = Date.UTC(2026, 10, 20, 12);
const rule = (id: string) => DEFAULT_RULES.find((one) => one.id === id)!;
const cause = (more: Partial<Cause> = {}): Cause => ({
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
  ...more,
});
const alarm = (ruleId = 'equipment', more: Partial<AlarmRecord> = {}): AlarmRecord => ({
  ...raised(9, rule(ruleId), cause(), NOW),
  key: '9',
  hlc: { base: '', fields: {} },
  ...more,
});
const event = (more: Partial<EventRecord> = {}): EventRecord => ({
  key: '5',
  hlc: { base: '', fields: {} },
  id: 5,
  vehicleId: 1,
  type: 4,
  subject: 'power_cut',
  from: NOW,
  until: 0,
  seenAt: NOW,
  bySilence: false,
  lat: 55,
  lon: 37,
  info: '',
  data: {},
  revisedAt: NOW,
  reason: 'live',
  ...more,
});

describe('the life of an alarm', () => {
  test('unacknowledged and heard, acknowledged and steady, cleared with its cause', () => {
    const first = alarm();
    expect([alarmState(first, NOW), sounds(first, NOW)]).toEqual(['unacknowledged', true]);
    const answered = acknowledged(first, 3, 'seen', NOW + 1);
    expect([alarmState(answered, NOW + 1), sounds(answered, NOW + 1)]).toEqual(['acknowledged', false]);
    expect(causeEnded(answered, NOW + 2, false, NOW + 2)).toMatchObject({ goneAt: NOW + 2, clearedAt: NOW + 2 });
  });
  test('a cause that ends unanswered waits for its answer, but for a caution', () => {
    const waiting = causeEnded(alarm(), NOW + 1, false, NOW + 1);
    expect(alarmState(waiting, NOW + 1)).toBe('unacknowledged');
    expect(acknowledged(waiting, 3, '', NOW + 2).clearedAt).toBe(NOW + 2);
    expect(causeEnded(alarm('signal-lost'), NOW + 1, false, NOW + 1).clearedAt).toBe(NOW + 1);
    expect(sounds(alarm('signal-lost'), NOW)).toBe(false);
  });
  test('the first of two operators stands', () => {
    const answered = acknowledged(alarm(), 3, 'first', NOW + 1);
    expect(acknowledged(answered, 4, 'second', NOW + 2)).toBe(answered);
  });
  test('on the shelf nothing is heard; it comes back unanswered, or is cleared when its cause went', () => {
    const aside = shelved(acknowledged(alarm(), 3, '', NOW), 3, NOW + MINUTE, 'repair', NOW);
    expect([alarmState(aside, NOW), sounds(aside, NOW), aside.acknowledgedAt]).toEqual(['shelved', false, 0]);
    const back = unshelved(aside, NOW + MINUTE);
    expect(back).toMatchObject({ shelvedUntil: 0, raisedAt: NOW + MINUTE, clearedAt: 0 });
    expect([alarmState(back, NOW + MINUTE), sounds(back, NOW + MINUTE)]).toEqual(['unacknowledged', true]);
    const over = causeEnded(aside, NOW + 10, false, NOW + 10);
    expect(alarmState(over, NOW + 10)).toBe('shelved'); // comings and goings on the shelf disturb nobody
    expect(unshelved(over, NOW + MINUTE).clearedAt).toBe(NOW + MINUTE);
    expect(() => shelved(alarm('sos'), 3, NOW + 1, 'x', NOW)).toThrow(/emergency/);
    expect(() => acknowledged(aside, 3, '', NOW)).toThrow(/shelved/);
  });
  test('a shelf ends within 24 hours, and lies ahead', () => {
    const aside = (until: number) => () => shelved(alarm(), 3, until, 'x', NOW).shelvedUntil;
    expect([aside(NOW + 1)(), aside(NOW + 24 * 60 * MINUTE)()]).toEqual([NOW + 1, NOW + 24 * 60 * MINUTE]);
    expect(aside(NOW)).toThrow('until must be in the future');
    expect(aside(NOW + 24 * 60 * MINUTE + 1)).toThrow('24 hours');
    expect(() => shelved(alarm('equipment', { clearedAt: NOW }), 3, NOW + 1, 'x', NOW)).toThrow('cleared');
  });
  test('off the shelf twice, assigned twice, put aside without a word: nothing new happens', () => {
    const first = alarm();
    expect(unshelved(first, NOW + 1)).toBe(first);
    const aside = shelved(first, 3, NOW + MINUTE, ' repair ', NOW);
    expect(aside.shelveReason).toBe('repair');
    expect(() => shelved(first, 3, NOW + MINUTE, '  ', NOW)).toThrow('reason');
    expect(unshelved({ ...aside, clearedAt: NOW }, NOW + 1)).toMatchObject({
      shelvedUntil: NOW + MINUTE,
      clearedAt: NOW,
    });
    const taken = assignAlarm(first, 4, NOW);
    expect(taken.assignedTo).toBe(4);
    expect(assignAlarm(taken, 4, NOW)).toBe(taken);
    expect(() => assignAlarm(alarm('equipment', { clearedAt: NOW }), 4, NOW)).toThrow('cleared');
    expect(raised(1, rule('equipment'), cause({ place: { lat: 1, lon: 2 } }), NOW)).toMatchObject({ lat: 1, lon: 2 });
    expect(first).toMatchObject({ lat: null, lon: null });
  });
  test('late records may take back that its cause ended, and when', () => {
    const ended = causeEnded(alarm(), NOW + 5, false, NOW + 5);
    expect(causeEnded(ended, NOW + 5, false, NOW + 6)).toBe(ended);
    expect(causeEnded(ended, NOW + 5, true, NOW + 6)).toMatchObject({ goneAt: NOW + 5, withdrawn: true });
    expect(causeEnded(ended, NOW + 3, false, NOW + 6)).toMatchObject({ goneAt: NOW + 3, withdrawn: false });
  });
  test('silence lasts half a minute, and does not touch what is answered', () => {
    const quiet = silenced(alarm(), NOW);
    expect([sounds(quiet, NOW + 29_999), sounds(quiet, NOW + 30_000)]).toEqual([false, true]);
    const answered = acknowledged(alarm(), 3, '', NOW);
    expect(silenced(answered, NOW)).toBe(answered);
  });
  test('the same cause again changes nothing, another event counts, and what was cleared is open again', () => {
    const first = alarm();
    expect(reopened(first, cause())).toBe(first);
    expect(reopened(first, cause({ eventId: 6 }))).toMatchObject({ occurrences: 2, eventId: 6 });
    const cleared = withClearedAt(causeEnded(acknowledged(first, 3, '', NOW), NOW + 1, false, NOW + 1), NOW + 1);
    const again = reopened(cleared, cause({ eventId: 7 }));
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
    expect(alerts(event({ type: 2, bySilence: true, from: NOW, seenAt: NOW }), lostAfter, NOW + 25 * MINUTE)).toBe(
      true,
    );
    expect(alerts(event({ type: 2, bySilence: true, from: NOW, seenAt: NOW }), lostAfter, NOW + 26 * MINUTE)).toBe(
      false,
    );
  });
  test('what matters only while it lasts, and is over, does not; a drain does', () => {
    expect(alerts(event({ type: 2, until: NOW }), lostAfter, NOW)).toBe(false);
    expect(alerts(event({ type: 11, until: NOW }), lostAfter, NOW)).toBe(true);
  });
  test('faults of a unit are one situation, sensors and tasks are their own', () => {
    const situation = (more: Partial<EventRecord>) => situationOfEvent(rule('equipment'), event(more));
    expect(situation({ subject: 'power_cut' })).toBe(situation({ subject: 'antenna_cut' }));
    expect(situation({ type: 9, subject: 'sensor:1' })).not.toBe(situation({ type: 9, subject: 'sensor:2' }));
    expect(situation({ vehicleId: 1 })).not.toBe(situation({ vehicleId: 2 }));
    expect(causeOfEvent(rule('task-overdue'), event({ type: 20, data: { newsId: 12 } }), 1).taskId).toBe(12);
  });
  test('each type that matters only while it lasts; all others are reported when they are over, too', () => {
    const told = Array.from({ length: 25 }, (_, i) => i + 1).filter((type) =>
      alerts(event({ type, until: NOW }), lostAfter, NOW),
    );
    expect(told).toEqual([1, 3, 6, 7, 8, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 21, 22, 23]);
  });
  test('a message waits until somebody takes it up, however', () => {
    const task = {
      id: 4,
      status: 1,
      isDeleted: false,
      archived: false,
      assignedVehicleId: 0,
      assignedUserId: 0,
      assignedOrganizationId: 0,
      organizationId: 2,
      title: 'Fire',
      point: null,
      statusSince: NOW,
    } as unknown as Task;
    expect(waits(task)).toBe(true);
    for (const more of [
      { status: 2 },
      { isDeleted: true },
      { archived: true },
      { assignedVehicleId: 1 },
      { assignedUserId: 1 },
      { assignedOrganizationId: 1 },
    ])
      expect(waits({ ...task, ...more } as Task), JSON.stringify(more)).toBe(false);
    expect(causeOfTask(rule('emergency-waiting'), task)).toMatchObject({
      situation: 'emergency-waiting|message:4|',
      organizationId: 2,
      taskId: 4,
      vehicleId: 0,
      info: 'Fire',
      place: null,
      since: NOW,
      until: 0,
    });
  });
  test('a crew that was never heard of has no place', () => {
    const state = { ...unknownState(7), unitStatus: 0, unitStatusSince: NOW };
    expect(causeOfUnitStatus(rule('emergency-call'), state, 2)).toMatchObject({
      situation: 'emergency-call|vehicle:7|',
      organizationId: 2,
      vehicleId: 7,
      info: '0',
      place: null,
      since: NOW,
    });
    expect(causeOfUnitStatus(rule('emergency-call'), { ...state, time: NOW, lat: 1, lon: 2 }, 2).place).toEqual({
      lat: 1,
      lon: 2,
    });
  });
  test('every usual rule has a response in both languages, and an id of its own', () => {
    expect(new Set(DEFAULT_RULES.map(({ id }) => id)).size).toBe(DEFAULT_RULES.length);
    for (const { id, name, response } of DEFAULT_RULES)
      for (const text of [name.en, name.ru, response.en, response.ru]) expect(text.length, id).toBeGreaterThan(5);
    for (const { response } of DEFAULT_RULES) expect(response.ru).toMatch(/[а-я]/);
  });
});

describe('which rule holds', () => {
  const one = (id: string, source: AlarmRule['source'], priority: 1 | 2 | 3 | 4, enabled = true): AlarmRule => ({
    ...rule('equipment'),
    id,
    source,
    priority,
    enabled,
  });
  const book = (...rules: AlarmRule[]) =>
    new AlarmRuleStore({ kind: () => ({ get: (id: number) => (id === 1 ? { rules } : undefined) }) } as never);
  const onEvent = (type: number, subject = '') => ({ kind: 'event', type, subject }) as const;
  test('of an event: the one that names its subject, then the graver; never one that is off', () => {
    const rules = book(
      one('any', onEvent(6), 1),
      one('light', onEvent(6, 'zone:7'), 3),
      one('depot', onEvent(6, 'zone:7'), 2),
      one('off', onEvent(6, 'zone:7'), 1, false),
      one('other', onEvent(7), 1),
    );
    expect(rules.forEvent(1, 6, 'zone:7')?.id).toBe('depot');
    expect(rules.forEvent(1, 6, 'zone:8')?.id).toBe('any');
    expect(rules.forEvent(1, 5, '')).toBeUndefined();
    expect(book(one('light', onEvent(6), 3), one('grave', onEvent(6), 2)).forEvent(1, 6, 'zone:8')?.id).toBe('grave');
  });
  test('of a crew’s status, and of a message: the gravest, then the most impatient', () => {
    const status = (id: string, value: number, enabled = true) =>
      one(id, { kind: 'unit-status', status: value }, 1, enabled);
    expect(book(status('off', 0, false), status('call', 0), status('talk', 5)).forUnitStatus(1, 0)?.id).toBe('call');
    const task = (id: string, importance: number, afterSeconds: number, priority: 1 | 2 | 3) =>
      one(id, { kind: 'message', importance, afterSeconds }, priority);
    const rules = book(task('slow', 5, 600, 2), task('quick', 5, 60, 2), task('light', 5, 5, 3), task('top', 1, 5, 1));
    expect([
      rules.forTask(1, 1)?.id,
      rules.forTask(1, 2)?.id,
      rules.forTask(1, 5)?.id,
      rules.forTask(1, 6)?.id,
    ]).toEqual(['top', 'quick', 'quick', undefined]);
  });
  test('a list is replaced by an administrator; one language stands for both, nothing stands for none', async () => {
    const kept = new Map<number, { rules: AlarmRule[] }>();
    const records = {
      get: (id: number) => kept.get(id),
      insert: async (fields: { id: number; rules: AlarmRule[] }) => void kept.set(fields.id, fields),
      change: async (id: number, how: (record: object) => object) => void kept.set(id, how(kept.get(id)!) as never),
    };
    const written = new AlarmRuleStore({ kind: () => records } as never);
    const by = (admin: boolean) => ({ user: { id: 1, organizationId: 1 }, role: { admin, superuser: false } }) as never;
    const put = (...rules: AlarmRule[]) => written.replace(by(true), 1, rules);
    await put({ ...rule('equipment'), name: { en: ' Fault ', ru: ' ' }, response: { en: '', ru: ' Позвонить ' } });
    expect(written.of(1)).toMatchObject([
      { name: { en: 'Fault', ru: 'Fault' }, response: { en: 'Позвонить', ru: 'Позвонить' } },
    ]);
    await put(
      { ...rule('equipment'), name: { en: 'Fault', ru: ' Отказ ' }, response: { en: ' Call ', ru: 'Позвонить' } },
      rule('sos'),
    );
    expect(written.of(1)).toMatchObject([
      { name: { en: 'Fault', ru: 'Отказ' }, response: { en: 'Call', ru: 'Позвонить' } },
      { id: 'sos' },
    ]);
    await expect(put({ ...rule('equipment'), name: { en: ' ', ru: '' } })).rejects.toThrow('name');
    await expect(put({ ...rule('equipment'), response: { en: ' ', ru: '' } })).rejects.toThrow('response');
    const many = (count: number) => Array.from({ length: count }, (_, i) => ({ ...rule('equipment'), id: `r${i}` }));
    await expect(put(...many(101))).rejects.toThrow('100');
    await put(...many(100));
    expect(written.of(1)).toHaveLength(100);
    await expect(written.replace(by(false), 1, [])).rejects.toThrow('administrator');
    await expect(written.replace(by(true), 2, [])).rejects.toThrow('administrator');
  });
  test('an organisation that wrote none has the usual ones', () => {
    expect(book().of(2)).toBe(DEFAULT_RULES);
    expect(book().of(1)).toEqual([]);
  });
});

test('the most urgent first: unanswered before answered, graver before lighter, newer before older', () => {
  const sos = alarm('sos', { id: 1, acknowledgedAt: NOW });
  const drain = alarm('fuel-drain', { id: 2 });
  const [older, newer] = [alarm('equipment', { id: 3, raisedAt: NOW - 1 }), alarm('equipment', { id: 4 })];
  expect([sos, older, newer, drain].sort(byUrgency(NOW)).map(({ id }) => id)).toEqual([2, 4, 3, 1]);
});

describe('the alarm rate', () => {
  const at = (minute: number, more: Partial<AlarmRecord> = {}) =>
    alarm('equipment', { id: Math.random(), raisedAt: NOW + minute * MINUTE, since: NOW + minute * MINUTE, ...more });
  const rate = (alarms: readonly AlarmRecord[], hours: number) =>
    rateOf(alarms, {
      from: NOW,
      until: NOW + hours * 60 * MINUTE,
      now: NOW + hours * 60 * MINUTE,
      nameOf: (id) => `User ${id}`,
    });
  test('a flood is more than ten in ten minutes', () => {
    expect(
      flooded(
        Array.from({ length: 10 }, (_, i) => NOW - i * 1000),
        NOW,
      ),
    ).toBeNull();
    expect(
      flooded(
        Array.from({ length: 11 }, (_, i) => NOW - i * 1000),
        NOW,
      ),
    ).toEqual({ count: 11, since: NOW - 10_000 });
    expect(
      flooded(
        Array.from({ length: 11 }, (_, i) => NOW - i * MINUTE),
        NOW,
      ),
    ).toBeNull();
  });
  test('floods are found in the past, and those that overlap are one', () => {
    const burst = (from: number, count: number) => Array.from({ length: count }, (_, i) => at(from + i * 0.5));
    const { floods, mostIn10Minutes, floodShare } = rate([...burst(0, 30), ...burst(100, 11), ...burst(200, 10)], 5);
    expect(floods.map(({ from, until, count }) => [(from - NOW) / MINUTE, (until - NOW) / MINUTE, count])).toEqual([
      [0, 14.5, 30],
      [100, 105, 11],
    ]);
    expect(mostIn10Minutes).toBe(20);
    expect(floodShare).toBeCloseTo((14.5 + 5) / 300, 5);
  });
  test('eleven within less than ten minutes are a flood, eleven within ten minutes are not', () => {
    const eleven = (minutes: number) => [...Array.from({ length: 10 }, (_, i) => at(i * 0.5)), at(minutes)];
    const lastMoment = 10 - 1 / MINUTE;
    expect([eleven(lastMoment), eleven(10)].map((alarms) => rate(alarms, 1).floods.length)).toEqual([1, 0]);
    expect([eleven(lastMoment), eleven(10)].map((alarms) => rate(alarms, 1).mostIn10Minutes)).toEqual([11, 10]);
  });
  test('the mean is per operator who answered; alarms open for more than a day are counted', () => {
    const answered = (minute: number, by: number) =>
      at(minute, { acknowledgedBy: by, acknowledgedAt: NOW + (minute + 2) * MINUTE });
    const told = rate([answered(1, 3), answered(20, 3), answered(40, 4), at(50), at(-2 * 24 * 60)], 1);
    expect(told).toMatchObject({
      raised: 4,
      standing: 1,
      standingShare: 0.2,
      byPriority: { 3: 4 },
      byRule: [{ rule: 'equipment', count: 4 }],
    });
    expect(told.operators).toEqual([
      { id: 3, name: 'User 3', acknowledged: 2, meanAnswer: 2 * MINUTE },
      { id: 4, name: 'User 4', acknowledged: 1, meanAnswer: 2 * MINUTE },
    ]);
    expect(told.per10Minutes).toBeCloseTo(4 / 6 / 2, 5);
    // As many each: in the order of their ids.
    expect(rate([answered(1, 9), answered(2, 4)], 1).operators.map(({ id }) => id)).toEqual([4, 9]);
  });
  test('each priority is counted for itself, in whatever order they come; the ends of the span count', () => {
    const of = (priority: 1 | 2 | 3 | 4, count: number) =>
      Array.from({ length: count }, (_, i) => at(59 - 10 * priority - i, { priority }));
    expect(rate([...of(1, 1), ...of(2, 2), ...of(3, 3), ...of(4, 4)], 1).byPriority).toEqual({
      1: 1,
      2: 2,
      3: 3,
      4: 4,
    });
    expect(rate([at(0), at(60), at(61)], 1).raised).toBe(2);
    expect(rate([at(50), at(3), at(1), at(12.9)], 1).mostIn10Minutes).toBe(2);
    expect(rate([at(0), at(10)], 1).mostIn10Minutes).toBe(1);
  });
  test('what ended stood until then, and what goes on stands until now', () => {
    const day = 24 * 60;
    const stood = (more: Partial<AlarmRecord>) => rate([at(-2 * day, more)], 1).standing;
    expect([
      stood({}),
      stood({ goneAt: NOW - day * MINUTE - 1 }),
      stood({ goneAt: NOW - day * MINUTE }),
      stood({ goneAt: NOW - day * MINUTE + 1 }),
      stood({ clearedAt: NOW - 1.5 * day * MINUTE }),
      stood({ goneAt: NOW, clearedAt: NOW - 1.5 * day * MINUTE }),
    ]).toEqual([1, 0, 0, 1, 0, 1]);
  });
  test('the rules that raised most come first, those that raised as many by their names', () => {
    const of = (name: string, count: number) => Array.from({ length: count }, (_, i) => at(i, { rule: name }));
    expect(
      rate([...of('b', 1), ...of('c', 3), ...of('a', 1)], 1).byRule.map(({ rule: name, count }) => [name, count]),
    ).toEqual([
      ['c', 3],
      ['a', 1],
      ['b', 1],
    ]);
  });
});
