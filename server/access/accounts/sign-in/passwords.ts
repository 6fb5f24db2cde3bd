import { hash, verify } from '@node-rs/argon2';
import { charactersIn } from '../../../../shared/text/characters.ts';
import { Refusal } from '../../../../shared/refusal.ts';
import { Semaphore } from '../../../platform/semaphore.ts';
import { isBreached } from './breached-passwords.ts';

/** OWASP ASVS asks for eight characters at least. */
export const SHORTEST_PASSWORD = 8;
/** A longer text would only cost time. */
const LONGEST_PASSWORD = 500;

/** Memory in KiB and passes of argon2id. */
export interface PasswordCost {
  readonly memoryCost: number;
  readonly timeCost: number;
}

/** OWASP's first recommendation for argon2id: 19 MiB, two passes, one lane. */
export const COST: PasswordCost = { memoryCost: 19_456, timeCost: 2 };

/** Concurrent hashes. They run on the thread pool that also reads files and must not fill it. */
const AT_ONCE = 2;

/** Hashes and verifies passwords: argon2id, as PHC strings. */
export class Passwords {
  readonly #cost: PasswordCost;
  /** The hash for unknown logins, so that they take as long as known ones. */
  readonly #nobody: Promise<string>;
  readonly #hashing = new Semaphore(AT_ONCE);
  /** Characters that a password has at least. */
  readonly least: number;

  constructor(cost: PasswordCost = COST, least: number = SHORTEST_PASSWORD) {
    this.#cost = cost;
    this.least = least;
    this.#nobody = hash('nobody has this password', this.#options());
  }

  /**
   * Rejects when the password is too short, too long, easy to guess, or common in published breaches. `words` are what
   * everybody knows about its owner.
   */
  async require(password: string, words: readonly string[]): Promise<void> {
    const field = 'password';
    const length = charactersIn(password);
    if (length < this.least) throw new Refusal('field.tooShort', { field, least: this.least });
    if (length > LONGEST_PASSWORD) throw new Refusal('field.tooLong', { field, most: LONGEST_PASSWORD });
    if (isEasyToGuess(password) || isKnownWord(password, words)) throw new Refusal('accounts.easyPassword', { field });
    if (await isBreached(password)) throw new Refusal('accounts.breachedPassword', { field });
  }

  hash(password: string): Promise<string> {
    return this.#hashing.run(() => hash(password.normalize('NFC'), this.#options()));
  }

  /** False also for an undefined, empty or malformed hash, after the same time as for a valid one. */
  async verify(stored: string | undefined, password: string): Promise<boolean> {
    const known = stored !== undefined && stored.startsWith('$argon2id$');
    const against = known ? stored : await this.#nobody;
    const right = await this.#hashing.run(() => verify(against, password.normalize('NFC'))).catch(() => false);
    return known && right;
  }

  #options() {
    return { ...this.#cost, parallelism: 1 };
  }
}

/** Words of the trade, and common passwords that published lists do not have. */
const COMMON = new Set([
  'waypost',
  'waypost1',
  'waypost123',
  'dispatcher',
  'dispatcher1',
  'dispatch',
  'controlroom',
  'administrator1',
  'admin1234',
  'root1234',
  'guest123',
  'пароль12',
  'пароль123',
  'диспетчер',
  'диспетчер1',
  'оператор',
  'оператор1',
  'админ123',
  'йцукен123',
]);
/** Rows of keys, and sequences of letters and digits. */
const ROWS = [
  '01234567890',
  'abcdefghijklmnopqrstuvwxyz',
  'qwertyuiop',
  'asdfghjkl',
  'zxcvbnm',
  'абвгдеёжзийклмнопрстуфхцчшщъыьэюя',
  'йцукенгшщзхъ',
  'фывапролджэ',
  'ячсмитьбю',
];
const RUNS = ROWS.flatMap((row) => [row, [...row].reverse().join('')]);

/** One of `COMMON`, a repeated letter or digit, a run of keys, or a repeated group of up to three characters. */
function isEasyToGuess(password: string): boolean {
  const plain = password.normalize('NFKC').toLowerCase();
  return COMMON.has(plain) || /^([\p{L}\p{N}]{1,3})\1+$/u.test(plain) || RUNS.some((run) => run.includes(plain));
}

/** One of the words, also with digits behind it: `Control room 2026`. */
function isKnownWord(password: string, words: readonly string[]): boolean {
  const plain = lettersOf(password);
  return words
    .map(lettersOf)
    .some((word) => word !== '' && plain.startsWith(word) && /^\d*$/.test(plain.slice(word.length)));
}

/** Its letters and digits, in small letters. */
const lettersOf = (text: string): string =>
  text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, '');
