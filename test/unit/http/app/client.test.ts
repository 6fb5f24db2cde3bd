import type { IncomingMessage } from 'node:http';
import { expect, test } from 'vitest';
import {
  clientAddress,
  clientFinder,
  exposureOf,
  hostOf,
  looksLocal,
  usesTls,
} from '../../../../server/http/app/client.ts';
import { accountIn } from '../../../../server/http/app/here.ts';
import { refusalOfExposed } from '../../../../server/http/app/tls-only.ts';
import { contains, networksOf } from '../../../../server/platform/networks.ts';

interface Asked {
  readonly from: string;
  readonly headers?: Record<string, string>;
  readonly tls?: boolean;
  readonly method?: string;
  readonly url?: string;
  readonly httpVersion?: string;
}

const unknown: string[] = [];
const find = clientFinder(networksOf(['10.0.0.0/24', '127.0.0.2', 'fd00::/8'])!, (address) => unknown.push(address));

function request({ from, headers = {}, tls = false, method = 'GET', url = '/', httpVersion = '1.1' }: Asked) {
  const made = {
    method,
    url,
    httpVersion,
    headers: { host: '127.0.0.1:8480', ...headers },
    socket: { remoteAddress: from, localPort: 8480, encrypted: tls },
  } as unknown as IncomingMessage;
  find(made);
  return made;
}

test('forwarding headers are believed from trusted proxies alone', () => {
  const headers = { 'x-forwarded-for': '203.0.113.7', 'x-forwarded-proto': 'https', 'x-forwarded-host': 'way.example' };
  const passed = request({ from: '10.0.0.9', headers });
  expect([clientAddress(passed), usesTls(passed), hostOf(passed)]).toEqual(['203.0.113.7', true, 'way.example']);
  for (const from of ['10.0.1.9', '203.0.113.8', '127.0.0.1', '::1']) {
    const claimed = request({ from, headers });
    expect([clientAddress(claimed), usesTls(claimed), hostOf(claimed)]).toEqual([from, false, '127.0.0.1:8480']);
  }
  expect(clientAddress(request({ from: '::ffff:10.0.0.9', headers }))).toBe('203.0.113.7');
  expect(
    clientAddress(request({ from: 'fd00::7', headers: { forwarded: 'for="[2001:db8::1]:4711";proto=https' } })),
  ).toBe('2001:db8::1');
});

test.each([
  [
    'what the client wrote itself stands further left',
    { 'x-forwarded-for': '198.51.100.1, 203.0.113.7' },
    '203.0.113.7',
  ],
  ['a chain of trusted proxies', { 'x-forwarded-for': '203.0.113.7, 10.0.0.3' }, '203.0.113.7'],
  ['a port', { 'x-forwarded-for': '203.0.113.7:5555' }, '203.0.113.7'],
  ['no address at all', { 'x-forwarded-for': 'unknown' }, '10.0.0.9'],
  ['no header', {}, '10.0.0.9'],
  ['RFC 7239', { forwarded: 'for=198.51.100.1, for=203.0.113.7;proto=https' }, '203.0.113.7'],
  [
    'two headers that differ: the client wrote one',
    { 'x-forwarded-for': '203.0.113.7', 'forwarded': 'for=1.2.3.4' },
    '10.0.0.9',
  ],
])('the client behind a trusted proxy: %s', (_what, headers, address) => {
  expect(clientAddress(request({ from: '10.0.0.9', headers: headers as Record<string, string> }))).toBe(address);
});

test('nobody is this machine through a trusted proxy, over HTTP/1.0, or under the name of another port', () => {
  expect(looksLocal(request({ from: '127.0.0.1' }))).toBe(true);
  expect(looksLocal(request({ from: '127.0.0.2' }))).toBe(false);
  expect(looksLocal(request({ from: '127.0.0.1', httpVersion: '1.0' }))).toBe(false);
  expect(looksLocal(request({ from: '127.0.0.1', headers: { host: 'localhost' } }))).toBe(false);
  expect(looksLocal(request({ from: '127.0.0.1', headers: { host: 'localhost:9000' } }))).toBe(false);
});

test('an unconfigured proxy on this machine is reported', () => {
  unknown.length = 0;
  request({ from: '127.0.0.1', headers: { 'x-forwarded-for': '203.0.113.7' } });
  request({ from: '127.0.0.1' });
  request({ from: '203.0.113.9', headers: { 'x-forwarded-for': '203.0.113.7' } });
  request({ from: '10.0.0.9', headers: { 'x-forwarded-for': '203.0.113.7' } });
  expect(unknown).toEqual(['127.0.0.1']);
});

