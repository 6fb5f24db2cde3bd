import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { InvalidSetting } from '../config/index.ts';
import { checkDirectory, type Damage } from '../store/index.ts';
import { Refusal } from '../../shared/refusal.ts';
import { damagedFiles, findCurrent } from '../geo/territory/index.ts';
import { dataDirectoryOf, commandWords } from './words.ts';

const USAGE = 'Usage: waypost check [--json] [--data DIR].';

/** `waypost check`: works while a station runs, too. Exit code 1 when something is damaged. */
export async function run(words: string[]): Promise<void> {
  const { values, positionals } = commandWords(words, USAGE, { json: { type: 'boolean' } });
  if (positionals.length > 0) throw new InvalidSetting(USAGE);
  const directory = dataDirectoryOf(values.data);
  if (!existsSync(join(directory, 'station.db'))) throw new Refusal('backup.noStation', { directory });
  const damage = await checkDirectory(directory, (what) => console.error(`  ${what}`));
  console.error('  territory');
  damage.push(...(await damageOfTerritory(directory)));
  if (values.json === true) console.log(JSON.stringify({ directory, damage }, null, 2));
  else if (damage.length === 0) console.log(`${directory}: no damage found.`);
  else
    for (const { file, problems } of damage) {
      console.log(`${join(directory, file)} is damaged:`);
      for (const problem of problems) console.log(`  ${problem}`);
    }
  if (damage.length === 0) return;
  process.exitCode = 1;
  if (values.json === true) return;
  const isTerritory = ({ file }: Damage) => file.startsWith('territory/');
  if (damage.some((each) => !isTerritory(each)))
    console.log('Stop the station and run "waypost salvage", or restore a backup with "waypost restore".');
  if (damage.some(isTerritory)) console.log('Import the territory again with "waypost import".');
}

async function damageOfTerritory(directory: string): Promise<Damage[]> {
  const current = findCurrent(join(directory, 'territory'));
  const names = current ? ((await damagedFiles(current.directory)) ?? []) : [];
  return names.map((name) => ({
    file: `territory/${name}`,
    problems: ['Its check sum is not the one that was written with it.'],
  }));
}
