import { join } from 'node:path';
import { importWithProgressBar } from '../geo/territory/index.ts';
import { Refusal } from '../../shared/refusal.ts';
import { InvalidSetting } from '../config/index.ts';
import { requireReadable } from './requested-files.ts';
import { dataDirectoryOf, interruption, commandWords } from './words.ts';

const USAGE =
  'Usage: waypost import FILE.osm.pbf [MORE.osm.pbf …] [CHANGES.osc.gz …] [--name NAME] [--profile FILE.json] [--min-component N] [--force] [--data DIR].';

/**
 * `waypost import`: makes a territory of extracts and of changes since. A station that runs on the same directory
 * switches to it by itself.
 */
export async function run(words: string[]): Promise<void> {
  const { values, positionals } = commandWords(words, USAGE, {
    'name': { type: 'string' },
    'profile': { type: 'string' },
    'min-component': { type: 'string' },
    'force': { type: 'boolean' },
  });
  if (positionals.length === 0) throw new InvalidSetting(USAGE);
  const least = values['min-component'];
  if (least !== undefined && !/^\d{1,9}$/.test(least))
    throw new InvalidSetting(`--min-component is ${least}: it must be a whole number.`);
  await requireReadable([...positionals, ...(values.profile === undefined ? [] : [values.profile])]);
  try {
    const info = await importWithProgressBar(positionals, {
      root: join(dataDirectoryOf(values.data), 'territory'),
      output: process.stderr,
      signal: interruption(),
      name: values.name,
      force: values.force,
      roads: { profileFile: values.profile, minComponent: least === undefined ? undefined : Number(least) },
    });
    const { roadNodes, addresses, places } = info.counts;
    console.log(
      `${info.name} is in place: ${roadNodes} crossings, ${places} places, ${addresses} addresses, ${(info.size / 1e6).toFixed(1)} MB.`,
    );
    for (const line of info.log) console.log(`  ${line}`);
  } catch (error) {
    if (error instanceof Error && error.name === 'AbortError') throw new Refusal('commands.importCancelled');
    throw error;
  }
}
