import type { NatsConnection } from '@nats-io/transport-node';
import type { RegionConnection } from '../../replication/nats/index.ts';
import type { Closure } from '../routing/index.ts';
import { digestOfClosures, packConditions } from './conditions.ts';
import { ANY_CONDITIONS, packQuestion, unpackAnswer, type MapQuestion } from './questions.ts';

interface MapServicesOptions {
  readonly connection: RegionConnection;
  readonly stationId: string;
  readonly log: { info(message: string): void; warn(message: string): void };
}

/** ms after which a question goes to the station's own threads: its service may be dead. */
const ANSWER_WITHIN = 5_000;
/** ms for a service to announce itself; and between two checks, with and without a service. */
const PRESENT_WITHIN = 2_000;
const LOOK_EVERY = 10_000;
const LOOK_EVERY_ABSENT = 1_000;

/** The map services of a region, as a station asks them. Nothing waits for them longer than for one answer. */
export class MapServices {
  readonly #options: MapServicesOptions;
  readonly #stopFollowing: () => void;
  readonly counts = { answered: 0, unanswered: 0 };
  #map: string | undefined;
  #closures: readonly Closure[] = [];
  #digest = digestOfClosures([]);
  #isServed = false;
  #looking: Promise<void> | undefined;
  #timer: NodeJS.Timeout | undefined;
  #isClosed = false;

  constructor(options: MapServicesOptions) {
    this.#options = options;
    this.#stopFollowing = options.connection.onChange(() => this.#look());
  }

  /** Why the station computes everything itself; undefined: a service is online, or there is no territory. */
  get problem(): string | undefined {
    if (this.#isServed || this.#map === undefined) return undefined;
    return 'No map service of the region answers for this territory and its closures. The station searches itself.';
  }

  /** Which territory to ask about: the id of its manifest; undefined: about none. */
  setMap(map: string | undefined): void {
    this.#map = map?.slice(0, 16);
    this.#isServed = false;
    this.#look();
  }

  /** Questions from now on are asked under these closures. */
  setClosures(closures: readonly Closure[]): void {
    const digest = digestOfClosures(closures);
    if (digest === this.#digest) return;
    this.#closures = closures;
    this.#digest = digest;
    this.#isServed = false;
    this.#look();
  }

  /** The most bytes of an answer. */
  get largestAnswer(): number {
    return this.#options.connection.connection?.info?.max_payload ?? 0;
  }

  /**
   * Asks one of the services; undefined: none answered, the station has to answer itself.
   * @param underClosures whether the answer depends on closures
   */
  async ask(
    question: MapQuestion,
    args: readonly unknown[],
    underClosures: boolean,
  ): Promise<{ readonly answer: unknown } | undefined> {
    const { connection } = this.#options.connection;
    const found =
      connection && this.#isServed && this.#map !== undefined
        ? await this.#request(connection, this.#map, question, args, underClosures)
        : undefined;
    this.counts[found ? 'answered' : 'unanswered']++;
    return found;
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#stopFollowing();
    clearTimeout(this.#timer);
    await this.#looking;
  }

  async #request(
    connection: NatsConnection,
    map: string,
    question: MapQuestion,
    args: readonly unknown[],
    underClosures: boolean,
  ): Promise<{ readonly answer: unknown } | undefined> {
    const { subjects } = this.#options.connection;
    const bytes = packQuestion(args);
    if (bytes.length > this.largestAnswer) return undefined;
    try {
      const subject = subjects.mapQuestion(map, underClosures ? this.#digest : ANY_CONDITIONS, question);
      return unpackAnswer(await connection.request(subject, bytes, { timeout: ANSWER_WITHIN }));
    } catch {
      // No one listens, or the one that took the question is dead.
      this.#look();
      return undefined;
    }
  }

  /** Says under which closures the station asks, and hears whether a service answers under them. */
  #look(): void {
    if (this.#isClosed) return;
    clearTimeout(this.#timer);
    this.#looking ??= this.#findService().finally(() => {
      this.#looking = undefined;
      if (this.#isClosed) return;
      this.#timer = setTimeout(() => this.#look(), this.#isServed ? LOOK_EVERY : LOOK_EVERY_ABSENT);
      this.#timer.unref();
    });
  }

  async #findService(): Promise<void> {
    const map = this.#map;
    const digest = this.#digest;
    const wasServed = this.#isServed;
    const isServed = map !== undefined && (await this.#isServedUnder(map, digest));
    if (map !== this.#map || digest !== this.#digest || this.#isClosed) return;
    this.#isServed = isServed;
    if (isServed === wasServed) return;
    if (isServed) this.#options.log.info('A map service of the region answers questions for this territory.');
    else this.#options.log.warn('No map service of the region answers for this territory.');
  }

  async #isServedUnder(map: string, digest: string): Promise<boolean> {
    const { connection, stationId } = this.#options;
    const open = connection.connection;
    const bytes = await packConditions({ map, digest, station: stationId, closures: this.#closures });
    if (!open || bytes.length > this.largestAnswer) return false;
    return open.request(connection.subjects.mapConditions, bytes, { timeout: PRESENT_WITHIN }).then(
      () => true,
      () => false,
    );
  }
}
