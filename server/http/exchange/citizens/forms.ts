import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { Refusal } from '../../../../shared/refusal.ts';

/** ms that a person may take over a form. */
const LIFETIME = 4 * 3_600_000;
/** Most forms whose photos or answers are remembered. */
const REMEMBERED = 10_000;

/** The photos of a form, and the answer once it was sent. */
interface UsedForm {
  photos: number;
  answer?: Promise<unknown>;
}

/**
 * The forms of the page of citizens. A form has a token, is sent once, and gives its first answer again when it is
 * repeated. Tokens are signed, so that forms that nobody sends take no memory. After a restart they are invalid.
 */
export class Forms {
  readonly #secret = randomBytes(32);
  readonly #used = new Map<string, UsedForm>();
  readonly #now: () => number;

  constructor(now: () => number) {
    this.#now = now;
  }

  /** The token of a new form. */
  issue(): string {
    const text = `${this.#now().toString(36)}.${randomBytes(9).toString('base64url')}`;
    return `${text}.${this.#signature(text)}`;
  }

  /** Counts one more photo of the form. Throws for a token that is not valid, and beyond `most`. */
  countPhoto(token: string, most: number): void {
    const form = this.#form(token);
    if (form.photos >= most) throw new Refusal('citizens.tooManyPhotos', { most });
    form.photos++;
  }

  /** Runs `work` for the first request with this token; others get the same answer. A failed one may be repeated. */
  once<T>(token: string, work: () => Promise<T>): Promise<T> {
    const form = this.#form(token);
    form.answer ??= work().catch((error: unknown) => {
      delete form.answer;
      throw error;
    });
    return form.answer as Promise<T>;
  }

  #form(token: string): UsedForm {
    const end = token.lastIndexOf('.');
    const text = token.slice(0, Math.max(0, end));
    const since = Number.parseInt(text, 36);
    const age = this.#now() - since;
    if (!this.#isSigned(text, token.slice(end + 1)) || !(age >= 0 && age <= LIFETIME))
      throw new Refusal('citizens.formOld');
    const form = this.#used.get(text) ?? { photos: 0 };
    this.#used.set(text, form);
    if (this.#used.size > REMEMBERED) this.#used.delete(this.#used.keys().next().value!);
    return form;
  }

  #isSigned(text: string, signature: string): boolean {
    const [given, right] = [Buffer.from(signature), Buffer.from(this.#signature(text))];
    return given.length === right.length && timingSafeEqual(given, right);
  }

  #signature(text: string): string {
    return createHmac('sha256', this.#secret).update(text).digest('base64url').slice(0, 24);
  }
}
