/** One connection to a broker: opened when it is wanted, and kept until it ends or is given up. */
export class KeptConnection<Connection> {
  readonly #open: (ended: () => void) => Promise<Connection>;
  readonly #end: (connection: Connection) => unknown;
  #current: Promise<Connection> | undefined;

  /** @param open calls `ended` when the connection it opened has ended */
  constructor(open: (ended: () => void) => Promise<Connection>, end: (connection: Connection) => unknown) {
    this.#open = open;
    this.#end = end;
  }

  get(): Promise<Connection> {
    if (this.#current) return this.#current;
    const opened = this.#open(() => {
      // A connection that was given up may end after the next one began.
      if (this.#current === opened) this.#current = undefined;
    });
    return (this.#current = opened);
  }

  async giveUp(): Promise<void> {
    const connection = this.#current;
    this.#current = undefined;
    await connection?.then(this.#end).catch(() => undefined);
  }
}
