import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Secret, TOTP } from 'otpauth';
import { expect, onTestFinished, test } from 'vitest';
import { Accounts } from '../../../../server/access/accounts/index.ts';
import { passkeySiteOf } from '../../../../server/access/accounts/sign-in/passkeys.ts';
import {
  needsFactor,
  unknownRoles,
  type FactorRule,
} from '../../../../server/access/accounts/sign-in/second-factor.ts';
import { openStore } from '../../../../server/store/index.ts';

const RULES: readonly FactorRule[] = (['none', 'administrators', 'everybody'] as const).flatMap((who) =>
  [[], ['Dispatcher'], ['viewer', ' chief DISPATCHER ']].map((roles) => ({ who, roles })),
);
const YES_NO = [true, false];

test('who must set up a second factor: every case', () => {
  for (const rule of RULES)
    for (const admin of YES_NO)
      for (const superuser of YES_NO)
        for (const hasCodes of YES_NO)
          for (const method of ['password', 'ldap', 'oidc', 'passkey', ''] as const)
            for (const kind of ['session', 'key'] as const) {
              const signIn = { mustChange: false, totp: hasCodes ? 'SECRET' : null, recoveryCodes: [], pinHash: null };
              const role = { name: 'Chief dispatcher', admin, superuser, accesses: [] };
              const needs = needsFactor(rule, { user: { signIn }, role }, { kind, method });
              const isMeant =
                rule.who === 'everybody' ||
                (rule.who === 'administrators' && (admin || superuser)) ||
                rule.roles.length === 2;
              expect(needs, JSON.stringify({ rule, role, hasCodes, method, kind })).toBe(
                isMeant && !hasCodes && method !== 'oidc' && kind === 'session',
              );
            }
});

test('a user without sign-in data has no second factor', () => {
  const role = { name: 'Viewer', admin: false, superuser: false, accesses: [] };
  expect(
    needsFactor({ who: 'everybody', roles: [] }, { user: {}, role }, { kind: 'session', method: 'password' }),
  ).toBe(true);
});

test('an unknown role name in the rule is reported', () => {
  const rule: FactorRule = { who: 'none', roles: ['viewer', 'Disptacher'] };
  expect(unknownRoles(rule, [{ name: 'Viewer' }, { name: 'Dispatcher' }])).toEqual(['Disptacher']);
});

test('the addresses that can have passkeys', () => {
  const site = (origin: string) => passkeySiteOf(origin);
  expect(site('https://station.example:8443')).toEqual({
    origin: 'https://station.example:8443',
    id: 'station.example',
  });
  expect(site('https://STATION')).toEqual({ origin: 'https://station', id: 'station' });
  expect(site('http://localhost:8080')).toEqual({ origin: 'http://localhost:8080', id: 'localhost' });
  for (const origin of ['https://192.0.2.7', 'http://127.0.0.1:80', 'https://[::1]:8443', 'https://', 'nonsense'])
    expect(site(origin)).toBe('address');
  expect(site('http://station.example')).toBe('tls');
});

test.each([0, 1])('with a tolerance of %i as many codes before and after the current one count', async (tolerance) => {
  const directory = mkdtempSync(join(tmpdir(), 'waypost-factor-'));
  const store = await openStore({ directory });
  const now = Date.UTC(2026, 0, 1);
  const accounts = await Accounts.open({
    ...{ store, clock: () => now, adminPassword: 'secret word', codeTolerance: tolerance },
    passwordCost: { memoryCost: 8, timeCost: 1 },
  });
  onTestFinished(async () => {
    accounts.close();
    await store.close();
    rmSync(directory, { recursive: true });
  });
  const { user } = accounts.stationActor();
  const counts = async (steps: number) => {
    const { secret } = accounts.factors.begin(user, 'Waypost');
    const totp = new TOTP({ secret: Secret.fromBase32(secret) });
    const code = totp.generate({ timestamp: now + steps * 30_000 });
    return accounts.factors.confirm(user.id, code).then(
      () => true,
      () => false,
    );
  };
  // In this order, since a code that is earlier than one that counted never counts.
  const seen = [await counts(-2), await counts(-1), await counts(0), await counts(1), await counts(2)];
  expect(seen).toEqual([false, tolerance === 1, true, tolerance === 1, false]);
});
