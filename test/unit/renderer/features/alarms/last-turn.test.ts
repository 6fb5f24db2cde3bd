import { expect, test } from 'vitest';
import { lastTurn } from '../../../../../renderer/src/features/alarms/last-turn.ts';
import { alarmState, sounds } from '../../../../../shared/events/alarms.ts';
import type { AlarmRecord } from '../../../../../shared/records/index.ts';
import { Chance } from '../../../../support/chance.ts';

test('alarms judged by their last turn are in the state that they have now', () => {
  const chance = new Chance(5);
  const instant = () => (chance.maybe(0.4) ? 0 : 1_000 + chance.int(60));
  for (let round = 0; round < 60; round++) {
    const alarms = Array.from(
      { length: 1 + chance.int(6) },
      () =>
        ({
          priority: 1 + chance.int(4),
          goneAt: instant(),
          clearedAt: chance.maybe(0.1) ? instant() : 0,
          acknowledgedAt: instant(),
          shelvedUntil: instant(),
          silencedUntil: instant(),
        }) as AlarmRecord,
    );
    for (let now = 990; now < 1_070; now++) {
      const turn = lastTurn(alarms, now);
      expect(turn).toBeLessThanOrEqual(now);
      for (const alarm of alarms)
        expect([alarmState(alarm, turn), sounds(alarm, turn)]).toEqual([alarmState(alarm, now), sounds(alarm, now)]);
    }
  }
});
