import { mkdirSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { checkpointWal } from '../../platform/disk/checkpoint-wal.ts';
import { setDamagedMonthsAside } from './months/damaged-months.ts';
import { monthSetAside } from './writing/month-keeper.ts';
import { fileOf } from './months/months.ts';
import { setDamagedTracksAside } from './tracks/damaged-tracks.ts';
import { adoptMonths, openTracks, tracksFile } from './tracks/schema.ts';

interface PrepareOptions {
  readonly directory: string;
  now(): number;
  log?(level: 'WARN' | 'ERROR', message: string): void;
}

/** Brings the files of tracks in order before anything reads or writes them: damage, leftovers, tables, months. */
export function prepareTracks(options: PrepareOptions): void {
  const { directory, now, log } = options;
  mkdirSync(directory, { recursive: true });
  const aside = setDamagedTracksAside(directory, now());
  if (aside) {
    const { reason, name } = aside;
    log?.('ERROR', `tracks.db is damaged (${reason}). It was set aside as ${name}, and positions go on in a new one.`);
  }
  const file = tracksFile(directory);
  checkpointLeftovers(file, log);
  const db = openTracks(file);
  try {
    for (const month of setDamagedMonthsAside(db, file, now())) log?.('ERROR', monthSetAside(month));
    for (const month of adoptMonths(db, file))
      log?.('ERROR', `The positions of a month are not there: ${fileOf(month)} is missing.`);
    shrink(db);
  } finally {
    db.close();
  }
}

/** Leftovers in the log would count as duplicates when sent again, so they must be on disk first. */
function checkpointLeftovers(file: string, log: PrepareOptions['log']): void {
  const db = new DatabaseSync(file, { timeout: 5000 });
  try {
    db.exec('PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL');
    checkpointWal(db);
  } catch (error) {
    log?.(
      'ERROR',
      `What the last run left in the log of tracks.db could not be moved into it (${(error as Error).message}). If the disk failed then, a power failure may yet lose it.`,
    );
  } finally {
    db.close();
  }
}

/** Free bytes worth an effort at a start, and bytes in use that are copied for it in about a second. */
const [MUCH_FREE, LITTLE_USED] = [256_000_000, 128_000_000];

/** After positions of years moved into their months, `tracks.db` is large and empty. */
function shrink(db: DatabaseSync): void {
  const number = (pragma: string) => Number(Object.values(db.prepare(`PRAGMA ${pragma}`).get()!)[0]);
  const [size, free, pages] = [number('page_size'), number('freelist_count'), number('page_count')];
  if (free * size < MUCH_FREE || (pages - free) * size > LITTLE_USED) return;
  db.exec('VACUUM; PRAGMA wal_checkpoint(TRUNCATE)');
}
