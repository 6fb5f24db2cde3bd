import type { Bounds } from '../../../shared/geo/bounds.ts';
import { mayChangeRoads, type Actor } from '../../../shared/access.ts';
import { Refusal } from '../../../shared/refusal.ts';
import type { Closures } from '../../geo/closures/index.ts';
import { Emitter } from '../../platform/emitter.ts';
import { Mutex } from '../../platform/mutex.ts';
import type { Store } from '../../store/types.ts';
import { FeedFollower, FeedReader, wordsOfFault, type FeedLook, type FeedState } from './follow-feed.ts';
import {
  orderOf,
  closureParts,
  proposalOf,
  standingClosures,
  withRoads,
  writeClosures,
  type FindRoad,
  type RoadProposal,
} from './proposals.ts';
import { textIn } from './text-in.ts';
import { allPositions } from './reading/areas.ts';
import { SEVERITIES, type ReadWarning } from './reading/read-warning.ts';
import type { Relevance } from './reading/relevance.ts';
import { WarningFeeds, type WarningFeed, type WarningFeedOrder } from './warning-feeds.ts';
import { WarningTable, type WarningChange, type RoadDecision, type Warning } from './warning-table.ts';

/** An alarm about a warning. */
export interface WarningAlarm {
  /** The same in every station that follows the feed. */
  readonly situation: string;
  readonly organizationId: number;
  readonly severity: Warning['severity'];
  readonly info: string;
  readonly place: { readonly lat: number; readonly lon: number } | null;
  readonly since: number;
}

interface WarningsOptions {
  readonly store: Store;
  readonly closures: Closures;
  readonly now: () => number;
  readonly userAgent: string;
  /** The box of the territory; undefined: there is none. */
  bounds(): Bounds | undefined;
  readonly findRoad: FindRoad;
  raiseAlarm(alarm: WarningAlarm): Promise<void>;
  endAlarm(situation: string, at: number): Promise<void>;
  report(message: string, error: unknown): void;
}

export interface FeedPreview extends Omit<FeedLook, 'read' | 'unread' | 'ended'> {
  readonly warnings: readonly ReadWarning[];
}

/** ms between two checks for warnings that passed their end. */
const TICK = 5_000;
const SWEEP = 3_600_000;
/** A feed that was not read for so many ms, or so many looks, is a problem of the station. */
const SILENT = { least: 900_000, looks: 5 } as const;
const MOST_FEEDS = 50;
const MOST_SHOWN = 100;
/** Alarms of one read, the most severe ones: more of them would hide the others. */
const MOST_ALARMS = 20;
/** Characters of an alarm's text. */
const LONGEST_INFO = 200;

/**
 * Warnings and road messages of other authorities: feeds, current warnings, and the closures they propose
 * (README).
 */
export class Warnings {
  readonly #options: WarningsOptions;
  readonly #feeds: WarningFeeds;
  readonly #table: WarningTable;
  readonly #followers = new Map<number, FeedFollower>();
  readonly #emitter: Emitter<[]>;
  readonly #stops: (() => void)[] = [];
  readonly #starting = new Mutex();
  readonly #decisions = new Mutex();
  readonly #startedAt: number;
  #isStarted = false;
  #isClosed = false;

  private constructor(options: WarningsOptions, feeds: WarningFeeds, table: WarningTable) {
    this.#options = options;
    this.#feeds = feeds;
    this.#table = table;
    this.#startedAt = options.now();
    this.#emitter = new Emitter((error) => options.report('A listener of warnings failed.', error));
  }

  static async open(options: WarningsOptions): Promise<Warnings> {
    const { store, now } = options;
    return new Warnings(options, await WarningFeeds.open(store), await WarningTable.open(store, now));
  }

