import type { RegionReport } from '../region/region.ts';
import { WAITING_KINDS, type LinkedStation, type LinkProgress, type WaitingKind } from '../types.ts';
import type { LinkState, LiveLink } from './live-link.ts';

/** The state of replication as a whole. */
export interface SyncState {
  readonly state: 'synced' | 'behind' | 'alone';
  /** Records and files that wait, in both directions of all links. */
  readonly waiting: number;
  /** The same by kind and direction. */
  readonly kinds: readonly WaitingOfKind[];
  /** Since when the state is what it is, in epoch ms. */
  readonly since: number;
  /** The links that hold the light back. */
  readonly behind: readonly StationBehind[];
  /** Over all replicated records: equal at two stations exactly when their records are. */
  readonly digest: string;
  /** Its state in the region; null: it is in none. */
  readonly region: RegionReport | null;
  /** This station is a standby; null: it leads. */
  readonly standby: StandbyState | null;
  /** Stations that lead too, since a promotion that nobody has settled. */
  readonly rivals: readonly {
    readonly station: LinkedStation;
    readonly since: number;
    readonly isPromotedHere: boolean;
  }[];
}

/** Records of one kind that wait, in both directions. */
export interface WaitingOfKind {
  readonly kind: WaitingKind;
  readonly in: number;
  readonly out: number;
}

/** How a standby follows. */
export interface StandbyState {
  readonly station: LinkedStation;
  readonly isConnected: boolean;
  /** How much of it is here while it is filled for the first time, 0 to 1. */
  readonly filled: number;
  /** Seconds by which it is behind; null: it never had everything. */
  readonly behind: number | null;
  /** When both stations last had the same records, in epoch ms; null: never. */
  readonly confirmedAt: number | null;
  readonly lastContact: number | null;
}

function standbyState(link: LiveLink, now: number): StandbyState {
  const isUpToDate = link.state(now) === 'synced';
  return {
    station: link.station,
    isConnected: link.isConnected,
    filled: link.filled,
    behind: link.confirmedAt === 0 ? null : isUpToDate ? 0 : Math.max(0, Math.round((now - link.confirmedAt) / 1000)),
    confirmedAt: link.confirmedAt || null,
    lastContact: (link.isConnected ? now : link.lastContact) || null,
  };
}

/** Another station that does not have the same records as this one. */
export interface StationBehind {
  readonly station: LinkedStation;
  readonly state: LinkState;
  /** Records and files that wait, in both directions. */
  readonly waiting: number;
  readonly since: number;
}

/** A region, as the light looks at it. */
export interface ObservedRegion {
  readonly report: RegionReport;
  onChange(listener: () => void): () => void;
}

type Observed = Pick<LiveLink, 'state' | 'progress'>;

export function stateOf(
  links: readonly Observed[],
  now: number,
  region?: Pick<RegionReport, 'state'>,
): SyncState['state'] {
  if (links.length === 0 && !region) return 'alone';
  if (region && region.state !== 'synced') return 'behind';
  return links.some((link) => isBehind(link, now)) ? 'behind' : 'synced';
}

/** Paused links count only when something waits for them. */
function isBehind(link: Observed, now: number): boolean {
  const state = link.state(now);
  return state === 'paused' ? waitingOf(link) > 0 : state !== 'synced';
}

interface Waits {
  readonly progress: Pick<LinkProgress, 'waitingIn' | 'waitingOut' | 'kindsIn' | 'kindsOut'>;
}

function waitingOf({ progress }: Waits): number {
  return progress.waitingIn + progress.waitingOut;
}

/** Waiting records of the links, by kind, without kinds that have none. */
export function waitingKinds(links: readonly Waits[]): WaitingOfKind[] {
  const sum = (read: (progress: Waits['progress']) => number | undefined) =>
    links.reduce((total, { progress }) => total + (read(progress) ?? 0), 0);
  return WAITING_KINDS.map((kind) => ({
    kind,
    in: sum(({ kindsIn }) => kindsIn[kind]),
    out: sum(({ kindsOut }) => kindsOut[kind]),
  })).filter((waits) => waits.in + waits.out > 0);
}

/** State of the light for these links. `state` holds since `since`. */
export function syncStateOf({
  links,
  now,
  region,
  followed,
  ...known
}: {
  readonly links: readonly LiveLink[];
  readonly now: number;
  readonly region: RegionReport | undefined;
  /** The link to the station whose standby this one is. */
  readonly followed: LiveLink | undefined;
  readonly digest: string;
  readonly state: SyncState['state'];
  readonly since: number;
}): SyncState {
  const waits: readonly Waits[] = [...links, ...(region ? [{ progress: region }] : [])];
  const rivals = links.filter(({ row: { leadership } }) => leadership.promotedAt > 0 || leadership.replacedAt > 0);
  return {
    ...known,
    waiting: waits.reduce((sum, one) => sum + waitingOf(one), 0),
    kinds: waitingKinds(waits),
    region: region ?? null,
    behind: links.filter((link) => isBehind(link, now)).map((link) => behindOf(link, now)),
    standby: followed ? standbyState(followed, now) : null,
    rivals: rivals.map(({ station, row: { leadership } }) => ({
      station,
      since: leadership.promotedAt || leadership.replacedAt,
      isPromotedHere: leadership.promotedAt > 0,
    })),
  };
}

function behindOf(link: LiveLink, now: number): StationBehind {
  return { station: link.station, state: link.state(now), waiting: waitingOf(link), since: link.since(now) };
}
