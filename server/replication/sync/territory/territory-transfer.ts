import { Refusal } from '../../../../shared/refusal.ts';
import type { Leadership } from '../standby/leadership.ts';
import type { Channel, Link, LinkedStation } from '../types.ts';
import { TerritoryLane, type OfferedTerritory, type TerritorySource } from './territory-lane.ts';

export interface TerritoryTransferOptions {
  readonly territory: TerritorySource;
  readonly leadership: Leadership;
  /** Of this program. */
  readonly version: string;
  /** Whether no records come in pages over the link. */
  isQuiet(linkId: number): boolean;
  log: { info(message: string): void; warn(message: string): void };
}

/** A linked station and its territory. */
export interface StationTerritory {
  readonly link: number;
  readonly station: LinkedStation;
  /** null: it has none. */
  readonly territory: { readonly name: string; readonly size: number } | null;
  /** This station has the same. */
  readonly isHere: boolean;
}

/** ms until a take-over that failed is tried again. */
const RETRY = 30_000;

/**
 * Copies territories of linked stations: on request, after a crash, and for a standby automatically. A
 * transfer continues when the connection is back.
 */
export class TerritoryTransfer {
  readonly #options: TerritoryTransferOptions;
  /** Open connections by link. */
  readonly #lanes = new Map<number, TerritoryLane>();
  readonly #stops: (() => void)[];
  #running: Promise<void> | undefined;
  #retry: NodeJS.Timeout | undefined;
  #isClosed = false;

  constructor(options: TerritoryTransferOptions) {
    this.#options = options;
    this.#stops = [
      options.territory.onSwitch(() => {
        for (const lane of this.#lanes.values()) lane.announce();
      }),
      options.leadership.onChange(() => this.#resume()),
    ];
  }

  attach(channel: Channel): void {
    const { link } = channel;
    const lane = new TerritoryLane(channel, this.#options.territory, () => this.#options.isQuiet(link.id));
    this.#lanes.set(link.id, lane);
    channel.onNotify('territory.changed', () => this.#resume());
    void channel.closed.then(() => {
      if (this.#lanes.get(link.id) === lane) this.#lanes.delete(link.id);
    });
    this.#resume();
  }

  /** The territories of the stations that are connected. */
  async offered(): Promise<StationTerritory[]> {
    const own = await this.#options.territory.manifest();
    const offers = await Promise.allSettled(
      [...this.#lanes.values()].map(async (lane): Promise<StationTerritory> => {
        const { link, peer } = lane.channel;
        const manifest = await lane.offered();
        return {
          link: link.id,
          station: { id: peer.id, number: peer.number, name: peer.name },
          territory: manifest ? { name: manifest.name, size: sizeOf(manifest) } : null,
          isHere: manifest !== undefined && manifest.id === own?.id,
        };
      }),
    );
    // A connection that has just closed offers nothing.
    return offers.flatMap((offer) => (offer.status === 'fulfilled' ? [offer.value] : []));
  }

  /** Begins to take over the territory of a linked station. Resolves when it has begun. */
  async begin({ id, station }: Pick<Link, 'id' | 'station'>): Promise<void> {
    const lane = this.#lanes.get(id);
    if (!lane) throw new Refusal('territory.notConnected', { name: station.name });
    const manifest = await this.#requireNew(lane);
    const { promise: begun, resolve, reject } = Promise.withResolvers<void>();
    this.#takeOver(lane, manifest).catch(reject);
    // The lock of imports refuses at once.
    setTimeout(resolve, 50);
    await begun;
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#retry);
    for (const stop of this.#stops) stop();
    await this.#running;
  }

  async #requireNew(lane: TerritoryLane): Promise<OfferedTerritory> {
    const { territory, version } = this.#options;
    const { name } = lane.channel.peer;
    const manifest = await lane.offered();
    if (!manifest) throw new Refusal('territory.noneThere', { name });
    if (isNewer(manifest.program, version))
      throw new Refusal('territory.newerProgram', { name, theirs: manifest.program, own: version });
    if ((await territory.manifest())?.id === manifest.id) throw new Refusal('territory.alreadyHere', { name });
    return manifest;
  }

  async #takeOver(lane: TerritoryLane, manifest: OfferedTerritory): Promise<void> {
    const { territory, log } = this.#options;
    const { peer } = lane.channel;
    log.info(`Copying the territory ${manifest.name} of ${peer.name}: ${Math.ceil(sizeOf(manifest) / 1e6)} MB.`);
    const work = territory
      .takeOver({
        station: { id: peer.id, name: peer.name },
        manifest,
        fetchPiece: (file, offset) => lane.fetchPiece(manifest.id, file, offset),
      })
      .then(() => log.info(`The territory ${manifest.name} of ${peer.name} is in place.`));
    this.#running = work.catch((error: unknown) => {
      if (this.#isClosed || !territory.interrupted) return;
      log.warn(`The territory of ${peer.name} is not complete: ${(error as Error).message} Retrying.`);
      this.#resumeLater();
    });
    await work;
  }

  /** Continues interrupted transfers; a standby has the territory of the station that it follows. */
  #resume(): void {
    const { territory, leadership, log } = this.#options;
    const wanted = territory.interrupted?.station ?? leadership.following?.id;
    const lane = [...this.#lanes.values()].find(({ channel }) => channel.peer.id === wanted);
    if (!lane || this.#isClosed) return;
    this.#requireNew(lane)
      .then((manifest) => this.#takeOver(lane, manifest))
      .catch((error: unknown) => {
        if (this.#isClosed || (error instanceof Refusal && error.code === 'territory.alreadyHere')) return;
        if (error instanceof Refusal && error.code === 'territory.noneThere') return;
        if (error instanceof Refusal && error.code === 'territory.newerProgram') return log.warn(error.message);
        this.#resumeLater();
      });
  }

  #resumeLater(): void {
    if (this.#isClosed) return;
    clearTimeout(this.#retry);
    this.#retry = setTimeout(() => this.#resume(), RETRY);
    this.#retry.unref();
  }
}

function sizeOf({ files }: OfferedTerritory): number {
  return files.reduce((sum, { size }) => sum + size, 0);
}

/** Whether a version such as 1.10.2 is newer than another one. */
function isNewer(one: string, other: string): boolean {
  const [a, b] = [one, other].map((text) => text.split('.').map((part) => Number.parseInt(part, 10) || 0));
  for (let at = 0; at < Math.max(a!.length, b!.length); at++)
    if ((a![at] ?? 0) !== (b![at] ?? 0)) return (a![at] ?? 0) > (b![at] ?? 0);
  return false;
}
