import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { InvalidSetting } from '../../config/index.ts';
import { Refusal } from '../../../shared/refusal.ts';
import { commandWords } from '../words.ts';
import { writeOutputTo } from './output-file.ts';

const USAGE = 'Usage: waypost service install|start|stop|status|remove [--data DIR].';
const NAME = 'WaypostStation';
const ACCOUNT = `NT SERVICE\\${NAME}`;

/**
 * `waypost service`: the station as a service of Windows. Windows itself starts `service run`, which no person calls:
 * settings are in `station.json` of the data directory.
 */
export async function run(words: string[]): Promise<void> {
  const { values, positionals } = commandWords(words, USAGE, {});
  const [action, ...rest] = positionals;
  if (action === undefined || !Object.hasOwn(ACTIONS, action) || rest.length > 0) throw new InvalidSetting(USAGE);
  if (process.platform !== 'win32') throw new Refusal('commands.noWindows');
  if (process.versions['electron']) throw new Refusal('commands.noServiceOfDesktop');
  const { ProgramData = 'C:\\ProgramData', WAYPOST_DATA } = process.env;
  // No setting is read: a service with a wrong one can be stopped and removed.
  const data = resolve(values.data ?? WAYPOST_DATA ?? join(ProgramData, 'Waypost', 'station'));
  try {
    await ACTIONS[action as keyof typeof ACTIONS](data);
  } catch (error) {
    throw inWords(error);
  }
}

const ACTIONS = { install, start, stop, status, remove, run: runAsService };

/** Stops an earlier one first, so that an update finds no program in use. */
async function install(data: string): Promise<void> {
  const { installWindowsService, stopWindowsService } = await control();
  await stopWindowsService(NAME);
  mkdirSync(data, { recursive: true });
  const program = process.argv[1];
  const line = [process.execPath, program, 'service', 'run', '--data', data].map((word) => `"${word}"`).join(' ');
  installWindowsService({
    name: NAME,
    display: 'Waypost station',
    description: 'Station of the dispatch console Waypost',
    line,
    account: ACCOUNT,
  });
  await giveAccess(data);
  await start(data);
}

async function start(data: string): Promise<void> {
  const { startWindowsServiceByName } = await control();
  const state = await startWindowsServiceByName(NAME);
  if (!state) throw new Refusal('commands.noService');
  if (state.state !== RUNNING && state.state !== STARTING)
    throw new Refusal('commands.serviceFailed', { file: join(data, OUTPUT) });
  console.log(state.state === RUNNING ? 'The service is running.' : 'The service is still starting.');
}

async function stop(): Promise<void> {
  const { stopWindowsService } = await control();
  const state = await stopWindowsService(NAME);
  if (!state) throw new Refusal('commands.noService');
  if (state.state !== STOPPED) throw new Refusal('commands.serviceStays');
  console.log('The service has stopped.');
}

async function status(data: string): Promise<void> {
  const { windowsServiceState } = await control();
  const state = await windowsServiceState(NAME);
  if (!state) throw new Refusal('commands.noService');
  console.log(`The service ${STATES[state.state] ?? `is in the state ${state.state}`}.`);
  if (state.state === RUNNING) await (await import('../health.ts')).run(['--data', data]);
}

async function remove(data: string): Promise<void> {
  const { removeWindowsService } = await control();
  if (!(await removeWindowsService(NAME))) throw new Refusal('commands.noService');
  console.log(`The service is removed. Its data stays in ${data}.`);
}

/** The station itself. Windows stops it, or it is stopped by a wrong setting, or it crashes and is started again. */
async function runAsService(data: string): Promise<void> {
  const { startWindowsService } = await import('../../platform/services/windows-service.ts');
  const service = await startWindowsService(NAME, () => process.emit('SIGTERM', 'SIGTERM'));
  writeOutputTo(join(data, OUTPUT));
  try {
    const { run: serve } = await import('./serve.ts');
    await serve(['--data', data], service);
    await service.stopped(0);
  } catch (error) {
    // The caller prints the error first. The connection with Windows keeps the process alive.
    setImmediate(() => void (error instanceof InvalidSetting ? service.stopped(WRONG_SETTING) : process.exit()));
    throw error;
  }
}

const OUTPUT = 'service.log';
/** As the exit code of the command. */
const WRONG_SETTING = 2;
const STOPPED = 1;
const STARTING = 2;
const RUNNING = 4;
const STATES: Readonly<Record<number, string>> = {
  [STOPPED]: 'has stopped',
  [STARTING]: 'starts',
  3: 'ends',
  [RUNNING]: 'runs',
};

/** Only Windows can load it. */
const control = () => import('../../platform/services/windows-control.ts');

/**
 * SYSTEM, the administrators and the service, by numbers that every language of Windows knows. Users may have had
 * access as those of the desktop program.
 */
async function giveAccess(data: string): Promise<void> {
  const everything = ['*S-1-5-18', '*S-1-5-32-544'].map((who) => `${who}:(OI)(CI)F`);
  const others = ['/remove:g', '*S-1-5-32-545', '*S-1-5-19'];
  const own = `*${accountId(NAME)}:(OI)(CI)M`;
  const words = [data, '/inheritance:r', ...others, '/grant:r', ...everything, own, '/q'];
  const code = await new Promise((done, fail) => {
    const child = spawn('icacls.exe', words, { stdio: 'ignore', windowsHide: true });
    child.on('error', fail);
    child.on('close', done);
  });
  if (code !== 0) throw new Refusal('commands.noAccess', { data });
}

/** The security identifier of the account of a service: Windows makes it out of the name. */
export function accountId(name: string): string {
  const sum = createHash('sha1').update(Buffer.from(name.toUpperCase(), 'utf16le')).digest();
  return ['S-1-5-80', ...[0, 4, 8, 12, 16].map((at) => sum.readUInt32LE(at))].join('-');
}

function inWords(error: unknown): unknown {
  if (!(error instanceof Error) || error.name !== 'WindowsCallFailed' || !('number' in error)) return error;
  if (error.number === ACCESS_DENIED) return new Refusal('commands.notAdministrator', undefined, { cause: error });
  if (error.number === NOT_STARTED_BY_WINDOWS) return new Refusal('commands.runByWindows', undefined, { cause: error });
  return new Refusal('commands.refused', { fault: error.message }, { cause: error });
}

const ACCESS_DENIED = 5;
const NOT_STARTED_BY_WINDOWS = 1063;
