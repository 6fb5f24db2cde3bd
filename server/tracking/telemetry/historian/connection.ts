import type { Client, QueryResultRow } from 'pg';

/** The PostgreSQL server that keeps old months. */
export interface HistorianOptions {
  /** With user, password and database. */
  readonly url: string;
  /** The station whose tracks it keeps. */
  readonly owner: string;
}

/** ms for a connection. */
const CONNECT = 5_000;
/** ms in which nothing is tried after a failed connection, so that readers do not wait one after another. */
const PAUSE = 3_000;
/** OID of bigint: times and ids are safe integers. */
const BIGINT = 20;

/** One connection, made when it is needed and again after it broke. */
export class HistorianConnection {
  readonly #options: HistorianOptions;
  readonly #longest: number;
  readonly #opened: ((client: Client) => Promise<void>) | undefined;
  #client: Client | undefined;
  #failed: { readonly error: unknown; readonly at: number } | undefined;

  /**
   * @param longest ms for one statement
   * @param opened what each new connection does first
   */
  constructor(options: HistorianOptions, longest: number, opened?: (client: Client) => Promise<void>) {
    this.#options = options;
    this.#longest = longest;
    this.#opened = opened;
  }

  /** Uses the connection, which is closed after an error that did not come from a statement. */
  async use<R>(work: (client: Client) => Promise<R>): Promise<R> {
    const client = (this.#client ??= await this.#open());
    try {
      return await work(client);
    } catch (error) {
      if (!isOfStatement(error)) this.#giveUp(client);
      throw error;
    }
  }

  async rows<Row extends QueryResultRow>(text: string, values: readonly unknown[] = []): Promise<Row[]> {
    return this.use(async (client) => (await client.query<Row>(text, [...values])).rows);
  }

  async close(): Promise<void> {
    const client = this.#client;
    this.#client = undefined;
    await client?.end().catch(() => undefined);
  }

  async #open(): Promise<Client> {
    if (this.#failed && performance.now() - this.#failed.at < PAUSE) throw this.#failed.error;
    const { default: pg } = await import('pg');
    const client = new pg.Client({
      connectionString: this.#options.url,
      connectionTimeoutMillis: CONNECT,
      statement_timeout: this.#longest,
      query_timeout: this.#longest + CONNECT,
      lock_timeout: this.#longest,
      idle_in_transaction_session_timeout: this.#longest,
      keepAlive: true,
      application_name: 'waypost',
      types: {
        getTypeParser: ((oid: number, format?: 'text') =>
          oid === BIGINT ? Number : (pg.types.getTypeParser(oid, format) as unknown)) as typeof pg.types.getTypeParser,
      },
    });
    client.on('error', () => this.#giveUp(client));
    try {
      await client.connect();
      // A commit that is confirmed must be on the disk of the server.
      await client.query(
        "SELECT set_config('synchronous_commit', 'on', false) WHERE current_setting('synchronous_commit') = 'off'",
      );
      await this.#opened?.(client);
      this.#failed = undefined;
      return client;
    } catch (error) {
      this.#failed = { error, at: performance.now() };
      this.#giveUp(client);
      throw error;
    }
  }

  #giveUp(client: Client): void {
    if (this.#client === client) this.#client = undefined;
    client.end().catch(() => undefined);
  }
}

/** The server answered with an error, and the connection can be used again. */
function isOfStatement(error: unknown): boolean {
  const { code, severity } = error as { code?: string; severity?: string };
  return severity === 'ERROR' && code !== undefined;
}

/** An error in words; those of several addresses have none of their own. */
export function reasonAway(error: unknown): string {
  if (error instanceof AggregateError && error.errors.length > 0) return reasonAway(error.errors[0]);
  if (!(error instanceof Error)) return String(error);
  const { code = '' } = error as NodeJS.ErrnoException;
  if (code === 'ERR_TLS_CERT_ALTNAME_INVALID') return 'its certificate is for another name';
  if (UNTRUSTED.has(code)) return 'its certificate is not from the authority in sslrootcert';
  return error.message;
}

const UNTRUSTED: ReadonlySet<string> = new Set([
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_GET_ISSUER_CERT',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
]);
