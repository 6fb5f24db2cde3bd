import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { DirectoryDown } from '../../../server/access/accounts/index.ts';
import { makeCertificate } from '../../../server/http/listener/make-certificate.ts';
import { LdapDirectory, type LdapSettings } from '../../../server/access/identity/ldap-directory.ts';
import { eventually } from '../../support/eventually.ts';
import { ADMIN, tryStation, type TryStation } from '../try-station.ts';
import { freePort } from '../../support/free-ports.ts';

const SLAPD = '/usr/sbin/slapd';
const BASE = 'dc=example,dc=org';
const PEOPLE = `dn: ${BASE}
objectClass: dcObject
objectClass: organization
dc: example
o: Example

dn: cn=reader,${BASE}
objectClass: organizationalRole
objectClass: simpleSecurityObject
cn: reader
userPassword: reading

dn: uid=olga,${BASE}
objectClass: inetOrgPerson
uid: olga
cn: Olga (Night, shift)
sn: Night
mail: olga@example.org
userPassword: olga's secret

dn: uid=pavel,${BASE}
objectClass: inetOrgPerson
uid: pavel
cn: Pavel
sn: Pavel
userPassword: pavel's secret

dn: cn=dispatchers,${BASE}
objectClass: groupOfNames
cn: dispatchers
member: uid=olga,${BASE}
member: cn=everybody,${BASE}

dn: cn=control room,${BASE}
objectClass: groupOfNames
cn: control room
member: cn=dispatchers,${BASE}

dn: cn=everybody,${BASE}
objectClass: groupOfNames
cn: everybody
member: cn=control room,${BASE}
`;

