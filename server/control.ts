import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const FILE = 'control.json';

/** How the command line reaches a running station. Who can read the data directory can administer it. */
export interface Control {
  readonly address: string;
  readonly token: string;
  readonly process: number;
}

/** Writes the control file into the data directory, readable by its owner only. Returns its removal. */
export function leaveControl(directory: string, control: Control): () => void {
  const path = join(directory, FILE);
  rmSync(path, { force: true }); // the mode holds for new files only
  writeFileSync(path, JSON.stringify(control), { mode: 0o600 });
  return () => rmSync(path, { force: true });
}

/** Reads the control file of a data directory. A station that was killed may have left an old one. */
export function findControl(directory: string): Control | undefined {
  try {
    return JSON.parse(readFileSync(join(directory, FILE), 'utf8')) as Control;
  } catch {
    return undefined;
  }
}
