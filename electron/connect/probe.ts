import { once } from 'node:events';
import { request, type IncomingMessage } from 'node:http';
import { connect, isIP, type Socket } from 'node:net';
import { connect as connectTls, TLSSocket } from 'node:tls';
import type { Problem, ShownCertificate, StationFacts } from './states.ts';

/** The answer of a station to the question who it is. */
export type Answer =
  | { readonly kind: 'station'; readonly station: StationFacts; readonly isTrusted: boolean }
  | { readonly kind: 'other-certificate'; readonly shown: ShownCertificate }
  | { readonly kind: 'problem'; readonly problem: Problem };

/** ms until a silent address counts as one without an answer. */
const PATIENCE = 6_000;
/** Bytes of an answer that are read. */
const LARGEST = 64 * 1024;

interface ProbeOptions {
  /** A station with another certificate gets no request. */
  readonly pinned?: string | undefined;
  readonly patience?: number;
}

/**
 * Asks the address for its `/health`. A certificate that nobody has confirmed yet is no obstacle, since the question
 * holds no secret; with `pinned` nothing is sent to a station that shows another one.
 */
export async function probeStation(
  address: string,
  { pinned, patience = PATIENCE }: ProbeOptions = {},
): Promise<Answer> {
  const { protocol, hostname, port, origin } = new URL(address);
  const isTls = protocol === 'https:';
  const host = hostname.replace(/^\[|\]$/g, '');
  const to = { host, port: Number(port || (isTls ? 443 : 80)) };
  const signal = AbortSignal.timeout(patience);
  let socket: Socket | undefined;
  try {
    socket = isTls ? connectTls({ ...to, servername: isIP(host) ? '' : host, rejectUnauthorized: false }) : connect(to);
    await once(socket, isTls ? 'secureConnect' : 'connect', { signal });
    const certificate = socket instanceof TLSSocket ? certificateOf(socket) : undefined;
    const isTrusted = socket instanceof TLSSocket ? socket.authorized : true;
    if (pinned !== undefined && certificate && certificate.fingerprint !== pinned)
      return { kind: 'other-certificate', shown: certificate };
    const { status, text } = await readAnswer(socket, hostname, signal);
    const facts = status === 200 ? readHealth(text) : undefined;
    if (!facts) return problem('no-station', `HTTP ${status}`);
    return { kind: 'station', isTrusted, station: { address: origin, certificate, ...facts } };
  } catch (error) {
    return problem(...problemOf(error as Error));
  } finally {
    socket?.destroy();
  }
}

async function readAnswer(
  socket: Socket,
  host: string,
  signal: AbortSignal,
): Promise<{ status: number; text: string }> {
  const asking = request({ createConnection: () => socket, path: '/health', host, signal });
  asking.end();
  const [response] = (await once(asking, 'response', { signal })) as [IncomingMessage];
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > LARGEST) break;
    chunks.push(chunk);
  }
  return { status: response.statusCode ?? 0, text: Buffer.concat(chunks).toString() };
}

function problem(code: Problem['code'], detail: string): Answer {
  return { kind: 'problem', problem: { code, detail } };
}

function certificateOf(socket: TLSSocket): ShownCertificate | undefined {
  const { fingerprint256, issuer, valid_from: validFrom, valid_to: validTo } = socket.getPeerCertificate();
  if (!fingerprint256) return undefined;
  const name = issuer.CN ?? issuer.O ?? '';
  return { fingerprint: fingerprint256, issuer: [name].flat().join(', '), validFrom, validTo };
}

/** Name and version of a station. Undefined: something else answered. */
function readHealth(text: string): { name: string; version: string } | undefined {
  try {
    const { version, station } = JSON.parse(text) as { version?: unknown; station?: { name?: unknown } };
    if (typeof version !== 'string' || typeof station?.name !== 'string') return undefined;
    return { version: version.slice(0, 40), name: station.name.slice(0, 100) };
  } catch {
    return undefined;
  }
}

const CODES: Readonly<Record<string, Problem['code']>> = {
  ENOTFOUND: 'unknown-host',
  EAI_AGAIN: 'unknown-host',
  ECONNREFUSED: 'refused',
  ETIMEDOUT: 'no-answer',
  ABORT_ERR: 'no-answer',
  ENETUNREACH: 'no-way',
  EHOSTUNREACH: 'no-way',
  ENETDOWN: 'no-way',
  EPROTO: 'no-tls',
  ECONNRESET: 'broken-off',
  EPIPE: 'broken-off',
};

function problemOf(error: Error): [Problem['code'], string] {
  const { code = '' } = error as NodeJS.ErrnoException;
  if (error.name === 'AbortError' || error.name === 'TimeoutError') return ['no-answer', 'ETIMEDOUT'];
  if (code.startsWith('HPE_')) return ['no-station', code];
  return [CODES[code] ?? (code.startsWith('ERR_SSL') ? 'no-tls' : 'broken-off'), code || error.message];
}

/** How the version of a station relates to this program's. Versions that differ in the last number go together. */
export function relationOf(station: string, own: string): 'same' | 'older' | 'newer' {
  const [theirs, ours] = [station, own].map((version) => version.split('.').slice(0, 2).map(Number));
  for (const [i, our] of ours!.entries()) {
    const their = theirs![i] ?? 0;
    if (their !== our) return their < our ? 'older' : 'newer';
  }
  return 'same';
}
