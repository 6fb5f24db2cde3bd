import { fork } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as pause } from 'node:timers/promises';
import { beforeAll, expect, onTestFinished, test } from 'vitest';
import { backupDirectory, restoreDirectory, integrityErrors } from '../../../server/store/index.ts';
import { covers, isTombstone, stampOf } from '../../../shared/merge/merge.ts';
import { hasSeen } from '../../../shared/merge/seen.ts';
import { stationPartOf } from '../../../shared/merge/stamps.ts';
import type { MergeRecord, Stamps } from '../../../shared/records/index.ts';
import { Chance, SEED } from '../../support/chance.ts';
import { times } from '../../support/long.ts';
import { bundleWithStore } from '../harness/bundle.ts';
import { SHARED, WRITTEN } from '../harness/peer-store.ts';
import type { Order, Page, Position, Shared, State, Written } from '../harness/peer-store.ts';

/** Steps of a run; in each, one to five things happen at once. */
const STEPS = times(80, 5000);
/** Small, so that catching up takes several pages. */
const PAGE = 7;
const HOUR = 3_600_000;

let program: string;
beforeAll(async () => {
  const place = mkdtempSync(join(tmpdir(), 'waypost-peers-'));
  program = await bundleWithStore('./peer-store.ts', place);
  return () => rmSync(place, { recursive: true, force: true });
});

/** Its process was killed before it answered. */
class Killed extends Error {}

/** A station that comes and goes: a store, its directory, and a clock that may be wrong. */
class Station {
  readonly number: number;
  readonly directory: string;
  /** How far its clock is from the true time, in milliseconds. */
  skew = 0;
  #process: ChildProcess | undefined;
  #last = 0;
  readonly #waiting = new Map<number, { resolve(value: never): void; reject(error: Error): void }>();

  constructor(number: number, directory: string) {
    this.number = number;
    this.directory = directory;
  }

  get isUp(): boolean {
    return this.#process !== undefined;
  }

