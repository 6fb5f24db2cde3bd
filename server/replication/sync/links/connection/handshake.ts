import { createPrivateKey, createPublicKey, generateKeyPairSync, randomBytes, sign, verify } from 'node:crypto';

/** The Ed25519 keys of a station, as DER in base64. */
export interface StationKeys {
  readonly privateKey: string;
  readonly publicKey: string;
}

export function makeKeys(): StationKeys {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  return {
    privateKey: privateKey.export({ type: 'pkcs8', format: 'der' }).toString('base64'),
    publicKey: publicKey.export({ type: 'spki', format: 'der' }).toString('base64'),
  };
}

/** The content that both stations sign when one connects to the other. README, *Handshake*. */
export interface Dial {
  /** Ids of the stations. */
  readonly from: string;
  readonly to: string;
  /** Given out by the listener, for one use. */
  readonly challenge: string;
  /** Made by the dialler. */
  readonly nonce: string;
  /** SHA-256 fingerprint of the certificate that the dialler sees; empty without TLS. */
  readonly certificate: string;
}

export type HandshakeSide = 'dialler' | 'listener';

/** The side is signed too, so that a signature cannot be replayed to its author. */
export function signDial(keys: StationKeys, role: HandshakeSide, dial: Dial): string {
  const key = createPrivateKey({ key: Buffer.from(keys.privateKey, 'base64'), format: 'der', type: 'pkcs8' });
  return sign(null, signedBytes(role, dial), key).toString('base64');
}

export function isSignedBy(publicKey: string, role: HandshakeSide, dial: Dial, signature: string): boolean {
  try {
    const key = createPublicKey({ key: Buffer.from(publicKey, 'base64'), format: 'der', type: 'spki' });
    return (
      key.asymmetricKeyType === 'ed25519' &&
      verify(null, signedBytes(role, dial), key, Buffer.from(signature, 'base64'))
    );
  } catch {
    return false; // not a key
  }
}

function signedBytes(role: HandshakeSide, { from, to, challenge, nonce, certificate }: Dial): Buffer {
  return Buffer.from(JSON.stringify(['waypost link 1', role, from, to, challenge, nonce, certificate]));
}

export function randomToken(): string {
  return randomBytes(32).toString('base64url');
}

/** ms within which a challenge has to be used. */
const CHALLENGE_LIFE = 30_000;
const MOST_CHALLENGES = 1_000;

/** Challenges that were given out: each is good once, and for a short time. */
export class Challenges {
  readonly #now: () => number;
  /** Each with the end of its life, the oldest first. */
  readonly #given = new Map<string, number>();

  /** @param now monotonic ms */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  give(): string {
    for (const [challenge, end] of this.#given)
      if (end <= this.#now() || this.#given.size >= MOST_CHALLENGES) this.#given.delete(challenge);
      else break;
    const challenge = randomToken();
    this.#given.set(challenge, this.#now() + CHALLENGE_LIFE);
    return challenge;
  }

  /** Takes it back. False: it was not given, was used, or is too old. */
  use(challenge: string): boolean {
    const end = this.#given.get(challenge);
    this.#given.delete(challenge);
    return end !== undefined && end > this.#now();
  }
}
