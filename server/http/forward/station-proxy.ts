import type { Request, Response } from 'express';
import { createProxyServer } from 'httpxy';
import { Agent as HttpAgent, type ClientRequest } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { Refusal } from '../../../shared/refusal.ts';
import { BEGUN_COOKIE, readCookie } from '../app/cookies.ts';
import { clientAddress, hostOf, requestIdOf, usesTls } from '../app/client.ts';
import type { DeclaredRoute } from '../app/route.ts';
import { isAnsweredHere, isOfAnyStation, ownerOf, rememberedBy } from './where-answered.ts';

interface StationProxyOptions {
  /** Such as `1=https://10.0.0.11:8443`; the first one takes what belongs to none of them. */
  readonly stations: readonly string[];
  /** PEM of the certificates of the stations, or of who signed them. */
  readonly authority: string | undefined;
}

interface ProxiedStation {
  readonly number: number;
  readonly target: string;
  readonly agent: HttpAgent;
  /** Why it did not answer the last request; undefined: it did. */
  problem: string | undefined;
}

/** ms: a console waits ten seconds for its answer. */
const CONNECT_WITHIN = 4_000;
/** ms: a large report takes its time. */
const ANSWERED_WITHIN = 120_000;
/** Bytes of a body that is kept, to be sent to another station. */
const KEPT_BODY = 64 * 1024;
/** Codes of errors that come after the request has been sent, at least in part. */
const BROKEN: ReadonlySet<string> = new Set(['ECONNRESET', 'EPIPE', 'ECONNABORTED']);

/** Sends requests of a console server to the stations that have to answer them. */
export class StationProxy {
  readonly #stations: readonly ProxiedStation[];
  readonly #proxy = createProxyServer({ proxyTimeout: ANSWERED_WITHIN });

  constructor({ stations, authority }: StationProxyOptions) {
    this.#stations = stations.map((text) => stationOf(text, authority));
    this.#proxy.on('proxyReq', (sent) => limitConnecting(sent));
  }

  /** Sends the request on, unless it is answered here. Throws a refusal when its station does not answer. */
  async pass(route: DeclaredRoute, request: Request, response: Response): Promise<boolean> {
    if (isAnsweredHere(route)) return false;
    delete request.headers['forwarded'];
    if (isOfAnyStation(route) && Number(request.headers['content-length'] ?? 0) <= KEPT_BODY)
      await this.#passToAny(route, request, response);
    else await this.#passTo(this.#stationWith(ownerOf(route, request.params)), request, response);
    return true;
  }

  /**
   * The station that remembers the sign-in comes first, then those that answered last. Only a station that was not
   * reached is followed by the next one.
   */
  async #passToAny(route: DeclaredRoute, request: Request, response: Response): Promise<void> {
    const isChunked = request.headers['transfer-encoding'] !== undefined;
    const answering = this.#stations.toSorted((a, b) => Number(isAway(a)) - Number(isAway(b)));
    if (isChunked || answering.length === 1) return this.#passTo(answering[0]!, request, response);
    const body = await buffer(request);
    const remembering = rememberedBy(route, readCookie(request, BEGUN_COOKIE), body);
    const inTurn = answering.toSorted((a, b) => Number(b.number === remembering) - Number(a.number === remembering));
    for (const [at, station] of inTurn.entries())
      try {
        return await this.#passTo(station, request, response, body);
      } catch (error) {
        const isReached = !(error instanceof Refusal) || error.code !== 'consoles.away';
        if (isReached || at === inTurn.length - 1) throw error;
      }
  }

  /** @param body of the request, if it was read already */
  async #passTo(station: ProxiedStation, request: Request, response: Response, body?: Buffer): Promise<void> {
    try {
      await this.#proxy.web(request, response, {
        ...(body && { buffer: Readable.from(body.length > 0 ? [body] : []) }),
        target: station.target,
        agent: station.agent,
        headers: {
          'x-forwarded-for': clientAddress(request),
          'x-forwarded-proto': usesTls(request) ? 'https' : 'http',
          'x-forwarded-host': hostOf(request),
          'x-request-id': requestIdOf(request),
        },
      });
      station.problem = undefined;
    } catch (error) {
      if (response.destroyed) return; // The client is gone.
      station.problem = (error as Error).message;
      const isBroken = BROKEN.has((error as NodeJS.ErrnoException).code ?? '');
      throw new Refusal(isBroken ? 'consoles.broken' : 'consoles.away', { number: station.number }, { cause: error });
    }
  }

  problems(): readonly { readonly code: string; readonly text: string }[] {
    return this.#stations
      .filter(({ problem }) => problem !== undefined)
      .map(({ number, problem }) => ({
        code: 'consoles.station',
        text: `Station ${number} did not answer: ${problem}`,
      }));
  }

  #stationWith(number: number | undefined): ProxiedStation {
    return this.#stations.find((station) => station.number === number) ?? this.#stations[0]!;
  }
}

function isAway({ problem }: ProxiedStation): boolean {
  return problem !== undefined;
}

function stationOf(text: string, authority: string | undefined): ProxiedStation {
  const [number, address] = text.split(/=(.*)/) as [string, string];
  const { protocol, hostname, origin } = new URL(address);
  // A new connection each time: on a kept one it would be unknown whether a request was sent before it broke.
  const agent =
    protocol === 'https:'
      ? // Its certificate is that of its own name, not of the one that the client asked for.
        new HttpsAgent({ keepAlive: false, servername: hostname, ...(authority !== undefined && { ca: authority }) })
      : new HttpAgent({ keepAlive: false });
  return { number: Number(number), target: origin, agent, problem: undefined };
}

/** A machine that is off refuses nothing: without a limit the system tries for minutes. */
function limitConnecting({ socket }: ClientRequest): void {
  if (!socket?.connecting) return;
  const late = () => socket.destroy(Object.assign(new Error('It does not answer.'), { code: 'ETIMEDOUT' }));
  const timer = setTimeout(late, CONNECT_WITHIN);
  const stop = () => clearTimeout(timer);
  socket.once('connect', stop).once('close', stop);
}
