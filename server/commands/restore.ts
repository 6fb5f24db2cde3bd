import { resolve } from 'node:path';
import { InvalidSetting } from '../config.ts';
import { restoreDirectory } from '../store/index.ts';
import { dataDirectory, wordsOf } from './words.ts';

const USAGE =
  'Say: waypost restore FROM.zip [--yes] [--data DIR]. With --yes it replaces a station that is there, and keeps its files aside.';

/** `waypost restore`: into a data directory on which no station runs. */
export async function run(words: string[]): Promise<void> {
  const { values, positionals } = wordsOf(words, USAGE, { yes: { type: 'boolean' } });
  const [from] = positionals;
  if (from === undefined || positionals.length !== 1) throw new InvalidSetting(USAGE);
  const directory = dataDirectory(values.data);
  const { note, before } = await restoreDirectory(resolve(from), directory, {
    confirmed: values.yes === true,
    progress: (what) => console.error(`  ${what}`),
  });
  console.log(
    `${directory} holds station ${note.station.id} as it was at ${note.madeAt}.${before === undefined ? '' : ` What was there before is in ${before}.`}`,
  );
}
