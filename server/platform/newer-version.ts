import { createPublicKey, verify } from 'node:crypto';
import { readFile, stat } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { fetchWeb } from './web/fetch-web.ts';

/** The largest description of an update that is read, in bytes. */
const LARGEST = 256 * 1024;

interface Where {
  /** `https://…/waypost-update.json`, or that file's path, for example on a share. The signature lies beside it. */
  readonly address: string;
  /** The public key that verifies updates: Ed25519 as base64 of its SPKI form. */
  readonly key: string;
  /** The version that runs. */
  readonly version: string;
}

/**
 * The version that a signed description offers, if it is newer than the one that runs. Throws an Error in words when
 * the description cannot be read, or its signature is not by `key`. Nothing but the two files is asked for.
 */
export async function readNewerVersion({ address, key, version }: Where): Promise<string | undefined> {
  const [bytes, signature] = await Promise.all([read(address), read(`${address}.sig`)]);
  const isSigned = verify(
    null,
    bytes,
    createPublicKey({ key: Buffer.from(key, 'base64'), format: 'der', type: 'spki' }),
    Buffer.from(signature.toString('latin1').trim(), 'base64'),
  );
  if (!isSigned) throw new Error(`The signature of ${address} is not by the key of updates: it was not believed.`);
  const { format, version: offered } = JSON.parse(bytes.toString('utf8')) as { format?: unknown; version?: unknown };
  if (format !== 1 || typeof offered !== 'string' || !VERSION.test(offered))
    throw new Error(`${address} describes an update in a form that this program does not know.`);
  return isNewer(offered, version) ? offered : undefined;
}

const VERSION = /^\d{1,6}\.\d{1,6}\.\d{1,6}(-[\w.]{1,30})?$/;

/** Whether a version comes after another. A version with a suffix (`1.0.0-rc.1`) comes before the one without. */
export function isNewer(offered: string, version: string): boolean {
  const [a, b] = [offered, version].map((text) => {
    const [numbers = '', ...suffix] = text.split('-');
    return { numbers: numbers.split('.').map(Number), suffix: suffix.join('-') };
  }) as [{ numbers: number[]; suffix: string }, { numbers: number[]; suffix: string }];
  for (const i of [0, 1, 2]) if (a.numbers[i] !== b.numbers[i]) return (a.numbers[i] ?? 0) > (b.numbers[i] ?? 0);
  if (a.suffix === '' || b.suffix === '') return a.suffix === '' && b.suffix !== '';
  return a.suffix.localeCompare(b.suffix, 'en', { numeric: true }) > 0;
}

async function read(address: string): Promise<Buffer> {
  if (!/^https?:/.test(address)) {
    const path = address.startsWith('file:') ? fileURLToPath(address) : address;
    if ((await stat(path)).size > LARGEST) throw new Error(`${address} is too large for the description of an update.`);
    return readFile(path);
  }
  const answer = await fetchWeb(address, { reach: 'anywhere', redirect: 'error', signal: AbortSignal.timeout(20_000) });
  if (!answer.ok || answer.body === null) throw new Error(`${address} answers ${answer.status}.`);
  const parts: Uint8Array[] = [];
  let size = 0;
  for await (const part of answer.body as unknown as AsyncIterable<Uint8Array>) {
    size += part.length;
    if (size > LARGEST) throw new Error(`${address} is too large for the description of an update.`);
    parts.push(part);
  }
  return Buffer.concat(parts);
}
