import { randomBytes } from 'node:crypto';

const LETTERS = '0123456789abcdefghjkmnpqrstvwxyz';

/** 60 random bits, in letters and digits that are hard to confuse. */
export function randomId(): string {
  return Array.from(randomBytes(12), (byte) => LETTERS[byte % 32]).join('');
}
