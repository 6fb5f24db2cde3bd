import express from 'express';
import type { Request, RequestHandler, Response } from 'express';
import { isUtf8 } from 'node:buffer';
import { Readable } from 'node:stream';
import { Refusal } from '../../../shared/refusal.ts';
import { readBodyBytes } from './read-body-bytes.ts';
import { refuseMalformedText } from './refuse-malformed-text.ts';
import { requireUtf8Form, formInUtf8, MAX_PARAMETERS } from './form-charset.ts';
import { parseJson } from './parse-json.ts';

/** Largest body in bytes where the route sets no limit. */
export const BODY_LIMIT = 1024 * 1024;

interface BodyOptions {
  /** Largest accepted body, in bytes. */
  readonly limit: number;
  /** Whether a form (`application/x-www-form-urlencoded`) is accepted beside JSON. */
  readonly acceptsForms: boolean;
  /** Whether the request must declare `application/json`. */
  readonly declaredJson: boolean;
}

/** Reads and parses a body: JSON, or a form where the route accepts one. No body is an empty object. */
export function bodyReader({
  limit,
  acceptsForms,
  declaredJson,
}: BodyOptions): (request: Request, response: Response) => Promise<unknown> {
  const form = express.urlencoded({
    limit,
    extended: true,
    parameterLimit: MAX_PARAMETERS,
    verify: (_request, _response, bytes) => requireUtf8Form(bytes),
  });
  return async (request, response) => {
    if (!hasBody(request)) return {};
    if (declaredJson ? mediaType(request) === 'application/json' : isJson(request)) {
      if (!/^utf-?8$/i.test(charsetOf(request))) throw new Refusal('request.bodyCharset');
      const json = await readBodyBytes(request, limit);
      if (json.length === 0) return {};
      if (!isUtf8(json)) throw new Refusal('request.bodyNotUtf8');
      const body = await parseJson(json);
      // In valid UTF-8 only escapes can produce NUL or lone surrogates.
      if (json.includes('\\u0000') || json.includes('\\ud') || json.includes('\\uD')) await refuseMalformedText(body);
      return body;
    }
    if (acceptsForms && request.is('application/x-www-form-urlencoded')) {
      const charset = charsetOf(request);
      if (!/^utf-?8$/i.test(charset))
        return parsedForm(form, formInUtf8(await readBodyBytes(request, limit), charset), response);
      await run(form, request, response);
    } else throw new Refusal(acceptsForms ? 'request.bodyForm' : 'request.bodyJson');
    await refuseMalformedText(request.body ?? {});
    return request.body ?? {};
  };
}

/** A body without a content type counts as JSON: command-line clients send it so. */
function isJson(request: Request): boolean {
  const type = mediaType(request);
  return type === '' || type === 'application/json' || type === 'text/json' || type.endsWith('+json');
}

function mediaType(request: Request): string {
  return request.headers['content-type']?.split(';')[0]!.trim().toLowerCase() ?? '';
}

/** JSON between programs is UTF-8 (RFC 8259, 8.1). */
function charsetOf(request: Request): string {
  return /;\s*charset\s*=\s*"?([^\s";]+)/i.exec(request.headers['content-type'] ?? '')?.[1] ?? 'utf-8';
}

/** Parses a recoded form. The library reads only from a request, so this imitates one. */
async function parsedForm(form: RequestHandler, bytes: Buffer, response: Response): Promise<unknown> {
  const request = Object.assign(Readable.from([bytes], { objectMode: false }), {
    headers: { 'content-type': 'application/x-www-form-urlencoded', 'content-length': String(bytes.length) },
  }) as unknown as Request;
  await run(form, request, response);
  await refuseMalformedText(request.body ?? {});
  return request.body ?? {};
}

function hasBody(request: Request): boolean {
  return request.headers['transfer-encoding'] !== undefined || Number(request.headers['content-length'] ?? 0) > 0;
}

function run(handler: RequestHandler, request: Request, response: Response): Promise<void> {
  return new Promise((resolve, reject) => {
    void handler(request, response, (error?: unknown) => (error ? reject(error as Error) : resolve()));
  });
}
