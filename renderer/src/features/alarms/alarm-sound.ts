import type { AlarmPriority } from '../../../../shared/records/index.ts';

/** One note: hertz, and seconds after the beginning of its pattern. */
export type SoundNote = readonly [hertz: number, after: number];

export interface SoundPattern {
  readonly notes: readonly SoundNote[];
  /** Seconds that a note lasts. */
  readonly lasts: number;
  /** Seconds after which the pattern begins again. */
  readonly every: number;
}

/**
 * The sound of each priority, distinct in rhythm as well as pitch, for people with impaired hearing. An
 * emergency rises and falls without a pause, an alarm sounds three times, a warning twice and low. A caution
 * is silent.
 */
export const PATTERNS: Readonly<Record<1 | 2 | 3, SoundPattern>> = {
  1: {
    notes: [
      [960, 0],
      [770, 0.25],
      [960, 0.5],
      [770, 0.75],
    ],
    lasts: 0.24,
    every: 1,
  },
  2: {
    notes: [
      [880, 0],
      [880, 0.22],
      [880, 0.44],
    ],
    lasts: 0.14,
    every: 2,
  },
  3: {
    notes: [
      [523, 0],
      [440, 0.3],
    ],
    lasts: 0.22,
    every: 5,
  },
};

/** Repeats the pattern of one priority until it gets another one or none. */
export class AlarmSounder {
  private readonly repeated = new RepeatedSound();

  sound(priority: AlarmPriority | undefined): void {
    this.repeated.sound(priority === undefined || priority === 4 ? undefined : PATTERNS[priority]);
  }
}

/** Repeats one pattern until it gets another one or none. */
export class RepeatedSound {
  private context: AudioContext | undefined;
  private timer: ReturnType<typeof setInterval> | undefined;
  private current: SoundPattern | undefined;

  sound(pattern: SoundPattern | undefined): void {
    if (pattern === this.current) return;
    this.current = pattern;
    clearInterval(this.timer);
    if (!pattern) return;
    this.play(pattern);
    this.timer = setInterval(() => this.play(pattern), pattern.every * 1_000);
  }

  private play({ notes, lasts }: SoundPattern): void {
    try {
      this.context ??= new AudioContext();
    } catch {
      return; // no sound device: the mark flashes
    }
    void this.context.resume();
    for (const [hertz, after] of notes) {
      const start = this.context.currentTime + after;
      const gain = this.context.createGain();
      gain.gain.setValueAtTime(0, start);
      gain.gain.linearRampToValueAtTime(0.14, start + 0.015);
      gain.gain.setValueAtTime(0.14, start + lasts - 0.03);
      gain.gain.linearRampToValueAtTime(0, start + lasts);
      gain.connect(this.context.destination);
      const oscillator = this.context.createOscillator();
      oscillator.type = 'triangle';
      oscillator.frequency.value = hertz;
      oscillator.connect(gain);
      oscillator.start(start);
      oscillator.stop(start + lasts);
    }
  }
}