  /** Begins to follow the feeds. A standby does not. */
  start(): void {
    const { store, report } = this.#options;
    this.#isStarted = true;
    const tick = setInterval(
      () => void this.#endPassed().catch((error: unknown) => report('Warnings could not be ended.', error)),
      TICK,
    ).unref();
    const sweep = setInterval(
      () => void this.#table.sweep().catch((error: unknown) => report('Old warnings could not be removed.', error)),
      SWEEP,
    ).unref();
    this.#stops.push(
      () => clearInterval(tick),
      () => clearInterval(sweep),
      store.onReadOnly(() => this.#followAll()),
    );
    this.#followAll();
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    for (const stop of this.#stops.splice(0)) stop();
    await this.#starting.run(async () => {
      await Promise.all([...this.#followers.values()].map((follower) => follower.close()));
      this.#followers.clear();
    });
  }

  /** Called when warnings, their proposals or the state of a feed change. Returns the unsubscription. */
  onChange(listener: () => void): () => void {
    return this.#emitter.on(listener);
  }

  /** Those that hold or will hold: the most severe first, then the earliest. */
  current(): Warning[] {
    const now = this.#options.now();
    const rank = ({ severity }: Warning) => SEVERITIES.indexOf(severity);
    return this.#table
      .open()
      .filter(({ until }) => until === null || until > now)
      .sort((a, b) => rank(b) - rank(a) || a.from - b.from || a.id - b.id);
  }

  /** Ended ones, the last ended first. */
  ended(limit: number): Warning[] {
    return this.#table.ended(limit);
  }

  /** Ended ones whose closures still stand. */
  withStandingClosures(): Warning[] {
    return this.#table.ended(1_000).filter((warning) => this.proposal(warning)?.isOver === true);
  }

  get(id: number): Warning {
    const warning = this.#table.get(id);
    if (!warning) throw new Refusal('warnings.missing', { id });
    return warning;
  }

  proposal(warning: Warning): RoadProposal | null {
    return proposalOf(warning, this.#options.closures);
  }

  feeds(): WarningFeed[] {
    return this.#feeds.all();
  }

  feed(id: number): WarningFeed {
    const feed = this.#feeds.get(id);
    if (!feed) throw new Refusal('warnings.noFeed', { id });
    return feed;
  }

  /** undefined: it is not followed. */
  stateOf(feedId: number): FeedState | undefined {
    return this.#followers.get(feedId)?.state;
  }

  /** Looks at a feed now. */
  lookAt(id: number): void {
    this.feed(id);
    this.#followers.get(id)?.wake();
  }

  async createFeed(order: WarningFeedOrder): Promise<WarningFeed> {
    if (this.#feeds.all().length >= MOST_FEEDS) throw new Refusal('warnings.tooManyFeeds', { most: MOST_FEEDS });
    const feed = await this.#feeds.create(order);
    await this.#follow(feed.id);
    return feed;
  }

  async changeFeed(id: number, order: WarningFeedOrder): Promise<WarningFeed> {
    const before = this.feed(id);
    await this.#follow(id, async () => {
      await this.#feeds.change(id, order);
      // Warnings of another address, or of a feed that is off, hold no longer.
      if (order.url !== before.url || !order.enabled)
        await this.#heed(id, { added: [], changed: [], ended: await this.#table.endFeed(id) });
    });
    return this.feed(id);
  }

  async deleteFeed(id: number): Promise<void> {
    this.feed(id);
    await this.#follow(id, async () => {
      const ended = await this.#table.endFeed(id);
      await this.#heed(id, { added: [], changed: [], ended });
      await this.#feeds.delete(id);
    });
  }

  /** The warnings that a feed would give now. Writes nothing. */
  async preview(order: WarningFeedOrder): Promise<FeedPreview> {
    const { userAgent } = this.#options;
    const end = new AbortController();
    try {
      const relevance = () => this.#relevanceOf(order);
      const look = await new FeedReader({ feed: order, relevance, userAgent, signal: end.signal }).look();
      const { read, unread: _, ended: __, ...rest } = look!;
      const items = [...read.values()].flat().slice(0, MOST_SHOWN);
      return { ...rest, warnings: items.map(({ json }) => JSON.parse(json) as ReadWarning) };
    } catch (error) {
      if (error instanceof Refusal) throw error;
      throw new Refusal('warnings.unreachable', { problem: wordsOfFault(error) }, { cause: error });
    } finally {
      end.abort();
    }
  }

  /** Feeds that were not read for a long time: their warnings on the console may be outdated. */
  problems(): { readonly code: string; readonly text: string }[] {
    const now = this.#options.now();
    return this.#feeds
      .all()
      .filter(({ id, seconds }) => {
        const state = this.stateOf(id);
        const limit = Math.max(SILENT.least, seconds * 1_000 * SILENT.looks);
        return state?.isUnreachable === true && now - (state.readAt ?? this.#startedAt) > limit;
      })
      .map(({ name }) => ({ code: 'warnings.silent', text: `Warnings can no longer be read: ${name}.` }));
  }

  /**
   * Makes the closures of a warning, or gives those that it made its present place and time.
   * @param factor share of the usual speed; undefined: as the warning says
   */
  async accept(actor: Actor, id: number, factor?: number): Promise<Warning> {
    return this.#decisions.run(async () => {
      const { closures, findRoad } = this.#options;
      const warning = this.#requireProposal(actor, id);
      const parts = closureParts(await withRoads(warning, findRoad));
      const standing = standingClosures(warning, closures);
      const ids = parts.map((_, index) => standing[index]?.id ?? closures.takeId());
      const order = orderOf(warning, textIn(warning, []), factor ?? standing[0]?.factor ?? warning.factor!);
      // The ids are on disk before the closures: after a crash none is without its warning.
      const known = [...new Set([...standing.map((closure) => closure.id), ...ids])];
      await this.#decide(warning, { state: 'accepted', closureIds: known, ...this.#by(actor) });
      try {
        await writeClosures(closures, actor, standing, ids, order, parts);
      } catch (error) {
        if (standing.length === 0) await this.#decide(warning, warning.decision);
        throw error;
      }
      await this.#decide(warning, { state: 'accepted', closureIds: ids, ...this.#by(actor) });
      return this.get(id);
    });
  }

  /** Lifts the closures of a warning, or declines to make them. */
  async decline(actor: Actor, id: number): Promise<Warning> {
    return this.#decisions.run(async () => {
      const { closures } = this.#options;
      const warning = this.#requireProposal(actor, id);
      for (const closure of standingClosures(warning, closures)) await closures.delete(actor, closure.id);
      await this.#decide(warning, { state: 'declined', closureIds: [], ...this.#by(actor) });
      return this.get(id);
    });
  }

  #requireProposal(actor: Actor, id: number): Warning {
    if (!mayChangeRoads(actor)) throw new Refusal('closures.mayNot');
    const warning = this.get(id);
    if (!this.proposal(warning)) throw new Refusal('warnings.noRoads');
    return warning;
  }

  async #decide({ id }: Warning, decision: RoadDecision | null): Promise<void> {
    await this.#table.decide(id, decision);
    this.#emitter.emit();
  }

  #by(actor: Actor) {
    return { by: actor.user.id, at: this.#options.now() };
  }

  #relevanceOf({ onlyTerritory, places, leastSeverity }: Omit<WarningFeed, 'id'>): Relevance {
    return { bounds: (onlyTerritory && this.#options.bounds()) || null, places, leastSeverity };
  }

  #followAll(): void {
    for (const { id } of this.#feeds.all())
      void this.#follow(id).catch((error: unknown) => this.#options.report('A feed cannot be followed.', error));
  }

  /** Follows a feed in its current state; `between` runs while nothing else does. */
  #follow(id: number, between?: () => Promise<void>): Promise<void> {
    return this.#starting.run(async () => {
      const { store, now, userAgent, report } = this.#options;
      await this.#followers.get(id)?.close();
      this.#followers.delete(id);
      await between?.();
      const feed = this.#feeds.get(id);
      if (feed?.enabled && this.#isStarted && !this.#isClosed && store.readOnly === undefined) {
        const follower = new FeedFollower({
          ...{ feed, userAgent, now, report },
          relevance: () => this.#relevanceOf(feed),
          take: (look) => this.#take(feed, look),
          changed: () => this.#emitter.emit(),
        });
        this.#followers.set(id, follower);
      }
      this.#emitter.emit();
    });
  }

  async #take({ id, keepsUnlisted }: WarningFeed, look: FeedLook): Promise<void> {
    const { read, ended, unread } = look;
    const change = await this.#table.take(id, read, { ended, unread, keepsUnlisted });
    await this.#heed(id, change);
    if (Object.values(change).some((some) => some.length > 0)) this.#emitter.emit();
  }

  async #endPassed(): Promise<void> {
    if (this.#options.store.readOnly !== undefined) return;
    const passed = await this.#table.endPassed();
    if (passed.length === 0) return;
    for (const feedId of new Set(passed.map((warning) => warning.feedId)))
      await this.#heed(feedId, { added: [], changed: [], ended: passed.filter((one) => one.feedId === feedId) });
    this.#emitter.emit();
  }

  /** Raises and ends the alarms of changed warnings. An alarm ends with the last warning of its situation. */
  async #heed(feedId: number, { added, changed, ended }: WarningChange): Promise<void> {
    const { raiseAlarm, endAlarm, now } = this.#options;
    const feed = this.#feeds.get(feedId);
    const standing = new Set(this.#table.open().map(({ situation }) => situation));
    for (const warning of ended)
      if (!standing.has(warning.situation))
        await endAlarm(warning.situation, Math.min(now(), warning.endedAt ?? now()));
    if (!feed || feed.alarmFrom === null) return;
    const least = SEVERITIES.indexOf(feed.alarmFrom);
    const severe = [...added, ...changed]
      .filter(({ until }) => until === null || until > now())
      .filter(({ severity }) => SEVERITIES.indexOf(severity) >= least)
      .sort((a, b) => SEVERITIES.indexOf(b.severity) - SEVERITIES.indexOf(a.severity));
    for (const warning of severe.slice(0, MOST_ALARMS)) {
      const text = textIn(warning, []);
      await raiseAlarm({
        situation: warning.situation,
        organizationId: feed.organizationId,
        severity: warning.severity,
        info: (text.headline || text.event || feed.name).slice(0, LONGEST_INFO),
        place: middleOf(warning),
        since: warning.seenAt,
      });
    }
  }
}

/** The middle of the box of a warning. */
function middleOf({ geometry }: Warning): WarningAlarm['place'] {
  if (!geometry) return null;
  const positions = allPositions(geometry);
  const middle = (index: number): number => {
    let [least, most] = [Infinity, -Infinity];
    for (const position of positions) {
      least = Math.min(least, position[index]!);
      most = Math.max(most, position[index]!);
    }
    return (least + most) / 2;
  };
  return { lat: middle(1), lon: middle(0) };
}
