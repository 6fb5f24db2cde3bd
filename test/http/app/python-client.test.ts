import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { tryStation, type TryStation } from '../try-station.ts';

// The standard generator is 20 MB of Java: the test runs where its jar is named in WAYPOST_OPENAPI_GENERATOR.
const JAR = process.env['WAYPOST_OPENAPI_GENERATOR'] ?? '';
const works = (program: string, ...words: string[]) => spawnSync(program, words).status === 0;
const HAS_ALL = existsSync(JAR) && works('java', '-version') && works('python3', '-c', 'import urllib3, dateutil, six');
const CONVERTER = fileURLToPath(new URL('../../../resources/openapi-3.0.py', import.meta.url));
const EXAMPLE = `
import os
import waypost_client
from waypost_client.api import messages_api, vehicles_api
settings = waypost_client.Configuration(host=os.environ['STATION'])
settings.access_token = os.environ['KEY']
with waypost_client.ApiClient(settings) as station:
    tasks = messages_api.MessagesApi(station)
    made = tasks.post_news({'values': {'title': 'By Python', 'news_type_id': int(os.environ['TYPE'])}})
    print('made', made['res'])
    print('count', tasks.get_news_count()['countNews'])
    print('vehicles', [vehicle.name for vehicle in vehicles_api.VehiclesApi(station).get_cars()])
`;
let at: TryStation;
let directory: string;

beforeAll(async () => {
  if (!HAS_ALL) return;
  at = await tryStation();
  directory = mkdtempSync(join(tmpdir(), 'waypost-python-'));
});
afterAll(async () => {
  if (!HAS_ALL) return;
  await at.stop();
  rmSync(directory, { recursive: true, force: true });
});

async function run(program: string, words: readonly string[], input = '', env: Record<string, string> = {}) {
  const child = spawn(program, words, { cwd: directory, env: { ...process.env, ...env } });
  const said = { out: '', error: '' };
  child.stdout.on('data', (bytes) => (said.out += bytes));
  child.stderr.on('data', (bytes) => (said.error += bytes));
  child.stdin.end(input);
  const [code] = (await once(child, 'close')) as [number];
  if (code !== 0)
    throw new Error(`${program} ${words.join(' ')}: ${said.out.slice(-2_000)}${said.error.slice(-2_000)}`);
  return said.out;
}

test.skipIf(!HAS_ALL)(
  'a client of the standard generator for Python makes a task and reads vehicles',
  async () => {
    const admin = await at.signIn();
    await at.ok('POST', '/cars', { as: admin, body: { name: 'Van 7', glonassId: 7 } });
    const { token } = await at.ok('POST', '/auth/keys', {
      as: admin,
      body: { name: 'python', scopes: ['read', 'tasks'], expiresAt: null },
    });
    const { text } = await at.ask('GET', '/openapi.json');
    writeFileSync(join(directory, 'waypost.json'), await run('python3', [CONVERTER], text));
    const words = ['-i', 'waypost.json', '-g', 'python', '-o', '.', '--package-name', 'waypost_client'];
    await run('java', ['-jar', JAR, 'generate', ...words]);
    expect(readFileSync(join(directory, 'setup.py'), 'utf8')).toMatch(/urllib3/);
    const env = { STATION: at.station.address, KEY: token, TYPE: String(await at.taskType(admin)) };
    const said = await run('python3', ['-c', EXAMPLE], '', env);
    expect(said.trim().split('\n')).toEqual(['made 1', 'count 1', "vehicles ['Van 7']"]);
  },
  180_000,
);
