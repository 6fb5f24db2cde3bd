import { X509Certificate } from 'node:crypto';
import { copyFileSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { request } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { hostNames, tlsPortOf } from '../../../../server/http/listener/host-names.ts';
import { isKeyOfCertificate, ownCertificate } from '../../../../server/http/listener/certificate.ts';
import { makeCertificate } from '../../../../server/http/listener/make-certificate.ts';
import { listen } from '../../../../server/http/listener/listen.ts';

const NOW = Date.UTC(2026, 0, 15);
const DAY = 24 * 3_600_000;

test('OpenSSL reads the certificate: names, dates, usage, signed by its own key', () => {
  const made = makeCertificate(
    ['localhost', 'depot.example', '127.0.0.1', '10.1.2.3', '::1', 'fe80::1:ab', '::ffff:10.1.2.4'],
    NOW,
  );
  const certificate = new X509Certificate(made.cert);
  expect(certificate.verify(certificate.publicKey)).toBe(true);
  expect(isKeyOfCertificate(made)).toBe(true);
  expect(certificate.ca).toBe(false);
  expect(certificate.subject).toBe('CN=Waypost station');
  expect(certificate.issuer).toBe('CN=Waypost station');
  expect(certificate.keyUsage).toEqual(['1.3.6.1.5.5.7.3.1']);
  expect(certificate.subjectAltName).toBe(
    'DNS:localhost, DNS:depot.example, IP Address:127.0.0.1, IP Address:10.1.2.3, IP Address:0:0:0:0:0:0:0:1, IP Address:FE80:0:0:0:0:0:1:AB, IP Address:0:0:0:0:0:FFFF:A01:204',
  );
  expect(certificate.checkHost('depot.example')).toBe('depot.example');
  expect(certificate.checkIP('10.1.2.3')).toBe('10.1.2.3');
  expect(certificate.checkHost('other.example')).toBeUndefined();
  expect(Date.parse(certificate.validFrom)).toBe(NOW - DAY);
  expect(Date.parse(certificate.validTo)).toBe(NOW + 3650 * DAY);
});

test('years beyond 2049 are written as such', () => {
  expect(
    new Date(new X509Certificate(makeCertificate(['a'], Date.UTC(2045, 0, 1)).cert).validTo).getUTCFullYear(),
  ).toBe(2054);
});

test('a client that trusts it is connected under every name of this machine', async () => {
  const certificate = makeCertificate(hostNames('0.0.0.0'), Date.now());
  const http = await listen((_request, response) => response.end('safe'), { host: '127.0.0.1', port: 0, certificate });
  for (const name of ['127.0.0.1', 'localhost']) {
    const text = await new Promise<string>((resolve, reject) => {
      request(
        {
          host: '127.0.0.1',
          port: http.port,
          servername: name === 'localhost' ? name : '',
          headers: { host: name },
          ca: certificate.cert,
        },
        (response) => {
          let heard = '';
          response.on('data', (bytes) => (heard += bytes));
          response.on('end', () => resolve(heard));
        },
      )
        .on('error', reject)
        .end();
    });
    expect(text).toBe('safe');
  }
  expect(http.address).toMatch(/^https:\/\//);
  await http.stop();
});

test('the certificate is made once, readable by its owner only, and renewed with the same key before it ends', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'waypost-tls-'));
  const first = await ownCertificate(directory, ['localhost'], NOW);
  expect(await ownCertificate(directory, ['localhost'], NOW + 3000 * DAY)).toEqual(first);
  expect(statSync(join(directory, 'key.pem')).mode & 0o077).toBe(0);
  const second = await ownCertificate(directory, ['localhost'], NOW + 3640 * DAY);
  expect(second.cert).not.toBe(first.cert);
  // Linked stations and consoles remember the key.
  expect(second.key).toBe(first.key);
  expect(isKeyOfCertificate(second)).toBe(true);
  rmSync(directory, { recursive: true });
});

test('a key and certificate that do not match, or are damaged, are replaced', async () => {
  const [directory, other] = [mkdtempSync(join(tmpdir(), 'waypost-tls-')), mkdtempSync(join(tmpdir(), 'waypost-tls-'))];
  const first = await ownCertificate(directory, ['localhost'], NOW);
  await ownCertificate(other, ['localhost'], NOW);
  copyFileSync(join(other, 'key.pem'), join(directory, 'key.pem'));
  const second = await ownCertificate(directory, ['localhost'], NOW);
  expect(second.cert).not.toBe(first.cert);
  expect(isKeyOfCertificate(second)).toBe(true);
  writeFileSync(join(directory, 'certificate.pem'), second.cert.slice(0, 100));
  const third = await ownCertificate(directory, ['localhost'], NOW);
  expect(isKeyOfCertificate(third)).toBe(true);
  expect(await ownCertificate(directory, ['localhost'], NOW)).toEqual(third);
  for (const each of [directory, other]) rmSync(each, { recursive: true });
});

test('TLS is served when the station listens beyond this machine, else not', () => {
  expect(tlsPortOf({ host: '127.0.0.1', port: 8480, tlsPort: null })).toBeNull();
  expect(tlsPortOf({ host: 'localhost', port: 8480, tlsPort: null })).toBeNull();
  expect(tlsPortOf({ host: '0.0.0.0', port: 8480, tlsPort: null })).toBe(8443);
  expect(tlsPortOf({ host: '0.0.0.0', port: 0, tlsPort: null })).toBe(0);
  expect(tlsPortOf({ host: '127.0.0.1', port: 8480, tlsPort: 9443 })).toBe(9443);
});
