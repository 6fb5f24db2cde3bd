import { expect, test } from 'vitest';
import type { Caller } from '../../../../server/access/accounts/index.ts';
import { RefusedAccess } from '../../../../server/http/app/refused-access.ts';
import { Refusal } from '../../../../shared/refusal.ts';

const MINUTE = 60_000;
const user = (id: number) => ({ user: { id }, token: { kind: 'session', id: id * 10 } }) as Caller;
const audit = { method: 'GET', path: '/audit' } as const;
const refusal = new Refusal('accounts.administratorOnly');

const asking = () => {
  const refused = new RefusedAccess();
  return (caller: Caller | undefined, now: number, error: unknown = refusal) =>
    refused.entryFor(audit, { path: '/audit' }, caller, error, now);
};

test('the first refusal at a path is an entry; those of ten minutes are counted in the next one', () => {
  const ask = asking();
  expect(ask(user(1), 0)?.details).toEqual({ reason: 'accounts.administratorOnly' });
  expect(ask(user(1), MINUTE)).toBeUndefined();
  expect(ask(user(1), 10 * MINUTE - 1)).toBeUndefined();
  expect(ask(user(2), 2 * MINUTE)?.subject).toEqual({ name: 'GET /audit' });
  expect(ask(user(1), 10 * MINUTE)?.details).toEqual({ reason: 'accounts.administratorOnly', before: 2 });
  expect(ask(user(1), 20 * MINUTE)?.details).toEqual({ reason: 'accounts.administratorOnly' });
});

test('steps on the way in, strangers and other errors make none', () => {
  const ask = asking();
  expect(ask(user(1), 0, new Refusal('accounts.factorMissing'))).toBeUndefined();
  expect(ask(user(1), 0, new Refusal('accounts.passwordMustChange'))).toBeUndefined();
  expect(ask(user(1), 0, new Refusal('accounts.noSession', { id: 1 }))).toBeUndefined();
  expect(ask(user(1), 0, new Error('a bug'))).toBeUndefined();
  expect(ask(undefined, 0)).toBeUndefined();
  expect(ask(user(1), 0)).toBeDefined();
});

test('the memory of a station does not grow with the callers that are refused', () => {
  const ask = asking();
  for (let id = 1; id <= 10_001; id++) ask(user(id), id);
  // The oldest is forgotten and counts as new.
  expect(ask(user(1), 10_002)).toBeDefined();
  expect(ask(user(10_001), 10_003)).toBeUndefined();
});
