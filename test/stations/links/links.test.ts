import { spawn } from 'node:child_process';
import { rmSync } from 'node:fs';
import { once } from 'node:events';
import { join } from 'node:path';
import { connect as connectTls, createServer as createTlsServer, type TLSSocket } from 'node:tls';
import { DatabaseSync } from 'node:sqlite';
import { expect, onTestFinished, test } from 'vitest';
import { WebSocket } from 'ws';
import { makeCertificate } from '../../../server/http/listener/make-certificate.ts';
import { makeKeys, signDial, type StationKeys } from '../../../server/replication/sync/links/connection/handshake.ts';
import { PROGRAM } from '../../support/program.ts';
import { Cable } from '../../support/cable.ts';
import { areEqual, pair, startStations, TestStation, type LinkAnswer } from '../harness/linked.ts';

const ROOT = new URL('../../..', import.meta.url).pathname;

type Link = LinkAnswer & {
  readonly station: { readonly id: string; readonly name: string; readonly number: number };
  readonly address: string | null;
  readonly paused: boolean;
  readonly dialledBy: string;
  readonly fingerprint: string | null;
};

async function linkOf(station: TestStation): Promise<Link> {
  const [link] = await station.ask<Link[]>('GET', '/links');
  if (!link) throw new Error(`Station ${station.number} has no link.`);
  return link;
}

const stateOf = async (station: TestStation) => (await linkOf(station)).state;

async function codeOf(station: TestStation): Promise<string> {
  return (await station.ask<{ code: string }>('POST', '/links/codes', {})).code;
}

/** The words of a refusal with 400. */
async function refusal(asked: Promise<unknown>): Promise<string> {
  const error = await asked.then(
    () => new Error('It was not refused.'),
    (thrown: unknown) => thrown as Error,
  );
  expect(error.message).toContain(': 400 ');
  return error.message;
}

const secure = { WAYPOST_TLS_PORT: '0' };

/** The TLS address of a station, from its log. */
async function secureAddress(station: TestStation): Promise<string> {
  const entries = await station.ask<{ message: string }[]>('GET', '/log/app?message=listening&limit=1');
  return /https:\/\/[^ ]+\d/.exec(entries[0]!.message)![0];
}

test('[sync 2] a code is dead after one use, and after three wrong tries', async () => {
  const [a, b] = (await startStations(2)) as [TestStation, TestStation];
  const code = await codeOf(b);
  for (let tried = 0; tried < 3; tried++)
    expect(await refusal(a.ask('POST', '/links', { address: b.address, code: '0000-0000' }))).toContain('wrong or has');
  expect(await refusal(a.ask('POST', '/links', { address: b.address, code }))).toContain('wrong or has expired');
  const second = await codeOf(b);
  await a.ask('POST', '/links', { address: b.address, code: second.toLowerCase().replace('-', ' ') });
  expect(await refusal(a.ask('POST', '/links', { address: b.address, code: second }))).toContain('wrong or has');
  await areEqual([a, b]);
});

test('[sync 4] of two fresh stations with one number the joining one takes a free one, and keeps it', async () => {
  const [a, b] = [new TestStation(1), new TestStation(1)];
  onTestFinished(async () => {
    await Promise.all([a.end('SIGKILL'), b.end('SIGKILL')]);
    for (const { directory } of [a, b]) rmSync(directory, { recursive: true, force: true });
  });
  await Promise.all([a.start(), b.start()]);
  const { newstype } = await b.ask<{ newstype: { news_type_id: string }[] }>('GET', '/newstype');
  const values = { title: 'A first task', news_type_id: Number(newstype[0]!.news_type_id) };
  await b.ask('POST', '/news/', { values });
  // The station with a record of its own keeps its number.
  expect(await refusal(b.ask('POST', '/links', { address: a.address, code: await codeOf(a) }))).toContain(
    'The station number 1 is taken',
  );

  await a.ask('POST', '/links', { address: b.address, code: await codeOf(b) });
  await areEqual([a, b]);
  expect((await linkOf(b)).station.number).toBe(0);
  await a.end();
  await a.start();
  await areEqual([a, b]);
  const { newsId } = await a.ask<{ newsId: number }>('POST', '/news/', { values });
  expect(newsId).toBeLessThan(10_000_000);
});

