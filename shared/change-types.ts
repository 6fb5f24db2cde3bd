/** Changes that a program can follow: webhooks, and `GET /changes`. */
export const CHANGE_TYPES = [
  'task.created',
  'task.changed',
  'task.deleted',
  'unit.changed',
  'comment.created',
  'alarm.raised',
  'alarm.changed',
  'event.created',
  'event.changed',
  'event.deleted',
  'closure.created',
  'closure.changed',
  'closure.deleted',
] as const;
export type ChangeType = (typeof CHANGE_TYPES)[number];
