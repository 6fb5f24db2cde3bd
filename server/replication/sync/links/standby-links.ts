import type { z } from 'zod';
import { Refusal } from '../../../../shared/refusal.ts';
import type { Store } from '../../../store/index.ts';
import type { LinkRow, LinkTable } from './link-table.ts';
import type { LiveLink } from './live-link.ts';
import type { SeedCounters } from './seed-counters.ts';
import type { LeadershipFields } from './connection/wire.ts';
import type { LinkedStation, LinkSettings } from '../types.ts';
import { takeAwayFirstRecords } from '../standby/first-records.ts';
import type { Leadership } from '../standby/leadership.ts';
import { leadershipAfter, missingAt, NO_LEADERSHIP, type Missing } from '../standby/link-leadership.ts';

/** ms between two writes of a standby's knowledge about the station that it follows. */
const SAVE_LEADERSHIP = 10_000;

interface StandbyLinksOptions {
  readonly store: Store;
  readonly table: LinkTable;
  readonly seeds: SeedCounters;
  readonly leadership: Leadership;
  /** This station. */
  own(): LinkedStation;
  links(): readonly LiveLink[];
  /** Called when another station leads: other stations and consoles must learn it. */
  changed(): void;
  endSessions(): Promise<void>;
  hasAdministrator(): boolean;
  now(): number;
  warn(message: string): void;
  report(error: unknown): void;
}

/** Which links make this station a standby, and how that begins and ends. */
export class StandbyLinks {
  readonly #options: StandbyLinksOptions;
  #savedAt = -Infinity;

  constructor(options: StandbyLinksOptions) {
    this.#options = options;
  }

  /** The link to the station whose standby this one is. */
  get followed(): LiveLink | undefined {
    return this.#options.links().find(({ settings }) => settings.standby);
  }

  /** Continues where an earlier run ended while the station became a standby. */
  async resume(): Promise<void> {
    const { followed } = this;
    if (followed && !followed.row.leadership.isEmptied) await this.#empty(followed.row);
  }

  /**
   * Promotes this standby: it leads in place of the station that it followed. The link stays, and
   * merges what only the other one has. Resolves when it is on disk.
   * @param confirm the name of the station that is replaced, as an operator typed it
   */
  async promote(confirm: string): Promise<{ readonly link: LiveLink; readonly missing: Missing }> {
    const link = this.followed;
    if (!link) throw new Refusal('sync.noStandby');
    const { station } = link;
    if (confirm.trim() !== station.name) throw new Refusal('sync.confirmPromotion', { name: station.name });
    if (!this.#options.hasAdministrator()) throw new Refusal('sync.neverFilled', { name: station.name });
    const { now, warn } = this.#options;
    this.save(link);
    const { settings, leadership } = link.row;
    const promotedAt = now();
    const missing = missingAt(promotedAt, link.isConnected ? promotedAt : link.lastContact, leadership);
    const leads = { settings: { ...settings, standby: false }, leadership: { ...leadership, promotedAt } };
    await this.#changeLeadership(link, leads);
    this.#options.leadership.lead();
    warn(
      `This station was promoted in place of ${station.name}. Known to be missing: ${missing.records} records, ${missing.files} files and ${missing.positions} positions. Last confirmation: ${missing.confirmedAt === null ? 'never' : new Date(missing.confirmedAt).toISOString()}.`,
    );
    this.#options.changed();
    return { link, missing };
  }

  /** Throws unless this station is fresh, or follows that one already: it is paired again when its key has changed. */
  requireFresh(stationId: string): void {
    const { followed } = this;
    if (followed?.station.id === stationId) return;
    if (followed) throw new Refusal('sync.followsAlready', { name: followed.station.name });
    if (this.#options.table.all().length > 0 || !this.#options.seeds.areLast()) throw new Refusal('sync.notFresh');
  }

  /** A linked station becomes the standby of the other one. What it has itself is merged there. */
  async follow(link: LiveLink): Promise<void> {
    const { station, theirSettings } = link;
    const { following } = this.#options.leadership;
    const follower = this.#options.links().find((one) => one.theirSettings.standby);
    if (following) throw new Refusal('sync.followsAlready', { name: following.name });
    if (follower) throw new Refusal('sync.followedBy', { name: follower.station.name });
    if (link.theyFollow !== '')
      throw new Refusal('sync.followsItself', { name: station.name, leader: link.theyFollow });
    if (link.row.cut !== 'no' || theirSettings.organizations || theirSettings.readOnly)
      throw new Refusal('sync.limitedThere', { name: station.name });
    const { leadership, settings } = link.row;
    await this.#changeLeadership(link, {
      settings: wholeSettings(settings),
      leadership: {
        ...NO_LEADERSHIP,
        settledAt: Math.max(leadership.settledAt, leadership.replacedAt),
        isEmptied: true,
        confirmedAt: link.confirmedAt,
      },
    });
    this.#options.leadership.follow(station);
    this.#options.warn(`This station is a standby of ${station.name} now.`);
    this.#options.changed();
  }

