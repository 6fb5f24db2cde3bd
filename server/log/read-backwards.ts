import { open } from 'node:fs/promises';

const CHUNK = 256 * 1024;
/** Longer lines are not from this program. */
const LONGEST = 4 * 1024 * 1024;

/**
 * Yields the lines of a UTF-8 file, last first, without line ends. Reads on demand, with the memory of one
 * chunk and one line.
 */
export async function* readBackwards(path: string, chunk = CHUNK): AsyncGenerator<string> {
  const file = await open(path).catch(() => undefined);
  if (!file) return;
  try {
    let end = (await file.stat()).size;
    /** The beginning of a line whose end was read before. */
    let rest: Buffer = Buffer.alloc(0);
    while (end > 0) {
      const length = Math.min(chunk, end);
      const bytes = Buffer.alloc(length);
      end -= length;
      await file.read(bytes, 0, length, end);
      let text = Buffer.concat([bytes, rest]);
      for (let at = text.lastIndexOf(10); at >= 0; at = text.lastIndexOf(10)) {
        if (at + 1 < text.length) yield text.toString('utf8', at + 1);
        text = text.subarray(0, at);
        if (at === 0) break;
      }
      rest = text.length > LONGEST ? Buffer.alloc(0) : text;
    }
    if (rest.length > 0) yield rest.toString('utf8');
  } finally {
    await file.close();
  }
}
