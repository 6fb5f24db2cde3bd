import { fetchWeb, InsideAddress, type Reach, type WebDoor } from '../../platform/web/fetch-web.ts';
import { answerFault, beginningOf, fetchFault, retryAfter } from '../../platform/web/http-answer.ts';

/** ms within which the whole document must arrive. */
const TIMEOUT = 60_000;
const REDIRECTS = 5;
/** Bytes of a document, unpacked. */
export const LARGEST_DOCUMENT = 32_000_000;
const ACCEPT = 'application/cap+xml, application/atom+xml, application/xml;q=0.9, text/xml;q=0.9, */*;q=0.5';

export interface DocumentRequest {
  readonly url: string;
  /** The address that an administrator chose. Redirects and links to other hosts must lead outside. */
  readonly chosen: string;
  readonly userAgent: string;
  /** `login:secret`, sent to the host of the chosen address only; empty: none. */
  readonly credentials: string;
  /** Validators of the copy that the caller has. */
  readonly etag?: string | undefined;
  readonly lastModified?: string | undefined;
  readonly signal: AbortSignal;
  /** For tests. */
  readonly door?: WebDoor['fetch'] | undefined;
}

export type FetchedDocument =
  | { readonly kind: 'unchanged' }
  | {
      readonly kind: 'read';
      readonly bytes: Uint8Array;
      readonly etag: string | undefined;
      readonly lastModified: string | undefined;
    };

/** Why there is no document, as a sentence, and for how many ms its server wants no requests. */
export class FetchFault extends Error {
  readonly pause: number;

  constructor(message: string, pause = 0, options?: ErrorOptions) {
    super(message, options);
    this.pause = pause;
  }
}

/** Fetches a document by HTTP, unless it is as it was. Throws `FetchFault`. */
export async function fetchDocument(request: DocumentRequest): Promise<FetchedDocument> {
  let url = request.url;
  for (let redirects = 0; redirects <= REDIRECTS; redirects++) {
    const response = await ask(url, request);
    const target = response.status >= 300 && response.status < 400 ? response.headers.get('location') : null;
    if (response.status === 304) return { kind: 'unchanged' };
    if (target !== null && URL.canParse(target, url)) {
      await response.body?.cancel();
      url = new URL(target, url).href;
      continue;
    }
    if (!response.ok)
      throw new FetchFault(
        answerFault(response.status, await beginningOf(response).catch(() => '')),
        retryAfter(response),
      );
    const { headers } = response;
    const [etag, lastModified] = ['etag', 'last-modified'].map((name) => headers.get(name) ?? undefined);
    return { kind: 'read', bytes: await wholeOf(response), etag, lastModified };
  }
  throw new FetchFault('The address redirects too often.');
}

async function ask(
  url: string,
  { chosen, userAgent, credentials, etag, lastModified, signal, door = fetchWeb }: DocumentRequest,
): Promise<Response> {
  const isChosenHost = new URL(url).origin === new URL(chosen).origin;
  const reach = reachOf(url, chosen);
  try {
    return await door(url, {
      reach,
      redirect: 'manual',
      headers: {
        'User-Agent': userAgent,
        'Accept': ACCEPT,
        ...(credentials !== '' && isChosenHost && { Authorization: `Basic ${btoaOfUtf8(credentials)}` }),
        ...(etag !== undefined && { 'If-None-Match': etag }),
        ...(lastModified !== undefined && { 'If-Modified-Since': lastModified }),
      },
      signal: AbortSignal.any([AbortSignal.timeout(TIMEOUT), signal]),
    });
  } catch (error) {
    throw faultOf(error);
  }
}

async function wholeOf(response: Response): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  try {
    for await (const chunk of response.body ?? []) {
      size += chunk.length;
      // Leaving the loop cancels the rest.
      if (size > LARGEST_DOCUMENT) break;
      chunks.push(chunk);
    }
  } catch (error) {
    throw faultOf(error);
  }
  if (size > LARGEST_DOCUMENT) throw new FetchFault(`The document is larger than ${LARGEST_DOCUMENT / 1_000_000} MB.`);
  return Buffer.concat(chunks);
}

function faultOf(error: unknown): FetchFault {
  const { cause } = error as { cause?: NodeJS.ErrnoException & { hostname?: string } };
  if (cause instanceof InsideAddress)
    return new FetchFault(`The feed names an address inside the own network: ${cause.host}.`);
  if (cause?.code === 'ENOTFOUND' && cause.hostname !== undefined)
    return new FetchFault(`The host ${cause.hostname} is not known.`);
  return new FetchFault(fetchFault(error, 'The server did not answer in time.'), 0, { cause: error });
}

const btoaOfUtf8 = (text: string): string => Buffer.from(text).toString('base64');

/**
 * The host that an administrator chose may be anywhere. Another one, which a publisher names, must not be in
 * the local network: otherwise the publisher could use the station to reach machines that it cannot reach
 * itself.
 */
function reachOf(url: string, chosen: string): Reach {
  const { protocol, host } = new URL(url);
  if (protocol !== 'https:' && protocol !== 'http:') throw new FetchFault('The address is not one of the web.');
  return host === new URL(chosen).host ? 'anywhere' : 'outside';
}
