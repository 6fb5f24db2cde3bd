import { spawn } from 'node:child_process';

/** First arguments that run the `waypost` command instead of opening a window. */
const COMMANDS = new Set(['serve', 'import', 'user', 'backup', 'restore', 'simulate', 'help', 'version']);

/** Whether the installed program was called as the `waypost` command: `waypost-console serve --data …`. */
export function isCommand(words: readonly string[]): boolean {
  return COMMANDS.has(words[0] ?? '');
}

/** Runs the command in Electron started as plain Node. Forwards signals; resolves with the exit code. */
export function runCommand(cli: string, words: readonly string[]): Promise<number> {
  return new Promise((ended) => {
    const child = spawn(process.execPath, [cli, ...words], {
      stdio: 'inherit',
      env: { ...process.env, ELECTRON_RUN_AS_NODE: '1' },
    });
    const pass = (signal: NodeJS.Signals) => void child.kill(signal);
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, pass);
    child.on('error', () => ended(1));
    child.on('exit', (code) => {
      for (const signal of ['SIGINT', 'SIGTERM'] as const) process.off(signal, pass);
      ended(code ?? 1);
    });
  });
}
