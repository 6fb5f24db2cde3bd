import { rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { MAX_AHEAD } from '../../../shared/merge/stamps.ts';
import { backupDirectory, restoreDirectory } from '../../../server/store/index.ts';
import type { Chance } from '../../support/chance.ts';
import { Cable } from '../../support/cable.ts';
import { TestStation } from '../harness/test-station.ts';

export type Shape = 'star' | 'chain' | 'ring' | 'mesh';

export interface TortureOptions {
  readonly chance: Chance;
  readonly shape: Shape;
  readonly stations: number;
  readonly writers: number;
  readonly tasks: number;
  /** ms of writing and breaking. */
  readonly duration: number;
  say(line: string): void;
}

const FIELDS = ['title', 'text', 'address'] as const;
type Field = (typeof FIELDS)[number];

/** An edit of a field that a station answered with 200, or perhaps did before it was killed. */
interface Edit {
  readonly task: number;
  readonly field: Field;
  readonly value: string;
  readonly station: number;
  readonly isSure: boolean;
}

interface HistoryItem {
  readonly field: string;
  readonly from: unknown;
  readonly to: unknown;
  readonly note: string;
}

interface Merge {
  readonly collection: string;
  readonly recordId: string;
  readonly field: string;
  readonly kept: { readonly value: unknown };
  readonly lost: { readonly value: unknown };
}

interface Line {
  readonly from: TestStation;
  readonly to: TestStation;
  cable: Cable;
}

const LOADER = new URL('./skewed-clock.ts', import.meta.url).pathname;
/** ms from the last repair until all stations must be equal. */
const SETTLE = Number(process.env['TORTURE_SETTLE'] ?? 180_000);
/** ms for which a digest must have stood still before a green light elsewhere is held against it. */
const STILL = 2_000;
/** Samples that are kept of each station, besides the newest. */
const SAMPLES = 60;

/** A station's light and digest, as it told them between two moments of `performance.now()`. */
interface Sample {
  readonly asked: number;
  readonly answered: number;
  readonly isGreen: boolean;
  readonly digest: string;
}

/** Pairs by the numbers of stations, from 0. */
function pairsOf(shape: Shape, count: number): [number, number][] {
  const all = Array.from({ length: count }, (_, at) => at);
  switch (shape) {
    case 'star':
      return all.slice(1).map((at) => [0, at]);
    case 'chain':
      return all.slice(1).map((at) => [at - 1, at]);
    case 'ring':
      return all.map((at) => [at, (at + 1) % count]);
    case 'mesh':
      return all.flatMap((a) => all.slice(a + 1).map((b): [number, number] => [a, b]));
  }
}

/**
 * Stations as processes, joined by cables that break, with writers on the same tasks; they are killed, started
 * again, set back to a backup and wiped, and their clocks are wrong for a while. In the end everything is put
 * right, and then they must be equal and nothing that was acknowledged may be lost or be there twice.
 */
export class Torture {
  readonly #options: TortureOptions;
  readonly #chance: Chance;
  readonly #stations: TestStation[] = [];
  readonly #lines: Line[] = [];
  readonly #edits: Edit[] = [];
  readonly #comments: { readonly task: number; readonly text: string; readonly isSure: boolean }[] = [];
  /** Tasks that were made while everything broke, by their titles. */
  readonly #made: { readonly title: string; readonly isSure: boolean }[] = [];
  /**
   * Stations whose clocks are so far ahead that others take no edit of theirs before its time has come. Nobody
   * writes there, or the end would have to wait for that.
   */
  readonly #farAhead = new Set<TestStation>();
  /** Nobody writes while this is not 0. */
  #quiet = 0;
  /** Requests of writers that are under way. */
  #writing = 0;
  /** What is done now, in words: said when it does not end. */
  readonly #underWay = new Set<string>();
  readonly #tasks: number[] = [];
  #isOver = false;
  #count = 0;
  #nextNumber: number;
  readonly counts = {
    edits: 0,
    kills: 0,
    restarts: 0,
    cuts: 0,
    steps: 0,
    restores: 0,
    putBacks: 0,
    wipes: 0,
    greens: 0,
  };
  /** Lights that were green while the digests differed. */
  readonly lies: string[] = [];

  constructor(options: TortureOptions) {
    this.#options = options;
    this.#chance = options.chance;
    this.#nextNumber = options.stations + 1;
  }

  async run(): Promise<void> {
    const { shape, stations, writers, tasks, duration, say } = this.#options;
    for (let number = 1; number <= stations; number++) this.#stations.push(this.#newStation(number));
    await Promise.all(this.#stations.map((station) => station.start()));
    for (const [from, to] of pairsOf(shape, stations)) await this.#pair(this.#stations[from]!, this.#stations[to]!);
    say(`${stations} stations in a ${shape} with ${this.#lines.length} links.`);
    await this.#settle('after pairing');
    await Promise.all(
      this.#stations.map(async (station, at) => {
        for (; at < tasks; at += stations) this.#tasks.push(await createTask(station, `Task ${at}`));
      }),
    );
    await this.#settle('with tasks');

    const work = [
      ...Array.from({ length: writers }, (_, writer) => this.#write(writer)),
      this.#break(),
      this.#watchLights(),
    ];
    await pause(duration);
    this.#isOver = true;
    await this.#ended(Promise.all(work));
    say(`Over after ${JSON.stringify(this.counts)}. Everything is put right.`);
    for (const { cable } of this.#lines) {
      cable.delay = 0;
      cable.join();
    }
    for (const station of this.#stations) this.#setClock(station, 0);
    await Promise.all(this.#stations.map((station) => station.isUp || station.start()));
    await this.#settle('in the end');
    await this.#check();
  }

  /** A request that is never answered, or a station that neither starts nor ends, must not stop the run silently. */
  async #ended(work: Promise<unknown>): Promise<void> {
    const waited = new AbortController();
    const late = pause(SETTLE, undefined, { signal: waited.signal }).then(() => {
      throw new Error(`Still under way after ${SETTLE} ms: ${[...this.#underWay].join('; ')}.`);
    });
    late.catch(() => undefined);
    await Promise.race([work, late]).finally(() => waited.abort());
  }

  /** Notes what is done, for as long as it is. */
  async #during<T>(what: string, work: () => Promise<T>): Promise<T> {
    const note = `${what} (since ${new Date().toISOString()})`;
    this.#underWay.add(note);
    return work().finally(() => this.#underWay.delete(note));
  }

  async close(): Promise<void> {
    this.#isOver = true;
    await Promise.all(this.#stations.map((station) => station.end('SIGKILL')));
    for (const { cable } of this.#lines) cable.close();
    for (const { directory } of this.#stations) rmSync(directory, { recursive: true, force: true });
  }

  #newStation(number: number): TestStation {
    const skew = join(tmpdir(), `waypost-skew-${process.pid}-${number}`);
    return new TestStation(number, {
      TORTURE_SKEW: skew,
      NODE_OPTIONS: `--import ${LOADER}`,
      WAYPOST_LOG_LEVEL: 'WARN',
    });
  }

  #setClock(station: TestStation, milliseconds: number): void {
    // The station reads the file every tenth of a second.
    if (milliseconds <= MAX_AHEAD) setTimeout(() => this.#farAhead.delete(station), 1_000).unref();
    writeFileSync(join(tmpdir(), `waypost-skew-${process.pid}-${station.number}`), String(milliseconds));
  }

  async #pair(from: TestStation, to: TestStation): Promise<void> {
    const cable = await Cable.to(to.address);
    to.cables.push(cable);
    this.#lines.push({ from, to, cable });
    const { code } = await to.ask<{ code: string }>('POST', '/links/codes', {});
    await from.ask('POST', '/links', { address: cable.address, code, ownAddress: null });
  }

  async #write(writer: number): Promise<void> {
    const chance = this.#chance;
    while (!this.#isOver) {
      await pause(chance.int(60));
      const station = chance.of(this.#stations);
      if (!station.isUp || this.#quiet > 0 || this.#farAhead.has(station)) continue;
      this.#writing++;
      await this.#during(`writer ${writer} at station ${station.number}`, () =>
        this.#writeOnce(station, writer),
      ).finally(() => this.#writing--);
    }
  }

  async #writeOnce(station: TestStation, writer: number): Promise<void> {
    const chance = this.#chance;
    const task = chance.of(this.#tasks);
    const value = `${++this.#count} by writer ${writer} at ${station.number}`;
    if (chance.maybe(0.03)) return this.#make(station, `Task ${value}`);
    if (chance.maybe(0.1)) {
      const isSure = await acknowledged(station.ask('POST', `/news/${task}/comments`, { comment: value }));
      if (isSure !== 'refused') this.#comments.push({ task, text: value, isSure: isSure === 'yes' });
      return;
    }
    const fields = FIELDS.filter(() => chance.maybe(0.4));
    if (fields.length === 0) return;
    const body = Object.fromEntries(fields.map((field) => [field, `${field} ${value}`]));
    const isSure = await acknowledged(station.ask('POST', `/news/${task}/update`, body));
    if (isSure === 'refused') return;
    this.counts.edits += fields.length;
    for (const field of fields)
      this.#edits.push({ task, field, value: body[field]!, station: station.number, isSure: isSure === 'yes' });
  }

  async #make(station: TestStation, title: string): Promise<void> {
    const isSure = await acknowledged(createTask(station, title));
    if (isSure !== 'refused') this.#made.push({ title, isSure: isSure === 'yes' });
  }

  async #break(): Promise<void> {
    while (!this.#isOver) {
      await pause(300 + this.#chance.int(1500));
      const station = this.#chance.of(this.#stations);
      const kind = this.#chance.next();
      await this.#during(`break ${kind.toFixed(2)} at station ${station.number}`, () => this.#breakOnce(station, kind));
    }
  }

  async #breakOnce(station: TestStation, kind: number): Promise<void> {
    const chance = this.#chance;
    const { say } = this.#options;
    const line = chance.of(this.#lines);
    if (kind < 0.35) {
      line.cable.cut();
      this.counts.cuts++;
      void pause(chance.int(8_000)).then(() => line.cable.join());
    } else if (kind < 0.5) {
      line.cable.delay = chance.int(300);
    } else if (kind < 0.7) {
      await station.end(chance.maybe() ? 'SIGKILL' : 'SIGTERM');
      this.counts.kills++;
      await pause(chance.int(2_000));
      await station.start();
    } else if (kind < 0.75) {
      await this.#quietly(() => pause(2 * STILL));
    } else if (kind < 0.88) {
      const step = chance.of([0, 0, 90_000, -90_000, 240_000, -240_000, 3_600_000, -3_600_000]);
      if (step > MAX_AHEAD) await this.#quietly(async () => void this.#farAhead.add(station));
      this.#setClock(station, step);
      this.counts.steps++;
    } else if (kind < 0.92) {
      await this.#restore(station).catch((error: unknown) => say(`No restore: ${(error as Error).message}`));
    } else if (kind < 0.96) {
      await this.#putBack(station).catch((error: unknown) => say(`Not put back: ${(error as Error).message}`));
    } else {
      await this.#quietly(() => this.#wipe(station)).catch((error: unknown) =>
        say(`No wipe: ${(error as Error).message}`),
      );
    }
  }

  async #quietly(work: () => Promise<unknown>): Promise<void> {
    this.#quiet++;
    while (this.#writing > 0) await pause(20);
    await work().finally(() => this.#quiet--);
  }

  /** Sets a station back to a backup, when others have what it would lose. */
  async #restore(station: TestStation): Promise<void> {
    const file = join(tmpdir(), `waypost-backup-${process.pid}-${station.number}-${this.#count}.zip`);
    await backupDirectory(station.directory, file);
    await pause(this.#chance.int(4_000));
    await this.#quietly(async () => {
      await this.#isKnownElsewhere(station);
      await station.end('SIGKILL');
      await restoreDirectory(file, station.directory, { confirmed: true });
      this.counts.restores++;
    }).finally(async () => {
      rmSync(file, { force: true });
      if (!station.isUp) await station.start();
    });
  }

  /**
   * An older copy of a data directory is put back, without a restore. Before it has met anybody, the station
   * gives out ids that it gave out before.
   */
  async #putBack(station: TestStation): Promise<void> {
    await station.end();
    const copy = station.save();
    await station.start();
    try {
      await pause(this.#chance.int(6_000));
      await this.#quietly(async () => {
        await this.#isKnownElsewhere(station);
        await station.end('SIGKILL');
        copy.putBack();
        const cables = this.#lines.filter(({ from, to }) => from === station || to === station);
        for (const { cable } of cables) cable.cut();
        await station.start();
        for (let count = this.#chance.int(4); count > 0; count--)
          await this.#make(station, `Task ${++this.#count} made twice at ${station.number}`);
        for (const { cable } of cables) cable.join();
        await within(30_000, async () => {
          if (!(await station.links()).some(({ state }) => state === 'synced' || state === 'behind'))
            throw new Error(`Station ${station.number} meets nobody.`);
        });
        this.counts.putBacks++;
      });
    } finally {
      copy.drop();
      if (!station.isUp) await station.start();
    }
  }

  /** A station loses its disk and comes back as a new one, paired again. */
  async #wipe(station: TestStation): Promise<void> {
    await this.#isKnownElsewhere(station);
    const lines = this.#lines.filter(({ from, to }) => from === station || to === station);
    await station.end('SIGKILL');
    const fresh = this.#newStation(this.#nextNumber++);
    await fresh.start();
    this.#stations.splice(this.#stations.indexOf(station), 1, fresh);
    for (const line of lines) {
      line.cable.close();
      this.#lines.splice(this.#lines.indexOf(line), 1);
      const other = line.from === station ? line.to : line.from;
      const link = (await other.links()).find(({ station: { number } }) => number === station.number);
      if (link) await other.ask('DELETE', `/links/${link.id}`);
      await this.#pair(fresh, other);
    }
    rmSync(station.directory, { recursive: true, force: true });
    this.counts.wipes++;
  }

  /** Waits until a neighbour has everything that the station has; nobody writes to it meanwhile. */
  async #isKnownElsewhere(station: TestStation): Promise<void> {
    const lines = this.#lines.filter(({ from, to }) => from === station || to === station);
    for (const { cable, from, to } of lines) {
      cable.delay = 0;
      cable.join();
      for (const end of [from, to]) {
        this.#setClock(end, 0);
        if (!end.isUp) await end.start();
      }
    }
    await within(30_000, async () => {
      for (const { waitingOut, state, digest } of await station.links())
        if (state === 'synced' && waitingOut === 0 && digest?.mine === digest?.theirs) return;
      throw new Error(`Station ${station.number} is not synced with anybody.`);
    });
  }

  /** A green light must not stand while a neighbour has held something else for a while. */
  async #watchLights(): Promise<void> {
    const samples = new Map<TestStation, Sample[]>();
    while (!this.#isOver) {
      await pause(200);
      await Promise.all(
        this.#stations.map(async (station) => {
          const asked = performance.now();
          const told = station.isUp
            ? await station.ask<{ state: string; digest: string }>('GET', '/sync/state').catch(() => undefined)
            : undefined;
          if (!told) return void samples.delete(station);
          const sample = { asked, answered: performance.now(), isGreen: told.state === 'synced', digest: told.digest };
          samples.set(station, [...(samples.get(station) ?? []).slice(-SAMPLES), sample]);
        }),
      );
      for (const { from, to } of this.#lines) {
        this.#compareLights(from, samples.get(from) ?? [], to, samples.get(to) ?? []);
        this.#compareLights(to, samples.get(to) ?? [], from, samples.get(from) ?? []);
      }
    }
  }

  /** Looks at the last but one sample of the watched station: the other one has been asked before and after it. */
  #compareLights(watched: TestStation, lights: readonly Sample[], other: TestStation, others: readonly Sample[]): void {
    const light = lights.at(-2);
    const last = others.at(-1);
    if (!light?.isGreen || !last || last.asked < light.answered) return;
    const firstOther = others.findLastIndex(({ digest }) => digest !== last.digest) + 1;
    if (others[firstOther]!.answered > light.asked - STILL) return;
    this.counts.greens++;
    if (light.digest !== last.digest)
      this.lies.push(
        `Station ${watched.number} was green with ${light.digest}; ${other.number} had ${last.digest} for ${Math.round(light.asked - others[firstOther]!.answered)} ms.`,
      );
  }

  async #settle(when: string): Promise<void> {
    const began = performance.now();
    await within(SETTLE, async () => {
      const all = await Promise.all(this.#stations.map(async (station) => ({ station, links: await station.links() })));
      const digests = new Set<string>();
      for (const { station, links } of all) {
        for (const { state, digest, lastError } of links) {
          if (state !== 'synced' || !digest)
            throw new Error(`Station ${station.number}: ${state}, ${JSON.stringify({ digest, lastError })}`);
          digests.add(digest.mine).add(digest.theirs);
        }
      }
      if (digests.size !== 1) throw new Error(`Digests differ: ${[...digests].join(' ')}`);
    }).catch(async (error: unknown) => {
      for (const station of this.#stations)
        this.#options.say(`${station.number}: ${JSON.stringify(await station.links())}`);
      for (const { from, to, cable } of this.#lines)
        this.#options.say(
          `${from.number} → ${to.number} by ${cable.address} to ${cable.target.href}, up ${from.isUp} ${to.isUp}, at ${to.address}`,
        );
      throw error;
    });
    this.#options.say(`Equal ${when}, after ${Math.round(performance.now() - began)} ms.`);
  }

  /** Every acknowledged edit is there, was overwritten by somebody who saw it, or stands in the merges. */
  async #check(): Promise<void> {
    const faults: string[] = [];
    const merges = new Map<string, Set<unknown>>();
    for (let after = 0; ;) {
      const page = await this.#stations[0]!.ask<(Merge & { id: number })[]>('GET', `/merges?limit=500&after=${after}`);
      for (const { recordId, field, lost, kept } of page) {
        const key = `${recordId} ${field}`;
        merges.set(key, (merges.get(key) ?? new Set()).add(lost.value).add(kept.value));
      }
      if (page.length === 0) break;
      after = page.at(-1)!.id;
    }
    const left = [...this.#tasks];
    const compareOn = async (): Promise<void> => {
      for (let task = left.pop(); task !== undefined; task = left.pop())
        faults.push(...(await this.#wrongEdits(task, merges)));
    };
    await Promise.all(Array.from({ length: 8 }, compareOn));
    for (const station of this.#stations) faults.push(...(await this.#wrongTitles(station)));
    if (this.lies.length > 0) faults.push(...this.lies);
    if (faults.length > 0) throw new Error(`${faults.length} faults:\n${faults.slice(0, 20).join('\n')}`);
    this.#options.say(
      `${this.#edits.length} edits and ${this.#comments.length} comments checked, ${merges.size} fields with merges.`,
    );
  }

  /** Edits and comments of a task that are gone, or there twice, and stations that show another task. */
  async #wrongEdits(task: number, merges: ReadonlyMap<string, ReadonlySet<unknown>>): Promise<string[]> {
    const faults: string[] = [];
    const views = await Promise.all(
      this.#stations.map(async (station) => ({
        data: timeless((await station.ask<{ news_data: Record<string, unknown> }>('GET', `/news/${task}`)).news_data),
        history: (await station.ask<{ history: HistoryItem[] }>('GET', `/news/${task}/history`)).history,
        comments: JSON.stringify(
          (await station.ask<{ comments: unknown[] }>('GET', `/news/${task}/comments`)).comments,
        ),
      })),
    );
    const { data, history, comments } = views[0]!;
    for (const [at, view] of views.entries())
      if (JSON.stringify(view) !== JSON.stringify(views[0]))
        faults.push(`Task ${task} differs at station ${this.#stations[at]!.number}: ${differenceOf(views[0], view)}`);
    for (const { field, value, isSure, station } of this.#edits.filter((edit) => edit.task === task)) {
      const own = history.filter((item) => item.to === value && item.note === '');
      if (own.length > 1) faults.push(`“${value}” stands ${own.length} times in the history of task ${task}.`);
      if (!isSure) continue;
      const isThere = data[field] === value;
      const wasSeen = history.some((item) => item.field === field && item.from === value);
      const isInMerges = merges.get(`${task} ${field}`)?.has(value) ?? false;
      if (!isThere && !wasSeen && !isInMerges)
        faults.push(`“${value}” of station ${station} is gone from task ${task}.`);
    }
    for (const { text, isSure } of this.#comments.filter((comment) => comment.task === task)) {
      const count = comments.split(JSON.stringify(text)).length - 1;
      if (count > 1 || (isSure && count === 0)) faults.push(`The comment “${text}” stands ${count} times.`);
    }
    return faults;
  }

  /** Every task that was made is there, once. */
  async #wrongTitles(station: TestStation): Promise<string[]> {
    const count = new Map<string, number>();
    for (let after = 0; ;) {
      const { news_list: page } = await station.ask<{ news_list: { id: number; title: string }[] }>(
        'GET',
        `/news/listAfterId/${after}/500`,
      );
      for (const { title } of page) count.set(title, (count.get(title) ?? 0) + 1);
      if (page.length < 500) break;
      after = page.at(-1)!.id;
    }
    return this.#made
      .filter(({ title, isSure }) => (count.get(title) ?? 0) > 1 || (isSure && !count.has(title)))
      .map(({ title }) => `“${title}” stands ${count.get(title) ?? 0} times at station ${station.number}.`);
  }
}

