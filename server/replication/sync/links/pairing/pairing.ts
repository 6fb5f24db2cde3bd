import { createHmac, randomInt, scrypt, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';
import type { LinkSettings } from '../../types.ts';

/** Crockford's base 32: no I, L, O, U. */
const LETTERS = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const CODE_LENGTH = 8;
/** ms */
export const PAIRING_CODE_LIFE = 5 * 60_000;
export const CODE_TRIES = 3;
const MOST_CODES = 5;

/** 40 random bits, shown as `K7QM-4TRP`. */
export function makeCode(): string {
  const letters = Array.from({ length: CODE_LENGTH }, () => LETTERS[randomInt(LETTERS.length)]).join('');
  return `${letters.slice(0, 4)}-${letters.slice(4)}`;
}

/** The letters of a typed code; undefined when it cannot be one. */
export function readCode(typed: string): string | undefined {
  const letters = typed.toUpperCase().replace(/[\s-]/g, '').replace(/O/g, '0').replace(/[IL]/g, '1');
  return letters.length === CODE_LENGTH && [...letters].every((letter) => LETTERS.includes(letter))
    ? letters
    : undefined;
}

/** The data that a station sends about itself when it is paired. */
export interface PairedStation {
  readonly id: string;
  readonly number: number;
  readonly name: string;
  readonly publicKey: string;
  /** SHA-256 of its certificate; empty without TLS. */
  readonly fingerprint: string;
}

/** All that both stations have to agree on. */
export interface Transcript {
  readonly dialler: PairedStation & { readonly nonce: string; readonly address: string | null };
  readonly listener: PairedStation & { readonly nonce: string };
  /** The certificate that the dialler sees; empty without TLS. */
  readonly seen: string;
  /** Of the dialler; of the listener in its own proof only. */
  readonly settings: LinkSettings;
}

const derive = promisify<string, string, number, { N: number; r: number; p: number; maxmem: number }, Buffer>(scrypt);

/**
 * The key that only knowers of the code can make. 16 MB of memory and some 50 ms for each guess: 40 bits of
 * code outlast five minutes.
 */
export function pairingKey(code: string, diallerNonce: string, listenerNonce: string): Promise<Buffer> {
  return derive(code, `${diallerNonce}.${listenerNonce}`, 32, { N: 2 ** 14, r: 8, p: 1, maxmem: 2 ** 26 });
}

/** HMAC-SHA-256 over the transcript. */
export function proofOf(key: Buffer, role: 'dialler' | 'listener', transcript: Transcript): string {
  const { dialler, listener, seen, settings } = transcript;
  const station = ({ id, number, name, publicKey, fingerprint }: PairedStation) => [
    id,
    number,
    name,
    publicKey,
    fingerprint,
  ];
  const text = JSON.stringify([
    'waypost pairing 1',
    role,
    [...station(dialler), dialler.nonce, dialler.address],
    [...station(listener), listener.nonce],
    seen,
    [
      settings.paused,
      settings.readOnly,
      settings.organizations,
      settings.tracks,
      // Programs older than standbys do not send it.
      ...(settings.standby ? ['standby'] : []),
    ],
  ]);
  return createHmac('sha256', key).update(text).digest('base64');
}

export function isProof(key: Buffer, role: 'dialler' | 'listener', transcript: Transcript, proof: string): boolean {
  const [expected, given] = [Buffer.from(proofOf(key, role, transcript)), Buffer.from(proof)];
  return expected.length === given.length && timingSafeEqual(expected, given);
}

export interface Code {
  readonly code: string;
  readonly expiresAt: number;
  readonly settings: LinkSettings;
}

interface CountedCode extends Code {
  tries: number;
}

/** The codes that this station shows at present. */
export class Codes {
  readonly #now: () => number;
  #codes: CountedCode[] = [];

  /** @param now wall time in ms */
  constructor(now: () => number) {
    this.#now = now;
  }

  make(settings: LinkSettings): Code {
    const made = { code: makeCode(), expiresAt: this.#now() + PAIRING_CODE_LIFE, settings, tries: CODE_TRIES };
    this.#codes = [...this.open(), made].slice(-MOST_CODES);
    return { code: made.code, expiresAt: made.expiresAt, settings };
  }

  open(): readonly CountedCode[] {
    this.#codes = this.#codes.filter(({ expiresAt, tries }) => expiresAt > this.#now() && tries > 0);
    return this.#codes;
  }

  /** It was used: it is good once. */
  used(code: Code): void {
    this.#codes = this.#codes.filter((one) => one !== code);
  }

  /** A wrong proof counts against every code, because it may have been meant for any. */
  failed(): void {
    for (const code of this.#codes) code.tries--;
  }
}
