import { isDeepStrictEqual } from 'node:util';
import type { AuditAction, AuditKind } from '../../../shared/audit.ts';
import type { User } from '../../../shared/records/accounts.ts';
import type { AnyStored, Change, Store } from '../../store/types.ts';
import type { Audit } from './audit.ts';

type Collection = Parameters<Store['kind']>[0];

/** Records of which each change writes an entry, in the same transaction. */
const WATCHED: readonly (readonly [Collection, recordKind: string, AuditKind])[] = [
  ['accounts', 'user', 'user'],
  ['accounts', 'role', 'role'],
  ['accounts', 'organization', 'organization'],
  ['directories', 'stateRule', 'rule'],
  ['directories', 'customField', 'field'],
  ['directories', 'type', 'type'],
  ['fleet', 'vehicleField', 'field'],
  ['fleet', 'closure', 'closure'],
  ['fleet', 'alarmRules', 'setting'],
];
/** Their values are secrets. The trail says only that they changed. */
const SECRET = new Set(['passwordHash']);
/** The store's own fields. */
const PLUMBING = new Set(['key', 'id', 'hlc', 'kind']);
/** Longest value in an entry, as JSON. */
const LONGEST = 300;

interface Watched extends AnyStored {
  readonly kind: string;
  readonly name?: string;
  readonly login?: string;
  readonly organizationId?: number;
  readonly isDeleted?: boolean;
}

/** Records what changes accounts, rules and closures. Returns the way to stop. */
export function watchRecords(store: Store, audit: Audit): () => void {
  const stops = WATCHED.map(([collection, recordKind, kind]) =>
    store.kind<Watched>(collection, recordKind).beforeCommit((changes) => {
      for (const change of changes) note(audit, kind, change);
    }),
  );
  return () => {
    for (const stop of stops) stop();
  };
}

function note(audit: Audit, kind: AuditKind, { record, before, deleted }: Change<Watched>): void {
  const details = deleted ? {} : before ? changesOf(before, record) : valuesOf(record);
  if (before && !deleted && Object.keys(details).length === 0) return;
  const written = audit.record({
    kind,
    action: actionOf(record, before, deleted),
    subject: {
      id: record.id,
      name: record.login ?? record.name ?? '',
      organizationId: kind === 'organization' ? record.id : (record.organizationId ?? null),
    },
    details,
  });
  written.catch(() => undefined); // It fails with the write to which it belongs.
}

function actionOf(record: Watched, before: Watched | undefined, deleted: boolean): AuditAction {
  if (deleted || (record.isDeleted && before?.isDeleted !== true)) return 'deleted';
  return before ? 'changed' : 'created';
}

/** The fields that differ, as `[before, after]`. */
function changesOf(before: object, after: object): Record<string, unknown> {
  const [old, now] = [new Map(Object.entries(visible(before))), new Map(Object.entries(visible(after)))];
  const names = [...new Set([...old.keys(), ...now.keys()])].filter(
    (name) => !PLUMBING.has(name) && !isDeepStrictEqual(old.get(name), now.get(name)),
  );
  return Object.fromEntries(
    names.map((name) => [name, SECRET.has(name) ? '…' : [shown(old.get(name)), shown(now.get(name))]]),
  );
}

function visible(record: object): object {
  const { signIn } = record as Partial<User>;
  return signIn ? { ...record, signIn: withoutSecrets(signIn) } : record;
}

function valuesOf(record: object): Record<string, unknown> {
  const told = Object.entries(visible(record)).filter(
    ([name, value]) =>
      !PLUMBING.has(name) && !SECRET.has(name) && value !== '' && value !== null && value !== undefined,
  );
  return Object.fromEntries(told.map(([name, value]) => [name, shown(value)]));
}

/** Sign-in data of a user, without the secrets. */
function withoutSecrets({ mustChange, totp, recoveryCodes, pinHash, passkeys }: NonNullable<User['signIn']>): object {
  return {
    mustChange,
    secondFactor: totp !== null,
    recoveryCodes: recoveryCodes.length,
    pin: pinHash !== null,
    ...(passkeys && { passkeys: passkeys.map(({ name, site }) => `${name} (${site})`) }),
  };
}

function shown(value: unknown): unknown {
  return (JSON.stringify(value ?? null) ?? '').length > LONGEST ? '…' : (value ?? null);
}
