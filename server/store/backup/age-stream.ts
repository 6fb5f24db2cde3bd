import { createCipheriv, createDecipheriv, getCiphers, hkdfSync, randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import { Decrypter, Encrypter } from 'age-encryption';

/** Bytes of a chunk of an age file, before encryption (C2SP age, "Payload"). */
const CHUNK = 64 * 1024;
const TAG = 16;
const NONCE = 16;
const CIPHER = 'chacha20-poly1305';
/** Node's own cipher is three times as fast as the library's. Electron's crypto does not have it. */
const HAS_CIPHER = getCiphers().includes(CIPHER);

/**
 * Encrypts a stream as an age file for a recipient (`age1…`). The library makes the header, with a new key for
 * each file; Node's crypto encrypts the chunks. `age --decrypt` reads the result.
 */
export async function* encryptStream(
  source: AsyncIterable<Buffer>,
  recipient: string,
  native = HAS_CIPHER,
): AsyncGenerator<Buffer> {
  const encrypter = new Encrypter();
  encrypter.addRecipient(recipient);
  if (!native) return yield* throughWeb(source, (web) => encrypter.encrypt(web));
  // The library keeps the key of the file to itself. A recipient of our own gets it, too, and adds no stanza.
  let fileKey: Uint8Array | undefined;
  encrypter.addRecipient({
    wrapFileKey: (key) => {
      fileKey = Uint8Array.from(key);
      return [];
    },
  });
  const header = headerOf(await encrypter.encrypt(new Uint8Array()));
  yield* encryptedChunks(source, header, fileKey!);
}

/** The content of an age file. Throws in the middle when a byte is wrong, or when the end is missing. */
export async function* decryptStream(
  source: AsyncIterable<Buffer>,
  identity: string,
  native = HAS_CIPHER,
): AsyncGenerator<Buffer> {
  const decrypter = new Decrypter();
  decrypter.addIdentity(identity);
  if (!native) return yield* throughWeb(source, (web) => decrypter.decrypt(web));
  const chunks = source[Symbol.asyncIterator]();
  try {
    let begin = Buffer.alloc(0);
    while (endOfHeader(begin) === undefined) {
      const { value, done } = await chunks.next();
      if (done === true || begin.length > CHUNK) throw new Error('This is not an age file.');
      begin = Buffer.concat([begin, value as Buffer]);
    }
    const end = endOfHeader(begin)!;
    const fileKey = await decrypter.decryptHeader(begin.subarray(0, end));
    yield* decryptedChunks(begin.subarray(end), chunks, fileKey);
  } finally {
    await chunks.return?.();
  }
}

async function* throughWeb(
  source: AsyncIterable<Buffer>,
  transform: (web: ReadableStream<Uint8Array>) => Promise<ReadableStream<Uint8Array>>,
): AsyncGenerator<Buffer> {
  const web = Readable.toWeb(Readable.from(source)) as unknown as ReadableStream<Uint8Array>;
  for await (const chunk of (await transform(web)) as unknown as AsyncIterable<Uint8Array>) yield Buffer.from(chunk);
}

async function* encryptedChunks(
  source: AsyncIterable<Buffer>,
  header: Uint8Array,
  fileKey: Uint8Array,
): AsyncGenerator<Buffer> {
  const nonce = randomBytes(NONCE);
  yield Buffer.concat([header, nonce]);
  const key = payloadKey(fileKey, nonce);
  let number = 0;
  let held: Buffer | undefined;
  for await (const chunk of inChunks(source, CHUNK)) {
    if (held) yield sealed(key, number++, false, held);
    held = chunk;
  }
  yield sealed(key, number, true, held ?? Buffer.alloc(0));
}

async function* decryptedChunks(
  begin: Buffer,
  rest: AsyncIterator<Buffer, unknown>,
  fileKey: Uint8Array,
): AsyncGenerator<Buffer> {
  let key: Buffer | undefined;
  let number = 0;
  let held: Buffer | undefined;
  const bytes = async function* () {
    let head = begin;
    for (; head.length < NONCE;) {
      const { value, done } = await rest.next();
      if (done === true) throw new Error('The file ends early.');
      head = Buffer.concat([head, value as Buffer]);
    }
    key = payloadKey(fileKey, head.subarray(0, NONCE));
    yield head.subarray(NONCE);
    for (let next = await rest.next(); next.done !== true; next = await rest.next()) yield next.value;
  };
  for await (const chunk of inChunks(bytes(), CHUNK + TAG)) {
    if (held) yield opened(key!, number++, false, held);
    held = chunk;
  }
  if (!held) throw new Error('The file ends early.');
  const last = opened(key!, number, true, held);
  if (last.length === 0 && number > 0) throw new Error('The last chunk is empty.');
  yield last;
}

/** The nonce of a chunk: its number, and whether it is the last one. Order and end are authenticated by it. */
function nonceOf(number: number, isLast: boolean): Buffer {
  const nonce = Buffer.alloc(12);
  nonce.writeUIntBE(number, 5, 6);
  nonce[11] = Number(isLast);
  return nonce;
}

function sealed(key: Buffer, number: number, isLast: boolean, chunk: Buffer): Buffer {
  const cipher = createCipheriv(CIPHER, key, nonceOf(number, isLast), { authTagLength: TAG });
  return Buffer.concat([cipher.update(chunk), cipher.final(), cipher.getAuthTag()]);
}

function opened(key: Buffer, number: number, isLast: boolean, chunk: Buffer): Buffer {
  if (chunk.length < TAG) throw new Error('The file ends early.');
  const cipher = createDecipheriv(CIPHER, key, nonceOf(number, isLast), { authTagLength: TAG });
  cipher.setAuthTag(chunk.subarray(chunk.length - TAG));
  return Buffer.concat([cipher.update(chunk.subarray(0, chunk.length - TAG)), cipher.final()]);
}

function payloadKey(fileKey: Uint8Array, nonce: Uint8Array): Buffer {
  return Buffer.from(hkdfSync('sha256', fileKey, nonce, 'payload', 32));
}

function headerOf(file: Uint8Array): Uint8Array {
  return file.subarray(0, endOfHeader(Buffer.from(file))!);
}

/** The header ends with the line `--- MAC`. */
function endOfHeader(bytes: Buffer): number | undefined {
  const mac = bytes.indexOf('\n--- ');
  const end = mac < 0 ? -1 : bytes.indexOf('\n', mac + 1);
  return end < 0 ? undefined : end + 1;
}

/** Pieces of exactly `size` bytes; the last one may be shorter. */
async function* inChunks(source: AsyncIterable<Buffer>, size: number): AsyncGenerator<Buffer> {
  let pieces: Buffer[] = [];
  let length = 0;
  for await (const piece of source) {
    pieces.push(piece);
    length += piece.length;
    if (length < size) continue;
    const all = Buffer.concat(pieces);
    let at = 0;
    for (; length - at >= size; at += size) yield all.subarray(at, at + size);
    pieces = at < length ? [all.subarray(at)] : [];
    length -= at;
  }
  if (length > 0) yield Buffer.concat(pieces);
}
