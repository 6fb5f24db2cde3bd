import { existsSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Data directory of the desktop program's station and of its `waypost` command, unless set otherwise. An
 * installer for all users of a Windows machine creates `%ProgramData%\Waypost\station`; else each user has
 * their own.
 */
export function dataDirectory(
  platform: NodeJS.Platform,
  environment: NodeJS.ProcessEnv,
  userData: string,
  exists: (path: string) => boolean = existsSync,
): string {
  const shared = machineFolder(platform, environment);
  if (platform === 'win32' && shared !== undefined && exists(join(shared, 'station'))) return join(shared, 'station');
  return join(userData, 'station');
}

/** The folder with settings for every user of this machine, such as an administrator's `console.json`. */
export function machineFolder(platform: NodeJS.Platform, environment: NodeJS.ProcessEnv): string | undefined {
  if (platform === 'win32') return environment['ProgramData'] && join(environment['ProgramData'], 'Waypost');
  return platform === 'darwin' ? '/Library/Application Support/Waypost' : '/etc/waypost';
}
