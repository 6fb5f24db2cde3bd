import { join, resolve } from 'node:path';
import { InvalidSetting, readConfig } from '../config/index.ts';
import { salvageDirectory } from '../store/index.ts';
import { commandWords } from './words.ts';

const USAGE = 'Usage: waypost salvage [--into DIR] [--data DIR].';

/** `waypost salvage`: of a data directory on which no station runs. */
export async function run(words: string[]): Promise<void> {
  const { values, positionals } = commandWords(words, USAGE, { into: { type: 'string' } });
  if (positionals.length > 0) throw new InvalidSetting(USAGE);
  const config = readConfig(values.data === undefined ? [] : ['--data', values.data], process.env);
  const { mended, lost, file, before } = await salvageDirectory(config.data, {
    into: values.into === undefined ? undefined : resolve(values.into),
    backups: config['backup.folder'] ?? join(config.data, 'backups'),
    progress: (what) => console.error(`  ${what}`),
  });
  if (file === undefined) return void console.log(`${config.data}: nothing is damaged.`);
  console.log(`Mended: ${mended.join(', ') || 'nothing'}.`);
  console.log(lost.length === 0 ? 'Everything could be read.' : `Could not be read (${lost.length}):`);
  for (const line of lost.slice(0, 10)) console.log(`  ${line}`);
  console.log(`The whole list is in ${file}.${before === undefined ? '' : ` The damaged files are in ${before}.`}`);
}
