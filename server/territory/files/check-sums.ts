import { closeSync, openSync, readFileSync, readSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { TERRITORY_FILES } from '../types.ts';

/** bytes read at once */
const PIECE = 2 ** 20;

/**
 * CRC-32 (ISO 3309) by file name. It detects accidental damage only: an attacker who can write files here can
 * write this one, too.
 */
type CheckSums = Readonly<Record<string, number>>;

/** Writes the check sums of all files in a directory. Reads all of them, so call it only in a thread. */
export function writeCheckSums(directory: string): void {
  const sums: CheckSums = Object.fromEntries(
    readdirSync(directory).map((name) => [name, sumOf(join(directory, name))]),
  );
  writeFileSync(join(directory, TERRITORY_FILES.sums), `${JSON.stringify(sums, null, 2)}\n`);
}

/**
 * The files that differ from what was written; undefined for a territory without check sums. Reads all of
 * them.
 */
export function damagedFiles(directory: string): string[] | undefined {
  let sums: CheckSums;
  try {
    sums = JSON.parse(readFileSync(join(directory, TERRITORY_FILES.sums), 'utf8')) as CheckSums;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    return [TERRITORY_FILES.sums];
  }
  return Object.entries(sums)
    .filter(([name, sum]) => !stillHas(join(directory, name), sum))
    .map(([name]) => name);
}

/** An unreadable file counts as damaged. */
function stillHas(path: string, sum: number): boolean {
  try {
    return sumOf(path) === sum;
  } catch {
    return false;
  }
}

function sumOf(path: string): number {
  const file = openSync(path, 'r');
  try {
    const piece = new Uint8Array(PIECE);
    let sum = 0;
    for (let length; (length = readSync(file, piece)) > 0;) sum = crc32(piece.subarray(0, length), sum);
    return sum;
  } finally {
    closeSync(file);
  }
}