  /** After a promotion both stations lead, and an operator says that this is meant. */
  async settle(link: LiveLink): Promise<void> {
    if (link.settings.standby) throw new Refusal('sync.promoteStandby', { name: link.station.name });
    const { leadership } = link.row;
    if (leadership.promotedAt === 0 && leadership.replacedAt === 0) return;
    const settledAt = Math.max(leadership.settledAt, leadership.replacedAt);
    await this.#changeLeadership(link, { leadership: { ...leadership, promotedAt: 0, replacedAt: 0, settledAt } });
  }

  /** A change of leadership holds only after it is on disk. */
  async #changeLeadership(link: LiveLink, fields: Partial<Pick<LinkRow, 'settings' | 'leadership'>>): Promise<void> {
    const { settings, leadership } = link.row;
    await this.#options.table.change(link.id, fields).catch(async (error: unknown) => {
      await this.#options.table.change(link.id, { settings, leadership }).catch(() => undefined);
      throw error;
    });
  }

  sent({ row: { leadership } }: LiveLink): z.output<typeof LeadershipFields> {
    const { promotedAt, settledAt } = leadership;
    return { promotedAt, settledAt, follows: this.#options.leadership.following?.name ?? '' };
  }

  /** Stores the other station's report about its side of the link. */
  async receive(
    link: LiveLink,
    theirSettings: LinkSettings,
    theirs: z.output<typeof LeadershipFields>,
    fields: Partial<LinkRow> = {},
  ): Promise<void> {
    const { settings, leadership } = link.row;
    link.theyFollow = theirSettings.standby ? '' : theirs.follows;
    // Both asked for it at once: one of them has to lead.
    const leads = settings.standby && theirSettings.standby && this.#options.own().number < link.station.number;
    const standby = settings.standby && !leads;
    const after = leadershipAfter(leadership, standby, { ...theirs, standby: theirSettings.standby });
    // Readers of the table see the change before it is on disk: a client that sees this station lead may
    // write to it.
    if (leads) this.#options.leadership.lead();
    await this.#options.table.change(link.id, {
      ...fields,
      theirSettings,
      settings: { ...settings, standby, ...(theirSettings.standby && !standby && { tracks: 'all' as const }) },
      leadership: after,
    });
    if (after.replacedAt > leadership.replacedAt)
      this.#options.warn(
        `${link.station.name} was promoted in place of this station. Both lead: edits are merged. Let one of them follow the other.`,
      );
    if (standby && this.#options.leadership.following?.name !== link.station.name)
      this.#options.leadership.follow(link.station);
    if (leads) this.#options.changed();
  }

  /** So that a standby that is promoted after a restart knows what it may lack. */
  save(link: LiveLink): void {
    this.#savedAt = this.#options.now();
    const { leadership } = link.row;
    const { waitingIn, pendingFiles, tracksIn } = link.progress;
    const isFilled = leadership.isFilled || link.state(this.#savedAt) === 'synced';
    const kept = { ...leadership, waitingIn, pendingFiles, tracksIn, isFilled, confirmedAt: link.confirmedAt };
    if (JSON.stringify(kept) === JSON.stringify(leadership)) return;
    this.#options.table.change(link.id, { leadership: kept }).catch((error: unknown) => this.#options.report(error));
  }

  /** Called each second. */
  look(now: number): void {
    const { followed } = this;
    if (!followed) return;
    const isNewlyFilled = !followed.row.leadership.isFilled && followed.state(now) === 'synced';
    if (isNewlyFilled || now - this.#savedAt >= SAVE_LEADERSHIP) this.save(followed);
  }

  /** Stores a link that was made by pairing, and begins to follow over it when it is meant so. */
  async put(made: Omit<LinkRow, 'id' | 'leadership'>): Promise<LinkRow> {
    const { table, leadership } = this.#options;
    const before = table.withStation(made.station.id);
    const standby = made.settings.standby || before?.settings.standby === true;
    const row = await table.put({
      ...made,
      settings: standby ? wholeSettings(made.settings) : made.settings,
      leadership: before?.leadership ?? NO_LEADERSHIP,
    });
    if (!standby) return row;
    leadership.follow(row.station);
    if (!row.leadership.isEmptied) await this.#empty(row);
    return row;
  }

  /** A fresh station becomes an exact copy of the one that it follows. */
  async #empty(row: LinkRow): Promise<void> {
    await this.#options.endSessions();
    await takeAwayFirstRecords(this.#options.store);
    await this.#options.table.change(row.id, { leadership: { ...row.leadership, isEmptied: true } });
  }
}

/** A standby follows completely. */
function wholeSettings(settings: LinkSettings): LinkSettings {
  return { ...settings, organizations: null, readOnly: false, tracks: 'all', standby: true };
}

/** Throws when a change would limit a link over which one station follows the other. */
export function requireWhole({ settings, theirSettings, station }: LiveLink, change: Partial<LinkSettings>): void {
  const isLimited =
    (change.organizations != null && change.organizations.length > 0) ||
    change.readOnly === true ||
    (change.tracks !== undefined && change.tracks !== 'all');
  if (!isLimited || (!settings.standby && !theirSettings.standby)) return;
  throw new Refusal(settings.standby ? 'sync.standbyLimits' : 'sync.followerLimits', { name: station.name });
}
