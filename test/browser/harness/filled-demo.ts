import { cpSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { filledDemos } from '../../runner/filled-demos.ts';

/** ms for which a filled demo is copied: after ten minutes its vehicles would have lost contact. */
const FRESH_FOR = 3 * 60_000;
/** ms until a process looks again whether another one has filled the demo. */
const AGAIN = 50;
/** ms after which a process that fills the demo counts as killed. */
const FILLED_WITHIN = 60_000;

/** Copies into `data` what `fill` has made, in this process of the run or in another one. */
export async function copyFilled(data: string, fill: (directory: string) => Promise<void>): Promise<void> {
  const folder = filledDemos();
  const lock = join(folder, 'lock');
  const fresh = () => readdirSync(folder).find((name) => Number(name) > Date.now() - FRESH_FOR);
  let found: string | undefined;
  while ((found = fresh()) === undefined) {
    if (!make(lock)) await new Promise((resolve) => setTimeout(resolve, AGAIN));
    else if (fresh() === undefined) await fillAnew(folder, fill).finally(() => rmSync(lock, { recursive: true }));
    else rmSync(lock, { recursive: true });
  }
  cpSync(join(folder, found), data, { recursive: true });
}

async function fillAnew(folder: string, fill: (directory: string) => Promise<void>): Promise<void> {
  const since = Date.now();
  // Nobody copies these any more.
  for (const name of readdirSync(folder))
    if (Number(name) < since - 2 * FRESH_FOR) rmSync(join(folder, name), { recursive: true });
  const directory = mkdtempSync(join(folder, 'filling-'));
  await fill(directory);
  renameSync(directory, join(folder, String(since)));
}

/** Makes the directory, unless another process has it. */
function make(lock: string): boolean {
  try {
    mkdirSync(lock);
    return true;
  } catch {
    const since = statSync(lock, { throwIfNoEntry: false })?.mtimeMs ?? Infinity;
    if (Date.now() - since > FILLED_WITHIN) rmSync(lock, { recursive: true, force: true });
    return false;
  }
}
