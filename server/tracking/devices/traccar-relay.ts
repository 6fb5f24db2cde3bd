import { Backoff } from '../../platform/backoff.ts';
import { Semaphore } from '../../platform/semaphore.ts';
import { answerFault, beginningOf, fetchFault, retryAfter } from '../../platform/web/http-answer.ts';
import { fetchWeb } from '../../platform/web/fetch-web.ts';
import type { CommandRelay, Handover, ReadyDevice } from './command-relay.ts';

interface TraccarOptions {
  /** Such as `https://traccar.example:8082`. */
  readonly url: string;
  readonly token: string;
  readonly log: { info(message: string): void; warn(message: string): void };
  /** ms that an answer may take. For tests. */
  readonly timeout?: number | undefined;
}

const TIMEOUT = 15_000;
/** Requests that Traccar gets side by side. */
const AT_ONCE = 4;
/** Numbers of known devices, and ms for which they are cached. */
const MOST_KNOWN = 5_000;
const KNOWN_FOR = 10 * 60_000;
/** ms between two attempts while Traccar takes nothing. */
const LONGEST_DELAY = 60_000;
const TIMED_OUT = 'Traccar did not answer in time.';

/** `fetch` had no connection: nothing was sent. */
const NO_CONNECTION = new Set([
  ...['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH', 'UND_ERR_CONNECT_TIMEOUT'],
  ...['CERT_HAS_EXPIRED', 'DEPTH_ZERO_SELF_SIGNED_CERT', 'SELF_SIGNED_CERT_IN_CHAIN', 'ERR_TLS_CERT_ALTNAME_INVALID'],
  ...['UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'UNABLE_TO_GET_ISSUER_CERT_LOCALLY', 'ERR_SSL_WRONG_VERSION_NUMBER'],
]);
/** The request was not taken, and its text is not the cause: address, token or load of the server are. */
const NOT_TAKEN = new Set([301, 302, 303, 307, 308, 401, 403, 404, 405, 429, 503]);

/** Hands commands to devices over to a Traccar server, by its interface `POST /api/commands/send`. */
export class TraccarRelay implements CommandRelay {
  readonly protocol = 'traccar';
  readonly #options: TraccarOptions;
  readonly #end = new AbortController();
  readonly #backoff = new Backoff(undefined, LONGEST_DELAY);
  readonly #known = new Map<string, { readonly id: number; readonly until: number }>();
  readonly #requests = new Semaphore(AT_ONCE);
  #problem = '';
  #retry: NodeJS.Timeout | undefined;
  #ready = (): void => undefined;

  constructor(options: TraccarOptions) {
    this.#options = options;
  }

  get problem(): string {
    return this.#problem;
  }

  onReady(listener: () => void): void {
    this.#ready = listener;
  }

  close(): void {
    clearTimeout(this.#retry);
    this.#end.abort();
  }

  async find(uniqueId: string): Promise<ReadyDevice> {
    const found = await this.#requests.run(() => this.#find(uniqueId));
    if (typeof found === 'string') return { kind: found };
    return { kind: 'ready', send: (text) => this.#requests.run(() => this.#send(uniqueId, found, text)) };
  }

  /** The number of the device at Traccar. */
  async #find(uniqueId: string): Promise<number | 'waits' | 'unknown'> {
    if (this.#backoff.remaining > 0 || this.#end.signal.aborted) return 'waits';
    const known = this.#known.get(uniqueId);
    if (known && known.until > performance.now()) return known.id;
    this.#known.delete(uniqueId);
    let answer: string;
    let response: Response;
    try {
      response = await this.#request(`api/devices?uniqueId=${encodeURIComponent(uniqueId)}`);
      answer = await beginningOf(response);
    } catch (error) {
      this.#failed(fetchFault(error, TIMED_OUT));
      return 'waits';
    }
    const devices = response.status === 200 ? jsonOf(answer) : undefined;
    if (!Array.isArray(devices)) {
      const isOther = response.status === 200;
      this.#failed(isOther ? 'its answer is not a list of devices' : answerFault(response.status, answer), response);
      return 'waits';
    }
    this.#recovered();
    const device = devices.map(fieldsOf).find((each) => each['uniqueId'] === uniqueId);
    const id = device?.['id'];
    if (typeof id !== 'number') return 'unknown';
    if (this.#known.size >= MOST_KNOWN) this.#known.delete(this.#known.keys().next().value!);
    this.#known.set(uniqueId, { id, until: performance.now() + KNOWN_FOR });
    return id;
  }

  async #send(uniqueId: string, deviceId: number, text: string): Promise<Handover> {
    if (this.#backoff.remaining > 0 || this.#end.signal.aborted) return { kind: 'waits' };
    const command = { deviceId, type: 'custom', attributes: { data: text } };
    let response: Response;
    try {
      response = await this.#request('api/commands/send', JSON.stringify(command));
    } catch (error) {
      const { cause } = error as { cause?: { code?: string } };
      const fault = fetchFault(error, TIMED_OUT);
      this.#failed(fault);
      return NO_CONNECTION.has(cause?.code ?? '') ? { kind: 'waits' } : { kind: 'unclear', text: fault };
    }
    const { status } = response;
    // The status tells the result, even if the rest of the answer is lost.
    const answer = await beginningOf(response).catch(() => '');
    const fault = answerFault(status, answer);
    if (NOT_TAKEN.has(status) || status >= 500) this.#failed(fault, response);
    else this.#recovered();
    if (status === 200) return { kind: 'sent' };
    if (status === 202) return { kind: 'kept', keptAs: numberIn(answer) };
    if (NOT_TAKEN.has(status)) return { kind: 'waits' };
    if (status >= 500 || status < 400) return { kind: 'unclear', text: fault };
    this.#known.delete(uniqueId); // It may have been deleted and created again.
    return { kind: 'declined', text: fault };
  }

  /** A new connection each: on a kept one that just ended, nobody knows whether a command was taken. */
  #request(path: string, body?: string): Promise<Response> {
    const { url, token, timeout = TIMEOUT } = this.#options;
    return fetchWeb(new URL(path, url.endsWith('/') ? url : `${url}/`).href, {
      reach: 'anywhere',
      redirect: 'manual',
      headers: {
        Authorization: `Bearer ${token}`,
        Accept: 'application/json',
        Connection: 'close',
        ...(body !== undefined && { 'Content-Type': 'application/json' }),
      },
      ...(body !== undefined && { method: 'POST', body }),
      signal: AbortSignal.any([AbortSignal.timeout(timeout), this.#end.signal]),
    });
  }

  #failed(problem: string, response?: Response): void {
    if (this.#end.signal.aborted) return;
    this.#problem = problem;
    if (this.#backoff.failed(problem) === 1)
      this.#options.log.warn(`Traccar accepts no commands. Retrying: ${problem}`);
    this.#retryIn(Math.max(this.#backoff.remaining, response ? retryAfter(response) : 0));
  }

  #retryIn(delay: number): void {
    clearTimeout(this.#retry);
    // A timer counts from the begin of its turn, so that it may fire early.
    const retry = () => (this.#backoff.remaining > 0 ? this.#retryIn(this.#backoff.remaining) : this.#ready());
    this.#retry = setTimeout(retry, delay + 1).unref();
  }

  #recovered(): void {
    this.#problem = '';
    if (this.#backoff.recovered()) this.#options.log.info('Traccar accepts commands again.');
  }
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}

/** The id of the command that Traccar keeps. */
function numberIn(answer: string): number | undefined {
  const { id } = fieldsOf(jsonOf(answer));
  return typeof id === 'number' && Number.isSafeInteger(id) && id > 0 ? id : undefined;
}
