import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { Backoff } from '../../../platform/backoff.ts';
import { aprs } from '../decoders/aprs.ts';
import { DeviceConnection, LIMITS, type DeviceGateway } from './tcp-listener.ts';

export interface AprsServer {
  /** Such as `aprs://AB1CD:12345@rotate.aprs2.net:14580`: call sign and pass code. */
  readonly url: string;
  /** The packets that are wanted, in the words of APRS-IS; empty: as the port of the server has it. */
  readonly filter: string;
  readonly version: string;
  readonly log: { info(message: string): void; warn(message: string): void };
}

const PORT = 14_580;
/** Servers say something every 20 s. */
const SILENCE = 120_000;
const CONNECT_TIMEOUT = 10_000;
const LONGEST_DELAY = 60_000;
/** The pass code of a client that only listens. */
const NO_CODE = '-1';

/** Follows a server of APRS-IS until it is closed. The connection is retried without limit. */
export class AprsClient {
  readonly #gateway: DeviceGateway;
  readonly #server: AprsServer;
  readonly #closing = new AbortController();
  readonly #run: Promise<void>;

  constructor(gateway: DeviceGateway, server: AprsServer) {
    this.#gateway = gateway;
    this.#server = server;
    this.#run = this.#keepConnected();
  }

  async close(): Promise<void> {
    this.#closing.abort();
    await this.#run;
  }

  async #keepConnected(): Promise<void> {
    const { signal } = this.#closing;
    const { log } = this.#server;
    const backoff = new Backoff(undefined, LONGEST_DELAY);
    while (!signal.aborted) {
      const problem = await this.#session(() => backoff.recovered());
      if (signal.aborted) return;
      if (backoff.failed(problem) === 1) log.warn(`No connection to the APRS-IS server. Retrying: ${problem}`);
      await wait(backoff.remaining, undefined, { signal }).catch(() => undefined);
    }
  }

  /** Resolves with the reason when the connection has ended. */
  async #session(heard: () => void): Promise<string> {
    const { host, port, login } = this.#connection();
    const { signal } = this.#closing;
    const socket = connect({ host, port, signal });
    const closed = once(socket, 'close').catch(() => undefined);
    let problem = 'the connection was closed';
    socket.on('error', (error) => (problem = error.message));
    const timer = setTimeout(() => socket.destroy(new Error('no answer in time')), CONNECT_TIMEOUT);
    socket.once('connect', () => {
      clearTimeout(timer);
      this.#follow(socket, login, heard);
    });
    await closed;
    clearTimeout(timer);
    return problem;
  }

  #follow(socket: Socket, login: string, heard: () => void): void {
    const { log, url } = this.#server;
    socket.setKeepAlive(true);
    new DeviceConnection(socket, aprs, this.#gateway, { ...LIMITS, idle: SILENCE }, { bytes: 0 }).listen();
    socket.once('data', () => {
      heard();
      log.info(`Following the APRS-IS server ${new URL(url).host}.`);
    });
    socket.write(login);
  }

  #connection(): { readonly host: string; readonly port: number; readonly login: string } {
    const { url, filter, version } = this.#server;
    const { hostname, port, username, password } = new URL(url);
    const words = ['user', username, 'pass', password || NO_CODE, 'vers', 'Waypost', version];
    const login = [...words, ...(filter === '' ? [] : ['filter', filter])].join(' ');
    return { host: hostname.replace(/^\[|\]$/g, ''), port: Number(port) || PORT, login: `${login}\r\n` };
  }
}
