import { expect, test } from 'vitest';
import {
  THRESHOLD_NAMES,
  thresholdRange,
  thresholdText,
  thresholdValue,
} from '../../../../../renderer/src/features/events/thresholds.ts';
import { DEFAULT_EVENT_SETTINGS, EventSettings } from '../../../../../shared/records/index.ts';

test('every threshold that the station knows stands on the page, once', () => {
  expect([...THRESHOLD_NAMES].sort()).toEqual(Object.keys(EventSettings.shape).sort());
});

test('what is shown reads back as the same value, in both languages, also at the ends of its range', () => {
  for (const name of THRESHOLD_NAMES) {
    const { least, most } = thresholdRange(name);
    for (const value of [DEFAULT_EVENT_SETTINGS[name], least, most]) {
      for (const language of ['en', 'ru'])
        expect([name, thresholdValue(name, thresholdText(name, value, language))]).toEqual([name, value]);
      expect(EventSettings.shape[name].safeParse(value).success).toBe(true);
    }
    expect(
      EventSettings.shape[name].safeParse(least - 1).success || EventSettings.shape[name].safeParse(most + 1).success,
    ).toBe(false);
  }
});

test('fractions begin with a point or a comma; durations are whole milliseconds, shares have no tail of digits', () => {
  expect(thresholdText('stopAfter', 90_000, 'ru')).toBe('1,5');
  expect([thresholdValue('stopAfter', '1,5'), thresholdValue('stopAfter', ' 1.5 ')]).toEqual([90_000, 90_000]);
  expect(thresholdValue('lostAfter', '0.00001')).toBe(1);
  expect(thresholdValue('fuelShare', '8.1')).toBe(0.081);
  expect(['', 'soon', '1 h'].map((text) => thresholdValue('stopAfter', text))).toEqual([NaN, NaN, NaN]);
});
