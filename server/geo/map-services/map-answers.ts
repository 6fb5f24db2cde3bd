import type { Msg, NatsConnection, Subscription } from '@nats-io/transport-node';
import { Refusal } from '../../../shared/refusal.ts';
import type { Geocoder } from '../geocoding/index.ts';
import type { MapTiles } from '../map/index.ts';
import type { RegionConnection } from '../../replication/nats/index.ts';
import type { Planner } from '../routing/index.ts';
import { digestOfClosures, unpackConditions, type MapConditions } from './conditions.ts';
import {
  ANY_CONDITIONS,
  packAnswer,
  packRefusal,
  QUESTIONS,
  unpackQuestion,
  type PackedAnswer,
  type MapQuestion,
} from './questions.ts';

interface MapAnswersOptions {
  readonly connection: RegionConnection;
  readonly planner: Planner;
  readonly geocoder: Geocoder;
  readonly map: MapTiles;
  /** Epoch ms. */
  now(): number;
  readonly log: { info(message: string): void; warn(message: string): void };
}

/** Of all services that answer alike: each question goes to one of them. */
const QUEUE = 'maps';
/** Questions that wait here; further ones their askers answer. */
const MOST_WAITING = 64;
/** ms without a question after which another station may set the closures. */
const KEPT = 60_000;

/** Answers questions of the stations of a region about one territory, under the closures that a station set. */
export class MapAnswers {
  readonly counts = { answered: 0, refused: 0 };
  readonly #options: MapAnswersOptions;
  readonly #stopFollowing: () => void;
  #connection: NatsConnection | undefined;
  #subscriptions: readonly Subscription[] = [];
  #map: string | undefined;
  /** Digest of the closures in force; undefined while they change. */
  #digest: string | undefined = digestOfClosures([]);
  /** Another one after each change of territory or closures: an answer across it belongs to neither. */
  #era = 0;
  #setBy: string | undefined;
  #lastAsked = 0;
  #changing: Promise<void> = Promise.resolve();
  #waiting = 0;

  constructor(options: MapAnswersOptions) {
    this.#options = options;
    this.#stopFollowing = options.connection.onChange(() => this.#connectionChanged());
    this.#connectionChanged();
  }

  /** The territory that its readers have opened: the id of its manifest; undefined: they change. */
  switchTo(map: string | undefined): void {
    this.#map = map?.slice(0, 16);
    this.#subscribe();
  }

  async close(): Promise<void> {
    this.#stopFollowing();
    this.#map = undefined;
    this.#connection = undefined;
    this.#subscribe();
    await this.#changing;
  }

  /** The client subscribes again by itself when a server is back: only another client needs it from here. */
  #connectionChanged(): void {
    const { connection } = this.#options.connection;
    if (connection === undefined || connection === this.#connection) return;
    this.#connection = connection;
    this.#subscribe();
  }

  #subscribe(): void {
    this.#era++;
    for (const subscription of this.#subscriptions) if (!subscription.isClosed()) subscription.unsubscribe();
    this.#subscriptions = [];
    const { subjects } = this.#options.connection;
    const connection = this.#connection;
    const map = this.#map;
    if (connection === undefined || map === undefined || connection.isClosed()) return;
    const listen = (subject: string, take: (message: Msg) => void, queue?: string): Subscription =>
      connection.subscribe(subject, {
        ...(queue !== undefined && { queue }),
        callback: (error, message) => {
          if (!error) take(message);
        },
      });
    const under = [ANY_CONDITIONS, ...(this.#digest === undefined ? [] : [this.#digest])];
    this.#subscriptions = [
      listen(subjects.mapConditions, (said) => this.#hear(said)),
      ...under.map((conditions) =>
        listen(subjects.mapQuestion(map, conditions, '*'), (asked) => void this.#take(asked), QUEUE),
      ),
    ];
  }

  /** Stations say now and then under which closures they ask: one that is served hears so. */
  #hear(said: Msg): void {
    this.#changing = this.#changing
      .then(async () => {
        const conditions = await unpackConditions(said.data);
        if (conditions === undefined || conditions.map !== this.#map) return;
        if (conditions.digest !== this.#digest && this.#mayChange(conditions)) await this.#change(conditions);
        if (conditions.map === this.#map && conditions.digest === this.#digest) said.respond();
      })
      .catch((error: unknown) => this.#options.log.warn(`Closures could not be set: ${(error as Error).message}`));
  }

  #mayChange({ station }: MapConditions): boolean {
    return this.#setBy === undefined || this.#setBy === station || this.#options.now() - this.#lastAsked > KEPT;
  }

  async #change({ closures, digest, station }: MapConditions): Promise<void> {
    const before = this.#digest;
    this.#digest = undefined;
    this.#subscribe();
    try {
      await this.#options.planner.setClosures(closures);
      this.#digest = digest;
      this.#setBy = station;
    } catch (error) {
      // The previous ones still hold.
      this.#digest = before;
      throw error;
    } finally {
      this.#subscribe();
    }
  }

  async #take(asked: Msg): Promise<void> {
    const era = this.#era;
    this.#lastAsked = this.#options.now();
    const name = asked.subject.slice(asked.subject.lastIndexOf('.') + 1);
    const question = QUESTIONS.find((one) => one === name);
    let packed: PackedAnswer | undefined;
    if (question !== undefined && this.#waiting < MOST_WAITING) {
      this.#waiting++;
      try {
        packed = packAnswer(await this.#answer(question, unpackQuestion(question, asked.data)));
      } catch (error) {
        if (!(error instanceof Refusal)) this.#options.log.warn(`A request failed: ${(error as Error).message}`);
      } finally {
        this.#waiting--;
      }
    }
    const connection = this.#connection;
    if (connection === undefined || connection.isClosed()) return;
    const isWhole = packed !== undefined && packed.bytes.length < connection.info!.max_payload && era === this.#era;
    this.counts[isWhole ? 'answered' : 'refused']++;
    const { bytes, headers } = isWhole ? packed! : packRefusal();
    asked.respond(bytes, { headers });
  }

  /** Its arguments have been looked at. */
  #answer(question: MapQuestion, args: readonly unknown[]): Promise<unknown> {
    const { planner, geocoder, map } = this.#options;
    const [first, second, third] = args as readonly never[];
    switch (question) {
      case 'geocode':
        return geocoder.search(first!);
      case 'reverse':
        return geocoder.reverse(first!, second ?? undefined);
      case 'tile':
        return map.tile(first!, second!, third!);
      case 'route':
        return planner.route(first!);
      case 'table':
        return planner.table(first!);
      case 'nearest':
        return planner.nearest(first!, second!);
      default:
        return planner[question](first!, second!);
    }
  }
}
