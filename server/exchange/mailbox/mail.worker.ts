import { parentPort } from 'node:worker_threads';
import { Refusal } from '../../../shared/refusal.ts';
import type { MailOrder, MailResult } from './mail-thread.ts';
import { readMail } from './read-mail.ts';

const port = parentPort!;
port.on('message', async (order: MailOrder) => port.postMessage(await resultOf(order)));

async function resultOf({ source, isCut }: MailOrder): Promise<MailResult> {
  try {
    const { buffer, byteOffset, byteLength } = source;
    return { mail: await readMail(Buffer.from(buffer, byteOffset, byteLength), isCut) };
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return { refused: { code: error.code, params: error.params } };
  }
}
