import { afterEach, expect, test, vi } from 'vitest';
import { AlarmSounder, PATTERNS } from '../../../../../renderer/src/features/alarms/alarm-sound.ts';
import { ALARM_LOOKS } from '../../../../../renderer/src/features/alarms/alarm-looks.ts';

afterEach(() => vi.unstubAllGlobals());

test('priorities are distinguished by rhythm and by shape, not by colour or pitch alone', () => {
  const rhythms = Object.values(PATTERNS).map(({ notes, every }) => `${notes.length} ${every}`);
  expect(new Set(rhythms).size).toBe(rhythms.length);
  expect(new Set(Object.values(ALARM_LOOKS).map(({ shape }) => shape)).size).toBe(4);
  // a pattern is over before it begins again
  for (const { notes, lasts, every } of Object.values(PATTERNS))
    expect(notes.at(-1)![1] + lasts).toBeLessThanOrEqual(every);
});

test('an alarm sounds repeatedly until it is gone, and a graver one replaces it', () => {
  vi.useFakeTimers();
  const started: number[] = [];
  const gain = { setValueAtTime: () => {}, linearRampToValueAtTime: () => {} };
  const node = { connect: () => {}, gain };
  class Audio {
    currentTime = 0;
    destination = {};
    resume = () => Promise.resolve();
    createGain = () => node;
    createOscillator = () => ({
      frequency: { value: 0 },
      connect: () => {},
      start: (at: number) => started.push(at),
      stop: () => {},
      type: '',
    });
  }
  vi.stubGlobal('AudioContext', Audio);
  const sounder = new AlarmSounder();
  const beats = () => started.splice(0).length;
  sounder.sound(3);
  expect(beats()).toBe(2);
  vi.advanceTimersByTime(PATTERNS[3].every * 1_000);
  expect(beats()).toBe(2);
  sounder.sound(1);
  expect(beats()).toBe(4);
  vi.advanceTimersByTime(2_000);
  expect(beats()).toBe(8);
  sounder.sound(undefined);
  vi.advanceTimersByTime(60_000);
  expect(beats()).toBe(0);
  sounder.sound(4); // a caution is seen and not heard
  expect(beats()).toBe(0);
  vi.useRealTimers();
});
