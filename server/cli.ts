#!/usr/bin/env node
import { enableCompileCache } from 'node:module';
import { describeSettings, WrongSetting } from './config.ts';
import { isDiskFull } from './platform/disk-full.ts';
import { enableIdleCollection } from './platform/idle-collection.ts';
import { COMPILED, VERSION } from './platform/program.ts';
import { holdYoungGeneration } from './platform/young-generation.ts';

// A third of a start from the sources is taking their types out. The built program starts no faster for it,
// and would hold 9 MB as long as it runs.
if (import.meta.url.endsWith('.ts')) enableCompileCache(COMPILED);

/** The commands, each in its own file, which is loaded only when it is asked for. */
const COMMANDS: Readonly<Record<string, () => Promise<{ run(words: string[]): Promise<void> }>>> = {
  serve: () => {
    holdYoungGeneration();
    enableIdleCollection();
    return import('./commands/serve.ts');
  },
  import: () => import('./commands/import.ts'),
  user: () => import('./commands/user.ts'),
  backup: () => import('./commands/backup.ts'),
  restore: () => import('./commands/restore.ts'),
  simulate: () => import('./commands/simulate.ts'),
};

/**
 * Errors that speak to the user. Told by their names, so that a wrong word does not load the whole station to
 * say so.
 */
const EXPECTED = new Set(['WrongSetting', 'Refusal', 'CannotListen', 'DamagedDatabase']);

const HELP = `Waypost ${VERSION}: a dispatch console for control rooms.

  waypost serve     [settings]                       a station without a window
  waypost import    FILE [--name NAME] [--profile FILE.json] [--min-component N]
                                                     a territory out of an .osm.pbf, .osm, .osm.gz or .osm.bz2 file
                                                     --profile: roads for one more kind of vehicle, or for the car
                                                     --min-component: parts of the network with fewer directions of
                                                     road than this are small; points near them go to the large part
  waypost user      add LOGIN [--name NAME] [--right RIGHT] | password LOGIN | disable LOGIN
  waypost backup    TO.zip [--without-territory]     a consistent copy, also while the station runs
  waypost restore   FROM.zip [--yes]                 into an empty data directory, or (--yes) in place of what is there
  waypost simulate  [--vehicles N] [--rate HZ]       drives a fleet over the territory's roads

All of them take --data DIR. Settings come from flags, then the environment, then station.json in the data directory:

${describeSettings()}
`;

async function main([command, ...words]: string[]): Promise<void> {
  if (
    command === undefined ||
    command === 'help' ||
    command === '--help' ||
    command === '-h' ||
    words.includes('--help')
  )
    return void console.log(HELP);
  if (command === 'version' || command === '--version') return void console.log(VERSION);
  if (!Object.hasOwn(COMMANDS, command)) throw new WrongSetting(`There is no command ${command}. See waypost help.`);
  await (await COMMANDS[command]!()).run(words);
}

/**
 * No such file, no right to it, no room on the disk: the operating system, or SQLite, says it well enough.
 */
function isOfSystem(error: Error): boolean {
  return (
    isDiskFull(error) ||
    ('syscall' in error &&
      'code' in error &&
      ['ENOENT', 'EACCES', 'EPERM', 'EROFS', 'ENOTDIR', 'EISDIR', 'EEXIST'].includes(String(error.code)))
  );
}

// Whatever a command writes, data, logs and backups, is for its owner alone.
process.umask(0o077);

/**
 * What a user can put right is said in one sentence; the exit code 2 means that the command was wrong, 1 that
 * it failed.
 */
try {
  await main(process.argv.slice(2));
} catch (error) {
  const says = error instanceof Error && (EXPECTED.has(error.name) || isOfSystem(error));
  console.error(says ? `waypost: ${error.message}` : error);
  process.exitCode = error instanceof WrongSetting ? 2 : 1;
}
