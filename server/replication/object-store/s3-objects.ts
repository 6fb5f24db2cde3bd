import { openAsBlob } from 'node:fs';
import { AwsClient } from 'aws4fetch';
import type { ObjectPiece, ObjectStore } from './types.ts';
import { fetchWeb } from '../../platform/web/fetch-web.ts';

interface S3Options {
  /** `https://HOST/BUCKET` or `https://HOST/BUCKET/PREFIX`: addresses with the bucket in their path. */
  readonly url: string;
  /** As the server calls it; servers with one region take `us-east-1`. */
  readonly region: string;
  readonly keyId: string;
  readonly secret: string;
}

/** Time limits in ms: of a request without a body, and of a response with a piece. */
const TIMEOUT = 30_000;
/** Bytes per ms of the slowest line over which a file is still sent. */
const SLOWEST = 20;
/** Characters of an error's text that are shown. */
const LONGEST_ERROR = 300;

/** The bucket of an S3 server. The server checks the SHA-256 of each upload, which the signature covers. */
export class S3Objects implements ObjectStore {
  readonly name: string;
  readonly #base: string;
  readonly #client: AwsClient;
  readonly #closing = new AbortController();

  constructor({ url, region, keyId, secret }: S3Options) {
    this.#base = url.replace(/\/+$/, '');
    this.name = this.#base;
    this.#client = new AwsClient({ accessKeyId: keyId, secretAccessKey: secret, service: 's3', region });
  }

  async has(sha256: string): Promise<boolean> {
    const { status } = await this.#ask('HEAD', sha256, { accepts: [200, 404] });
    return status === 200;
  }

  async put(sha256: string, path: string): Promise<void> {
    const body = await openAsBlob(path);
    await this.#ask('PUT', sha256, {
      accepts: [200],
      headers: { 'x-amz-content-sha256': sha256, 'content-type': 'application/octet-stream' },
      body,
      timeout: TIMEOUT + Math.ceil(body.size / SLOWEST),
    });
  }

  async read(sha256: string, offset: number, length: number): Promise<ObjectPiece | undefined> {
    const range = `bytes=${offset}-${offset + length - 1}`;
    const response = await this.#ask('GET', sha256, { accepts: [200, 206, 404, 416], headers: { range } });
    if (response.status === 404) return undefined;
    // An empty object has no range; nothing is left behind the last byte.
    if (response.status === 416) return { size: offset, bytes: Buffer.alloc(0) };
    const bytes = Buffer.from(await response.arrayBuffer());
    if (response.status === 200) return { size: bytes.length, bytes: bytes.subarray(offset, offset + length) };
    const size = Number(/\/(\d+)$/.exec(response.headers.get('content-range') ?? '')?.[1]);
    if (!Number.isSafeInteger(size)) throw new Error('The server does not say how long the object is.');
    return { size, bytes };
  }

  async remove(sha256: string): Promise<void> {
    await this.#ask('DELETE', sha256, { accepts: [200, 204, 404] });
  }

  close(): void {
    this.#closing.abort();
  }

  async #ask(
    method: string,
    sha256: string,
    given: { accepts: readonly number[]; headers?: Record<string, string>; body?: Blob; timeout?: number },
  ): Promise<Response> {
    const { accepts, headers = {}, body, timeout = TIMEOUT } = given;
    // The body is not signed itself: its hash is a signed header.
    const signed = await this.#client.sign(`${this.#base}/${sha256.slice(0, 2)}/${sha256}`, { method, headers });
    const response = await fetchWeb(signed.url, {
      reach: 'anywhere',
      method,
      headers: signed.headers,
      ...(body && { body }),
      redirect: 'manual',
      signal: AbortSignal.any([this.#closing.signal, AbortSignal.timeout(timeout)]),
    });
    if (accepts.includes(response.status)) {
      if (response.status !== 200 && response.status !== 206) await response.body?.cancel();
      return response;
    }
    const text = (await response.text()).slice(0, 2_000);
    const reason = /<Message>([^<]*)/.exec(text)?.[1] ?? /<Code>([^<]*)/.exec(text)?.[1] ?? text;
    throw new Error(`HTTP ${response.status} ${reason.slice(0, LONGEST_ERROR)}`.trim());
  }
}
