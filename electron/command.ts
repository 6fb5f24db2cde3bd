import { COMMANDS, HELP_WORDS, VERSION_WORDS } from '../server/commands/index.ts';

/** Whether the installed program was called as the `waypost` command: `waypost-console serve --data …`. */
export function isCommand([first = '']: readonly string[]): boolean {
  return Object.hasOwn(COMMANDS, first) || HELP_WORDS.has(first) || VERSION_WORDS.has(first);
}

/**
 * Runs the command in this process, before Electron opens anything: no second process, no display. Resolves with
 * the exit code when the command has ended and its output is written.
 */
export async function runCommand(words: readonly string[]): Promise<number> {
  process.argv = [process.execPath, 'waypost', ...words];
  await import('../server/cli.ts');
  for (const stream of [process.stdout, process.stderr])
    await new Promise<void>((written) => stream.write('', () => written()));
  return Number(process.exitCode ?? 0);
}
