import { spawn, type ChildProcess } from 'node:child_process';
import { X509Certificate } from 'node:crypto';
import { createSocket, type Socket } from 'node:dgram';
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer as createHttpServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect, type PeerCertificate } from 'node:tls';
import { Agent, request } from 'undici';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { AcmeRenewal, isDue } from '../../../server/http/listener/acme.ts';
import { makeCertificate } from '../../../server/http/listener/make-certificate.ts';
import { eventually } from '../../support/eventually.ts';
import { tryStation, type TryStation } from '../try-station.ts';
import { freePort } from '../../support/free-ports.ts';

const PEBBLE = '/usr/bin/pebble';
const NAME = 'station.example.org';
const DAY = 86_400_000;

// Let's Encrypt's test authority in Debian: `node .ci/prepare.mjs` tries to get it; skipped where it cannot be had.
describe.skipIf(!existsSync(PEBBLE))('an authority', () => {
  let folder: string;
  let pebble: ChildProcess | undefined;
  let names: Socket;
  let at: TryStation;
  let directory: string;
  let said = '';
  let stopped = false;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'waypost-acme-'));
    const [port, management, stationPort] = await Promise.all([freePort(), freePort(), freePort()]);
    const own = makeCertificate(['localhost'], Date.now());
    writeFileSync(join(folder, 'certificate.pem'), own.cert);
    writeFileSync(join(folder, 'key.pem'), own.key);
    const settings = {
      listenAddress: `127.0.0.1:${port}`,
      managementListenAddress: `127.0.0.1:${management}`,
      certificate: join(folder, 'certificate.pem'),
      privateKey: join(folder, 'key.pem'),
      httpPort: stationPort, // stands for port 80 of the public name
      tlsPort: 5001,
    };
    writeFileSync(join(folder, 'pebble.json'), JSON.stringify({ pebble: settings }));
    names = await answerNames();
    const words = ['-config', join(folder, 'pebble.json'), '-dnsserver', `127.0.0.1:${names.address().port}`];
    pebble = spawn(PEBBLE, words, { env: { ...process.env, PEBBLE_VA_NOSLEEP: '1' } });
    for (const stream of [pebble.stdout!, pebble.stderr!]) stream.on('data', (chunk) => (said += String(chunk)));
    directory = `https://localhost:${port}/dir`;
    const agent = new Agent({ connect: { rejectUnauthorized: false } });
    await eventually(async () =>
      expect((await request(directory, { dispatcher: agent }).catch(() => undefined))?.statusCode, said).toBe(200),
    );
    await agent.close();
    at = await tryStation({
      'port': stationPort,
      'tlsPort': 0,
      'acme.name': NAME,
      'acme.email': 'control@example.org',
      'acme.directory': directory,
      'acme.authority': join(folder, 'certificate.pem'),
    });
  });
  afterAll(async () => {
    if (!stopped) await at?.stop();
    names?.close();
    pebble?.kill();
    rmSync(folder, { recursive: true, force: true });
  });

  test('signs the certificate of the public name, which is shown without a restart', async () => {
    await eventually(async () => expect((await shown()).subjectaltname, said).toBe(`DNS:${NAME}`));
    expect((await shown()).issuer.CN).toMatch(/^Pebble Intermediate CA/);
    expect(await at.ok('GET', '/health')).not.toHaveProperty('problems');
    const tls = join(at.directory, 'tls', 'acme');
    for (const file of ['account.pem', 'key.pem', 'certificate.pem'])
      expect(statSync(join(tls, file)).mode & 0o77, file).toBe(0);
    // What was asked for is gone.
    const token = /acme-challenge\/([\w-]+)/.exec(said)?.[1];
    expect((await at.ask('GET', `/.well-known/acme-challenge/${token ?? 'any'}`)).status).toBe(404);
  });

  test('signs again when the certificate is due and not before, for the same account and key', async () => {
    const renewed = join(folder, 'renewed');
    cpSync(join(at.directory, 'tls', 'acme'), renewed, { recursive: true });
    const { port } = new URL(at.station.address);
    await at.stop(); // its port is where the authority asks
    stopped = true;
    const read = (file: string) => readFileSync(join(renewed, file), 'utf8');
    const [account, first] = [read('account.pem'), new X509Certificate(read('certificate.pem'))];
    const said: string[] = [];
    let signed = 0;
    const start = (now: number) =>
      AcmeRenewal.start({
        ...{ name: NAME, email: null, authority: join(folder, 'certificate.pem'), folder: renewed, directory },
        now: () => now,
        log: { info: () => undefined, error: (message) => said.push(message) },
        renewed: () => signed++,
      });
    const early = start(Date.parse(first.validFrom) + 1000);
    early.close();
    const renewal = start(Date.parse(first.validTo) - 1000);
    const answers = createHttpServer((asked, answer) => {
      const text = renewal.answer(asked.url!.split('/').at(-1)!);
      answer.writeHead(text === undefined ? 404 : 200).end(text);
    }).listen(Number(port), '127.0.0.1');
    try {
      await eventually(() => expect(signed, said.join('\n')).toBe(1));
    } finally {
      renewal.close();
      answers.close();
    }
    const second = new X509Certificate(read('certificate.pem'));
    expect(second.serialNumber).not.toBe(first.serialNumber);
    expect(second.publicKey.equals(first.publicKey)).toBe(true);
    expect(read('account.pem')).toBe(account);
    expect(statSync(join(renewed, 'certificate.pem')).mode & 0o77).toBe(0);
  });

  function shown(): Promise<PeerCertificate> {
    return new Promise((resolve, reject) => {
      const { port } = at.station.http.secure!;
      const socket = connect({ port, host: '127.0.0.1', rejectUnauthorized: false }, () => {
        resolve(socket.getPeerCertificate());
        socket.destroy();
      }).on('error', reject);
    });
  }
});

