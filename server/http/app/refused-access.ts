import type { Request } from 'express';
import { Refusal } from '../../../shared/refusal.ts';
import type { AuditDraft } from '../../access/audit/index.ts';
import type { Caller } from '../../access/accounts/index.ts';
import type { DeclaredRoute } from './route.ts';

/** Most callers and paths remembered: a script that tries every path must not fill the memory. */
const REMEMBERED = 10_000;
/** How long further refusals of one caller at one path are only counted. */
const SILENCE = 10 * 60_000;
/** Failures of sign-in steps, which the trail has as failed sign-ins, not as refused access. */
const EXPECTED: ReadonlySet<string> = new Set([
  'accounts.passwordMustChange',
  'accounts.factorMissing',
  'accounts.wrongUnlock',
]);

interface Noted {
  readonly at: number;
  counted: number;
}

/**
 * Finds the refusals that the audit trail keeps: a known user asked for something forbidden. The first one at
 * a path is an entry at once; those of the next ten minutes are counted in the entry after them.
 */
export class RefusedAccess {
  readonly #noted = new Map<string, Noted>();

  /** The entry for an error; undefined: it makes none. `now` is in ms of a monotonic clock. */
  entryFor(
    route: Pick<DeclaredRoute, 'method' | 'path'>,
    request: Pick<Request, 'path'>,
    caller: Caller | undefined,
    error: unknown,
    now: number,
  ): AuditDraft | undefined {
    if (!caller || !(error instanceof Refusal) || error.kind !== 'forbidden' || EXPECTED.has(error.code))
      return undefined;
    const name = `${caller.token.kind} ${caller.token.kind === 'key' ? caller.token.id : caller.user.id} ${route.method} ${route.path}`;
    const noted = this.#noted.get(name);
    if (noted && now - noted.at < SILENCE) {
      noted.counted++;
      return undefined;
    }
    this.#noted.delete(name); // most recently used
    this.#noted.set(name, { at: now, counted: 0 });
    if (this.#noted.size > REMEMBERED) this.#noted.delete(this.#noted.keys().next().value!);
    return {
      kind: 'access',
      action: 'refused',
      subject: { name: `${route.method} ${request.path}`.slice(0, 200) },
      details: { reason: error.code, ...(noted && noted.counted > 0 && { before: noted.counted }) },
    };
  }
}
