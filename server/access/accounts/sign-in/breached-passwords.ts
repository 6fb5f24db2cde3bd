import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { BREACHED_PASSWORDS } from '../../../platform/program.ts';

const unzip = promisify(gunzip);

/**
 * Whether the password is one of those that are common in published breaches, without regard to case. The list is
 * read each time: passwords are set seldom, and it would stay in memory.
 */
export async function isBreached(password: string): Promise<boolean> {
  const plain = password.normalize('NFKC').toLowerCase();
  if (plain.includes('\n')) return false;
  const lines = await unzip(await readFile(BREACHED_PASSWORDS));
  return lines.includes(`\n${plain}\n`);
}
