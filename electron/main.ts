// Entry of the desktop program. The logic is in `shell.ts`; the station is `server/station.ts`.
import electron from 'electron';
import { extname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isCommand, runCommand } from './command.ts';
import { SCHEME } from './connect/page-files.ts';
import { dataDirectory } from './data-directory.ts';

const { app, protocol } = electron;
/** The program's folder: this file lies one level deeper in the built program (`dist/electron`). */
const root = fileURLToPath(new URL(extname(import.meta.url) === '.ts' ? '..' : '../..', import.meta.url));

// Nothing of Chromium's own may look for a network: no component updates, no proxy lookups, no crash reports.
app.commandLine.appendSwitch('disable-background-networking');
app.commandLine.appendSwitch('disable-component-update');
app.commandLine.appendSwitch('no-proxy-server');

// The program's own page: an origin like that of a web page, and none of the rights of a file.
protocol.registerSchemesAsPrivileged([{ scheme: SCHEME, privileges: { standard: true, secure: true } }]);

// Data and logs are for their owner alone.
process.umask(0o077);

process.env['WAYPOST_DATA'] ||= dataDirectory(process.platform, process.env, app.getPath('userData'));

const words = process.argv.slice(app.isPackaged ? 1 : 2);
// Electron gets ready when this file has been evaluated: a command ends before, and windows must not be awaited.
if (isCommand(words)) app.exit(await runCommand(words));
else void import('./open-shell.ts').then(({ openShell }) => openShell(electron, root, words));
