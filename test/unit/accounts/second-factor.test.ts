import { expect, test } from 'vitest';
import { needsFactor, type FactorRule } from '../../../server/accounts/second-factor.ts';

const RULES: readonly FactorRule[] = ['none', 'administrators', 'everybody'];
const YES_NO = [true, false];

test('who must set up a second factor: every case', () => {
  for (const rule of RULES)
    for (const admin of YES_NO)
      for (const superuser of YES_NO)
        for (const hasCodes of YES_NO)
          for (const method of ['password', 'ldap', 'oidc', 'passkey', ''] as const)
            for (const kind of ['session', 'key'] as const) {
              const signIn = { mustChange: false, totp: hasCodes ? 'SECRET' : null, recoveryCodes: [], pinHash: null };
              const role = { admin, superuser, accesses: [] };
              const needs = needsFactor(rule, { user: { signIn }, role }, { kind, method });
              const isMeant = rule === 'everybody' || (rule === 'administrators' && (admin || superuser));
              expect(needs, JSON.stringify({ rule, role, hasCodes, method, kind })).toBe(
                isMeant && !hasCodes && method !== 'oidc' && kind === 'session',
              );
            }
});

test('a user without sign-in data has no second factor', () => {
  const role = { admin: false, superuser: false, accesses: [] };
  expect(needsFactor('everybody', { user: {}, role }, { kind: 'session', method: 'password' })).toBe(true);
});
