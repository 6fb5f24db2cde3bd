import { cpSync, rmSync } from 'node:fs';
import { expect } from 'vitest';
import { ActiveUnits } from '../../../../server/dispatch/tasks/index.ts';
import { spanningRules } from '../../../../server/replication/sync/index.ts';
import { openStore, type CollectionName, type Store } from '../../../../server/store/index.ts';
import { COLLECTIONS } from '../../../../shared/records/index.ts';
import { temporaryDirectory } from '../../store/open-store.ts';
import { receive, type Stored } from '../../store/receive.ts';

type Dump = Map<CollectionName, Stored[]>;

/** An alarm of vehicles that is open at a station. */
export type OpenAlarms = Map<string, { vehicleId: number }>;

/**
 * Stations that meet: a process has one open store, so they open one after the other. The rules run at each,
 * as in a station.
 */
export class MeetingStations {
  readonly #directories: string[];
  readonly alarms: OpenAlarms[];
  #wall = 1_700_000_000_000;

  constructor(count = 2) {
    this.#directories = Array.from({ length: count }, temporaryDirectory);
    this.alarms = this.#directories.map(() => new Map());
  }

  /** Runs `work` at a station, a second later than the last. */
  async at<R>(number: number, work: (store: Store) => Promise<R>): Promise<R> {
    const store = await this.#open(number);
    const open = this.alarms[number - 1]!;
    const activeUnits = new ActiveUnits(store);
    const rules = await spanningRules({
      store,
      activeUnits,
      now: () => this.#wall,
      alarms: {
        raise: async ({ situation, vehicleId }) => void open.set(situation, { vehicleId }),
        end: async (situation) => void open.delete(situation),
      },
      report: (error) => {
        throw error;
      },
    });
    try {
      await rules.runner.idle();
      return await work(store);
    } finally {
      await rules.runner.idle();
      await rules.close();
      activeUnits.close();
      await store.close();
    }
  }

  /** The same for a station that dies before its rules have run. */
  async atBeforeCrash(number: number, work: (store: Store) => Promise<void>): Promise<void> {
    const store = await this.#open(number);
    await work(store).finally(() => store.close());
  }

  /** Keeps the data of a station as they are. Returns the function that puts them back. */
  save(number: number): () => void {
    const directory = this.#directories[number - 1]!;
    const copy = temporaryDirectory();
    cpSync(directory, copy, { recursive: true });
    return () => {
      rmSync(directory, { recursive: true });
      cpSync(copy, directory, { recursive: true });
    };
  }

  /** Sets the clock of all stations back, in ms. */
  setClockBack(by: number): void {
    this.#wall -= by;
  }

  #open(number: number): Promise<Store> {
    this.#wall += 1000;
    const directory = this.#directories[number - 1]!;
    return openStore({ directory, stationNumber: number, now: () => this.#wall });
  }

  /** Every station takes in what every other one has, until nothing is new. All hold the same then. */
  async meet(): Promise<void> {
    const numbers = this.#directories.map((_directory, index) => index + 1);
    let dumps: Dump[] = [];
    for (let round = 0; round < 6; round++) {
      for (const to of numbers)
        for (const from of numbers) {
          if (from === to) continue;
          const dump = await this.at(from, async (store) => dumpOf(store));
          await this.at(to, async (store) => {
            for (const [collection, records] of dump)
              if (records.length > 0) expect(await receive(store, collection, records)).toEqual([]);
          });
        }
      dumps = [];
      for (const number of numbers) dumps.push(await this.at(number, async (store) => dumpOf(store)));
      if (dumps.every((dump) => JSON.stringify([...dump]) === JSON.stringify([...dumps[0]!]))) return;
    }
    for (const dump of dumps) expect([...dump]).toEqual([...dumps[0]!]);
  }
}

function dumpOf(store: Store): Dump {
  return new Map(
    (Object.keys(COLLECTIONS) as CollectionName[]).map((name) => {
      const rows = store.sql.prepare(`SELECT data, deleted FROM ${store.table(name)} ORDER BY key`).all();
      const records = rows.map((row) => canonical(JSON.parse(row['data'] as string)) as Stored);
      return [name, records];
    }),
  );
}

/** Keys in one order, so that equal records have equal texts. */
function canonical(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(canonical);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, one]) => [key, canonical(one)]),
  );
}
