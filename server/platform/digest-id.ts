import { hash } from 'node:crypto';

/** 52 bits of SHA-256: a number that names the same thing on every station, and that JSON carries exactly. */
export function digestId(text: string): number {
  const digest = hash('sha256', text, 'buffer');
  return digest.readUIntBE(0, 6) * 16 + (digest[6]! >> 4);
}

/** The same for callers that repeat their ids: caches the recent ones, `most` to twice as many. */
export class DigestIds {
  readonly #most: number;
  #recent = new Map<string, number>();
  #older = new Map<string, number>();

  constructor(most: number) {
    this.#most = most;
  }

  of(text: string): number {
    const recent = this.#recent.get(text);
    if (recent !== undefined) return recent;
    const id = this.#older.get(text) ?? digestId(text);
    if (this.#recent.size >= this.#most) [this.#older, this.#recent] = [this.#recent, new Map()];
    this.#recent.set(text, id);
    return id;
  }
}
