import type { Response } from 'express';
import { z } from 'zod';
import { TooManyAttempts } from '../../access/accounts/index.ts';
import { open311Error } from './open311-errors.ts';
import { TooManyRequests } from './quotas.ts';
import { isDiskFull } from '../../platform/disk/disk-full.ts';
import { Refusal, type RefusalKind } from '../../../shared/refusal.ts';
import { refusalOfRule } from '../../../shared/refusals/field-rules.ts';
import { CODE_HEADER, PARAMS_HEADER, refusalHeaders } from '../../../shared/refusals/headers.ts';
import type { Family } from './route.ts';

/** The HTTP status of each kind of refusal. A new kind does not compile until it has a row. */
const STATUS = {
  'invalid': 400,
  'unauthorized': 401,
  'wrong-login': 401,
  'too-many-attempts': 429,
  'forbidden': 403,
  'not-found': 404,
  'wrong-method': 405,
  'conflict': 409,
  'standby': 409,
  'too-large': 413,
  // Not 5xx: nothing is broken, the request only comes at a bad moment.
  'busy': 409,
  'away': 503,
  'disk-full': 507,
  'disk-failed': 503,
  'no-territory': 404,
  'bug': 500,
} satisfies Record<RefusalKind, number>;

/** Called for unexpected errors, with the id that the client gets. */
export type ReportBug = (id: string, error: unknown) => void;

/**
 * Answers an error in the family's format: the one place where a refusal becomes a response. Anything but a
 * refusal or a malformed request is a bug: it is reported, and the answer holds only its id.
 */
export function answerError(response: Response, family: Family, error: unknown, report: ReportBug): void {
  const id = response.getHeader('X-Request-Id') ?? Math.random().toString(36).slice(2, 10);
  const refusal = refusalOf(error, String(id), report);
  if (response.headersSent) {
    // The answer has begun. Only cutting the connection tells the client that it is incomplete.
    response.destroy();
    return;
  }
  if (error instanceof TooManyAttempts || error instanceof TooManyRequests)
    response.set('Retry-After', String(error.retryAfter));
  answerRefusal(response, family, refusal);
}

/** Answers a refusal in the family's format: the sentence in the body, code and parameters in headers. */
export function answerRefusal(response: Response, family: Family, refusal: Refusal): void {
  const { message } = refusal;
  const status = STATUS[refusal.kind];
  response.status(status).set(refusalHeaders(refusal));
  if (status === 401) response.set('WWW-Authenticate', 'Bearer');
  if (family === 'C') {
    response.set({
      'Access-Control-Allow-Origin': '*',
      'Access-Control-Expose-Headers': `${CODE_HEADER}, ${PARAMS_HEADER}`,
    });
    sendJson(response, { status, status_message: message });
  } else if (family === 'open311') {
    const { type, text } = open311Error(response.req.path, status, message);
    response.removeHeader('Content-Type');
    sendBytes(response, type, Buffer.from(text));
  } else if (family === 'odata') {
    response.removeHeader('Content-Type');
    response.set('OData-Version', '4.0');
    sendJson(response, { error: { code: refusal.code, message } });
  } else if (family === 'A' && (status === 400 || status === 409 || status === 413)) {
    sendJson(response, { res: 0, resText: message });
  } else {
    const bytes = Buffer.from(message);
    response
      .set({
        'Content-Type': 'text/plain; charset=utf-8',
        'Content-Length': String(bytes.length),
        'Cache-Control': 'no-store',
      })
      .end(bytes);
  }
}

export function sendJson(response: Response, value: unknown): void {
  sendBytes(response, 'application/json; charset=utf-8', Buffer.from(JSON.stringify(value)));
}

/** Sends a complete body. Keeps headers that are already set. */
export function sendBytes(response: Response, type: string, bytes: Uint8Array): void {
  if (!response.hasHeader('Content-Type')) response.setHeader('Content-Type', type);
  if (!response.hasHeader('Cache-Control')) response.setHeader('Cache-Control', 'no-store');
  response.setHeader('Content-Length', String(bytes.length)).end(bytes);
}

function refusalOf(error: unknown, id: string, report: ReportBug): Refusal {
  if (error instanceof Refusal) return error;
  if (error instanceof z.ZodError) return refusalOfInvalid(error);
  const fault = faultOfRequest(error);
  if (fault) return new Refusal(fault);
  // Not a bug: the operator can free space. Nothing of the request is stored; the station works on once there
  // is space.
  if (isDiskFull(error)) return new Refusal('store.diskFull');
  report(id, error);
  return new Refusal('request.bug', { id });
}

