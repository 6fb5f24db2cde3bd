import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const FILE = 'control.json';

/**
 * How the command line reaches a running station: whoever may read its data directory may also administer it.
 */
export interface Control {
  readonly address: string;
  readonly token: string;
  readonly process: number;
}

/**
 * Leaves the way to this station in its data directory, readable by its owner only. Returns the way to take
 * it back.
 */
export function leaveControl(directory: string, control: Control): () => void {
  const path = join(directory, FILE);
  rmSync(path, { force: true }); // the mode holds for new files only
  writeFileSync(path, JSON.stringify(control), { mode: 0o600 });
  return () => rmSync(path, { force: true });
}

/**
 * The way to the station that runs on this data directory; what a killed one left behind may be found too.
 */
export function findControl(directory: string): Control | undefined {
  try {
    return JSON.parse(readFileSync(join(directory, FILE), 'utf8')) as Control;
  } catch {
    return undefined;
  }
}