/** A task without what the passing of time changes between two requests. */
function timeless({ overdue: _overdue, ...task }: Record<string, unknown>): Record<string, unknown> {
  return task;
}

/** The first difference of two answers, with its path. */
function differenceOf(one: unknown, other: unknown, path = ''): string {
  if (typeof one === 'object' && typeof other === 'object' && one !== null && other !== null)
    for (const key of new Set([...Object.keys(one), ...Object.keys(other)])) {
      const [a, b] = [(one as Record<string, unknown>)[key], (other as Record<string, unknown>)[key]];
      if (JSON.stringify(a) !== JSON.stringify(b)) return differenceOf(a, b, `${path}/${key}`);
    }
  return `${path} is ${JSON.stringify(one)} and ${JSON.stringify(other)}.`;
}

async function createTask(station: TestStation, title: string): Promise<number> {
  const { newstype } = await station.ask<{ newstype: { news_type_id: string }[] }>('GET', '/newstype');
  const values = { title, news_type_id: Number(newstype[0]!.news_type_id) };
  return (await station.ask<{ newsId: number }>('POST', '/news/', { values })).newsId;
}

/** `perhaps`: the station was killed before it answered. */
async function acknowledged(request: Promise<unknown>): Promise<'yes' | 'perhaps' | 'refused'> {
  return request.then(
    () => 'yes' as const,
    (error: Error) => (/: [45]\d\d /.test(error.message) || /is down/.test(error.message) ? 'refused' : 'perhaps'),
  );
}

async function within(limit: number, holds: () => Promise<void>): Promise<void> {
  for (const end = performance.now() + limit; ;) {
    try {
      return await holds();
    } catch (error) {
      if (performance.now() > end) throw error;
      await pause(250);
    }
  }
}
