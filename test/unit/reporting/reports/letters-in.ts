import { inflateSync } from 'node:zlib';

/** What the letters of the fonts in the paper stand for: the right sides of their ToUnicode tables. */
export function lettersIn(pdf: Uint8Array): Set<string> {
  const letters = new Set<string>();
  const text = Buffer.from(pdf).toString('latin1');
  for (const [, packed] of text.matchAll(/stream\r?\n([\s\S]*?)\r?\nendstream/g)) {
    let table = '';
    try {
      table = inflateSync(Buffer.from(packed!, 'latin1')).toString('latin1');
    } catch {
      continue;
    }
    if (table.includes('beginbfrange') || table.includes('beginbfchar'))
      for (const [, code] of table.matchAll(/<([0-9a-f]{4})>/gi)) letters.add(String.fromCharCode(parseInt(code!, 16)));
  }
  return letters;
}
