import express from 'express';
import type { Request, RequestHandler, Response } from 'express';
import { Refusal } from '../../shared/refusal.ts';
import { BODY_LIMIT } from './route.ts';
import type { Route } from './route.ts';

/** Nesting that no request of the interface comes near; what reads a body may recurse. */
const DEPTH = 64;

/**
 * Reads and parses the body of a request: JSON, and in area A form encoding too, since older clients send forms (`values[title]=…`).
 * A request without a body has an empty object.
 */
export function bodyReader(route: Route): (request: Request, response: Response) => Promise<unknown> {
  const limit = route.bodyLimit ?? BODY_LIMIT;
  const json = express.json({ limit, strict: false, type: isJson });
  const form = express.urlencoded({ limit, extended: true, parameterLimit: 5000 });
  return async (request, response) => {
    if (!hasBody(request)) return {};
    if (isJson(request)) await run(json, request, response);
    else if (route.family === 'A' && request.is('application/x-www-form-urlencoded')) await run(form, request, response);
    else throw new Refusal('invalid', route.family === 'A' ? 'The body must be JSON or a form (application/x-www-form-urlencoded).' : 'The body must be JSON (application/json).');
    const body: unknown = request.body;
    if (deeperThan(body, DEPTH)) throw new Refusal('invalid', 'The body is nested too deeply.');
    return body === undefined ? {} : body;
  };
}

/** A body without a content type is taken as JSON, as command-line clients send it. */
function isJson(request: { headers: { 'content-type'?: string | undefined } }): boolean {
  const type = request.headers['content-type']?.split(';')[0]!.trim().toLowerCase();
  return type === undefined || type === '' || type === 'application/json' || type === 'text/json' || type.endsWith('+json');
}

function hasBody(request: Request): boolean {
  return request.headers['transfer-encoding'] !== undefined || Number(request.headers['content-length'] ?? 0) > 0;
}

function run(handler: RequestHandler, request: Request, response: Response): Promise<void> {
  return new Promise((resolve, reject) => {
    void handler(request, response, (error?: unknown) => (error ? reject(error as Error) : resolve()));
  });
}

function deeperThan(value: unknown, depth: number): boolean {
  let level: unknown[] = [value];
  for (let d = 0; level.length > 0; d++) {
    if (d > depth) return true;
    level = level.flatMap((item) => (typeof item === 'object' && item !== null ? Object.values(item).filter((part) => typeof part === 'object' && part !== null) : []));
  }
  return false;
}
