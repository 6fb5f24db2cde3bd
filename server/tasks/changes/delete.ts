import { administers, mayDo, type Actor } from '../../../shared/access.ts';
import type { Message, StateRule } from '../../../shared/records/index.ts';
import { Refusal } from '../../../shared/refusal.ts';

/** Deletes logically: the message is hidden, and all that belongs to it is kept. */
export function withdraw(message: Message, now: number): Message {
  return message.withdrawn ? message : { ...message, withdrawn: true, updatedAt: Math.max(now, message.updatedAt) };
}

export function restore(message: Message, now: number): Message {
  if (!message.withdrawn) throw new Refusal('invalid', `“${message.title}” is not deleted.`);
  return { ...message, withdrawn: false, updatedAt: Math.max(now, message.updatedAt) };
}

/** What is deleted can be restored, and nothing else. */
export function demandPresent({ id, withdrawn }: Message): void {
  if (withdrawn) throw new Refusal('not-found', `There is no message ${id}.`);
}

/** A deleted message is seen only by those who could restore it. */
export function demandSeen(actor: Actor, message: Message, rules: readonly StateRule[]): void {
  const seen = message.withdrawn ? administers(actor, message.departmentId) : mayDo(actor, 'view', message, rules);
  if (!seen) throw new Refusal('not-found', `There is no message ${message.id}.`);
}
