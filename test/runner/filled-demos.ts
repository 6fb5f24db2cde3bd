import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';

const NAME = 'WAYPOST_FILLED_DEMOS';

/** Directory in which the processes of a run share filled demos. The first process that asks makes and removes it. */
export function filledDemos(): string {
  const known = process.env[NAME];
  if (known !== undefined) return known;
  const directory = mkdtempSync(join(tmpdir(), 'waypost-filled-'));
  process.env[NAME] = directory;
  process.on('exit', () => rmSync(directory, { recursive: true, force: true }));
  return directory;
}
