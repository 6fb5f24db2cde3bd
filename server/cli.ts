#!/usr/bin/env node
import { enableCompileCache } from 'node:module';
import { COMMANDS, HELP_WORDS, VERSION_WORDS } from './commands/index.ts';
import { isDiskFull } from './platform/disk/disk-full.ts';
import { COMPILED, VERSION } from './platform/program.ts';

// Compiling takes a fifth of a start, stripping types a third of one from the sources. Threads find the folder
// in the environment. Where it cannot be written the start takes longer.
if (enableCompileCache(COMPILED).directory !== undefined) process.env['NODE_COMPILE_CACHE'] ??= COMPILED;

/**
 * Errors whose message is for the user. They are known by name, so that a mistyped command does not load the
 * whole station.
 */
const EXPECTED = new Set(['InvalidSetting', 'Refusal', 'CannotListen', 'DamagedDatabase']);

const helpWith = (settings: string): string => `Waypost ${VERSION}: a dispatch console for control rooms.

  waypost serve     [settings]                       a station without a window
  waypost serve --role maps [settings]               routes, addresses and tiles alone, for everybody and for
                                                     the stations of a region; any number of them
  waypost gateway   [settings]                       listens for trackers on behalf of the stations of a region
  waypost worker    events [--partitions 0-3] [settings]
                                                     computes the events of a region in place of its stations; any
                                                     number of them share the partitions of vehicles
  waypost region    plan --vehicles N --consoles N --stations N [--interval SECONDS] [--days N]
                                                     what a region of this size needs, and what breaks first
  waypost region    keys FOLDER [--region NAME] [--domain DOMAIN] | users FOLDER | revoke FOLDER NAME
                    credentials FOLDER NAME --role station|gateway|maps|worker|depot [--depot DOMAIN]
                    [--days N]
                                                     who may connect to the servers of a region, and do what there
  waypost import    FILE [--name NAME] [--profile FILE.json] [--min-component N] [--force]
                                                     a territory from an .osm.pbf, .osm, .osm.gz or .osm.bz2 file
                                                     --profile: roads for one more kind of vehicle, or for the car
                                                     --min-component: parts of the network with fewer directions of
                                                     road than this are small; points near them go to the large part
  waypost import-records FILE --kind KIND [--column HEAD=FIELD] [--value FIELD=TEXT] [--write]
                                                     KIND: vehicles, drivers, tasks, geozones, routes, closures,
                                                     organizations, users
                                                     records from a workbook, CSV, GeoJSON, KML or GPX; without --write
                                                     it only says what each row would do
  waypost import-records undo ID                     undoes such an import
  waypost territory list | from STATION | back       the territories of linked stations; copies one;
                                                     back: switches to the one before the last import, and back
  waypost user      add LOGIN [--name NAME] [--right RIGHT] | password LOGIN | disable LOGIN
  waypost link      list | code | add ADDRESS CODE | follow ADDRESS CODE | follow LINK | settle LINK
                    pause LINK | resume LINK | cut LINK | nearby
                    [--read-only] [--paused] [--organizations ID,ID] [--tracks none|last|all|DAYS]
                    [--own-address ADDRESS|none]
                                                     links of the running station to other stations;
                                                     follow: it becomes a standby; settle: after a promotion both lead
  waypost audit     verify [--noted ID:HASH]         the chain of the audit trail; names the first broken entry
                                                     ID:HASH: the last entry, as it was noted earlier
  waypost promote   [--confirm NAME]                 a standby leads, in place of the station NAME that it follows
  waypost backup    TO.zip [--without-territory]     a consistent copy, also while the station runs
  waypost restore   FROM [--passphrase-file FILE] [--yes]
                                                     from a zip, or from a folder of backups; into an empty data
                                                     directory, or (--yes) in place of what is there
  waypost service   install | start | stop | status | remove
                                                     the station as a service of Windows
  waypost health                                     the health of the running station; exit code 1: no answer
  waypost check     [--json]                         looks for damage, also while the station runs; exit code 1: found some
  waypost salvage   [--into DIR]                     keeps what can be read of damaged files, and lists the rest; the
                                                     damaged ones are kept. --into: as a new data directory
  waypost simulate  [--vehicles N] [--rate HZ]       drives a fleet over the territory's roads

All of them take --data DIR. Settings come from flags, then the environment, then station.json in the data directory:

${settings}
`;

async function main([command, ...words]: string[]): Promise<void> {
  if (command !== undefined && VERSION_WORDS.has(command)) return void console.log(VERSION);
  const asksForHelp = command === undefined || HELP_WORDS.has(command) || words.includes('--help');
  if (asksForHelp || !Object.hasOwn(COMMANDS, command)) {
    const { describeSettings, InvalidSetting } = await import('./config/index.ts');
    if (asksForHelp) return void console.log(helpWith(describeSettings()));
    throw new InvalidSetting(`There is no command ${command}. See waypost help.`);
  }
  await (await COMMANDS[command]!()).run(words);
}

/** A missing file, missing permission or a full disk: the message of the system is clear enough. */
function isOfSystem(error: Error): boolean {
  return (
    isDiskFull(error) ||
    ('syscall' in error &&
      'code' in error &&
      ['ENOENT', 'EACCES', 'EPERM', 'EROFS', 'ENOTDIR', 'EISDIR', 'EEXIST'].includes(String(error.code)))
  );
}

/** ms after the end of a command until the process ends, whatever a library has left open. */
const LINGER = 10_000;

/** Everything is closed and on disk by then. A forgotten timer must not keep a service from stopping. */
function endLeftovers(): void {
  setTimeout(() => {
    console.error(`waypost: ends although these are open: ${process.getActiveResourcesInfo().join(', ')}`);
    process.exit();
  }, LINGER).unref();
}

// Data, logs and backups are readable by their owner only.
process.umask(0o077);

// Commands may wait for threads and timers that keep no process alive. Without this the process could end in
// the middle of a start that is refused, with exit code 13 and no word.
const alive = setInterval(() => undefined, 2 ** 30);

/**
 * An error that the user can correct is printed as one sentence. Exit code 2: the command was wrong; 1: it
 * failed.
 */
try {
  await main(process.argv.slice(2));
} catch (error) {
  const says = error instanceof Error && (EXPECTED.has(error.name) || isOfSystem(error));
  console.error(says ? `waypost: ${error.message}` : error);
  process.exitCode = says && error.name === 'InvalidSetting' ? 2 : 1;
} finally {
  clearInterval(alive);
  endLeftovers();
}
