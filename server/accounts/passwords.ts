import { hash, verify } from '@node-rs/argon2';
import { charactersIn } from '../../shared/text/characters.ts';
import { Refusal } from '../../shared/refusal.ts';

const SHORTEST_PASSWORD = 6;
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
  readonly #waiting: (() => void)[] = [];
  #running = 0;

  constructor(cost: PasswordCost = COST) {
    this.#cost = cost;
    this.#nobody = hash('nobody has this password', this.#options());
  }

  hash(password: string): Promise<string> {
    return this.#inTurn(() => hash(password.normalize('NFC'), this.#options()));
  }

  /** False also for an undefined, empty or malformed hash, after the same time as for a valid one. */
  async verify(stored: string | undefined, password: string): Promise<boolean> {
    const known = stored !== undefined && stored.startsWith('$argon2id$');
    const against = known ? stored : await this.#nobody;
    const right = await this.#inTurn(() => verify(against, password.normalize('NFC'))).catch(() => false);
    return known && right;
  }

  #options() {
    return { ...this.#cost, parallelism: 1 };
  }

  async #inTurn<T>(work: () => Promise<T>): Promise<T> {
    if (this.#running >= AT_ONCE) await new Promise<void>((resolve) => this.#waiting.push(resolve));
    else this.#running++;
    try {
      return await work();
    } finally {
      const next = this.#waiting.shift();
      if (next) next();
      else this.#running--;
    }
  }
}

/** Throws when the password is too weak, too short or too long. */
export function requirePassword(password: string): void {
  const length = charactersIn(password);
  if (length < SHORTEST_PASSWORD) throw new Refusal('field.tooShort', { field: 'password', least: SHORTEST_PASSWORD });
  if (length > LONGEST_PASSWORD) throw new Refusal('field.tooLong', { field: 'password', most: LONGEST_PASSWORD });
  if (isEasyToGuess(password)) throw new Refusal('accounts.easyPassword', { field: 'password' });
}

/** The most common passwords, besides runs of letters and digits. */
const COMMON = new Set([
  'password',
  'passw0rd',
  'password1',
  'password123',
  'parol',
  'parol123',
  'пароль',
  'пароль123',
  'welcome',
  'welcome1',
  'letmein',
  'iloveyou',
  'monkey',
  'dragon',
  'football',
  'baseball',
  'sunshine',
  'princess',
  'superman',
  'batman',
  'trustno1',
  'starwars',
  'master',
  'shadow',
  'secret',
  'changeme',
  'default',
  'login1',
  'admin1',
  'admin12',
  'admin123',
  'admin1234',
  'administrator',
  'root123',
  'test123',
  'user123',
  'guest123',
  'qwe123',
  'qweasd',
  'qweasdzxc',
  'qwerty1',
  'qwerty12',
  'qwerty123',
  'asd123',
  'abc123',
  'abcd1234',
  'a123456',
  '123456a',
  '123abc',
  '1q2w3e',
  '1q2w3e4r',
  '1q2w3e4r5t',
  '1qaz2wsx',
  'zaq12wsx',
  'qazwsx',
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

/**
 * A repeated letter or digit, a run of keys, a repeated group of up to three characters, or one of the most
 * common passwords.
 */
function isEasyToGuess(password: string): boolean {
  const plain = password.normalize('NFKC').toLowerCase();
  return COMMON.has(plain) || /^([\p{L}\p{N}]{1,3})\1+$/u.test(plain) || RUNS.some((run) => run.includes(plain));
}
