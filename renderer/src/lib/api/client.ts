/** What the station refused, in its own words; `status` 0 means that it could not be reached. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

export type Query = Readonly<Record<string, string | number | boolean | readonly string[] | undefined>>;

export interface Call {
  readonly method?: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'DELETE';
  readonly query?: Query;
  readonly body?: unknown;
  readonly signal?: AbortSignal;
  /** Milliseconds to wait for the answer, where more than usual is to be expected. */
  readonly patience?: number;
}

/** No answer of the station's own may take longer; imports and the like report their progress elsewhere. */
const PATIENCE_MS = 10_000;

/** Told of every answer 401, so that the session can end in one place. */
type UnauthorizedListener = () => void;

/**
 * Asks the station that this page came from. Who asks is told by the cookie; a page never sees the token.
 * Rejects with ApiError for anything but success.
 */
export class Client {
  onUnauthorized: UnauthorizedListener = () => {};
  private readonly base: string;

  constructor(base = '') {
    this.base = base;
  }

  async ask<T>(path: string, call: Call = {}): Promise<T> {
    const response = await this.send(path, call);
    const text = await response.text();
    if (!response.ok) {
      if (response.status === 401 && !path.startsWith('/auth/')) this.onUnauthorized();
      throw new ApiError(response.status, saying(text) || response.statusText || String(response.status));
    }
    const type = response.headers.get('content-type') ?? '';
    return (type.includes('json') ? JSON.parse(text) : text) as T;
  }

  /** The content type of what is at `path`. */
  async typeOf(path: string): Promise<string> {
    const response = await this.send(path, { method: 'HEAD' });
    if (!response.ok) throw new ApiError(response.status, response.statusText || String(response.status));
    return response.headers.get('content-type') ?? '';
  }

  /** The bytes of an answer that is no JSON: a paper, a workbook. */
  async bytes(path: string, call: Call = {}): Promise<ArrayBuffer> {
    const response = await this.send(path, call);
    if (!response.ok)
      throw new ApiError(
        response.status,
        saying(await response.text()) || response.statusText || String(response.status),
      );
    return response.arrayBuffer();
  }

  private async send(path: string, call: Call): Promise<Response> {
    const signals = [AbortSignal.timeout(call.patience ?? PATIENCE_MS), ...(call.signal ? [call.signal] : [])];
    try {
      return await fetch(this.base + path + queryOf(call.query), {
        method: call.method ?? 'GET',
        credentials: 'same-origin',
        signal: AbortSignal.any(signals),
        ...(call.body === undefined
          ? {}
          : { headers: { 'content-type': 'application/json' }, body: JSON.stringify(call.body) }),
      });
    } catch (error) {
      if (call.signal?.aborted) throw error;
      throw new ApiError(0, '');
    }
  }
}

function queryOf(query: Query | undefined): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query ?? {})) {
    if (value === undefined) continue;
    for (const one of Array.isArray(value) ? value : [value]) search.append(name, String(one));
  }
  const text = search.toString();
  return text && `?${text}`;
}

/** Area A says what is wrong in `resText`, area C in `status_message`, the others in plain text. */
function saying(text: string): string {
  if (!text.startsWith('{')) return text;
  try {
    const body = JSON.parse(text) as { resText?: string; status_message?: string; message?: string };
    return body.resText || body.status_message || body.message || '';
  } catch {
    return text;
  }
}
