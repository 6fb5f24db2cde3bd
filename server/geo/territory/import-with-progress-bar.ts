import type { ImportOrder, ImportState, TerritoryInfo } from './types.ts';
import { openTerritory } from './open-territory.ts';

/** The output of a progress bar: a terminal, or a file or pipe that gets plain lines. */
export interface Output {
  readonly isTTY?: boolean | undefined;
  readonly columns?: number | undefined;
  write(text: string): unknown;
}

export interface ProgressBarOptions extends Omit<ImportOrder, 'files'> {
  /** The `territory` directory of the station's data. */
  readonly root: string;
  readonly output: Output;
  /** Cancels; the promise then rejects with an `AbortError`, and nothing is left behind. */
  readonly signal?: AbortSignal;
}

/**
 * `waypost import`: the import with a progress bar. It also works while a station runs on the same directory:
 * the station checks for another territory every two seconds and switches to it. Rejects as
 * `Territory.import` does.
 */
export async function importWithProgressBar(
  files: readonly string[],
  { root, output, signal, ...order }: ProgressBarOptions,
): Promise<TerritoryInfo> {
  const territory = await openTerritory(root, { lookEvery: 0, onlyImports: true });
  const cancel = () => void territory.cancelImport();
  signal?.addEventListener('abort', cancel);
  const show = output.isTTY ? drawBar(output) : writeLines(output);
  territory.onProgress(show);
  try {
    const imported = territory.import({ files, ...order });
    if (signal?.aborted) cancel();
    return await imported;
  } finally {
    signal?.removeEventListener('abort', cancel);
    await territory.close();
  }
}

/** Names of the stages. */
const DOING: Readonly<Record<string, string>> = {
  read: 'reading',
  roads: 'making roads',
  places: 'making addresses',
  tiles: 'drawing the map',
  switch: 'putting it in place',
};

/** One line of the terminal: `Malta  ██████████░░░░░░  62 %  making addresses`. */
export function barOf({ name, stage, done, state }: ImportState, columns: number): string {
  const right = ` ${String(Math.floor(done * 100)).padStart(3)} %  ${state === 'running' ? (DOING[stage] ?? stage) : state}`;
  const left = `${name.slice(0, 30)}  `;
  const room = Math.max(0, Math.min(40, columns - 1 - left.length - right.length));
  const full = Math.round(room * done);
  return (left + '█'.repeat(full) + '░'.repeat(room - full) + right).slice(0, Math.max(0, columns - 1));
}

function drawBar(output: Output): (state: ImportState) => void {
  return (state) => {
    output.write(`\r\x1b[2K${barOf(state, output.columns ?? 80)}`);
    if (state.state !== 'running') output.write('\n');
  };
}

/** A line for each stage, for log files. */
function writeLines(output: Output): (state: ImportState) => void {
  let last = '';
  return ({ name, stage, done, state }) => {
    const doing = state === 'running' ? (DOING[stage] ?? stage) : state;
    if (doing === last) return;
    last = doing;
    output.write(`${name}: ${doing} (${Math.floor(done * 100)} %)\n`);
  };
}
