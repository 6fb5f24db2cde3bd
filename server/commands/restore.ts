import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { InvalidSetting } from '../config/index.ts';
import { restoreDirectory } from '../store/index.ts';
import { requireReadable } from './requested-files.ts';
import { dataDirectoryOf, commandWords } from './words.ts';

const USAGE =
  'Usage: waypost restore FROM [--passphrase-file FILE] [--yes] [--data DIR]. FROM is a zip, a folder of backups (its newest one), or a file in its "manifests". With --yes it replaces a station that is there, and keeps its files aside.';

/** `waypost restore`: into a data directory on which no station runs. */
export async function run(words: string[]): Promise<void> {
  const { values, positionals } = commandWords(words, USAGE, {
    'yes': { type: 'boolean' },
    'passphrase-file': { type: 'string' },
  });
  const [from] = positionals;
  if (from === undefined || positionals.length !== 1) throw new InvalidSetting(USAGE);
  const passphraseFile = values['passphrase-file'];
  await requireReadable([from, ...(passphraseFile === undefined ? [] : [passphraseFile])]);
  const directory = dataDirectoryOf(values.data);
  const { note, before } = await restoreDirectory(resolve(from), directory, {
    confirmed: values.yes === true,
    passphrase: passphraseOf(passphraseFile),
    progress: (what) => console.error(`  ${what}`),
  });
  console.log(
    `${directory} holds station ${note.station.id} as it was at ${note.madeAt}.${before === undefined ? '' : ` What was there before is in ${before}.`}`,
  );
}

/** From a file, or from the variable of the setting: arguments are visible to other users of the machine. */
function passphraseOf(file: string | undefined): string | null {
  if (file !== undefined) return readFileSync(file, 'utf8').trim();
  return process.env['WAYPOST_BACKUP_PASSPHRASE'] ?? null;
}
