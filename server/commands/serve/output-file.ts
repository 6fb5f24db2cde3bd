import { appendFileSync, renameSync, statSync } from 'node:fs';
import { Writable } from 'node:stream';
import { inspect } from 'node:util';

/** From this size on a file becomes `FILE.1` at the next start. */
const LARGE = 1_000_000;

/**
 * Appends standard output and standard error to a file: a service of Windows has neither. Few lines come, and
 * each is on disk before the process continues, so that a crash leaves its message.
 */
export function writeOutputTo(file: string): void {
  try {
    if (statSync(file).size > LARGE) renameSync(file, `${file}.1`);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
  const append = (text: string) => appendFileSync(file, text.replaceAll(/^(?=.)/gm, `${new Date().toISOString()} `));
  for (const name of ['stdout', 'stderr'] as const) {
    const stream = new Writable({
      decodeStrings: false,
      write(chunk: string | Buffer, _encoding, done) {
        append(chunk.toString());
        done();
      },
    });
    Object.defineProperty(process, name, { value: stream, configurable: true });
  }
  // Node prints it past these streams.
  process.on('uncaughtExceptionMonitor', (error) => append(`${inspect(error)}\n`));
}
