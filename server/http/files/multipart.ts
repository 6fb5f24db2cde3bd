import { Busboy, type BusboyInstance } from '@fastify/busboy';
import type { Request } from 'express';
import { finished, type Readable } from 'node:stream';
import { Refusal } from '../../../shared/refusal.ts';

const MAX_FILES = 20;
const MAX_FIELDS = 50;

interface Multipart<T> {
  readonly fields: Readonly<Record<string, string>>;
  readonly files: readonly { readonly field: string; readonly name: string; readonly stored: T }[];
}

/**
 * Reads a multipart form, its files as streams, one after the other. What `store` kept of a form that turns
 * out to be broken goes to `drop`; so a connection that breaks off half-way leaves nothing.
 */
export async function readMultipart<T>(
  request: Request,
  store: (file: Readable) => Promise<T>,
  drop: (stored: T) => void,
): Promise<Multipart<T>> {
  const type = request.headers['content-type'] ?? '';
  if (!/^multipart\/form-data\b/i.test(type))
    throw new Refusal('invalid', 'The body must be a multipart form (multipart/form-data).');
  let parser: BusboyInstance;
  try {
    parser = new Busboy({
      headers: { ...request.headers, 'content-type': type },
      limits: { files: MAX_FILES, fields: MAX_FIELDS, fieldSize: 100_000, headerPairs: 100 },
    });
  } catch (error) {
    throw new Refusal('invalid', 'The form names no boundary.', { cause: error });
  }
  const fields: Record<string, string> = Object.create(null) as Record<string, string>;
  const files: { field: string; name: string; stream: Readable; storing: Promise<T> }[] = [];
  let failure: Error | undefined;
  const fail = (error: Error) => {
    failure ??= error;
    request.unpipe(parser);
    // What still comes is read and let go: a client hears an answer only after it has sent what it wants to.
    request.resume();
    for (const { stream } of files) stream.destroy(failure);
    parser.destroy();
  };
  const read = new Promise<void>((resolve) => {
    parser.on('field', (name, value) => (fields[name] = value));
    parser.on('file', (field, stream, name) => {
      // Who stores it hears of its errors; nobody else has to, also when they come late.
      stream.on('error', () => undefined);
      const storing = store(stream);
      storing.catch((error: unknown) => {
        fail(error as Error);
        resolve();
      });
      files.push({ field, name: name ?? '', stream, storing });
    });
    parser.on('filesLimit', () => fail(new Refusal('invalid', `A form may hold at most ${MAX_FILES} files.`)));
    parser.on('fieldsLimit', () => fail(new Refusal('invalid', `A form may hold at most ${MAX_FIELDS} fields.`)));
    parser.on('error', (error) => {
      fail(new Refusal('invalid', 'The form is broken.', { cause: error }));
      resolve();
    });
    parser.on('finish', () => resolve());
    parser.on('close', () => resolve());
    finished(request, { writable: false }, (error) => {
      if (!error) return;
      fail(new Refusal('invalid', 'The body broke off.', { cause: error }));
      resolve();
    });
    request.pipe(parser);
  });
  await read;
  const stored = await Promise.allSettled(files.map(({ storing }) => storing));
  const broken = failure ?? (stored.find((one) => one.status === 'rejected')?.reason as Error | undefined);
  if (broken) {
    for (const one of stored) if (one.status === 'fulfilled') drop(one.value);
    throw asRefusal(broken);
  }
  return {
    fields,
    files: files.map(({ field, name }, index) => ({
      field,
      name,
      stored: (stored[index] as PromiseFulfilledResult<T>).value,
    })),
  };
}

/** Whatever a form's own stream says is a fault of the form; what the disk says is not. */
function asRefusal(error: Error): Error {
  if (error instanceof Refusal || (error as NodeJS.ErrnoException).syscall !== undefined) return error;
  return new Refusal('invalid', 'The form is broken.', { cause: error });
}
