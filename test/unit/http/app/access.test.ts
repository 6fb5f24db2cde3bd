import { expect, test } from 'vitest';
import { SCOPES, type Caller } from '../../../../server/access/accounts/index.ts';
import { looksLocal } from '../../../../server/http/app/client.ts';
import { requireAccess } from '../../../../server/http/app/authenticate.ts';
import type { Access } from '../../../../server/http/app/route.ts';
import { Refusal } from '../../../../shared/refusal.ts';

const caller = (scopes: readonly (typeof SCOPES)[number][] | null, admin = false) =>
  ({ user: {}, role: { admin }, token: { scopes } }) as unknown as Caller;

/** What is answered: nothing, or the kind of the refusal. */
function answered(access: Access, method: 'GET' | 'POST', who: Caller | undefined): string {
  try {
    requireAccess({ access, method }, who);
    return 'ok';
  } catch (error) {
    return (error as Refusal).kind;
  }
}

test('a scope opens what is declared for it; reading opens all that is read, but nothing between stations', () => {
  const opened = (scope: (typeof SCOPES)[number]) => {
    const routes: [string, Access, 'GET' | 'POST'][] = [
      ['user GET', 'user', 'GET'],
      ['user POST', 'user', 'POST'],
      ...SCOPES.flatMap((one) =>
        (['GET', 'POST'] as const).map((method): [string, Access, 'GET' | 'POST'] => [
          `${one} ${method}`,
          { scope: one, others: 'user' },
          method,
        ]),
      ),
    ];
    return routes
      .filter(([, access, method]) => answered(access, method, caller([scope])) === 'ok')
      .map(([name]) => name);
  };
  expect(Object.fromEntries(SCOPES.map((scope) => [scope, opened(scope)]))).toEqual({
    telemetry: ['telemetry GET', 'telemetry POST'],
    routing: ['routing GET', 'routing POST'],
    read: [
      'user GET',
      'telemetry GET',
      'routing GET',
      'read GET',
      'read POST',
      'tasks GET',
      'calls GET',
      'citizens GET',
    ],
    sync: ['sync GET', 'sync POST'],
    tasks: ['tasks GET', 'tasks POST'],
    calls: ['calls GET', 'calls POST'],
    citizens: ['citizens GET', 'citizens POST'],
  });
});

test('a key without scopes may what its owner may; nobody without a token may what is not open; of several scopes each counts', () => {
  for (const method of ['GET', 'POST'] as const) {
    expect(answered('open', method, undefined)).toBe('ok');
    for (const access of ['user', 'admin', { scope: 'sync', others: 'admin' }] as Access[])
      expect(answered(access, method, undefined)).toBe('unauthorized');
    expect(answered({ scope: 'sync', others: 'admin' }, method, caller(['telemetry', 'sync']))).toBe('ok');
    expect(answered({ scope: 'sync', others: 'admin' }, method, caller([]))).toBe('forbidden');
    for (const access of ['admin', { scope: 'sync', others: 'admin' }] as Access[]) {
      expect([answered(access, method, caller(null)), answered(access, method, caller(null, true))]).toEqual([
        'forbidden',
        'ok',
      ]);
    }
    expect(answered({ scope: 'sync', others: 'user' }, method, caller(null))).toBe('ok');
  }
  // Reading with a key is still asked who its owner is.
  expect([
    answered('admin', 'GET', caller(['read'])),
    answered('admin', 'GET', caller(['read'], true)),
    answered('admin', 'POST', caller(['read'], true)),
  ]).toEqual(['forbidden', 'ok', 'forbidden']);
});

test.each<[string | undefined, string | undefined, boolean]>([
  ['127.0.0.1', 'localhost', true],
  ['127.0.0.1', 'LOCALHOST:8480', true],
  ['127.8.7.6', '127.0.0.1:8480', true],
  ['::1', '[::1]:8480', true],
  ['::1', '[::1]', true],
  ['::ffff:127.0.0.1', 'localhost', true],
  // Another machine, whatever it says.
  ['192.168.1.5', 'localhost', false],
  ['::ffff:192.168.1.5', '127.0.0.1', false],
  ['fe80::1', '[::1]', false],
  ['127evil', 'localhost', false],
  ['1270.0.0.1', 'localhost', false],
  ['1127.0.0.1', 'localhost', false],
  [undefined, 'localhost', false],
  ['', 'localhost', false],
  // This machine, asked by another name: a page whose name was made to lead here.
  ['127.0.0.1', 'evil.example', false],
  ['127.0.0.1', 'localhost.evil.example', false],
  ['127.0.0.1', '127.0.0.1.evil.example', false],
  ['127.0.0.1', 'x127.0.0.1', false],
  ['127.0.0.1', '192.168.1.5:8480', false],
  ['127.0.0.1', undefined, false],
  ['127.0.0.1', '', false],
  ['127.0.0.1', 'evil.example:80@localhost', false],
])('from %s to %s is this machine, and means it: %s', (remoteAddress, host, own) => {
  expect(looksLocal({ socket: { remoteAddress }, headers: host === undefined ? {} : { host } })).toBe(own);
});

test.each([
  'X-Forwarded-For',
  'X-Forwarded-Host',
  'X-Forwarded-Proto',
  'x-forwarded-prefix',
  'Forwarded',
  'Via',
  'X-Real-IP',
  'X-Client-IP',
  'X-Cluster-Client-IP',
  'True-Client-IP',
  'CF-Connecting-IP',
  'X-Original-Forwarded-For',
])('a request that a proxy on this machine passed on with %s is not from this machine, whatever it names', (name) => {
  for (const value of ['203.0.113.7', '127.0.0.1', 'for=127.0.0.1', '']) {
    expect(
      looksLocal({
        socket: { remoteAddress: '127.0.0.1' },
        headers: { host: '127.0.0.1:8480', [name.toLowerCase()]: value },
      }),
    ).toBe(false);
  }
});
