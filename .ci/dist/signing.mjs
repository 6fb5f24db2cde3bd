// Signatures come from the environment: no key is in the repository, and a build without one says so.
import { spawnSync } from 'node:child_process';
import { createPrivateKey, sign } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';

/**
 * Runs `WAYPOST_SIGN`, a command that gets the file as its last word and signs it in place or beside it (`gpg
 * --detach-sign`, `signtool sign …`). Returns what a person should know.
 */
export function signFile(file) {
  const command = process.env.WAYPOST_SIGN;
  if (!command) return 'NOT SIGNED (WAYPOST_SIGN names no command)';
  const done = spawnSync(`${command} "${file}"`, { shell: true, stdio: ['ignore', 'inherit', 'inherit'] });
  if (done.status !== 0) throw new Error(`WAYPOST_SIGN failed for ${file}.`);
  return 'signed by WAYPOST_SIGN';
}

/**
 * Writes `FILE.sig` with the Ed25519 key in the PEM file `WAYPOST_UPDATE_KEY`, for stations that look for updates.
 * Returns whether there is a key.
 */
export function signUpdate(file) {
  const key = process.env.WAYPOST_UPDATE_KEY;
  if (!key) return false;
  const signature = sign(null, readFileSync(file), createPrivateKey(readFileSync(key)));
  writeFileSync(`${file}.sig`, `${signature.toString('base64')}\n`);
  return true;
}
