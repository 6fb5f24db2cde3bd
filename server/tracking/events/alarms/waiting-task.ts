import type { AlarmPriority, Task } from '../../../../shared/records/index.ts';
import type { Cause, RaisedRule } from './life-cycle.ts';

/** A scheduled task entered the queue, and then the levels that a task rises to while nobody is sent. */
export const WAITING_RULES = ['scheduled-task', 'nobody-sent-1', 'nobody-sent-2'] as const;

const NAMES = [
  { en: 'Scheduled task begins', ru: 'Наступило время задачи' },
  { en: 'Nobody was sent in time', ru: 'Никто не послан в срок' },
  { en: 'Still nobody was sent', ru: 'По-прежнему никто не послан' },
] as const;
const RESPONSES = [
  { en: 'Send the units that it needs.', ru: 'Пошлите нужные машины.' },
  {
    en: 'Send somebody now, or acknowledge it if it can wait.',
    ru: 'Пошлите кого-нибудь сейчас или подтвердите, если задача может подождать.',
  },
  {
    en: 'Take a unit from a task that can wait, or ask a neighbour for one.',
    ru: 'Снимите машину с задачи, которая может подождать, или попросите соседей.',
  },
] as const;

/** @param level 0: it entered the queue */
export function ruleOfWaiting(level: number, taskPriority: AlarmPriority): RaisedRule {
  // The last level of an emergency is an emergency alarm; each level is one more severe.
  const priority = Math.min(4, Math.max(1, taskPriority + 2 - level)) as AlarmPriority;
  return { id: WAITING_RULES[level]!, priority, name: NAMES[level]!, response: RESPONSES[level]! };
}

export function situationOfWaiting(level: number, taskId: number): string {
  return `${WAITING_RULES[level]!}|message:${taskId}|`;
}

export function causeOfWaiting(task: Task, level: number, since: number): Cause {
  return {
    situation: situationOfWaiting(level, task.id),
    organizationId: task.organizationId,
    eventId: 0,
    eventType: 0,
    taskId: task.id,
    vehicleId: 0,
    info: task.title,
    place: task.point && { lat: task.point.lat, lon: task.point.lon },
    since,
    until: 0,
  };
}
