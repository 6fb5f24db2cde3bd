import type { Response } from 'express';
import { z } from 'zod';
import { TooManyAttempts } from '../../accounts/index.ts';
import { isDiskFull } from '../../platform/disk-full.ts';
import { Refusal } from '../../../shared/refusal.ts';
import type { RefusalCode } from '../../../shared/refusal.ts';
import type { Family } from './route.ts';

/** The HTTP status of each refusal. A new code does not compile until it has a row. */
const STATUS = {
  'invalid': 400,
  'unauthorized': 401,
  'wrong-login': 401,
  'too-many-attempts': 429,
  'forbidden': 403,
  'not-found': 404,
  'conflict': 409,
  'too-large': 413,
  // Not 5xx: nothing is broken, the request only comes at a bad moment.
  'busy': 409,
  'disk-full': 507,
  'disk-failed': 503,
  'no-territory': 404,
} satisfies Record<RefusalCode, number>;

/** Called for unexpected errors, with the id that the client gets. */
export type ReportBug = (id: string, error: unknown) => void;

/**
 * Answers an error in the family's format: the one place where a refusal becomes a response. Anything but a
 * refusal or a malformed request is a bug: it is reported, and the answer holds only its id.
 */
export function answerError(response: Response, family: Family, error: unknown, report: ReportBug): void {
  const { status, message } = outcomeOf(error, report);
  if (response.headersSent) {
    // The answer has begun. Only cutting the connection tells the client that it is incomplete.
    response.destroy();
    return;
  }
  if (error instanceof TooManyAttempts) response.set('Retry-After', String(error.retryAfter));
  if (status === 401) response.set('WWW-Authenticate', 'Bearer');
  sendError(response, family, status, message);
}

/** Sends an error message in the family's format. */
export function sendError(response: Response, family: Family, status: number, message: string): void {
  response.status(status);
  if (family === 'C') {
    response.set('Access-Control-Allow-Origin', '*');
    sendJson(response, { status, status_message: message });
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

function outcomeOf(error: unknown, report: ReportBug): { status: number; message: string } {
  if (error instanceof Refusal) return { status: STATUS[error.code], message: error.message };
  if (error instanceof z.ZodError) return { status: 400, message: describeInvalid(error) };
  const fault = faultOfRequest(error);
  if (fault) return fault;
  // Not a bug: the operator can free space. Nothing of the request is stored; the station works on once there
  // is space.
  if (isDiskFull(error))
    return outcomeOf(new Refusal('disk-full', 'There is no room left on the disk of the station.'), report);
  const id = Math.random().toString(36).slice(2, 10);
  report(id, error);
  return { status: 500, message: `Something went wrong in the station; its log has it as ${id}.` };
}

/**
 * Errors of the HTTP library about a request: path encoding, body size, charset, content coding, aborted
 * upload.
 */
function faultOfRequest(error: unknown): { status: number; message: string } | undefined {
  if (
    !(error instanceof Error) ||
    !('status' in error) ||
    typeof error.status !== 'number' ||
    error.status < 400 ||
    error.status > 499
  )
    return undefined;
  const type = 'type' in error ? String(error.type) : '';
  if (type === 'entity.too.large') return { status: 413, message: 'The body is too large.' };
  const message =
    FAULT_MESSAGES[type] ??
    (error.message.startsWith('Failed to decode param')
      ? 'The address is not correctly percent-encoded.'
      : 'The request is malformed.');
  return { status: 400, message };
}

const FAULT_MESSAGES: Readonly<Record<string, string>> = {
  'entity.parse.failed': 'The body is not valid JSON.',
  'charset.unsupported': 'The character set of the body is not supported; send UTF-8.',
  'encoding.unsupported': 'The content coding of the body is not supported.',
  'parameters.too.many': 'The form has too many fields.',
  'querystring.parse.rangeError': 'The form is nested too deeply.',
  'request.aborted': 'The body broke off.',
  'request.size.invalid': 'The body is not as long as its header says.',
};

/** Describes the first problem in one sentence that names the field. */
export function describeInvalid(error: z.ZodError): string {
  const issue = firstIssue(error.issues);
  const path = issue.path.map(String).join('.').slice(0, 200);
  const what = isMissing(issue) ? 'is missing' : describeIssue(issue);
  return path === '' ? `The request ${what}.` : `${path} ${what}.`;
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

function describeIssue(issue: z.core.$ZodIssue): string {
  switch (issue.code) {
    case 'invalid_type':
      return `must be ${article(issue.expected)}`;
    case 'too_small':
      return issue.origin === 'string'
        ? issue.minimum === 1
          ? 'must not be empty'
          : `must have at least ${issue.minimum} characters`
        : issue.origin === 'array'
          ? `must have at least ${issue.minimum} entries`
          : `must be at least ${issue.minimum}`;
    case 'too_big':
      return issue.origin === 'string'
        ? `must have at most ${issue.maximum} characters`
        : issue.origin === 'array'
          ? `must have at most ${issue.maximum} entries`
          : `must be at most ${issue.maximum}`;
    case 'invalid_value':
      return issue.message.startsWith('Invalid')
        ? `must be one of ${issue.values.map(String).join(', ')}`
        : issue.message;
    case 'invalid_format':
      return issue.message.startsWith('Invalid') ? 'has a wrong format' : issue.message;
    case 'invalid_union':
      return issue.message.startsWith('Invalid') ? 'has a wrong type' : issue.message;
    default:
      return issue.message.startsWith('Invalid') ? 'is wrong' : issue.message;
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
