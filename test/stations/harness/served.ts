import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { PROGRAM } from '../../support/program.ts';

const ROOT = new URL('../../..', import.meta.url).pathname;
/** Of `admin`. */
export const PASSWORD = 'a good one';

/** A station as an operator starts it: a process of its own, on a free port. */
export interface Served {
  readonly address: string;
  readonly pid: number;
  /** Of the administrator. */
  readonly token: string;
  /** Signs the administrator in again: a standby has the accounts of the station that it follows. */
  signIn(): Promise<void>;
  /** Ends it as the signal does, and waits until it has ended. */
  end(signal: NodeJS.Signals): Promise<void>;
  /** Asks over HTTP as the administrator; throws what is not answered with 200. */
  ask<T>(method: string, path: string, body?: unknown): Promise<T>;
}

export async function serve(directory: string, environment: NodeJS.ProcessEnv = {}): Promise<Served> {
  const child = spawn(process.execPath, [PROGRAM, 'serve', '--port', environment['WAYPOST_PORT'] ?? '0'], {
    cwd: ROOT,
    env: { ...process.env, WAYPOST_DATA: directory, WAYPOST_ADMIN_PASSWORD: PASSWORD, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const ended = once(child, 'close');
  let said = '';
  const address = await new Promise<string>((resolve, reject) => {
    child.stdout.on('data', (bytes) => {
      said += bytes;
      const found = /^Waypost is listening on (http:\/\/\S+)$/m.exec(said)?.[1];
      if (found) resolve(found);
    });
    child.stderr.on('data', (bytes) => (said += bytes));
    void ended.then(() => reject(new Error(`The station ended: ${said}`)));
  });
  let token = '';
  const ask = async <T>(method: string, path: string, body?: unknown): Promise<T> => {
    const response = await fetch(address + path, {
      method,
      headers: { 'content-type': 'application/json', 'authorization': `Bearer ${token}` },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    if (response.status !== 200) throw new Error(`${method} ${path}: ${response.status} ${text}`);
    return (
      text === '' ? undefined : (response.headers.get('content-type') ?? '').includes('json') ? JSON.parse(text) : text
    ) as T;
  };
  const signIn = async (): Promise<void> => {
    ({ token } = await ask<{ token: string }>('POST', '/auth/login', { login: 'admin', password: PASSWORD }));
  };
  await signIn();
  return {
    address,
    pid: child.pid!,
    get token() {
      return token;
    },
    ask,
    signIn,
    async end(signal) {
      child.kill(signal);
      await ended;
    },
  };
}