/**
 * Errors of the HTTP library about a request: path encoding, body size, charset, content coding, aborted
 * upload.
 */
function faultOfRequest(error: unknown): RequestFault | undefined {
  if (
    !(error instanceof Error) ||
    !('status' in error) ||
    typeof error.status !== 'number' ||
    error.status < 400 ||
    error.status > 499
  )
    return undefined;
  const type = 'type' in error ? String(error.type) : '';
  if (Object.hasOwn(FAULTS, type)) return FAULTS[type as keyof typeof FAULTS];
  return error.message.startsWith('Failed to decode param') ? 'request.addressEncoding' : 'request.malformed';
}

const FAULTS = {
  'entity.too.large': 'request.bodyTooLarge',
  'entity.parse.failed': 'request.bodyNotJson',
  'charset.unsupported': 'request.bodyCharset',
  'encoding.unsupported': 'request.bodyCoding',
  'parameters.too.many': 'request.formFields',
  'querystring.parse.rangeError': 'request.formNested',
  'request.aborted': 'request.bodyBrokeOff',
  'request.size.invalid': 'request.bodyLength',
} as const;

type RequestFault = (typeof FAULTS)[keyof typeof FAULTS] | 'request.addressEncoding' | 'request.malformed';

/** The field name of a rule about the whole request. */
const ALL = 'The request';

/** The refusal of the first problem; it names the field. */
export function refusalOfInvalid(error: z.ZodError): Refusal {
  const issue = firstIssue(error.issues);
  const field = issue.path.map(String).join('.').slice(0, 200) || ALL;
  return isMissing(issue) ? new Refusal('field.missing', { field }) : refusalOfIssue(field, issue);
}

/** A union counts as missing when one of its branches does. */
function isMissing(issue: z.core.$ZodIssue): boolean {
  if (issue.code === 'invalid_union')
    return issue.errors.some((branch) => branch.some((inner) => inner.path.length === 0 && isMissing(inner)));
  return issue.code === 'invalid_type' && issue.message.endsWith('received undefined');
}

/** For a union, the branch that matched deepest has the most useful message. */
function firstIssue(issues: readonly z.core.$ZodIssue[]): z.core.$ZodIssue {
  const issue = issues[0]!;
  if (issue.code !== 'invalid_union' || issue.errors.length === 0 || !issue.message.startsWith('Invalid')) return issue;
  const deepest = issue.errors
    .filter((branch) => branch.length > 0)
    .map((branch) => firstIssue(branch))
    .toSorted((a, b) => b.path.length - a.path.length)[0];
  return deepest && deepest.path.length > 0 ? { ...deepest, path: [...issue.path, ...deepest.path] } : issue;
}

function refusalOfIssue(field: string, issue: z.core.$ZodIssue): Refusal {
  // A message of ours names its rule; those of the library begin with "Invalid".
  const own = (otherwise: () => Refusal): Refusal =>
    issue.message.startsWith('Invalid') ? otherwise() : refusalOfRule(field, issue.message);
  switch (issue.code) {
    case 'invalid_type':
      return new Refusal('field.type', { field, expected: article(issue.expected) });
    case 'too_small': {
      const least = Number(issue.minimum);
      if (issue.origin === 'string')
        return least === 1 ? new Refusal('field.empty', { field }) : new Refusal('field.tooShort', { field, least });
      return new Refusal(issue.origin === 'array' ? 'field.tooFew' : 'field.least', { field, least });
    }
    case 'too_big': {
      const most = Number(issue.maximum);
      if (issue.origin === 'string') return new Refusal('field.tooLong', { field, most });
      return new Refusal(issue.origin === 'array' ? 'field.tooMany' : 'field.most', { field, most });
    }
    case 'invalid_value':
      return own(() => new Refusal('field.oneOf', { field, values: issue.values.map(String).join(', ') }));
    case 'invalid_format':
      return own(() => new Refusal('field.format', { field }));
    case 'invalid_union':
      return own(() => new Refusal('field.wrongType', { field }));
    default:
      return own(() => new Refusal('field.wrong', { field }));
  }
}

function article(expected: string): string {
  const words: Readonly<Record<string, string>> = {
    int: 'a whole number',
    number: 'a number',
    string: 'a text',
    boolean: 'true or false',
    object: 'an object',
    array: 'an array',
    record: 'an object',
    undefined: 'absent',
  };
  return words[expected] ?? `of type ${expected}`;
}
