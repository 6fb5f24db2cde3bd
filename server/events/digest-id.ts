import { createHash } from 'node:crypto';

/** 52 bits of SHA-256: a number that names the same thing on every station, and that JSON carries exactly. */
export function digestId(text: string): number {
  const digest = createHash('sha256').update(text).digest();
  return digest.readUIntBE(0, 6) * 16 + (digest[6]! >> 4);
}
