import { createSocket } from 'node:dgram';
import { connect as connectTcp, type Socket } from 'node:net';
import { hostname } from 'node:os';
import { connect as connectTls } from 'node:tls';
import type { Store } from '../../store/types.ts';
import type { Audit } from './audit.ts';
import { octetCounted, syslogMessage, type SyslogTarget } from './syslog.ts';

interface ForwarderOptions {
  readonly store: Store;
  readonly audit: Audit;
  readonly target: SyslogTarget;
  /** PEM of the authority of the receiver's certificate; undefined: those that Node knows. */
  readonly authority?: string | undefined;
  readonly report: (message: string) => void;
  /** ms before another attempt. For tests. */
  readonly retry?: number;
}

/** Entries that are sent with one look at the table. */
const BATCH = 100;
/** Entries that may wait; older ones are skipped and counted, as the receiver would be days behind. */
const MOST_WAITING = 100_000;
const RETRY = 5_000;
/** ms without an answer of the connection. */
const PATIENCE = 10_000;
/** ms after which the forwarder checks for new entries without a notification. */
const LOOK = 30_000;

/**
 * Sends the audit trail to a syslog receiver (RFC 5424). What waits is the trail itself: the id up to which it was
 * sent is stored, so nothing is lost over a restart and nothing piles up in memory.
 */
export class Forwarder {
  readonly #options: ForwarderOptions;
  readonly #stops: (() => void)[] = [];
  #sent: number;
  #skipped: number;
  #socket: Socket | undefined;
  #connecting: Socket | undefined;
  #running: Promise<void> | undefined;
  #again = false;
  #timer: NodeJS.Timeout | undefined;
  #failing = false;
  #closed = false;

  private constructor(options: ForwarderOptions, sent: number, skipped: number) {
    this.#options = options;
    this.#sent = sent;
    this.#skipped = skipped;
  }

  static start(options: ForwarderOptions): Forwarder {
    const { store, audit } = options;
    const state = (name: string) =>
      store.sql.prepare('SELECT value FROM audit_state WHERE name = ?').get(name)?.['value'];
    const { id: head } = audit.head;
    // After a restore the receiver has more than the trail; forwarding continues from the present entries.
    const sent = Math.min(Number(state('forwarded') ?? 0), head);
    const forwarder = new Forwarder(options, sent, Number(state('skipped') ?? 0));
    forwarder.#stops.push(audit.onAppended(() => forwarder.#wake()));
    const look = setInterval(() => forwarder.#wake(), LOOK).unref();
    forwarder.#stops.push(() => clearInterval(look));
    forwarder.#wake();
    return forwarder;
  }

  /** Entries that the receiver does not have yet. */
  get waiting(): number {
    return Math.max(0, this.#options.audit.head.id - this.#sent);
  }

  /** Entries that were never sent, because too many waited. */
  get skipped(): number {
    return this.#skipped;
  }

  async close(): Promise<void> {
    this.#closed = true;
    clearTimeout(this.#timer);
    for (const stop of this.#stops) stop();
    this.#connecting?.destroy();
    await this.#running;
  }

  #wake(): void {
    if (this.#closed) return;
    if (this.#running) return void (this.#again = true);
    if (this.#timer) return;
    this.#running = this.#run().finally(() => {
      this.#running = undefined;
      if (this.#again) {
        this.#again = false;
        this.#wake();
      }
    });
  }

  async #run(): Promise<void> {
    try {
      while (!this.#closed) {
        await this.#skipTooMany();
        const entries = this.#options.audit.after(this.#sent, BATCH);
        if (entries.length === 0) return;
        const messages = entries.map((entry) => syslogMessage(entry, hostname(), process.pid));
        await this.#send(messages);
        await this.#note(entries.at(-1)!.id, this.#skipped);
        if (this.#failing) this.#options.report('The audit trail reaches its syslog receiver again.');
        this.#failing = false;
      }
    } catch (error) {
      this.#socket?.destroy();
      this.#socket = undefined;
      if (this.#closed) return;
      if (!this.#failing)
        this.#options.report(
          `The audit trail cannot be sent to the syslog receiver (${(error as Error).message}). It waits and is sent later.`,
        );
      this.#failing = true;
      this.#timer = setTimeout(() => {
        this.#timer = undefined;
        this.#wake();
      }, this.#options.retry ?? RETRY).unref();
    }
  }

  async #skipTooMany(): Promise<void> {
    const tooMany = this.waiting - MOST_WAITING;
    if (tooMany > 0) await this.#note(this.#sent + tooMany, this.#skipped + tooMany);
  }

  async #note(sent: number, skipped: number): Promise<void> {
    this.#sent = sent;
    this.#skipped = skipped;
    await this.#options.store.writePlain((sql) => {
      const save = sql.prepare('INSERT OR REPLACE INTO audit_state (name, value) VALUES (?, ?)');
      save.run('forwarded', String(sent));
      save.run('skipped', String(skipped));
    });
  }

  async #send(messages: readonly string[]): Promise<void> {
    if (this.#options.target.transport === 'udp') return this.#sendDatagrams(messages);
    if (this.#socket?.destroyed) this.#socket = undefined;
    const socket = (this.#socket ??= await this.#connect());
    await new Promise<void>((resolve, reject) => {
      socket.once('error', reject);
      socket.once('close', () => reject(new Error('the connection was closed')));
      socket.write(Buffer.concat(messages.map(octetCounted)), (error) => (error ? reject(error) : resolve()));
    }).finally(() => {
      socket.removeAllListeners('error').removeAllListeners('close');
      this.#watch(socket);
    });
  }

  async #sendDatagrams(messages: readonly string[]): Promise<void> {
    const { host, port } = this.#options.target;
    const socket = createSocket(host.includes(':') ? 'udp6' : 'udp4');
    try {
      for (const message of messages)
        await new Promise<void>((resolve, reject) => {
          socket.once('error', reject);
          socket.send(message, port, host, (error) => (error ? reject(error) : resolve()));
        });
    } finally {
      socket.close();
    }
  }

  async #connect(): Promise<Socket> {
    const { target, authority } = this.#options;
    const { host, port, transport } = target;
    const socket =
      transport === 'tls'
        ? connectTls({ host, port, ...(authority !== undefined && { ca: authority }), minVersion: 'TLSv1.2' })
        : connectTcp({ host, port });
    this.#connecting = socket;
    await new Promise<void>((resolve, reject) => {
      socket.setTimeout(PATIENCE, () => reject(new Error('no answer')));
      socket.once(transport === 'tls' ? 'secureConnect' : 'connect', resolve);
      socket.once('error', reject);
      socket.once('close', () => reject(new Error('the connection was closed')));
    }).catch((error: unknown) => {
      socket.destroy();
      throw error;
    });
    socket.setTimeout(0).setKeepAlive(true).removeAllListeners('error').removeAllListeners('close');
    this.#watch(socket);
    socket.unref();
    return socket;
  }

  /** A receiver that goes away is noticed at once, so that the next entry takes a new connection. */
  #watch(socket: Socket): void {
    socket.on('error', () => undefined);
    socket.on('close', () => {
      if (this.#socket === socket) this.#socket = undefined;
    });
    socket.resume();
  }
}
