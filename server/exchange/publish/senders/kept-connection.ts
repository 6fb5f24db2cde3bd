import { failed, inTime, TIMEOUT, type AttemptOutcome } from './sender.ts';

/** ms that a broker has to accept a connection. */
export const LONGEST_CONNECT = 10_000;

/** Parameters for opening a connection. */
export interface Opening {
  /** Ends the attempt to connect. */
  readonly signal: AbortSignal;
  /** To be called when the connection has ended. */
  ended(): void;
}

/** One connection to a broker: opened on demand, and kept until it ends or is closed. */
export class KeptConnection<Connection> {
  readonly #open: (opening: Opening) => Promise<Connection>;
  readonly #end: (connection: Connection) => unknown;
  #current: { readonly opened: Promise<Connection>; readonly ending: AbortController } | undefined;

  constructor(open: (opening: Opening) => Promise<Connection>, end: (connection: Connection) => unknown) {
    this.#open = open;
    this.#end = end;
  }

  /** Publishes over the connection, which is closed on failure. Never rejects. */
  async publish(
    work: (connection: Connection) => Promise<unknown>,
    { timeout = TIMEOUT, signal }: { readonly timeout?: number | undefined; readonly signal: AbortSignal },
  ): Promise<AttemptOutcome> {
    try {
      const connection = await inTime(this.#get(), timeout, signal);
      await inTime(work(connection), timeout, signal);
      return { kind: 'taken', status: 0 };
    } catch (error) {
      await this.giveUp();
      return failed(error);
    }
  }

  #get(): Promise<Connection> {
    if (this.#current) return this.#current.opened;
    const ending = new AbortController();
    const ended = () => {
      // A closed connection may end after the next one began.
      if (this.#current?.ending === ending) this.#current = undefined;
    };
    const opened = this.#open({ signal: ending.signal, ended });
    this.#current = { opened, ending };
    return opened;
  }

  async giveUp(): Promise<void> {
    const current = this.#current;
    this.#current = undefined;
    current?.ending.abort();
    await current?.opened.then(this.#end).catch(() => undefined);
  }
}