test('[sync 9] either station may be restarted, also on another port, and both find each other again', async () => {
  const [a, b] = (await startStations(2)) as [TestStation, TestStation];
  await a.ask('POST', '/links', { address: b.address, code: await codeOf(b) });
  await areEqual([a, b]);
  expect(await linkOf(b)).toMatchObject({ address: a.address, dialledBy: 'them' });
  for (const signal of ['SIGTERM', 'SIGKILL'] as const) {
    await b.end(signal);
    await expect.poll(() => stateOf(a)).toBe('unreachable');
    // It dials from its new port, and tells it.
    await b.start();
    await areEqual([a, b]);
  }
  // A has the address that was typed; B has the one that A tells.
  await a.end('SIGKILL');
  await expect.poll(() => stateOf(b)).toBe('unreachable');
  await a.start();
  await a.ask('PUT', `/links/${(await linkOf(a)).id}`, { address: b.address });
  await areEqual([a, b]);
  expect((await linkOf(b)).address).toBe(a.address);
});

test('[sync 11] a link is paused, resumed and cut on either side, and the other side says so', async () => {
  const [a, b] = (await startStations(2)) as [TestStation, TestStation];
  await pair(a, b);
  await areEqual([a, b]);
  const ids = { a: (await linkOf(a)).id, b: (await linkOf(b)).id };
  await b.ask('PUT', `/links/${ids.b}`, { paused: true });
  await expect.poll(() => linkOf(b)).toMatchObject({ state: 'paused', paused: true, lastError: null });
  await expect
    .poll(() => linkOf(a))
    .toMatchObject({ state: 'paused', paused: false, lastError: 'Paused by the other station.' });
  await b.ask('PUT', `/links/${ids.b}`, { paused: false });
  await areEqual([a, b]);
  await a.ask('PUT', `/links/${ids.a}`, { paused: true });
  await expect.poll(() => linkOf(b)).toMatchObject({ state: 'paused', lastError: 'Paused by the other station.' });
  await a.ask('PUT', `/links/${ids.a}`, { paused: false });
  await areEqual([a, b]);

  // The side that cannot dial cuts, while they are connected.
  await b.ask('DELETE', `/links/${ids.b}`);
  expect(await b.ask('GET', '/links')).toEqual([]);
  expect(await b.ask('GET', '/sync/state')).toMatchObject({ state: 'alone' });
  await expect.poll(() => linkOf(a)).toMatchObject({ state: 'refused', lastError: 'Cut by the other station.' });
  expect(await a.ask('GET', '/sync/state')).toMatchObject({ state: 'behind' });
  await a.ask('DELETE', `/links/${ids.a}`);
  expect(await a.ask('GET', '/sync/state')).toMatchObject({ state: 'alone' });

  // And while the other one is away: it learns it when it is back.
  await pair(a, b);
  await areEqual([a, b]);
  await a.end();
  await b.ask('DELETE', `/links/${(await linkOf(b)).id}`);
  await a.start();
  await expect.poll(() => linkOf(a)).toMatchObject({ state: 'refused', lastError: 'Cut by the other station.' });

  // Paired again, it goes on.
  await pair(a, b);
  await areEqual([a, b]);
});

test('[sync 12] over TLS the certificate is pinned: a new one is taken when the station proves it, a foreign one is refused', async () => {
  const [a, b] = (await startStations(2, secure)) as [TestStation, TestStation];
  const cable = await Cable.to(await secureAddress(b));
  onTestFinished(() => cable.close());
  const address = cable.address.replace('http:', 'https:');
  await a.ask('POST', '/links', { address, code: await codeOf(b), ownAddress: null });
  await areEqual([a, b]);
  const { fingerprint } = await linkOf(a);
  expect(fingerprint).toMatch(/^([0-9A-F]{2}:){31}[0-9A-F]{2}$/);

  await b.end();
  rmSync(join(b.directory, 'tls'), { recursive: true });
  await b.start();
  cable.target = new URL(await secureAddress(b));
  await areEqual([a, b]);
  const renewed = (await linkOf(a)).fingerprint;
  expect(renewed).not.toBe(fingerprint);

  // A machine in between passes everything on, with a certificate of its own.
  cable.target = await readBetween(b);
  cable.cut();
  cable.join();
  await expect.poll(() => stateOf(a)).toBe('refused');
  expect((await linkOf(a)).fingerprint).toBe(renewed);
  expect((await linkOf(a)).lastError).toContain('is not the one of the pairing');
  expect(await stateOf(b)).toBe('unreachable');
});

