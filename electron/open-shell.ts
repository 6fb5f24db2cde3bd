import type * as Electron from 'electron';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { VERSION } from '../server/platform/program.ts';
import { browseStations } from './connect/browse-stations.ts';
import { stationWords } from './connect/console-settings.ts';
import { machineFolder } from './data-directory.ts';
import { Shell } from './shell.ts';

/** Opens the program's windows. `root`: the program's folder; `words`: its own words of the command line. */
export async function openShell(electron: typeof Electron, root: string, words: readonly string[]): Promise<void> {
  const { app, dialog } = electron;
  const folder = machineFolder(process.platform, process.env);
  try {
    await new Shell(electron, {
      openStation: async () => {
        // A console of another station does not load the one of this program.
        const [{ startStation }, { readConfig }] = await Promise.all([
          import('../server/station.ts'),
          import('../server/config/index.ts'),
        ]);
        return startStation(readConfig(stationWords(words), process.env), {
          restart: () => {
            app.relaunch();
            app.quit();
          },
        });
      },
      version: VERSION,
      built: join(root, 'dist', 'electron'),
      icons: join(root, 'resources', 'icons'),
      userData: app.getPath('userData'),
      machineFile: folder && join(folder, 'console.json'),
      words,
      hasData: () => existsSync(join(process.env['WAYPOST_DATA']!, 'station.db')),
      browse: browseStations,
    }).start();
  } catch (error) {
    dialog.showErrorBox('Waypost', error instanceof Error ? (error.stack ?? error.message) : String(error));
    app.exit(1);
  }
}
