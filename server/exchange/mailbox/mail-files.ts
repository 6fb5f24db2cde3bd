import { Readable } from 'node:stream';
import { Refusal } from '../../../shared/refusal.ts';
import type { AttachOrder, Files } from '../../dispatch/files/index.ts';
import type { IncomingMail } from './read-mail.ts';

/** Files of one mail that are attached. */
const MOST_FILES = 20;
const LONGEST_NAME = 200;

/**
 * Stores the files of a mail as uploads, which a task can take. Those beyond the limits are left in the mailbox.
 * @returns `left`: the names of those
 */
export async function keepFiles(
  files: Files,
  { files: found }: IncomingMail,
  userId: number,
): Promise<{ orders: AttachOrder[]; left: string[] }> {
  const orders: AttachOrder[] = [];
  const left = found.slice(MOST_FILES).map(({ name }) => name);
  for (const { name, content } of found.slice(0, MOST_FILES)) {
    try {
      const short = [...name].slice(-LONGEST_NAME).join('');
      const upload = await files.receive(Readable.from([content]), { name: short, userId });
      const isBroken = upload.family === 'photo' && !(await files.look(upload.sha256));
      orders.push({ kind: isBroken ? 'file' : upload.family, uuid: upload.uuid });
    } catch (error) {
      // A full disk is no fault of the file: the mail must wait.
      if (!(error instanceof Refusal) || error.kind !== 'too-large') throw error;
      left.push(name);
    }
  }
  return { orders, left };
}