// Debian's slapd: `node .ci/prepare.mjs` tries to get it; skipped where it cannot be had.
describe.skipIf(!existsSync(SLAPD))('a directory', () => {
  let directory: string;
  let slapd: ChildProcess | undefined;
  let port: number;
  let securePort: number;
  let at: TryStation;

  const start = async () => {
    slapd = spawn(
      SLAPD,
      [
        '-f',
        join(directory, 'slapd.conf'),
        '-h',
        `ldap://127.0.0.1:${port} ldaps://127.0.0.1:${securePort}`,
        '-d',
        '0',
      ],
      {
        stdio: 'ignore',
      },
    );
    await eventually(async () => expect(await listens(port)).toBe(true));
  };
  const stop = async () => {
    const ended = new Promise((resolve) => slapd!.once('exit', resolve));
    slapd!.kill();
    await ended;
    slapd = undefined;
  };

  beforeAll(async () => {
    directory = mkdtempSync(join(tmpdir(), 'waypost-slapd-'));
    mkdirSync(join(directory, 'db'));
    [port, securePort] = [await freePort(), await freePort()];
    const { cert, key } = makeCertificate(['localhost', '127.0.0.1'], Date.now());
    writeFileSync(join(directory, 'certificate.pem'), cert);
    writeFileSync(join(directory, 'key.pem'), key, { mode: 0o600 });
    writeFileSync(
      join(directory, 'slapd.conf'),
      `modulepath /usr/lib/ldap
moduleload back_mdb
include /etc/ldap/schema/core.schema
include /etc/ldap/schema/cosine.schema
include /etc/ldap/schema/inetorgperson.schema
pidfile ${directory}/slapd.pid
TLSCertificateFile ${directory}/certificate.pem
TLSCertificateKeyFile ${directory}/key.pem
database mdb
suffix "${BASE}"
directory ${directory}/db
access to attrs=userPassword by anonymous auth by * none
access to * by users read by * none
`,
    );
    writeFileSync(join(directory, 'people.ldif'), PEOPLE);
    const added = spawnSync('/usr/sbin/slapadd', [
      ...['-f', join(directory, 'slapd.conf'), '-l', join(directory, 'people.ldif')],
    ]);
    if (added.status !== 0) throw new Error(String(added.stderr));
    await start();
    at = await tryStation({
      'ldap.address': `ldap://127.0.0.1:${port}`,
      'ldap.startTls': false,
      'ldap.bindName': `cn=reader,${BASE}`,
      'ldap.bindPassword': 'reading',
      'ldap.base': BASE,
      'ldap.groups': 'member',
      'signIn.groups': [{ group: 'dispatchers', role: 'Dispatcher' }],
    });
  });
  afterAll(async () => {
    await at?.stop();
    if (slapd) await stop();
    rmSync(directory, { recursive: true, force: true });
  });

  let addresses = 1;
  const signIn = (login: string, password: string) =>
    at.ask('POST', '/auth/login', { body: { login, password }, from: `127.0.7.${addresses++}` });
  const refusal = async (login: string, password: string) =>
    (await signIn(login, password)).headers.get('waypost-refusal');

  test('opens the station to its people with the right of their group', async () => {
    const answered = await signIn('olga', "olga's secret");
    expect(answered.json().user).toMatchObject({ login: 'olga', right: { name: 'Dispatcher' } });
    expect(await refusal('pavel', "pavel's secret")).toBe('accounts.noGroup');
    expect((await at.ask('GET', '/audit?limit=100', { as: await at.signIn() })).text).toContain('"method":"ldap"');
  });

  test('takes what is typed as a login, never as a filter', async () => {
    for (const login of ['*', 'ol*', 'olga)(uid=*', '*)(objectClass=*', 'olga\u0000'])
      expect((await signIn(login, "olga's secret")).status).toBeGreaterThanOrEqual(400);
    expect(await refusal('olga', '')).toBe('accounts.wrongLogin');
  });

  /** The directory as the station asks it; `authority`: whether its certificate is known. */
  const directoryAt = (address: string, more: Partial<LdapSettings> = {}, knowsAuthority = true) =>
    new LdapDirectory(
      {
        ...{ address, startTls: false, base: BASE, bindName: `cn=reader,${BASE}`, bindPassword: 'reading' },
        ...{ loginAttribute: 'uid', idAttribute: 'entryUUID', groups: 'member', groupBase: BASE },
        authority: knowsAuthority ? join(directory, 'certificate.pem') : null,
        ...more,
      },
      () => undefined,
    );

  test('is asked by LDAPS and StartTLS, by name and by number, and only where its certificate is known', async () => {
    for (const host of ['localhost', '127.0.0.1'])
      for (const [address, startTls] of [
        [`ldaps://${host}:${securePort}`, false],
        [`ldap://${host}:${port}`, true],
      ] as const) {
        const known = directoryAt(address, { startTls });
        expect(await known.identify('olga', "olga's secret"), address).toMatchObject({ login: 'olga' });
        expect(await known.identify('olga', 'wrong'), address).toBeUndefined();
        const stranger = directoryAt(address, { startTls }, false);
        await expect(stranger.identify('olga', "olga's secret"), address).rejects.toThrow(DirectoryDown);
      }
  });

  test('names the groups in which groups are, also where they contain each other', async () => {
    const groupsBy = async (groups: LdapSettings['groups']) =>
      (await directoryAt(`ldap://127.0.0.1:${port}`, { groups }).identify('olga', "olga's secret"))?.groups.filter(
        (name) => !name.includes('='),
      );
    expect(await groupsBy('member')).toEqual(['dispatchers']);
    expect(await groupsBy('nested')).toEqual(['dispatchers', 'control room', 'everybody']);
  });

  test('says when it is down, and users of the station sign in', async () => {
    await stop();
    expect(await refusal('olga', "olga's secret")).toBe('accounts.directoryDown');
    expect(await refusal(ADMIN.login, 'wrong')).toBe('accounts.directoryDown');
    expect((await signIn(ADMIN.login, ADMIN.password)).status).toBe(200);
    await start();
    expect((await signIn('olga', "olga's secret")).status).toBe(200);
  });

  test('is asked for ten wrong passwords of a login, and no more', async () => {
    for (let guess = 0; guess < 10; guess++) expect((await signIn('olga', `guess ${guess}`)).status).toBe(401);
    expect(await refusal('olga', "olga's secret")).toBe('accounts.tooManyAttempts');
  });
});

function listens(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.once('connect', () => (socket.destroy(), resolve(true))).once('error', () => resolve(false));
  });
}
