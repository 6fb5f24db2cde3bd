import { readdirSync, writeFileSync } from 'node:fs';
import { open, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { TERRITORY_FILES } from '../types.ts';

/** Bytes read at once: their sum takes the event loop a tenth of a millisecond. */
const PIECE = 2 ** 18;

/**
 * CRC-32 (ISO 3309) by file name. It detects accidental damage only: an attacker who can write files here can
 * write this one, too.
 */
type CheckSums = Readonly<Record<string, number>>;

/** Writes the check sums of all files in a directory. */
export async function writeCheckSums(directory: string): Promise<void> {
  const sums: Record<string, number> = {};
  for (const name of readdirSync(directory)) sums[name] = await sumOf(join(directory, name));
  writeFileSync(join(directory, TERRITORY_FILES.sums), `${JSON.stringify(sums, null, 2)}\n`);
}

/**
 * The files whose content has changed since they were written; undefined for a territory without check sums.
 * Reads all of them, in small pieces: it needs no thread.
 */
export async function damagedFiles(directory: string, signal?: AbortSignal): Promise<string[] | undefined> {
  let sums: CheckSums;
  try {
    sums = JSON.parse(await readFile(join(directory, TERRITORY_FILES.sums), 'utf8')) as CheckSums;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    return [TERRITORY_FILES.sums];
  }
  const damaged: string[] = [];
  for (const [name, sum] of Object.entries(sums)) {
    // An unreadable file counts as damaged.
    const found = await sumOf(join(directory, name), signal).catch(() => undefined);
    signal?.throwIfAborted();
    if (found !== sum) damaged.push(name);
  }
  return damaged;
}

async function sumOf(path: string, signal?: AbortSignal): Promise<number> {
  const file = await open(path, 'r');
  try {
    const piece = new Uint8Array(PIECE);
    let sum = 0;
    for (let length; (length = (await file.read(piece)).bytesRead) > 0; signal?.throwIfAborted())
      sum = crc32(piece.subarray(0, length), sum);
    return sum;
  } finally {
    await file.close();
  }
}
