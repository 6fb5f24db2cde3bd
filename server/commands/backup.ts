import { statSync } from 'node:fs';
import { access, constants } from 'node:fs/promises';
import { userInfo } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { appendEntry, COMMAND, hasAuditTable } from '../access/audit/index.ts';
import { InvalidSetting } from '../config/index.ts';
import { Refusal } from '../../shared/refusal.ts';
import { backupDirectory, lockDirectory } from '../store/index.ts';
import { controlClient } from './link.ts';
import { dataDirectoryOf, commandWords } from './words.ts';

const USAGE = 'Usage: waypost backup TO.zip [--without-territory] [--data DIR].';

/** `waypost backup`: works while a station runs, too. */
export async function run(words: string[]): Promise<void> {
  const { values, positionals } = commandWords(words, USAGE, { 'without-territory': { type: 'boolean' } });
  const [to] = positionals;
  if (to === undefined || positionals.length !== 1) throw new InvalidSetting(USAGE);
  const path = resolve(to);
  const folder = dirname(path);
  // Root's command runs as the user of the station, who may not write to root's folders.
  await access(folder, constants.W_OK).catch((cause: NodeJS.ErrnoException) => {
    if (cause.code === 'ENOENT') throw cause;
    throw new Refusal('backup.cannotWrite', { folder, user: userInfo().username }, { cause });
  });
  const note = await backupDirectory(dataDirectoryOf(values.data), path, {
    territory: values['without-territory'] !== true,
    progress: (what) => console.error(`  ${what}`),
  });
  await recordBackup(dataDirectoryOf(values.data), {
    file: path,
    territory: values['without-territory'] !== true,
  }).catch((error: unknown) => console.error(`The audit trail does not name this backup. ${(error as Error).message}`));
  console.log(
    `${path}: station ${note.station.id} as it was at ${note.madeAt}, ${(statSync(path).size / 1e6).toFixed(1)} MB.`,
  );
}

interface Copy {
  readonly file: string;
  readonly territory: boolean;
}

/** Adds an entry to the audit trail: through the station that runs, else in its database. */
async function recordBackup(data: string, copy: Copy): Promise<void> {
  let unlock;
  try {
    unlock = lockDirectory(data);
  } catch (error) {
    if (error instanceof Refusal && error.kind === 'busy')
      return void (await controlClient(data)('POST', '/backups/copies', copy));
    throw error;
  }
  try {
    const sql = new DatabaseSync(join(data, 'station.db'), { timeout: 5000 });
    try {
      // A trail begins when the station first starts with a program that keeps one.
      if (!hasAuditTable(sql)) return;
      sql.exec('PRAGMA synchronous = FULL; BEGIN IMMEDIATE');
      const entry = { kind: 'backup', action: 'done', subject: { name: copy.file }, by: COMMAND } as const;
      appendEntry(sql, { ...entry, details: { ...copy } }, Date.now());
      sql.exec('COMMIT');
    } finally {
      sql.close();
    }
  } finally {
    unlock();
  }
}
