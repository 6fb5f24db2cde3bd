import { access, constants } from 'node:fs/promises';
import { userInfo } from 'node:os';
import { resolve } from 'node:path';
import { Refusal } from '../../shared/refusal.ts';

/**
 * Refuses with a reason if a file that a command names is missing or unreadable. Root's command runs as the
 * user of the station, who may not read root's files.
 */
export async function requireReadable(files: readonly string[]): Promise<void> {
  for (const file of files.map((each) => resolve(each)))
    await access(file, constants.R_OK).catch((cause: NodeJS.ErrnoException) => {
      if (cause.code === 'ENOENT' || cause.code === 'ENOTDIR')
        throw new Refusal('commands.noFile', { file }, { cause });
      throw new Refusal('commands.mayNotRead', { file, user: userInfo().username }, { cause });
    });
}
