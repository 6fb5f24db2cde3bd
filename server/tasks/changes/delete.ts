import { administers, mayDo, type Actor } from '../../../shared/access.ts';
import type { Message, StateRule } from '../../../shared/records/index.ts';
import { Refusal } from '../../../shared/refusal.ts';

/** Deletes logically: the message is hidden, and all that belongs to it is kept. */
export function markDeleted(message: Message, now: number): Message {
  return message.isDeleted ? message : { ...message, isDeleted: true, updatedAt: Math.max(now, message.updatedAt) };
}

export function restore(message: Message, now: number): Message {
  if (!message.isDeleted) throw new Refusal('invalid', `“${message.title}” is not deleted.`);
  return { ...message, isDeleted: false, updatedAt: Math.max(now, message.updatedAt) };
}

/** What is deleted can be restored, and nothing else. */
export function demandPresent({ id, isDeleted }: Message): void {
  if (isDeleted) throw new Refusal('not-found', `There is no message ${id}.`);
}

/** A deleted message is seen only by those who could restore it. */
export function demandSeen(actor: Actor, message: Message, rules: readonly StateRule[]): void {
  const seen = message.isDeleted ? administers(actor, message.departmentId) : mayDo(actor, 'view', message, rules);
  if (!seen) throw new Refusal('not-found', `There is no message ${message.id}.`);
}