  async start(time: number): Promise<void> {
    const child = fork(program, { execArgv: [], stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
    this.#process = child;
    child.on('message', ({ id, value, error }: { id: number; value: never; error?: string }) => {
      const { resolve, reject } = this.#waiting.get(id)!;
      this.#waiting.delete(id);
      if (error === undefined) resolve(value);
      else reject(new Error(`Station ${this.number}: ${error}`));
    });
    child.on('exit', () => {
      for (const { reject } of this.#waiting.values()) reject(new Killed());
      this.#waiting.clear();
    });
    await this.ask({ kind: 'open', directory: this.directory, number: this.number, wall: time + this.skew });
  }

  ask<Answer>(order: Order): Promise<Answer> {
    if (!this.#process) return Promise.reject(new Killed());
    return new Promise<Answer>((resolve, reject) => {
      const id = ++this.#last;
      this.#waiting.set(id, { resolve, reject });
      this.#process!.send({ id, order }, (error) => error && this.#waiting.delete(id) && reject(new Killed()));
    });
  }

  async kill(): Promise<void> {
    const child = this.#process;
    this.#process = undefined;
    if (!child) return;
    child.kill('SIGKILL');
    await once(child, 'exit');
  }
}

/** What was acknowledged. */
interface Acknowledged extends NonNullable<Written> {
  readonly by: number;
  /** Station 1 or 2 holds it, too. */
  passedOn: boolean;
}

class Control {
  readonly stations: readonly Station[];
  readonly #chance: Chance;
  /** The true time. */
  time = 1_700_000_000_000;
  acknowledged: Acknowledged[] = [];
  /** Edits of fields that station 1 or 2 was shown: those of station 3 alone a restore may take back. */
  readonly shown = new Set<string>();
  /** Those too that a restore took back. */
  readonly ever: Acknowledged[] = [];
  kills = 0;
  restores = 0;
  lost = 0;
  #backup: { readonly file: string; readonly before: ReadonlySet<Acknowledged> } | undefined;
  readonly #place: string;

  constructor(place: string, chance: Chance) {
    this.#place = place;
    this.#chance = chance;
    this.stations = [1, 2, 3].map((number) => new Station(number, join(place, `station-${number}`)));
  }

  async step(): Promise<void> {
    const chance = this.#chance;
    // The clock stands still for many edits, so that it does not tell them apart.
    if (chance.maybe(0.1)) await this.setClocks(chance.int(3_000));
    for (const station of this.stations) if (!station.isUp && chance.maybe(0.5)) await this.start(station);
    const work = Array.from({ length: 1 + chance.int(5) }, () => this.#something());
    if (chance.maybe(0.08)) work.push(this.#kill(chance.of(this.stations), chance.int(15)));
    if (chance.maybe(0.03)) work.push(this.#skew(chance.of(this.stations)));
    await Promise.all(
      work.map((one) => one.catch((error: Error) => (error instanceof Killed ? undefined : Promise.reject(error)))),
    );
    if (chance.maybe(0.04)) await this.#takeBackup();
    if (this.#backup && chance.maybe(0.05)) await this.#restore();
  }

  async start(station: Station): Promise<void> {
    await station.start(this.time);
  }

  async setClocks(onBy: number): Promise<void> {
    this.time += onBy;
    for (const station of this.stations)
      if (station.isUp) await station.ask({ kind: 'clock', wall: this.time + station.skew });
  }

  /** Takes one page of what `from` has. Whether there was anything, and whether all of it was taken. */
  async pull(to: Station, from: Station, collection: Shared): Promise<'nothing' | 'taken' | 'refused'> {
    const position = await to.ask<Position>({ kind: 'position', of: from.number, in: collection });
    const page = await from.ask<Page>({ kind: 'give', from: collection, position, limit: PAGE });
    const taken = await to.ask<boolean>({ kind: 'take', of: from.number, into: collection, page });
    if (!taken) return 'refused';
    // Station 3 may be set back later: what is known to it alone is not safe.
    if (to.number !== 3) for (const { record } of page.records) this.#passedOn(collection, record);
    return page.records.length > 0 ? 'taken' : 'nothing';
  }

  #passedOn(collection: Shared, { key, hlc }: State['record']): void {
    for (const field of Object.keys(hlc.fields)) this.shown.add(`${collection} ${key} ${field} ${hlc.fields[field]!}`);
    for (const one of this.acknowledged)
      if (one.in === collection && one.state.record.key === key && covers(hlc, one.state.record.hlc))
        one.passedOn = true;
  }

  async #something(): Promise<void> {
    const chance = this.#chance;
    const station = chance.of(this.stations);
    const collection = chance.of(SHARED);
    const written = chance.of(WRITTEN);
    const kind = chance.next();
    if (kind < 0.4) {
      const from = chance.of(this.stations.filter((other) => other !== station));
      await this.pull(station, from, collection);
    } else if (kind < 0.46) await this.#write(station, { kind: 'insert', into: written, text: this.#word() });
    else if (kind < 0.95)
      await this.#write(station, {
        kind: 'edit',
        in: written,
        at: chance.next(),
        ...(chance.maybe(0.7) && { text: this.#word() }),
        // Each value once: two stations that write the same lose nothing.
        ...(chance.maybe() && { number: chance.int(1e9) }),
      });
    else await this.#write(station, { kind: 'remove', in: written, at: chance.next() });
  }

  #word(): string {
    return this.#chance.int(1e9).toString(36);
  }

  async #write(station: Station, order: Order): Promise<void> {
    const written = await station.ask<Written>(order);
    if (!written) return;
    const one = { ...written, by: station.number, passedOn: station.number !== 3 };
    this.acknowledged.push(one);
    this.ever.push(one);
  }

  async #kill(station: Station, after: number): Promise<void> {
    await pause(after);
    await station.kill();
    this.kills++;
  }

  /**
   * A clock that is seconds or hours wrong: other stations refuse records from the future until it is corrected.
   */
  async #skew(station: Station): Promise<void> {
    station.skew = this.#chance.of([0, 0, 90_000, -90_000, 3 * HOUR, -3 * HOUR]);
    await station.ask({ kind: 'clock', wall: this.time + station.skew });
  }

  async #takeBackup(): Promise<void> {
    if (!existsSync(join(this.stations[2]!.directory, 'station.db'))) return;
    const file = join(this.#place, `backup-${this.#chance.int(1e9)}.zip`);
    const before = new Set(this.acknowledged);
    await backupDirectory(this.stations[2]!.directory, file);
    this.#backup = { file, before };
  }

  /** Sets station 3 back. What it alone knew since the backup is lost; what others know comes back. */
  async #restore(): Promise<void> {
    const { file, before } = this.#backup!;
    const third = this.stations[2]!;
    await third.kill();
    await restoreDirectory(file, third.directory, { confirmed: true });
    const kept = this.acknowledged.filter((one) => one.passedOn || before.has(one));
    this.lost += this.acknowledged.length - kept.length;
    this.acknowledged = kept;
    this.restores++;
  }

  /** All clocks right, all links up: until nothing is new to anybody. */
  async settle(): Promise<void> {
    for (const station of this.stations) station.skew = 0;
    for (const station of this.stations) if (!station.isUp) await this.start(station);
    await this.setClocks(24 * HOUR);
    for (let isNew = true; isNew;) {
      isNew = false;
      for (const to of this.stations) {
        for (const from of this.stations) {
          if (to === from) continue;
          for (const collection of SHARED) {
            for (
              let came = await this.pull(to, from, collection);
              came !== 'nothing';
              came = await this.pull(to, from, collection)
            ) {
              expect(came).toBe('taken');
              isNew = true;
            }
          }
        }
      }
    }
  }
}

/** Fields that have no stamp of their own, and those that a new number changes. */
const RENUMBERED: ReadonlySet<string> = new Set(['hlc', 'key', 'id']);

/**
 * Acknowledged edits of fields that are neither there, nor replaced by somebody who saw them, nor lost values in
 * merges; and those that stand in merges twice.
 */
function lostWithoutTrace(
  { acknowledged, ever, shown }: Control,
  merges: readonly MergeRecord[],
  stateOf: (collection: Shared, record: State['record']) => State | undefined,
): string[] {
  const faults: string[] = [];
  const isEditOf = (one: Acknowledged, { in: collection, state }: Acknowledged) =>
    one.in === collection && one.state.record.key === state.record.key;
  for (const edit of acknowledged) {
    const { key, hlc, ...values } = edit.state.record;
    const now = stateOf(edit.in, edit.state.record)!.record;
    for (const field of Object.keys(edit.replaced)) {
      const stamp = stampOf(hlc, field);
      if (edit.by === 3 && !shown.has(`${edit.in} ${key} ${field} ${stamp}`)) continue;
      const lost = merges.filter(
        (merge) =>
          merge.recordCollection === edit.in &&
          (merge.recordKey === key || merge.recordKey === now.key) &&
          merge.field === field &&
          merge.lost.stamp === stamp,
      );
      const what = `${field} of ${key} in ${edit.in}, ${JSON.stringify(values[field])} of ${stamp}`;
      if (lost.length > 1) faults.push(`${what} is in merges twice`);
      for (const merge of lost) expect(merge.lost.value, what).toEqual(values[field]);
      if (lost.length > 0 || stampOf(now.hlc, field) === stamp || isEqualNow(now, values, field)) continue;
      const isReplaced = ever.some((one) => isEditOf(one, edit) && one.replaced[field] === stamp);
      // Its successor was written, and its station killed before it was acknowledged.
      const hadSuccessor = merges.some(
        ({ recordKey, field: name, lost: { stamp: other } }) =>
          (recordKey === key || recordKey === now.key) &&
          name === field &&
          other > stamp &&
          !ever.some((one) => isEditOf(one, edit) && stampOf(one.state.record.hlc, field) === other),
      );
      if (!isReplaced && !hadSuccessor && !wasSeen(now.hlc, field, stamp)) faults.push(`${what} is gone`);
    }
  }
  return faults;
}

function isEqualNow(now: State['record'], values: Readonly<Record<string, unknown>>, field: string): boolean {
  return JSON.stringify(now[field]) === JSON.stringify(values[field]);
}

function wasSeen(hlc: Stamps, field: string, stamp: string): boolean {
  return stationPartOf(stampOf(hlc, field)) === stationPartOf(stamp) || hasSeen(hlc.fields[`^${field}`] ?? '', stamp);
}

test(`three stores that take from each other at random, are killed and set back, with clocks that are wrong, hold the same in the end, and nothing acknowledged is lost (WAYPOST_SEED=${SEED})`, async () => {
  const place = mkdtempSync(join(tmpdir(), 'waypost-three-'));
  const control = new Control(place, new Chance());
  onTestFinished(async () => {
    await Promise.all(control.stations.map((station) => station.kill()));
    rmSync(place, { recursive: true, force: true });
  });
  for (const station of control.stations) await control.start(station);
  for (let step = 0; step < STEPS; step++) await control.step();
  await control.settle();

  const [first, second, third] = await Promise.all(
    control.stations.map((station) => station.ask<State[][]>({ kind: 'all' })),
  );
  expect(second).toEqual(first);
  expect(third).toEqual(first);

  // A store that was set back may give a number twice: the later record then has another (SPEC 102).
  const stateOf = (collection: Shared, { key, hlc }: State['record']) => {
    const states = first![SHARED.indexOf(collection)]!;
    return states.find(({ record }) => record.hlc.base === hlc.base) ?? states.find(({ record }) => record.key === key);
  };
  for (const { in: collection, state, by } of control.acknowledged) {
    const now = stateOf(collection, state.record);
    expect(now, `${state.record.key} of station ${by} is gone`).toBeDefined();
    expect(covers(now!.record.hlc, state.record.hlc), `an edit of ${state.record.key} at station ${by} is gone`).toBe(
      true,
    );
    for (const [field, value] of Object.entries(state.record)) {
      if (!RENUMBERED.has(field) && stampOf(now!.record.hlc, field) === stampOf(state.record.hlc, field))
        expect(now!.record[field], `${field} of ${state.record.key}`).toEqual(value);
    }
  }
  for (const { record, deleted } of first!.flat()) expect(deleted).toBe(isTombstone(record.hlc));
  const merges = first![SHARED.indexOf('merges')]!.map(({ record }) => record as unknown as MergeRecord);
  const unproven = lostWithoutTrace(control, merges, stateOf);
  expect(unproven).toEqual([]);

  for (const station of control.stations) {
    await station.kill();
    const sql = new DatabaseSync(join(station.directory, 'station.db'));
    expect(integrityErrors(sql)).toEqual([]);
    sql.close();
  }
  console.log(
    `${merges.length} edits lost to later ones; ${STEPS} steps, ${control.kills} kills, ${control.restores} restores; ${control.acknowledged.length} acknowledged writes kept, ${control.lost} lost with a restore before anybody else had them; ${first!.flat().length} records.`,
  );
  expect(control.acknowledged.length).toBeGreaterThan(STEPS / 4);
});
