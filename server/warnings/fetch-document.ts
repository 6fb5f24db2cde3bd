import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import { contains, networksOf } from '../platform/networks.ts';
import { answerFault, beginningOf, fetchFault, retryAfter } from '../platform/http-answer.ts';

/** ms until the whole document must be there. */
const TIMEOUT = 60_000;
const REDIRECTS = 5;
/** Bytes of a document, unpacked. */
export const LARGEST_DOCUMENT = 32_000_000;
const ACCEPT = 'application/cap+xml, application/atom+xml, application/xml;q=0.9, text/xml;q=0.9, */*;q=0.5';

/** Networks that a publisher must not make the station look into. */
const INSIDE = networksOf([
  ...['0.0.0.0/8', '10.0.0.0/8', '100.64.0.0/10', '127.0.0.0/8', '169.254.0.0/16', '172.16.0.0/12', '192.168.0.0/16'],
  ...['::1', '::', 'fc00::/7', 'fe80::/10', '::ffff:0:0/96'],
])!;

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
}

export type FetchedDocument =
  | { readonly kind: 'unchanged' }
  | {
      readonly kind: 'read';
      readonly bytes: Uint8Array;
      readonly etag: string | undefined;
      readonly lastModified: string | undefined;
    };

/** Why there is no document, as a sentence, and how many ms its server wants to be left alone. */
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
    await requireMayFollow(url, request.chosen);
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
  { chosen, userAgent, credentials, etag, lastModified, signal }: DocumentRequest,
): Promise<Response> {
  const isChosenHost = new URL(url).origin === new URL(chosen).origin;
  try {
    return await fetch(url, {
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
  return new FetchFault(fetchFault(error, 'The server did not answer in time.'), 0, { cause: error });
}

const btoaOfUtf8 = (text: string): string => Buffer.from(text).toString('base64');

/**
 * The host that an administrator chose may be anywhere. Another one, which a publisher names, must not be inside, where
 * the station could be used to reach what the publisher cannot.
 */
async function requireMayFollow(url: string, chosen: string): Promise<void> {
  const { protocol, hostname, host } = new URL(url);
  if (protocol !== 'https:' && protocol !== 'http:') throw new FetchFault('The address is not one of the web.');
  if (host === new URL(chosen).host) return;
  const name = hostname.replace(/^\[|\]$/g, '');
  const addresses = isIP(name) === 0 ? await lookup(name, { all: true }).catch(() => []) : [{ address: name }];
  if (addresses.length === 0) throw new FetchFault(`The host ${name} is not known.`);
  if (addresses.some(({ address }) => contains(INSIDE, address)))
    throw new FetchFault(`The feed names an address inside the own network: ${name}.`);
}
