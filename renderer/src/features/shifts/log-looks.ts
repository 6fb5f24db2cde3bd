import type { LogBookLine } from './use-log-book.ts';
import type { IconName } from '../../ui/design/icons.ts';
import { TASK_LOOKS, UNIT_LOOKS, type Look } from '../../ui/design/tones.ts';

type LineKind = LogBookLine['kind'];

/** A line about a unit or a task has the mark of the state that it came to. */
export const LINE_LOOKS: Readonly<Partial<Record<LineKind, Look>>> = {
  'task-taken': TASK_LOOKS[1]!,
  'unit-sent': UNIT_LOOKS[3]!,
  'unit-on-scene': UNIT_LOOKS[4]!,
  'unit-clear': UNIT_LOOKS[1]!,
  'task-closed': TASK_LOOKS[4]!,
};
export const LINE_ICONS: Readonly<Partial<Record<LineKind, IconName>>> = {
  'alarm': 'bell',
  'alarm-answered': 'bell',
  'closure-begun': 'road',
  'closure-ended': 'road',
  'shift-begun': 'shift',
  'shift-ended': 'shift',
  'shift-taken-over': 'shift',
  'duty-begun': 'user',
  'duty-ended': 'user',
  'crew-missing': 'warning',
  'entry': 'pencil',
};