const cookie = { cookie: 'waypost_token=abc' };
test.each<[string, Asked, 'open' | 'user', string | undefined]>([
  ['a password', { from: '203.0.113.7', method: 'POST', url: '/auth/login' }, 'open', 'request.tlsOnlyAt'],
  ['a token in the address', { from: '203.0.113.7', url: '/cars?token=abc' }, 'user', 'request.tlsOnlyAt'],
  [
    'a token in a header',
    { from: '203.0.113.7', headers: { authorization: 'Bearer abc' } },
    'open',
    'request.tlsOnlyAt',
  ],
  ['a cookie', { from: '203.0.113.7', headers: cookie }, 'open', 'request.tlsOnlyAt'],
  ['the wish for what needs one', { from: '203.0.113.7' }, 'user', 'request.tlsOnlyAt'],
  [
    'a proxy of others that claims TLS',
    { from: '203.0.113.7', headers: { ...cookie, 'x-forwarded-proto': 'https' } },
    'user',
    'request.tlsOnlyAt',
  ],
  [
    'a trusted proxy that was asked without TLS',
    { from: '10.0.0.9', headers: { ...cookie, 'x-forwarded-for': '1.2.3.4', 'x-forwarded-proto': 'http' } },
    'user',
    'request.tlsOnlyAt',
  ],
  [
    'a trusted proxy that does not say how it was asked',
    { from: '10.0.0.9', headers: { ...cookie, 'x-forwarded-for': '1.2.3.4' } },
    'user',
    'request.proxyScheme',
  ],
  ['nothing secret', { from: '203.0.113.7', url: '/health' }, 'open', undefined],
  ['TLS', { from: '203.0.113.7', headers: cookie, tls: true }, 'user', undefined],
  [
    'a trusted proxy that was asked over TLS',
    { from: '10.0.0.9', headers: { ...cookie, 'x-forwarded-for': '1.2.3.4', 'x-forwarded-proto': 'https' } },
    'user',
    undefined,
  ],
  ['this machine', { from: '127.0.0.1', headers: cookie, method: 'POST' }, 'user', undefined],
  ['this machine, IPv6', { from: '::1', headers: cookie }, 'user', undefined],
])('over plain HTTP, %s', (_what, asked, access, code) => {
  expect(refusalOfExposed(request(asked), () => 8443, access)?.code).toBe(code);
});

test('the refusal names the address over TLS, at the port of this station or of the proxy', () => {
  const host = { host: 'way.example:8480' };
  const direct = request({ from: '203.0.113.7', method: 'POST', headers: host });
  expect(refusalOfExposed(direct, () => 8443)?.message).toContain('https://way.example:8443.');
  const proxied = request({ from: '10.0.0.9', method: 'POST', headers: { ...host, 'x-forwarded-proto': 'http' } });
  expect(refusalOfExposed(proxied, () => undefined)?.message).toContain('https://way.example.');
  const odd = request({ from: '203.0.113.7', method: 'POST', headers: { host: 'a b"<' } });
  expect(refusalOfExposed(odd, () => 8443)?.code).toBe('request.tlsOnly');
  expect(exposureOf(direct)).toEqual({ proxy: undefined, scheme: 'http' });
});

test('networks are addresses or CIDR; anything else is refused', () => {
  for (const wrong of ['', 'proxy.example', '10.0.0.0/33', '::/129', '10.0.0.0/8/8', '10.0.0/8', '10.0.0.0/x', '/8'])
    expect(networksOf([wrong]), wrong).toBeUndefined();
  const list = networksOf(['10.0.0.0/8', '2001:db8::/32', '192.0.2.1'])!;
  expect(
    ['10.255.0.1', '11.0.0.1', '2001:db8::5', '192.0.2.1', '192.0.2.2', 'x', ''].map((one) => contains(list, one)),
  ).toEqual([true, false, true, true, false, false, false]);
});

test('the account of the other end of a connection is read from the table of the system', () => {
  const line = (local: string, remote: string, account: number) =>
    `   0: ${local} ${remote} 01 00000000:00000000 00:00000000 00000000 ${account}        0 18179 1 0 100 0`;
  const table = [
    '  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode',
    line('0100007F:2120', '0100007F:C350', 1),
    line('0200007F:C350', '0100007F:2120', 2),
    line('0100007F:C350', '0100007F:2121', 3),
    line('0100007F:C350', '0100007F:2120', 33),
    line('00000000000000000000000001000000:C350', '00000000000000000000000001000000:2120', 44),
    line('0000000000000000FFFF00000100007F:C351', '0000000000000000FFFF00000100007F:2120', 55),
  ].join('\n');
  const at = (address: string, port: number) => accountIn(table, { address, port, to: 8480 });
  expect(at('127.0.0.1', 50_000)).toBe(33);
  expect(at('::ffff:127.0.0.1', 50_000)).toBe(33);
  expect(at('::1', 50_000)).toBe(44);
  expect(at('::ffff:127.0.0.1', 50_001)).toBe(55);
  expect(at('127.0.0.1', 50_002)).toBeUndefined();
});
