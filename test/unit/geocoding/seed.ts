import { randomInt } from 'node:crypto';

/** The seed of this run: WAYPOST_SEED repeats one. Printed, so that a failure can be repeated. */
export const SEED = Number(process.env.WAYPOST_SEED ?? randomInt(2 ** 31));
console.log(`WAYPOST_SEED=${SEED}`);

/** mulberry32: numbers from 0 up to 1, the same for the same seed. */
export function chanceOf(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), state | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  };
}

export function pick<T>(list: readonly T[], chance: () => number): T {
  return list[Math.floor(chance() * list.length)]!;
}

const LETTERS = 'abcdefghijklmnopqrstuvwxyz';

/** One slip of the finger inside a text's longest word: a letter left out, doubled, changed, or exchanged with the next. */
export function mistype(text: string, chance: () => number): string {
  const words = [...text.matchAll(/\p{L}+/gu)].sort((a, b) => b[0].length - a[0].length);
  const [word] = words;
  if (!word) return text;
  const at = word.index + 1 + Math.floor(chance() * (word[0].length - 2));
  const [a, b] = [text[at]!, text[at + 1] ?? ''];
  switch (Math.floor(chance() * 4)) {
    case 0: return text.slice(0, at) + text.slice(at + 1);
    case 1: return text.slice(0, at) + a + text.slice(at);
    case 2: return text.slice(0, at) + pick([...LETTERS], chance) + text.slice(at + 1);
    default: return text.slice(0, at) + b + a + text.slice(at + 2);
  }
}
