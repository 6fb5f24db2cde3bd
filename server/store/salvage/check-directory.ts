import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { databasesIn, filesIn, tracksSetAside } from '../backup/parts.ts';
import { databaseProblems } from '../integrity/diagnosis.ts';

/** Something that is damaged, and the way out. */
export interface Damage {
  /** Within the data directory. */
  readonly file: string;
  readonly problems: readonly string[];
}

/** Uploads are named by their SHA-256. */
const UPLOAD = /^[0-9a-f]{2}\/([0-9a-f]{64})$/;

/**
 * Looks for damage in a data directory, also while a station runs on it: reads all of every database and every
 * upload. Changes nothing.
 */
export async function checkDirectory(
  directory: string,
  progress: (what: string) => void = () => undefined,
): Promise<Damage[]> {
  const found: Damage[] = [];
  for (const name of await databasesIn(directory)) {
    progress(name);
    const problems = name === 'station.db' ? databaseProblems(join(directory, name)) : pagesOf(join(directory, name));
    if (problems.length > 0) found.push({ file: name, problems });
  }
  for (const name of await tracksSetAside(directory))
    if (!name.endsWith('-wal'))
      found.push({ file: name, problems: ['Tracks that were set aside because they are damaged.'] });
  progress('files');
  for (const file of await damagedUploads(directory))
    found.push({ file, problems: ['Its content is not the one that was stored.'] });
  return found;
}

/** Uploads whose content does not match their name, as paths within the data directory. */
export async function damagedUploads(directory: string): Promise<string[]> {
  const damaged: string[] = [];
  for (const path of await filesIn(join(directory, 'files'))) {
    const sha256 = UPLOAD.exec(path)?.[1];
    if (sha256 === undefined) continue;
    if ((await sumOf(join(directory, 'files', path))) !== sha256) damaged.push(`files/${path}`);
  }
  return damaged;
}

/** Findings of SQLite in the pages of a database, tables and indexes. */
export function pagesOf(path: string): string[] {
  try {
    const sql = new DatabaseSync(path, { readOnly: true, timeout: 5000 });
    try {
      return (sql.prepare('PRAGMA integrity_check(20)').all() as { integrity_check: string }[])
        .map((row) => row.integrity_check)
        .filter((text) => text !== 'ok');
    } finally {
      sql.close();
    }
  } catch (error) {
    return [(error as Error).message];
  }
}

/** Undefined: it cannot be read. */
async function sumOf(path: string): Promise<string | undefined> {
  const hash = createHash('sha256');
  try {
    for await (const chunk of createReadStream(path)) hash.update(chunk as Buffer);
    return hash.digest('hex');
  } catch {
    return undefined;
  }
}
