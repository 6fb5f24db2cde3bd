import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import { InvalidSetting } from '../config.ts';
import { backupDirectory } from '../store/index.ts';
import { dataDirectory, commandWords } from './words.ts';

const USAGE = 'Say: waypost backup TO.zip [--without-territory] [--data DIR].';

/** `waypost backup`: works while a station runs, too. */
export async function run(words: string[]): Promise<void> {
  const { values, positionals } = commandWords(words, USAGE, { 'without-territory': { type: 'boolean' } });
  const [to] = positionals;
  if (to === undefined || positionals.length !== 1) throw new InvalidSetting(USAGE);
  const path = resolve(to);
  const note = await backupDirectory(dataDirectory(values.data), path, {
    territory: values['without-territory'] !== true,
    progress: (what) => console.error(`  ${what}`),
  });
  console.log(
    `${path}: station ${note.station.id} as it was at ${note.madeAt}, ${(statSync(path).size / 1e6).toFixed(1)} MB.`,
  );
}
