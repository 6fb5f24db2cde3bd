import type { AlarmPriority } from '../../../../shared/records/index.ts';
import type { Look } from '../../ui/design/tones.ts';

/** Emergency, alarm, warning, caution: each has a shape of its own. Red are the two that may not wait. */
export const ALARM_LOOKS: Readonly<Record<AlarmPriority, Look>> = {
  1: { tone: 'alarm', shape: 'octagon', filled: true },
  2: { tone: 'alarm', shape: 'diamond', filled: true },
  3: { tone: 'abnormal', shape: 'triangle', filled: true },
  4: { tone: 'abnormal', shape: 'circle', filled: false },
};
export const PRIORITIES = [1, 2, 3, 4] as const;
