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
 * Reads a multipart form and streams each file to `store`. If the form is malformed or the connection breaks,
 * everything stored goes to `drop`.
 */
export async function readMultipart<T>(
  request: Request,
  store: (file: Readable) => Promise<T>,
  drop: (stored: T) => void,
): Promise<Multipart<T>> {
  const type = request.headers['content-type'] ?? '';
  if (!/^multipart\/form-data\b/i.test(type)) throw new Refusal('request.bodyMultipart');
  let parser: BusboyInstance;
  try {
    parser = new Busboy({
      headers: { ...request.headers, 'content-type': type },
      limits: { files: MAX_FILES, fields: MAX_FIELDS, fieldSize: 100_000, headerPairs: 100 },
    });
  } catch (error) {
    throw new Refusal('request.formNoBoundary', {}, { cause: error });
  }
  const fields: Record<string, string> = Object.create(null) as Record<string, string>;
  const files: { field: string; name: string; stream: Readable; storing: Promise<T> }[] = [];
  let failure: Error | undefined;
  const fail = (error: Error) => {
    failure ??= error;
    request.unpipe(parser);
    // Read and discard the rest: many clients read the answer only after they have sent everything.
    request.resume();
    for (const { stream } of files) stream.destroy(failure);
    parser.destroy();
  };
  const read = new Promise<void>((resolve) => {
    parser.on('field', (name, value) => (fields[name] = value));
    parser.on('file', (field, stream, name) => {
      // `store` handles errors of the stream. Late ones must not become uncaught.
      stream.on('error', () => undefined);
      const storing = store(stream);
      storing.catch((error: unknown) => {
        fail(error as Error);
        resolve();
      });
      files.push({ field, name: name ?? '', stream, storing });
    });
    parser.on('filesLimit', () => fail(new Refusal('request.formMostFiles', { most: MAX_FILES })));
    parser.on('fieldsLimit', () => fail(new Refusal('request.formMostFields', { most: MAX_FIELDS })));
    parser.on('error', (error) => {
      fail(new Refusal('request.formBroken', {}, { cause: error }));
      resolve();
    });
    parser.on('finish', () => resolve());
    parser.on('close', () => resolve());
    finished(request, { writable: false }, (error) => {
      if (!error) return;
      fail(new Refusal('request.bodyBrokeOff', {}, { cause: error }));
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

/** Errors of the form's own stream are malformed requests; errors of the disk are not. */
function asRefusal(error: Error): Error {
  if (error instanceof Refusal || (error as NodeJS.ErrnoException).syscall !== undefined) return error;
  return new Refusal('request.formBroken', {}, { cause: error });
}
