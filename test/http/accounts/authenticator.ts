import { createHash, generateKeyPairSync, randomBytes, sign, type KeyObject } from 'node:crypto';
import { isoCBOR } from '@simplewebauthn/server/helpers';

const USER_PRESENT = 0x01;
const USER_VERIFIED = 0x04;
const HAS_KEY = 0x40;

/** What differs from an honest browser and authenticator at the address. */
export interface Deviation {
  /** Such as `https://evil.example`. */
  origin?: string;
  /** The name that the authenticator was told. */
  site?: string;
  isVerified?: boolean;
  /** Maker's certificates with the attestation. */
  certificates?: boolean;
}

/** An authenticator for ES256 in software, as WebAuthn Level 3 describes it. */
export class Authenticator {
  readonly id = randomBytes(32).toString('base64url');
  counter = 0;
  readonly #origin: string;
  readonly #key: { privateKey: KeyObject; publicKey: KeyObject };

  constructor(origin: string) {
    this.#origin = origin;
    this.#key = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  }

  create(options: { challenge: string }, deviation: Deviation = {}): object {
    const { x, y } = this.#key.publicKey.export({ format: 'jwk' });
    const bytes = (text: string) => new Uint8Array(Buffer.from(text, 'base64url'));
    const coseKey = isoCBOR.encode(
      new Map<number, number | Uint8Array>([
        [1, 2], // EC2
        [3, -7], // ES256
        [-1, 1], // P-256
        [-2, bytes(x!)],
        [-3, bytes(y!)],
      ]) as never,
    );
    const id = Buffer.from(this.id, 'base64url');
    const length = Buffer.alloc(2);
    length.writeUInt16BE(id.length);
    const data = Buffer.concat([this.#data(deviation, HAS_KEY), Buffer.alloc(16), length, id, coseKey]);
    const statement = new Map(deviation.certificates ? [['x5c', [new Uint8Array([1, 2, 3])]]] : []);
    const attestation = new Map<string, unknown>([
      ['fmt', deviation.certificates ? 'packed' : 'none'],
      ['attStmt', statement],
      ['authData', new Uint8Array(data)],
    ]);
    return this.#answer({
      clientDataJSON: this.#clientData('webauthn.create', options.challenge, deviation),
      attestationObject: Buffer.from(isoCBOR.encode(attestation as never)).toString('base64url'),
      transports: ['internal'],
    });
  }

  get(options: { challenge: string }, deviation: Deviation = {}): object {
    this.counter++;
    const data = this.#data(deviation, 0);
    const clientData = this.#clientData('webauthn.get', options.challenge, deviation);
    const hash = createHash('sha256').update(Buffer.from(clientData, 'base64url')).digest();
    return this.#answer({
      clientDataJSON: clientData,
      authenticatorData: data.toString('base64url'),
      signature: sign('sha256', Buffer.concat([data, hash]), this.#key.privateKey).toString('base64url'),
    });
  }

  #answer(response: object): object {
    return { id: this.id, rawId: this.id, type: 'public-key', clientExtensionResults: {}, response };
  }

  #clientData(type: string, challenge: string, { origin = this.#origin }: Deviation): string {
    return Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false })).toString('base64url');
  }

  #data({ site = new URL(this.#origin).hostname, isVerified = true }: Deviation, more: number): Buffer {
    const counter = Buffer.alloc(4);
    counter.writeUInt32BE(this.counter);
    const flags = Buffer.from([USER_PRESENT | (isVerified ? USER_VERIFIED : 0) | more]);
    return Buffer.concat([createHash('sha256').update(site).digest(), flags, counter]);
  }
}
