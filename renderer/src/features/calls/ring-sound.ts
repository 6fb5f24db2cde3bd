import type { SoundPattern } from '../alarms/alarm-sound.ts';

/** A telephone: two short trills, then a pause. No alarm has its rhythm. */
export const RINGING: SoundPattern = {
  notes: [0, 0.1, 0.2, 0.3, 0.6, 0.7, 0.8, 0.9].map((after, at) => [at % 2 ? 660 : 587, after] as const),
  lasts: 0.09,
  every: 3,
};
