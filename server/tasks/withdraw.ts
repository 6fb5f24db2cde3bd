import type { Message } from '../../shared/records/index.ts';
import { Refusal } from '../../shared/refusal.ts';

/** Deletes logically: the message is hidden, and all that belongs to it is kept. */
export function withdraw(message: Message, now: number): Message {
  return message.withdrawn ? message : { ...message, withdrawn: true, updatedAt: Math.max(now, message.updatedAt) };
}

export function restore(message: Message, now: number): Message {
  if (!message.withdrawn) throw new Refusal('invalid', `“${message.title}” is not deleted.`);
  return { ...message, withdrawn: false, updatedAt: Math.max(now, message.updatedAt) };
}
