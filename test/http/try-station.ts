import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Agent, fetch } from 'undici';
import { readConfig } from '../../server/config/index.ts';
import type { StationConfig } from '../../server/config/index.ts';
import { startStation } from '../../server/station.ts';
import type { Station } from '../../server/station.ts';

export const ADMIN = { login: 'admin', password: 'correct horse' };

/** A real station on a free port, with a data directory of its own that goes away with it. */
export interface TryStation {
  readonly station: Station;
  readonly directory: string;
  /** Asks over HTTP. `as` is a token; a body that is no text is sent as JSON. */
  ask(method: string, path: string, options?: AskOptions): Promise<TestResponse>;
  /** As `ask`, for what must be answered with 200: the JSON of it; throws what is answered else. */
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- tests look at answers as a client without types does
  ok(method: string, path: string, options?: AskOptions): Promise<any>;
  /** Signs in and gives the token. */
  signIn(login?: string, password?: string): Promise<string>;
  /** Makes a user with the right of this name and signs them in. */
  newUser(login: string, role: string, fields?: object): Promise<{ id: number; token: string }>;
  /** The id of the first type of tasks, which every station has. */
  taskType(as: string): Promise<number>;
  stop(): Promise<void>;
}

export interface AskOptions {
  as?: string | undefined;
  body?: unknown;
  headers?: Record<string, string>;
  /** The address to ask from: any of 127.*.*.*, for rules that count by address. */
  from?: string;
}

export interface TestResponse {
  status: number;
  type: string;
  text: string;
  headers: { get(name: string): string | null };
  /** The body as JSON; throws when it is none. */
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- tests look at answers as a client without types does
  json(): any;
}

/**
 * Passwords are hashed with as little effort as argon2 takes, and every answer is compared with what the
 * documentation says of it.
 */
export async function tryStation(change: Partial<StationConfig> = {}): Promise<TryStation> {
  const directory = change.data ?? mkdtempSync(join(tmpdir(), 'waypost-try-'));
  const config = {
    ...readConfig(['--data', directory, '--port', '0'], {}),
    'adminPassword': ADMIN.password,
    'backup.time': null,
    ...change,
  };
  const station = await startStation(config, { passwordCost: { memoryCost: 8, timeCost: 1 }, checkAnswers: true });
  const ask: TryStation['ask'] = (method, path, options) => askAt(station.address, method, path, options);
  const ok: TryStation['ok'] = async (method, path, options) => {
    const answered = await ask(method, path, options);
    if (answered.status !== 200) throw new Error(`${method} ${path}: ${answered.status} ${answered.text}`);
    return answered.json();
  };
  const signIn = async (login = ADMIN.login, password = ADMIN.password): Promise<string> => {
    const answered = await ask('POST', '/auth/login', { body: { login, password } });
    if (answered.status !== 200) throw new Error(`${login} cannot sign in: ${answered.text}`);
    return answered.json().token;
  };
  return {
    station,
    directory,
    ask,
    ok,
    signIn,
    async newUser(login, role, fields = {}) {
      const as = await signIn();
      const roles: { id: number; name: string }[] = (await ask('GET', '/rights', { as })).json();
      const answered = await ask('POST', '/users', {
        as,
        body: {
          login,
          fio: login,
          password: 'a fine password',
          groupId: roles.find((each) => each.name === role)?.id,
          ...fields,
        },
      });
      if (answered.status !== 200) throw new Error(answered.text);
      return { id: answered.json().id, token: await signIn(login, 'a fine password') };
    },
    async taskType(as) {
      return Number((await ok('GET', '/newstype', { as })).newstype[0].news_type_id);
    },
    async stop() {
      await station.stop();
      if (change.data === undefined) rmSync(directory, { recursive: true, force: true });
    },
  };
}

export async function askAt(
  address: string,
  method: string,
  path: string,
  { as, body, headers = {}, from }: AskOptions = {},
): Promise<TestResponse> {
  const agent = from === undefined ? undefined : new Agent({ localAddress: from });
  const response = await fetch(address + path, {
    method,
    ...(agent ? { dispatcher: agent } : {}),
    headers: {
      ...(as === undefined ? {} : { authorization: `Bearer ${as}` }),
      ...(body === undefined || typeof body === 'string' ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  });
  const text = await response.text();
  await agent?.close();
  return {
    status: response.status,
    type: response.headers.get('content-type') ?? '',
    text,
    headers: response.headers,
    json: () => JSON.parse(text),
  };
}
