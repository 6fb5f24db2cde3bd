import { parseArgs } from 'node:util';
import type { ParseArgsOptionsConfig } from 'node:util';
import { readConfig, InvalidSetting } from '../config/index.ts';

/** Words and flags of a command, or a sentence about its use. `--data` is known to all of them. */
export function commandWords<T extends ParseArgsOptionsConfig>(words: string[], usage: string, options: T) {
  try {
    return parseArgs({
      args: words,
      allowPositionals: true,
      options: { ...options, data: { type: 'string' as const } },
    });
  } catch (error) {
    throw new InvalidSetting(`${(error as Error).message.split('. ')[0]}. ${usage}`);
  }
}

/** The data directory that a command means. */
export function dataDirectoryOf(flag: string | undefined): string {
  return readConfig(flag === undefined ? [] : ['--data', flag], process.env).data;
}

/** A signal that aborts when the user presses Ctrl+C. */
export function interruption(): AbortSignal {
  const controller = new AbortController();
  process.once('SIGINT', () => controller.abort());
  process.once('SIGTERM', () => controller.abort());
  return controller.signal;
}