/** A machine that reads the TLS of a station and passes it on. Returns its address. */
async function readBetween(station: TestStation): Promise<URL> {
  const target = new URL(await secureAddress(station));
  const between = createTlsServer(makeCertificate(['localhost'], Date.now()), (near: TLSSocket) => {
    const far = connectTls({ host: target.hostname, port: Number(target.port), rejectUnauthorized: false });
    near.on('error', () => far.destroy()).pipe(far);
    far.on('error', () => near.destroy()).pipe(near);
  }).listen(0, '127.0.0.1');
  await once(between, 'listening');
  onTestFinished(() => void between.close());
  const { port } = between.address() as { port: number };
  return new URL(`https://127.0.0.1:${port}`);
}

test('[sync 6] a machine that reads TLS between two stations cannot be paired through', async () => {
  const [a, b] = (await startStations(2, secure)) as [TestStation, TestStation];
  const { origin } = await readBetween(b);
  const asked = a.ask('POST', '/links', { address: origin, code: await codeOf(b) });
  expect(await refusal(asked)).toContain('another machine is between the two');
  expect(await b.ask('GET', '/links')).toEqual([]);
});

/** The keys of a station that has ended or runs. */
function keysOf(station: TestStation): StationKeys {
  const sql = new DatabaseSync(join(station.directory, 'station.db'), { readOnly: true });
  const row = sql.prepare('SELECT private_key, public_key FROM link_keys').get()!;
  sql.close();
  return { privateKey: String(row['private_key']), publicKey: String(row['public_key']) };
}

/** Connects as a station, with a header that a test made. */
function upgrade(address: string, header: object): Promise<number> {
  const encoded = Buffer.from(JSON.stringify(header)).toString('base64url');
  const socket = new WebSocket(`${address.replace('http', 'ws')}/links/socket`, {
    headers: { authorization: `Waypost ${encoded}` },
  });
  return new Promise((resolve, reject) => {
    socket.on('open', () => (socket.terminate(), resolve(101)));
    socket.on('unexpected-response', (request, response) => (request.destroy(), resolve(response.statusCode!)));
    socket.on('error', reject);
  });
}

test('[sync 14] a connection that is replayed, forged, or meant for another station is refused with 401', async () => {
  const [a, b] = (await startStations(2)) as [TestStation, TestStation];
  await pair(a, b);
  await areEqual([a, b]);
  const keys = keysOf(a);
  const [from, to] = [(await linkOf(b)).station.id, (await linkOf(a)).station.id];
  await a.end();
  const challenge = async () => (await b.ask<{ challenge: string }>('POST', '/links/challenges')).challenge;
  const signed = async (by: StationKeys, change: object = {}, role: 'dialler' | 'listener' = 'dialler') => {
    const shown = { from, to, challenge: await challenge(), nonce: 'n'.repeat(40), certificate: '', ...change };
    return { ...shown, signature: signDial(by, role, shown) };
  };
  const genuine = await signed(keys);
  expect(await upgrade(b.address, genuine)).toBe(101);
  expect(await upgrade(b.address, genuine), 'replayed').toBe(401);
  expect(await upgrade(b.address, await signed(makeKeys())), 'another key').toBe(401);
  expect(await upgrade(b.address, await signed(keys, { to: from })), 'for another station').toBe(401);
  expect(await upgrade(b.address, await signed(keys, { from: 'stranger' })), 'not linked').toBe(401);
  expect(await upgrade(b.address, await signed(keys, { certificate: 'AA:BB' })), 'another certificate').toBe(401);
  expect(await upgrade(b.address, await signed(keys, { challenge: 'made-up-challenge' })), 'no challenge').toBe(401);
  expect(await upgrade(b.address, await signed(keys, {}, 'listener')), 'sent back').toBe(401);
  expect(await upgrade(b.address, { ...(await signed(keys)), nonce: 'm'.repeat(40) }), 'changed').toBe(401);
  expect(await upgrade(b.address, { any: 'thing' })).toBe(401);

  const metrics = await b.ask<string>('GET', '/metrics');
  expect(metrics).toContain('\nwaypost_links_refused_connections 9\n');
  const entries = await b.ask<{ message: string }[]>('GET', '/log/app?logger=links&message=was%20refused');
  expect(entries.map(({ message }) => message)).toEqual([
    'A connection from 127.0.0.1 as a linked station was refused: its challenge was used before, or is too old.',
  ]);
  expect(metrics).toContain('\nwaypost_link_connected{station="1"} 0\n');
  // Nothing else stops.
  await a.start();
  await areEqual([a, b]);
  expect(await b.ask<string>('GET', '/metrics')).toContain('\nwaypost_link_connected{station="1"} 1\n');
});

