import type { Urgency } from '../../lib/tasks/urgency.ts';

/**
 * Meanings of colours, here and everywhere: see tokens.css. `alarm` is red and means an emergency, nothing
 * else.
 */
export const TONES = ['action', 'normal', 'abnormal', 'busy', 'scene', 'quiet', 'alarm'] as const;
export type Tone = (typeof TONES)[number];

/**
 * Shapes that tell states apart without colour; drawn by StatusMark and by the map alike, in a 20-unit
 * square.
 */
export const SHAPES = {
  diamond: 'M10 2l8 8-8 8-8-8z',
  circle: 'M10 2.5a7.5 7.5 0 1 1 0 15 7.5 7.5 0 0 1 0-15z',
  square: 'M3.5 3.5h13v13h-13z',
  triangle: 'M10 2.5L18.5 17h-17z',
  octagon: 'M6.5 2h7L18 6.5v7L13.5 18h-7L2 13.5v-7z',
  hexagon: 'M10 1.8l7.2 4.1v8.2L10 18.2l-7.2-4.1V5.9z',
  chevron: 'M3 3.5l14 6.5-14 6.5 3.5-6.5z',
  cross: 'M4 4l12 12M16 4L4 16',
  check: 'M3.5 10.5l4.5 4.5 8.5-10',
} as const;
export type SymbolShape = keyof typeof SHAPES;

/** `filled` shapes are states that need attention or are active; outlined ones are idle. */
export interface Look {
  readonly tone: Tone;
  readonly shape: SymbolShape;
  readonly filled: boolean;
}

/** Statuses of a task: 1 new, 2 assigned, 3 feedback, 4 done. */
export const TASK_LOOKS: Readonly<Record<number, Look>> = {
  1: { tone: 'action', shape: 'diamond', filled: true },
  2: { tone: 'busy', shape: 'chevron', filled: true },
  3: { tone: 'action', shape: 'square', filled: false },
  4: { tone: 'quiet', shape: 'check', filled: false },
};
export const EMERGENCY_LOOK: Look = { tone: 'alarm', shape: 'octagon', filled: true };
/** Red only while an emergency is unassigned. */
export function taskLook({ status }: { readonly status: number }, { level }: Urgency): Look {
  return level === 'emergency' ? EMERGENCY_LOOK : TASK_LOOKS[status]!;
}

export const OVERDUE_LOOK: Look = { tone: 'abnormal', shape: 'triangle', filled: true };

/**
 * Unit status digits of radio traffic: 0 emergency call, 1 free, 2 at base, 3 en route, 4 on scene, 5 request
 * to speak, 6 out of service, 7 patient loaded, 8 at hospital, 9 acknowledged.
 */
export const UNIT_LOOKS: Readonly<Record<number, Look>> = {
  0: { tone: 'alarm', shape: 'octagon', filled: true },
  1: { tone: 'normal', shape: 'circle', filled: true },
  2: { tone: 'normal', shape: 'square', filled: false },
  3: { tone: 'busy', shape: 'chevron', filled: true },
  4: { tone: 'scene', shape: 'hexagon', filled: true },
  5: { tone: 'abnormal', shape: 'triangle', filled: true },
  6: { tone: 'quiet', shape: 'cross', filled: false },
  7: { tone: 'scene', shape: 'chevron', filled: true },
  8: { tone: 'scene', shape: 'square', filled: true },
  9: { tone: 'busy', shape: 'check', filled: false },
};
export const UNKNOWN_UNIT_LOOK: Look = { tone: 'quiet', shape: 'circle', filled: false };

export function unitLook(status: number | undefined): Look {
  return (status === undefined ? undefined : UNIT_LOOKS[status]) ?? UNKNOWN_UNIT_LOOK;
}
