import createClient from 'openapi-fetch';
import type { AnswerOf, OperationMethod, PathOf, RequestOf } from './operations.ts';
import { reasonOfHeaders } from '../../../../shared/refusals/headers.ts';
import type { Reason } from '../../../../shared/refusals/reason.ts';
import type { paths } from './schema.d.ts';

/**
 * A refusal of the station: `message` is its English sentence, `reason` the code and parameters of the same.
 * `status` 0 means that it could not be reached, or, with `isLate`, did not answer in time.
 */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly status: number;
  readonly reason: Reason | undefined;
  readonly isLate: boolean;

  constructor(status: number, message: string, reason?: Reason, isLate = false) {
    super(message);
    this.status = status;
    this.reason = reason;
    this.isLate = isLate;
  }
}

export type Query = Readonly<Record<string, string | number | boolean | readonly string[] | undefined>>;

/** Time limit of a call, and its abort signal. */
interface Limits {
  readonly signal?: AbortSignal;
  /** Milliseconds to wait for the answer, if it may take longer than usual. */
  readonly patience?: number;
}

export interface Call extends Limits {
  readonly method?: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'DELETE';
  readonly query?: Query;
  readonly body?: unknown;
}

/** A request of the described interface; it may be left out where nothing in it is required. */
type RequestArguments<M extends OperationMethod, P extends PathOf<M>> =
  Record<never, never> extends RequestOf<M, P>
    ? [request?: RequestOf<M, P> & Limits]
    : [request: RequestOf<M, P> & Limits];

/** No answer of the station's own may take longer; imports and the like report their progress elsewhere. */
const PATIENCE_MS = 10_000;

/** Called for every answer 401, so that the session ends in one place. */
type UnauthorizedListener = () => void;

/**
 * Calls the station that served this page. The cookie authenticates; a page never sees the token. Rejects
 * with ApiError for anything but success.
 */
export class Client {
  onUnauthorized: UnauthorizedListener = () => {};
  private readonly base: string;
  private readonly http;

  constructor(base = '') {
    this.base = base;
    this.http = createClient<paths>({ baseUrl: base, credentials: 'same-origin', querySerializer: searchOf });
  }

  /** Calls a path of the described interface: path, parameters, body and answer are typed by the description. */
  async request<M extends OperationMethod, P extends PathOf<M>>(
    method: M,
    path: P,
    ...[request]: RequestArguments<M, P>
  ): Promise<AnswerOf<M, P>> {
    const limits: Limits = request ?? {};
    const options = {
      ...request,
      fetch: (sent: Request) =>
        this.reach(limits, (signal) => fetch(new Request(sent, { signal }))).then((response) =>
          this.accept(path, response),
        ),
    };
    // openapi-fetch types every path and method at once; the signature above has typed this one.
    const call = this.http.request as (method: string, path: string, init: object) => Promise<{ data?: unknown }>;
    return (await inTime(limits, call(method, path, options))).data as AnswerOf<M, P>;
  }

  /** The same for paths that are put together, or answers that the description does not type. */
  async ask<T>(path: string, call: Call = {}): Promise<T> {
    const response = await this.accept(path, await this.send(path, call));
    const text = await inTime(call, response.text());
    const type = response.headers.get('content-type') ?? '';
    return (type.includes('json') ? JSON.parse(text) : text) as T;
  }

  /** The content type of the resource at `path`. */
  async typeOf(path: string): Promise<string> {
    const response = await this.send(path, { method: 'HEAD' });
    if (!response.ok) throw await refusedBy(response);
    return response.headers.get('content-type') ?? '';
  }

  /** The bytes of an answer that is no JSON: a paper, a workbook. */
  async bytes(path: string, call: Call = {}): Promise<ArrayBuffer> {
    const response = await this.send(path, call);
    if (!response.ok) throw await refusedBy(response);
    return inTime(call, response.arrayBuffer());
  }

  /** An answer that is read while it arrives. `patience` limits the whole of it. */
  async open(path: string, call: Call = {}): Promise<Response> {
    return this.accept(path, await this.send(path, call));
  }

  private send(path: string, call: Call): Promise<Response> {
    const search = searchOf(call.query ?? {});
    return this.reach(call, (signal) =>
      fetch(this.base + path + (search && `?${search}`), {
        method: call.method ?? 'GET',
        credentials: 'same-origin',
        signal,
        ...(call.body === undefined
          ? {}
          : { headers: { 'content-type': 'application/json' }, body: JSON.stringify(call.body) }),
      }),
    );
  }

  /** Fetches within the limits. A station that does not answer in time, or at all, is an ApiError of status 0. */
  private reach(limits: Limits, fetchIt: (signal: AbortSignal) => Promise<Response>): Promise<Response> {
    const { signal, patience = PATIENCE_MS } = limits;
    return inTime(limits, fetchIt(AbortSignal.any([AbortSignal.timeout(patience), ...(signal ? [signal] : [])])));
  }

  private async accept(path: string, response: Response): Promise<Response> {
    if (response.ok) return response;
    const refused = await refusedBy(response);
    if (response.status === 401 && !path.startsWith('/auth/')) this.onUnauthorized();
    throw refused;
  }
}

/** The rest of an answer, which the limits may cut too: then it is an ApiError of status 0. */
async function inTime<T>({ signal }: Limits, work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (signal?.aborted || error instanceof ApiError || error instanceof SyntaxError) throw error;
    throw new ApiError(0, '', undefined, error instanceof DOMException && error.name === 'TimeoutError');
  }
}

/** The address of a `GET` request, for a link. */
export const addressOf = (path: string, query: Readonly<Record<string, unknown>>) => `${path}?${searchOf(query)}`;

function searchOf(query: Readonly<Record<string, unknown>>): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value === undefined) continue;
    for (const one of Array.isArray(value) ? value : [value]) search.append(name, String(one));
  }
  return search.toString();
}

async function refusedBy(response: Response): Promise<ApiError> {
  const message = saying(await response.text()) || response.statusText || String(response.status);
  return new ApiError(
    response.status,
    message,
    reasonOfHeaders((name) => response.headers.get(name)),
  );
}

/** Area A has the sentence in `resText`, area C in `status_message`, the others as plain text. */
function saying(text: string): string {
  if (!text.startsWith('{')) return text;
  try {
    const body = JSON.parse(text) as { resText?: string; status_message?: string; message?: string };
    return body.resText || body.status_message || body.message || '';
  } catch {
    return text;
  }
}
