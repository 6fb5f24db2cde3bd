import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished } from 'vitest';
import { Cable } from './cable.ts';
import { serve, type Served } from './served.ts';

export interface LinkAnswer {
  readonly id: number;
  readonly state: string;
  readonly waitingIn: number;
  readonly waitingOut: number;
  readonly lastError: string | null;
  readonly digest: { readonly mine: string; readonly theirs: string } | null;
}

/** A station that a test starts, kills and starts again in the same directory. */
export class TestStation {
  readonly number: number;
  readonly directory: string;
  readonly #environment: NodeJS.ProcessEnv;
  /** Ways that lead to it: they follow it to its next port. */
  readonly cables: Cable[] = [];
  #served: Served | undefined;

  constructor(number: number, environment: NodeJS.ProcessEnv = {}) {
    this.number = number;
    this.directory = mkdtempSync(join(tmpdir(), `waypost-station-${number}-`));
    this.#environment = { WAYPOST_STATION_NUMBER: String(number), WAYPOST_NAME: `Station ${number}`, ...environment };
  }

  get isUp(): boolean {
    return this.#served !== undefined;
  }

  get address(): string {
    return this.#served!.address;
  }

  async start(): Promise<this> {
    this.#served = await serve(this.directory, this.#environment);
    for (const cable of this.cables) cable.target = new URL(this.#served.address);
    return this;
  }

  async end(signal: NodeJS.Signals = 'SIGTERM'): Promise<void> {
    const served = this.#served;
    this.#served = undefined;
    await served?.end(signal);
  }

  ask<T>(method: string, path: string, body?: unknown): Promise<T> {
    if (!this.#served) return Promise.reject(new Error(`Station ${this.number} is down.`));
    return this.#served.ask<T>(method, path, body);
  }

  async links(): Promise<readonly LinkAnswer[]> {
    return this.ask('GET', '/links');
  }
}

/** Starts stations with the numbers 1, 2, …; they end with the test. */
export async function startStations(count: number, environment: NodeJS.ProcessEnv = {}): Promise<TestStation[]> {
  const stations = Array.from({ length: count }, (_, at) => new TestStation(at + 1, environment));
  onTestFinished(async () => {
    await Promise.all(stations.map((station) => station.end('SIGKILL')));
    for (const { directory } of stations) rmSync(directory, { recursive: true, force: true });
  });
  await Promise.all(stations.map((station) => station.start()));
  return stations;
}

/** Pairs two stations over a cable: `from` dials, `to` cannot. Returns the cable, which is closed with the test. */
export async function pair(
  from: TestStation,
  to: TestStation,
  limits: { readonly from?: object; readonly to?: object } = {},
): Promise<Cable> {
  const cable = await Cable.to(to.address);
  onTestFinished(() => cable.close());
  to.cables.push(cable);
  const { code } = await to.ask<{ code: string }>('POST', '/links/codes', limits.to ?? {});
  await from.ask('POST', '/links', { address: cable.address, code, ownAddress: null, ...limits.from });
  return cable;
}

/** Waits until every link of the stations says that it is synced, with the same digest on both sides. */
export async function areEqual(stations: readonly TestStation[]): Promise<void> {
  const states = async () =>
    (await Promise.all(stations.map((station) => station.links())))
      .flat()
      .map(({ state, waitingIn, waitingOut, lastError, digest }) => ({
        state,
        waitingIn,
        waitingOut,
        lastError,
        areDigestsEqual: digest !== null && digest.mine === digest.theirs,
      }));
  const synced = { state: 'synced', waitingIn: 0, waitingOut: 0, lastError: null, areDigestsEqual: true };
  await expect.poll(states).toEqual((await states()).map(() => synced));
}
