import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { armor, Decrypter, Encrypter, generateX25519Identity, identityToRecipient } from 'age-encryption';
import { Refusal } from '../../../shared/refusal.ts';
import { writeWhole } from './write-whole.ts';

/** The key that encrypts the files of a repository. Its id is in their names. */
export interface SealingKey {
  readonly id: string;
  readonly recipient: string;
  readonly identity: string;
}

/** log2 of scrypt's N: 128 MB and about a second for each guess (OWASP's advice for scrypt). */
const WORK_FACTOR = 17;

/**
 * The key of a repository that this passphrase opens, or a new one. Keys are in `keys/`, as age files under
 * the passphrase. A changed passphrase starts a key of its own, and older backups keep theirs.
 */
export async function keyFor(repository: string, passphrase: string, workFactor = WORK_FACTOR): Promise<SealingKey> {
  for (const name of await keyNames(repository)) {
    // A damaged key opens nothing; the backups that need it say so.
    const key = await tryKey(join(repository, 'keys', name), passphrase).catch(() => undefined);
    if (key) return key;
  }
  const identity = await generateX25519Identity();
  const key = await keyOf(identity);
  const encrypter = new Encrypter();
  encrypter.setPassphrase(passphrase);
  encrypter.setScryptWorkFactor(workFactor);
  const sealed = armor.encode(await encrypter.encrypt(`${identity}\n`));
  await writeWhole(join(repository, 'keys', `${key.id}.age`), sealed);
  return key;
}

/** Opens the key of some backups. Throws a Refusal when the passphrase is missing or wrong. */
export async function openKey(repository: string, id: string, passphrase: string | undefined): Promise<SealingKey> {
  if (passphrase === undefined) throw new Refusal('backup.passphraseNeeded', { file: repository });
  const path = join(repository, 'keys', `${id}.age`);
  const key = await tryKey(path, passphrase).catch((error: unknown) => {
    throw new Refusal('backup.keyUnreadable', { file: path }, { cause: error });
  });
  if (key?.id !== id) throw new Refusal('backup.passphraseWrong', { file: repository });
  return key;
}

/** Undefined: the passphrase does not open it. */
async function tryKey(path: string, passphrase: string): Promise<SealingKey | undefined> {
  const sealed = armor.decode(await readFile(path, 'utf8'));
  const decrypter = new Decrypter();
  decrypter.addPassphrase(passphrase);
  try {
    return await keyOf((await decrypter.decrypt(sealed, 'text')).trim());
  } catch (error) {
    if (/no identity matched/.test((error as Error).message)) return undefined;
    throw error;
  }
}

async function keyOf(identity: string): Promise<SealingKey> {
  const recipient = await identityToRecipient(identity);
  return { id: createHash('sha256').update(recipient).digest('hex').slice(0, 8), recipient, identity };
}

async function keyNames(repository: string): Promise<string[]> {
  return (await readdir(join(repository, 'keys'))).filter((name) => name.endsWith('.age'));
}
