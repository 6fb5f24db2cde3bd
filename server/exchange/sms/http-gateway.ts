import { answerFault, beginningOf, fetchFault, retryAfter } from '../../platform/web/http-answer.ts';
import { charactersOfSms } from './segments.ts';
import type { HandOver, OutgoingText, SmsGateway } from './gateway.ts';
import type { HttpGatewaySettings } from './settings.ts';
import { fetchWeb } from '../../platform/web/fetch-web.ts';

/** ms that a gateway has for its answer. */
const TIMEOUT = 20_000;
/** The text itself is wrong, so that no attempt will succeed. */
const FINAL = [400, 413, 422];
const CONFLICT = 409;

interface HttpGatewayOptions {
  readonly settings: HttpGatewaySettings;
  readonly login: string;
  readonly secret: string;
  readonly userAgent: string;
  /** For tests. */
  readonly timeout?: number | undefined;
}

/** A gateway that takes one text with one request. A redirect is a failure: nobody chose the new address. */
export class HttpGateway implements SmsGateway {
  readonly places = 4;
  problem = '';
  readonly #options: HttpGatewayOptions;
  readonly #end = new AbortController();

  constructor(options: HttpGatewayOptions) {
    this.#options = options;
  }

  parts(text: string): number {
    return charactersOfSms(text).parts;
  }

  async close(): Promise<void> {
    this.#end.abort();
  }

  async handOver(text: OutgoingText): Promise<HandOver> {
    if (text.taken.length > 0) return { kind: 'taken' };
    const outcome = await this.#ask(text);
    this.problem = outcome.kind === 'failed' ? outcome.error : '';
    return outcome;
  }

  async #ask(text: OutgoingText): Promise<HandOver> {
    const { settings, userAgent, timeout = TIMEOUT } = this.#options;
    const { url, headers, body } = requestOf(settings, this.#valuesOf(text));
    let answer: string;
    let response: Response;
    try {
      response = await fetchWeb(url, {
        reach: 'anywhere',
        method: settings.method,
        redirect: 'manual',
        headers: { 'User-Agent': userAgent, ...headers },
        ...(settings.method === 'GET' ? {} : { body }),
        signal: AbortSignal.any([AbortSignal.timeout(timeout), this.#end.signal]),
      });
      answer = await beginningOf(response);
    } catch (error) {
      return { kind: 'failed', error: fetchFault(error, 'The gateway did not answer in time.'), pause: 0 };
    }
    const { status } = response;
    // It has the text of an attempt whose answer was lost.
    const isKnown = status === CONFLICT && text.attempts > 0 && usesId(settings);
    if (response.ok && answer.includes(settings.answerContains)) {
      await text.takenPart(idIn(answer, settings.idField) ?? text.publicId);
      return { kind: 'taken' };
    }
    if (isKnown) {
      await text.takenPart(text.publicId);
      return { kind: 'taken' };
    }
    const error = answerFault(status, answer);
    if (FINAL.includes(status)) return { kind: 'refused', error };
    return { kind: 'failed', error, pause: retryAfter(response) };
  }

  #valuesOf({ publicId, number, text }: OutgoingText): Readonly<Record<string, string>> {
    const { login, secret } = this.#options;
    const basic = Buffer.from(`${login}:${secret}`).toString('base64');
    return { to: number, text, id: publicId, login, secret, basic };
  }
}

/** The request for one text. Values are encoded for the place where they stand. */
export function requestOf(
  { url, headers, body }: Pick<HttpGatewaySettings, 'url' | 'headers' | 'body'>,
  values: Readonly<Record<string, string>>,
): { url: string; headers: Record<string, string>; body: string } {
  const filledHeaders = Object.fromEntries(
    headers
      .split('\n')
      .map((line) => /^\s*([\w-]+)\s*:\s*(.*?)\s*$/.exec(line))
      .filter((match) => match !== null)
      .map(([, name, value]) => [name!, filled(value!, values, (text) => text.replace(/[^\x20-\x7e]/g, ''))]),
  );
  const type = Object.entries(filledHeaders).find(([name]) => name.toLowerCase() === 'content-type')?.[1] ?? '';
  const encode = /json/i.test(type) ? inJson : /form-urlencoded/i.test(type) ? encodeURIComponent : asIs;
  return { url: filled(url, values, encodeURIComponent), headers: filledHeaders, body: filled(body, values, encode) };
}

const asIs = (text: string): string => text;
const inJson = (text: string): string => JSON.stringify(text).slice(1, -1);

function filled(template: string, values: Readonly<Record<string, string>>, encode: (text: string) => string): string {
  return template.replace(/\{(to|text|id|login|secret|basic)\}/g, (_, name: string) => encode(values[name]!));
}

function usesId({ url, headers, body }: HttpGatewaySettings): boolean {
  return [url, headers, body].some((template) => template.includes('{id}'));
}

/** The value at a path such as `data.0.id`, if the answer is JSON and has one. */
function idIn(answer: string, path: string): string | undefined {
  if (path === '') return undefined;
  try {
    let value = JSON.parse(answer) as unknown;
    for (const name of path.split('.')) value = (value as Record<string, unknown> | null)?.[name];
    return typeof value === 'string' || typeof value === 'number' ? String(value).slice(0, 200) : undefined;
  } catch {
    return undefined;
  }
}
