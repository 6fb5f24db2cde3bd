// The desktop program's entry. Thin: what it does is in `shell.ts`, what the station does in
// `server/station.ts`.
import electron from 'electron';
import { extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { startStation } from '../server/station.ts';
import { readConfig } from '../server/config.ts';
import { isCommand, runCommand } from './command.ts';
import { Shell } from './shell.ts';

const { app } = electron;
/** The program's folder: this file lies one level deeper in the built program (`dist/electron`). */
const root = fileURLToPath(new URL(extname(import.meta.url) === '.ts' ? '..' : '../..', import.meta.url));

// Nothing of Chromium's own may look for a network: no component updates, no proxy lookups, no crash reports.
app.commandLine.appendSwitch('disable-background-networking');
app.commandLine.appendSwitch('disable-component-update');
app.commandLine.appendSwitch('no-proxy-server');

// Data and logs are for their owner alone.
process.umask(0o077);

const words = process.argv.slice(app.isPackaged ? 1 : 2);
if (isCommand(words)) app.exit(await runCommand(join(root, 'dist', 'server', 'cli.js'), words));
else await openWindows();

async function openWindows(): Promise<void> {
  const shell = new Shell(electron, {
    openStation: () => startStation(readConfig(stationArguments(), process.env)),
    preload: join(root, 'dist', 'electron', 'preload.cjs'),
    icons: join(root, 'resources', 'icons'),
    placesFile: join(app.getPath('userData'), 'windows.json'),
  });
  await shell.start();
}

/**
 * The program's own flags, with the user's folder for data unless told otherwise. Electron's and Chromium's
 * switches are not ours.
 */
function stationArguments(): string[] {
  return words.includes('--data') || words.some((word) => word.startsWith('--data='))
    ? words
    : [...words, '--data', join(app.getPath('userData'), 'station')];
}
