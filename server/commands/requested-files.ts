import { access, constants } from 'node:fs/promises';
import { userInfo } from 'node:os';
import { resolve } from 'node:path';
import { Refusal } from '../../shared/refusal.ts';

/**
 * Refuses in words when one of the files that a command names is not there or may not be read. Root's command runs as
 * the user of the station, who may not read what lies with root.
 */
export async function requireReadable(files: readonly string[]): Promise<void> {
  for (const file of files.map((each) => resolve(each)))
    await access(file, constants.R_OK).catch((cause: NodeJS.ErrnoException) => {
      if (cause.code === 'ENOENT' || cause.code === 'ENOTDIR')
        throw new Refusal('commands.noFile', { file }, { cause });
      throw new Refusal('commands.mayNotRead', { file, user: userInfo().username }, { cause });
    });
}
