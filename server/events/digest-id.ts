import { hash } from 'node:crypto';

/** 52 bits of SHA-256: a number that names the same thing on every station, and that JSON carries exactly. */
export function digestId(text: string): number {
  const digest = hash('sha256', text, 'buffer');
  return digest.readUIntBE(0, 6) * 16 + (digest[6]! >> 4);
}
