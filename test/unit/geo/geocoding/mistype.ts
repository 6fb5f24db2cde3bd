export function pick<T>(list: readonly T[], chance: () => number): T {
  return list[Math.floor(chance() * list.length)]!;
}

const LETTERS = 'abcdefghijklmnopqrstuvwxyz';

/**
 * One slip of the finger inside a text's longest word: a letter left out, doubled, changed, or exchanged with
 * the next.
 */
export function mistype(text: string, chance: () => number, letters = LETTERS): string {
  const words = [...text.matchAll(/\p{L}+/gu)].sort((a, b) => b[0].length - a[0].length);
  const [word] = words;
  if (!word) return text;
  const at = word.index + 1 + Math.floor(chance() * (word[0].length - 2));
  const [a, b] = [text[at]!, text[at + 1] ?? ''];
  switch (Math.floor(chance() * 4)) {
    case 0:
      return text.slice(0, at) + text.slice(at + 1);
    case 1:
      return text.slice(0, at) + a + text.slice(at);
    case 2:
      return text.slice(0, at) + pick([...letters], chance) + text.slice(at + 1);
    default:
      return text.slice(0, at) + b + a + text.slice(at + 2);
  }
}
