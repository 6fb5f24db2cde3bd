import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect } from 'node:tls';
import { X509Certificate } from 'node:crypto';
import { Agent, fetch } from 'undici';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { makeCertificate } from '../../../server/http/listener/make-certificate.ts';
import type { Certificate } from '../../../server/http/listener/certificate.ts';
import { eventually } from '../../support/eventually.ts';
import { tryStation, type TryStation } from '../try-station.ts';

const DAY = 86_400_000;
/** ms of a certificate of ours. */
const LIFETIME = 3650 * DAY;

let directory: string;
let at: TryStation;
const files = () => ({ certificate: join(directory, 'chain.pem'), key: join(directory, 'key.pem') });

beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), 'waypost-own-'));
  write(endsIn(5));
  at = await tryStation({ 'tlsPort': 0, 'tls.certificate': files().certificate, 'tls.key': files().key });
});
afterAll(async () => {
  await at?.stop();
  rmSync(directory, { recursive: true });
});

function endsIn(days: number): Certificate {
  return makeCertificate(['localhost', '127.0.0.1'], Date.now() + days * DAY + DAY / 2 - LIFETIME);
}

/** The administrator's pair, which stays as it was written. */
let written: Certificate;
const inFiles = () => ({ cert: readFileSync(files().certificate, 'utf8'), key: readFileSync(files().key, 'utf8') });

function write({ cert, key }: Certificate): void {
  written = { cert, key };
  writeFileSync(files().key, key);
  writeFileSync(files().certificate, cert);
}

/** The certificate that a new connection is shown. */
function shown(): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect({ port: at.station.http.secure!.port, host: '127.0.0.1', rejectUnauthorized: false }, () => {
      resolve(socket.getPeerCertificate().fingerprint256);
      socket.destroy();
    }).on('error', reject);
  });
}

const fingerprintOf = ({ cert }: Certificate) => new X509Certificate(cert).fingerprint256;
const health = () => at.ok('GET', '/health');

test('the administrator’s certificate is shown, followed without a restart, and never written', async () => {
  expect(await shown()).toBe(fingerprintOf(written));
  expect(at.station.http.fingerprint).toBe(await shown());
  expect((await health()).fingerprint).toBe(await shown());
  expect(inFiles()).toEqual(written);
  expect((await health()).problems).toEqual([
    { code: 'tls.certificate', text: expect.stringMatching(/^The TLS certificate ends on \d{4}-/) },
  ]);
  expect((await at.ask('GET', '/metrics')).text).toMatch(/^waypost_certificate_end_timestamp_seconds \d{10}$/m);

  const renewed = endsIn(90);
  write(renewed);
  await eventually(async () => expect(await shown()).toBe(fingerprintOf(renewed)));
  expect(at.station.http.fingerprint).toBe(fingerprintOf(renewed));
  expect(await health()).not.toHaveProperty('problems');
  expect(inFiles()).toEqual(renewed);
});

test('a key pair that cannot be used changes nothing, and is reported until it is valid', async () => {
  const before = await shown();
  for (const [wrong, words] of [
    [{ ...endsIn(90), key: endsIn(90).key }, 'does not belong to the certificate'],
    [{ cert: 'nothing', key: endsIn(90).key }, 'cannot be used for TLS'],
    [{ cert: endsIn(90).cert, key: '-----BEGIN ENCRYPTED PRIVATE KEY-----' }, 'is encrypted'],
  ] as const) {
    write(wrong);
    await at.station.http.reloadCertificate();
    expect((await health()).problems).toMatchObject([
      { code: 'tls.certificate', text: expect.stringContaining(words) as string },
    ]);
    expect(await shown()).toBe(before);
  }
  const right = endsIn(200);
  write(right);
  await at.station.http.reloadCertificate();
  expect(await health()).not.toHaveProperty('problems');
  expect(await shown()).toBe(fingerprintOf(right));
});

test('browsers are told to use TLS only where the certificate is not of the station’s own making', async () => {
  const agent = new Agent({ connect: { rejectUnauthorized: false } });
  const secure = await fetch(`${at.station.http.secure!.addressHere}/health`, { dispatcher: agent });
  expect(secure.headers.get('strict-transport-security')).toBe('max-age=31536000');
  expect((await at.ask('GET', '/health')).headers.get('strict-transport-security')).toBeNull();
  await agent.close();
});
