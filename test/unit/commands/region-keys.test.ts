import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { decode, type User } from '@nats-io/jwt';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { run } from '../../../server/commands/region.ts';
import { userKeyOf } from '../../../server/replication/nats/access/user-key.ts';

let folder: string;
let said: string[];

beforeEach(() => {
  folder = join(mkdtempSync(join(tmpdir(), 'waypost-keys-')), 'region');
  said = [];
  vi.spyOn(console, 'log').mockImplementation((line: string) => void said.push(line));
});
afterEach(() => {
  vi.restoreAllMocks();
  rmSync(join(folder, '..'), { recursive: true, force: true });
});

const read = (name: string) => readFileSync(join(folder, name), 'utf8');
const claimsOf = (name: string) => decode<User>(/JWT-----\s+(\S+)/.exec(read(`${name}.creds`))![1]!);

test('keys, credentials and their list: files that their owner alone reads', async () => {
  await run(['keys', folder]);
  await run(['credentials', folder, 'north', '--role', 'gateway', '--days', '30']);
  await run(['credentials', folder, 'centre', '--role', 'station']);
  expect(readdirSync(folder).sort()).toEqual(['accounts.conf', 'centre.creds', 'north.creds', 'region-keys.json']);
  for (const name of readdirSync(folder)) expect(statSync(join(folder, name)).mode & 0o077).toBe(0);
  said = [];
  await run(['users', folder]);
  const end = new Date(Date.now() + 30 * 86_400_000).toISOString().slice(0, 10);
  expect(said).toEqual([`north\tgateway\tuntil ${end}`, 'centre\tstation\twithout expiry']);
});

test('credentials that are made again have the same key, and another end', async () => {
  await run(['keys', folder]);
  await run(['credentials', folder, 'north', '--role', 'gateway', '--days', '1']);
  const before = claimsOf('north');
  expect(userKeyOf(read('north.creds'))).toBe(before.sub);
  await run(['credentials', folder, 'north', '--role', 'gateway']);
  expect(claimsOf('north')).toMatchObject({ sub: before.sub, name: 'north' });
  expect(claimsOf('north').exp).toBeUndefined();
  expect(before.exp).toBeGreaterThan(Date.now() / 1000);
});

test('a revoked name is in the accounts, its file is gone, and it may be given again with another key', async () => {
  await run(['keys', folder]);
  await run(['credentials', folder, 'north', '--role', 'maps']);
  const { sub } = claimsOf('north');
  await run(['revoke', folder, 'north']);
  expect(readdirSync(folder)).not.toContain('north.creds');
  const accounts = [...read('accounts.conf').matchAll(/^ {2}A\w+: (\S+)$/gm)].map(([, jwt]) => decode(jwt!).nats);
  expect(accounts).toContainEqual(expect.objectContaining({ revocations: { [sub]: expect.any(Number) as number } }));
  await run(['credentials', folder, 'north', '--role', 'gateway']);
  expect(claimsOf('north').sub).not.toBe(sub);
});

test('wrong words, names and folders are refused in words, and nothing is written', async () => {
  const refused = (words: string[]) =>
    run(words).then(
      () => 'done',
      (error: Error) => error.message,
    );
  expect(await refused(['credentials', folder, 'north', '--role', 'gateway'])).toContain('Make them first');
  await run(['keys', folder]);
  const before = read('region-keys.json');
  expect(await refused(['keys', folder])).toContain('has keys of a region');
  expect(await refused(['credentials', folder, '../x', '--role', 'gateway'])).toContain('NAME must have 1 to 40');
  expect(await refused(['credentials', folder, 'x', '--role', 'king'])).toContain('--role must be one of');
  expect(await refused(['credentials', folder, 'x', '--role', 'maps', '--depot', 'd'])).toContain('for gateways only');
  expect(await refused(['credentials', folder, 'x', '--role', 'maps', '--days', '0'])).toContain('from 1 to 3650');
  expect(await refused(['credentials', folder, 'x', '--role', 'maps', '--days', '3651'])).toContain('from 1 to 3650');
  expect(await refused(['revoke', folder, 'x'])).toContain('no credentials for x');
  expect(await refused(['users', folder, '--days', '3'])).toContain('Keys: waypost region keys');
  expect(await refused(['users'])).toContain('Keys: waypost region keys');
  expect(read('region-keys.json')).toBe(before);
  await run(['credentials', folder, 'x', '--role', 'maps']);
  expect(await refused(['credentials', folder, 'x', '--role', 'gateway'])).toContain('x is a maps');
  writeFileSync(join(folder, 'region-keys.json'), '{');
  expect(await refused(['users', folder])).toContain('cannot be read as keys of a region');
});

test('a file that holds no credentials has no key', () => {
  for (const text of ['', 'x', '-----BEGIN NATS USER JWT-----\na.b.c', '-----BEGIN NATS USER JWT-----\na.bnVsbA.c'])
    expect(userKeyOf(text)).toBeUndefined();
});
