/** What a connection is opened with. */
export interface Opening {
  /** Ends the attempt to connect. */
  readonly signal: AbortSignal;
  /** To be called when the connection has ended. */
  ended(): void;
}

/** One connection to a broker: opened when it is wanted, and kept until it ends or is given up. */
export class KeptConnection<Connection> {
  readonly #open: (opening: Opening) => Promise<Connection>;
  readonly #end: (connection: Connection) => unknown;
  #current: { readonly opened: Promise<Connection>; readonly ending: AbortController } | undefined;

  constructor(open: (opening: Opening) => Promise<Connection>, end: (connection: Connection) => unknown) {
    this.#open = open;
    this.#end = end;
  }

  get(): Promise<Connection> {
    if (this.#current) return this.#current.opened;
    const ending = new AbortController();
    const ended = () => {
      // A connection that was given up may end after the next one began.
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