test('[sync 15] a station with another key is refused, and says so', async () => {
  const [a, b] = (await startStations(2)) as [TestStation, TestStation];
  await pair(a, b);
  await areEqual([a, b]);
  await a.end();
  const other = makeKeys();
  const sql = new DatabaseSync(join(a.directory, 'station.db'));
  sql.prepare('UPDATE link_keys SET private_key = ?, public_key = ?').run(other.privateKey, other.publicKey);
  sql.close();
  await a.start();
  await expect.poll(() => stateOf(a)).toBe('refused');
  expect((await linkOf(a)).lastError).toContain('does not accept the key of this one');
  expect(await stateOf(b)).toBe('unreachable');
});

async function shell(station: TestStation, ...words: string[]): Promise<{ code: number | null; said: string }> {
  const child = spawn(process.execPath, [PROGRAM, 'link', ...words, '--data', station.directory], { cwd: ROOT });
  let said = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (bytes) => (said += bytes));
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, said };
}

test('[sync 28] a shell makes, lists, changes, tries, pauses, resumes and cuts a link', async () => {
  const [a, b] = (await startStations(2)) as [TestStation, TestStation];
  expect((await shell(a, 'list')).said).toBe('There is no link.\n');
  const code = /^\S{4}-\S{4}/.exec((await shell(b, 'code', '--read-only')).said)![0];
  expect(await shell(a, 'add', b.address, code, '--tracks', '30', '--own-address', 'none')).toMatchObject({
    code: 0,
    said: 'Linked with Station 2 (link 1).\n',
  });
  expect(await linkOf(a)).toMatchObject({ readOnly: false, tracks: { days: 30 } });
  expect(await linkOf(b)).toMatchObject({ readOnly: true, address: null });
  await expect.poll(async () => (await shell(a, 'list')).said).toContain(`1  Station 2 (station 2): `);
  expect((await shell(a, 'change', '1', '--tracks', 'all', '--read-only', '--organizations', '1')).said).toBe(
    'The link with Station 2 is changed.\n',
  );
  expect(await linkOf(a)).toMatchObject({ readOnly: true, tracks: 'all', organizations: [1] });
  await shell(a, 'change', '1', '--both-ways', '--organizations', 'all', '--address', b.address);
  expect(await linkOf(a)).toMatchObject({ readOnly: false, organizations: null, address: b.address });
  expect(await shell(a, 'change', '1')).toMatchObject({ code: 2 });
  expect((await shell(a, 'try', '1')).said).toBe('Station 2 is being tried now.\n');
  expect((await shell(a, 'pause', 'Station 2')).said).toBe('The link with Station 2 is paused.\n');
  expect(await stateOf(a)).toBe('paused');
  expect((await shell(a, 'resume', '1')).said).toBe('The link with Station 2 is running again.\n');
  expect(await shell(a, 'cut', 'Depot')).toMatchObject({ code: 1, said: expect.stringContaining('no link Depot') });
  expect((await shell(a, 'cut', 'Station 2')).said).toBe('The link with Station 2 is cut.\n');
  expect(await shell(a, 'nearby')).toMatchObject({ code: 0, said: 'No other station was found on this network.\n' });
  expect(await shell(a, 'cut')).toMatchObject({ code: 2 });
  expect(await shell(a, 'add', b.address, code)).toMatchObject({
    code: 1,
    said: expect.stringContaining('wrong or has'),
  });
  await a.end();
  expect(await shell(a, 'list')).toMatchObject({ code: 1, said: expect.stringContaining('No station runs on') });
});
