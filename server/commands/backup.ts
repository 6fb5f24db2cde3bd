import { statSync } from 'node:fs';
import { access, constants } from 'node:fs/promises';
import { userInfo } from 'node:os';
import { dirname, resolve } from 'node:path';
import { InvalidSetting } from '../config/index.ts';
import { Refusal } from '../../shared/refusal.ts';
import { backupDirectory } from '../store/index.ts';
import { dataDirectory, commandWords } from './words.ts';

const USAGE = 'Usage: waypost backup TO.zip [--without-territory] [--data DIR].';

/** `waypost backup`: works while a station runs, too. */
export async function run(words: string[]): Promise<void> {
  const { values, positionals } = commandWords(words, USAGE, { 'without-territory': { type: 'boolean' } });
  const [to] = positionals;
  if (to === undefined || positionals.length !== 1) throw new InvalidSetting(USAGE);
  const path = resolve(to);
  const folder = dirname(path);
  // Root's command runs as the user of the station, who may not write where root stands.
  await access(folder, constants.W_OK).catch((cause: NodeJS.ErrnoException) => {
    if (cause.code === 'ENOENT') throw cause;
    throw new Refusal('backup.cannotWrite', { folder, user: userInfo().username }, { cause });
  });
  const note = await backupDirectory(dataDirectory(values.data), path, {
    territory: values['without-territory'] !== true,
    progress: (what) => console.error(`  ${what}`),
  });
  console.log(
    `${path}: station ${note.station.id} as it was at ${note.madeAt}, ${(statSync(path).size / 1e6).toFixed(1)} MB.`,
  );
}
