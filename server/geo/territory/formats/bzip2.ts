import unbzip2Stream from 'unbzip2-stream';
import { BadExtract } from './bad-extract.ts';

/** Unpacks bzip2 block by block, including files of several streams from parallel packers. */
export async function* unpackBzip2(source: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  // The library is an old-style stream, but processes its input synchronously.
  const stream = unbzip2Stream();
  const unpacked: Buffer[] = [];
  let failure: Error | undefined;
  stream.on('data', (chunk: Buffer) => unpacked.push(chunk));
  stream.on('error', (error: Error) => (failure ??= error));
  for await (const chunk of source) {
    stream.write(chunk);
    requireSound(failure);
    yield* unpacked.splice(0);
  }
  stream.end();
  requireSound(failure);
  yield* unpacked.splice(0);
}

function requireSound(failure: Error | undefined): void {
  if (failure === undefined) return;
  if (/prematurely|undefined|end of/i.test(failure.message))
    throw new BadExtract('The file is cut short', { cause: failure });
  throw new BadExtract(`The file is damaged: it cannot be unpacked (${failure.message})`, { cause: failure });
}