test('health gives the reason when an authority cannot be reached, and the station retries', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'waypost-acme-'));
  const errors: string[] = [];
  const renewal = AcmeRenewal.start({
    ...{ name: NAME, email: null, authority: null, folder, now: Date.now },
    directory: `https://127.0.0.1:${await freePort()}/dir`,
    log: { info: () => undefined, error: (message) => errors.push(message) },
    renewed: () => expect.unreachable(),
  });
  const words = `The authority did not sign a certificate for ${NAME}: `;
  await eventually(() => expect(renewal.problems()).toEqual([expect.stringContaining(words)]));
  expect(errors).toEqual([expect.stringContaining('Retrying in 10 min.')]);
  expect(renewal.answer('any')).toBeUndefined();
  renewal.close();
  rmSync(folder, { recursive: true });
});

test('a certificate is due 30 days before its end, or at the last third of a short life', () => {
  const now = Date.now();
  const valid = (days: number) => ({
    validFrom: new Date(now).toUTCString(),
    validTo: new Date(now + days * DAY).toUTCString(),
  });
  for (const [days, due] of [
    [365, 335],
    [90, 60],
    [6, 4],
  ] as const) {
    expect(isDue(valid(days), now + (due - 0.1) * DAY)).toBe(false);
    expect(isDue(valid(days), now + (due + 0.1) * DAY)).toBe(true);
  }
});

/** A server of names that knows one address: this machine's. */
function answerNames(): Promise<Socket> {
  const server = createSocket('udp4');
  server.on('message', (asked, { port, address }) => {
    const end = asked.indexOf(0, 12) + 5; // after the name: its end, type and class
    const isAddress = asked.readUInt16BE(end - 4) === 1;
    const head = Buffer.from(asked.subarray(0, 12));
    head.writeUInt16BE(0x8180, 2);
    head.writeUInt16BE(isAddress ? 1 : 0, 6);
    head.fill(0, 8);
    const answer = Buffer.from([0xc0, 12, 0, 1, 0, 1, 0, 0, 0, 1, 0, 4, 127, 0, 0, 1]);
    server.send(Buffer.concat([head, asked.subarray(12, end), ...(isAddress ? [answer] : [])]), port, address);
  });
  return new Promise((resolve) => server.bind(0, '127.0.0.1', () => resolve(server)));
}
