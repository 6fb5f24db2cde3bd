import { connect, type ConnectionOptions } from 'node:tls';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { listen, type HttpListener } from '../../../../server/http/listener/listen.ts';
import { makeCertificate } from '../../../../server/http/listener/make-certificate.ts';

let listening: HttpListener;
const certificate = (): ReturnType<typeof makeCertificate> => makeCertificate(['127.0.0.1'], Date.now());

beforeAll(async () => {
  listening = await listen((_request, response) => void response.end(), {
    ...{ host: '127.0.0.1', port: 0, certificate: certificate() },
  });
});
afterAll(() => listening.stop());

/** The suite that both agree on, or the reason why there is none. */
function agreed(wanted: ConnectionOptions): Promise<string> {
  return new Promise((resolve) => {
    const options = { host: '127.0.0.1', port: listening.port, rejectUnauthorized: false, ...wanted };
    const socket = connect(options, () => {
      resolve(socket.getCipher().name);
      socket.destroy();
    }).on('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? ''));
  });
}

async function takesCurrentSuitesOnly(): Promise<void> {
  expect(await agreed({})).toBe('TLS_AES_256_GCM_SHA384');
  const old = { maxVersion: 'TLSv1.2' } as const;
  expect(await agreed(old)).toBe('ECDHE-ECDSA-AES256-GCM-SHA384');
  expect(await agreed({ ...old, ciphers: 'ECDHE-ECDSA-CHACHA20-POLY1305' })).toBe('ECDHE-ECDSA-CHACHA20-POLY1305');
  for (const ciphers of ['ECDHE-ECDSA-AES256-SHA', 'ECDHE-ECDSA-AES128-SHA256', 'AES128-GCM-SHA256', 'AES256-SHA'])
    expect(await agreed({ ...old, ciphers }), ciphers).toBe('ERR_SSL_SSL/TLS_ALERT_HANDSHAKE_FAILURE');
}

test('over TLS only suites with forward secrecy and authenticated encryption are taken', takesCurrentSuitesOnly);

test('also after another certificate is shown', async () => {
  listening.show(certificate());
  await takesCurrentSuitesOnly();
});
