import { createHash } from 'node:crypto';
import { Refusal } from '../../../shared/refusal.ts';
import type { Identity } from '../accounts/index.ts';
import { secretOfStation } from './secret-of-station.ts';

/** ms within which the program fetches what the browser brought. */
const PATIENCE = 60_000;
const MOST_KEPT = 1000;

/** Where the desktop program listens on the browser's machine (RFC 8252), and how it proves itself (RFC 7636). */
export interface Loopback {
  readonly port: number;
  /** The program knows its own request by it. */
  readonly state: string;
  /** SHA-256 of a secret that only the program has, base64url. */
  readonly challenge: string;
}

export interface HandedOver {
  readonly identity: Identity;
  readonly idToken: string;
}

/** People who signed in with the browser of their machine, until their desktop program takes them over. */
export class HandOvers {
  readonly #now: () => number;
  readonly #station: () => number;
  readonly #kept = new Map<string, HandedOver & { readonly challenge: string; readonly at: number }>();

  constructor(now: () => number, station: () => number) {
    this.#now = now;
    this.#station = station;
  }

  /** Keeps a person for a minute. The code goes through the browser to the program. */
  keep(handedOver: HandedOver, { challenge }: Loopback): string {
    const now = this.#now();
    for (const [old, { at }] of this.#kept) {
      if (now - at <= PATIENCE && this.#kept.size < MOST_KEPT) break; // the oldest stand first
      this.#kept.delete(old);
    }
    const code = secretOfStation(this.#station());
    this.#kept.set(code, { ...handedOver, challenge, at: now });
    return code;
  }

  /** Hands the person over to the holder of the challenge's secret. Each code can be tried once. */
  take(code: string, verifier: string): HandedOver {
    const kept = this.#kept.get(code);
    this.#kept.delete(code);
    const isProved = kept?.challenge === createHash('sha256').update(verifier).digest('base64url');
    if (!kept || !isProved || this.#now() - kept.at > PATIENCE) throw new Refusal('accounts.providerFailed');
    return { identity: kept.identity, idToken: kept.idToken };
  }
}

/** Back to the program: always this machine, so that nobody elsewhere gets the code. */
export function loopbackAddress({ port, state }: Loopback, outcome: { code: string } | { refused: string }): string {
  return `http://127.0.0.1:${port}/?${new URLSearchParams({ ...outcome, state }).toString()}`;
}
