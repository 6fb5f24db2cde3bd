import { randomBytes } from 'node:crypto';

const LETTERS = '0123456789abcdefghjkmnpqrstvwxyz';

/** 5 random bits in each of `length` letters and digits, which are hard to confuse. */
export function randomId(length = 12): string {
  return Array.from(randomBytes(length), (byte) => LETTERS[byte % 32]).join('');
}
