import { Refusal } from '../../../shared/refusal.ts';
import type { Reason } from '../../../shared/refusals/reason.ts';
import { WorkerQueue } from '../../platform/threads/worker-queue.ts';
import { siblingUrl } from '../../platform/threads/worker-url.ts';
import type { IncomingMail } from './read-mail.ts';

export interface MailOrder {
  readonly source: Uint8Array;
  readonly isCut: boolean;
}
export type MailResult = { readonly mail: IncomingMail } | { readonly refused: Reason };

/** ms for one mail; the largest takes a few seconds of a slow computer. */
const LIMIT = 30_000;

const thread = new WorkerQueue<MailOrder, MailResult>(siblingUrl(import.meta.url, './mail.worker'), 'The mail', LIMIT);

/** Whether no later attempt can read the mail either. */
export const isUnreadable = (error: unknown): boolean =>
  error instanceof Refusal && (error.code === 'mailbox.noMail' || error.code === 'mailbox.unreadable');

/** Reads a mail in a thread: its sender decides how long that takes. Refuses a mail that ends or stalls the thread. */
export async function readInThread(source: Uint8Array, isCut = false): Promise<IncomingMail> {
  const result = await thread.run({ source, isCut }).catch((error: unknown) => {
    if (error instanceof Refusal) throw error;
    throw new Refusal('mailbox.unreadable', {}, { cause: error });
  });
  if ('refused' in result) throw Refusal.of(result.refused);
  const { mail } = result;
  // A message between threads makes plain bytes of a Buffer.
  const files = mail.files.map(({ name, content: { buffer, byteOffset, byteLength } }) => ({
    name,
    content: Buffer.from(buffer, byteOffset, byteLength),
  }));
  return { ...mail, files };
}
