import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { createInterface } from 'node:readline';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as pause } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { integrityErrors } from '../../../server/store/integrity/integrity-check.ts';
import { numbers, SEED } from '../../support/chance.ts';
import { LONG, times } from '../../support/long.ts';
import { bundleWithStore } from '../harness/bundle.ts';
import type { Acknowledged } from '../harness/kill-writer.ts';

const KILLS = times(30, 1000);
/** The usual form ends after this time, in milliseconds, so that a loaded machine makes fewer kills. */
const TIME_LIMIT = LONG ? Infinity : 25_000;
/** Fewer kills prove nothing: each lane makes its half of them, however long they take. */
const MIN_KILLS = 20;
/** Directories killed in side by side; each is begun again after some kills, so that checking stays quick. */
const LANES = 2;
const KILLS_OF_A_DIRECTORY = 25;
/**
 * Most writers are killed while they write, up to so many milliseconds after they have opened the store; the
 * others at any moment of opening it.
 */
const LATEST = 150;
const KILLED_WHILE_OPENING = 0.15;

/** What one directory must hold. */
class Expected {
  readonly levels = new Map<number, number>();
  readonly removed = new Set<number>();
  readonly pairs = new Set<number>();
  plain = 0;
  head = 0;
  acknowledged = 0;

  take(said: Acknowledged): void {
    switch (said.kind) {
      case 'ready':
        return;
      case 'open':
        if (said.head < this.head) throw new Error(`The sequence went back from ${this.head} to ${said.head}.`);
        this.head = said.head;
        return;
      case 'inserted':
        for (const id of said.ids) {
          if (this.levels.has(id)) throw new Error(`The id ${id} was given twice.`);
          this.levels.set(id, 0);
        }
        break;
      case 'changed':
        this.levels.set(said.id, Math.max(said.level, this.levels.get(said.id) ?? 0));
        break;
      case 'removed':
        this.removed.add(said.id);
        break;
      case 'pair':
        if (this.pairs.has(said.number)) throw new Error(`The id ${said.number} was given twice.`);
        this.pairs.add(said.number);
        break;
      case 'plain':
        this.plain = Math.max(this.plain, said.number);
    }
    this.acknowledged++;
  }

  /** What is missing or wrong in the directory. */
  check(directory: string, readOnly: boolean): string[] {
    const path = join(directory, 'station.db');
    if (!existsSync(path) || (readOnly && statSync(path).size === 0))
      return this.acknowledged > 0 ? ['The database is gone.'] : [];
    // Who only reads leaves the log for the next writer to recover.
    const sql = new DatabaseSync(path, { readOnly });
    try {
      if (
        !sql.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'station'").get() ||
        !sql.prepare('SELECT 1 FROM station').get()
      )
        return this.acknowledged > 0 ? ['The station is gone.'] : [];
      const wrong = integrityErrors(sql);
      if (!sql.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'plain'").get())
        return this.acknowledged > 0 ? [...wrong, 'The plain table is gone.'] : wrong;

      const stored = new Map(
        sql
          .prepare(`SELECT data ->> '$.id' AS id, data ->> '$.level' AS level, deleted FROM "station.comments.0"`)
          .all()
          .map((row) => [row['id'] as number, row]),
      );
      for (const [id, level] of this.levels) {
        const row = stored.get(id);
        if (!row) wrong.push(`Comment ${id} was acknowledged and is gone.`);
        else if ((row['level'] as number) < level)
          wrong.push(`Comment ${id} was acknowledged at level ${level} and is at ${row['level']}.`);
      }
      for (const id of this.removed)
        if (stored.get(id)?.['deleted'] === 0) wrong.push(`Comment ${id} was removed and is back.`);

      const ids = (text: string) =>
        new Set(
          sql
            .prepare(text)
            .all()
            .map((row) => row['id'] as number),
        );
      const categories = ids(`SELECT data ->> '$.id' AS id FROM "station.directories.0"`);
      const twins = ids(`SELECT data ->> '$.taskId' AS id FROM "station.comments.0" WHERE data ->> '$.text' = 'pair'`);
      for (const number of this.pairs)
        if (!categories.has(number)) wrong.push(`Pair ${number} was acknowledged and is gone.`);
      for (const number of [...categories, ...twins])
        if (categories.has(number) !== twins.has(number)) wrong.push(`Of pair ${number} only one half is there.`);

      const { count, last } = sql
        .prepare('SELECT count(*) AS count, ifnull(max(number), 0) AS last FROM plain')
        .get() as { count: number; last: number };
      if (last < this.plain || count !== last)
        wrong.push(`The plain table holds ${count} rows up to ${last}; ${this.plain} was acknowledged.`);
      this.head = Math.max(this.head, (sql.prepare('SELECT seq FROM heads').get() as { seq: number }).seq);
      return wrong;
    } finally {
      sql.close();
    }
  }
}

interface Writer {
  readonly process: ChildProcess;
  readonly lines: string[];
  readonly errors: string[];
}

function startWriter(program: string): Writer {
  const child = spawn(process.execPath, [program], { stdio: ['pipe', 'pipe', 'pipe'] });
  const writer: Writer = { process: child, lines: [], errors: [] };
  createInterface({ input: child.stdout! }).on('line', (line) => writer.lines.push(line));
  child.stderr!.on('data', (data: Buffer) => writer.errors.push(String(data)));
  child.stdin!.on('error', () => undefined);
  return writer;
}

interface Lane {
  readonly kills: number;
  readonly acknowledged: number;
  readonly whileOpening: number;
}

/**
 * Kills up to `most` writers in turn. After `until` (`performance.now()`) it stops as soon as `least` were killed
 * and more writes than kills were acknowledged.
 */
async function killRepeatedly(
  program: string,
  place: string,
  { most, least, until }: { most: number; least: number; until: number },
  chance: () => number,
): Promise<Lane> {
  let acknowledged = 0;
  let whileOpening = 0;
  let kill = 0;
  let directory = '';
  let expected = new Expected();
  let spare = startWriter(program);
  // On a busy machine many writers would be killed before they acknowledge anything: such kills alone prove nothing.
  const tooFewWrites = () => acknowledged + expected.acknowledged <= kill;
  const tooFew = () => kill < least || tooFewWrites();
  for (; kill < most && (tooFew() || performance.now() < until); kill++) {
    if (kill % KILLS_OF_A_DIRECTORY === 0) {
      if (directory) rmSync(directory, { recursive: true });
      directory = mkdtempSync(join(place, 'data-'));
      acknowledged += expected.acknowledged;
      expected = new Expected();
    }
    const writer = spare;
    const closed = once(writer.process, 'close');
    const said = async (lines: number) => {
      while (writer.lines.length < lines && writer.process.exitCode === null)
        await Promise.race([once(writer.process.stdout!, 'data'), closed]);
    };
    await said(1);
    writer.process.stdin!.write(`${directory}\n`);
    spare = startWriter(program); // loads its code meanwhile
    // First it says that it is ready, then that it is open; each further line is a write.
    if (chance() >= KILLED_WHILE_OPENING) await said(tooFewWrites() ? 5 : 2);
    await Promise.race([pause(Math.floor(chance() * LATEST)), closed]);
    writer.process.kill('SIGKILL');
    const [code, signal] = (await closed) as [number | null, string | null];
    const errors = writer.errors.join('');
    expect(errors, errors).toBe('');
    expect([code, signal]).toEqual([null, 'SIGKILL']);

    // A line that the kill cut off was not said.
    for (const line of writer.lines) if (line.endsWith('}')) expected.take(JSON.parse(line) as Acknowledged);
    if (writer.lines.length === 1) whileOpening++;
    expect({ kill, wrong: expected.check(directory, chance() < 0.7) }).toEqual({ kill, wrong: [] });
  }
  spare.process.kill('SIGKILL');
  return { kills: kill, acknowledged: acknowledged + expected.acknowledged, whileOpening };
}

const TITLE = `after each of up to ${KILLS} kills at random moments everything acknowledged is there and the store is sound`;

test(`${TITLE} (WAYPOST_SEED=${SEED})`, { timeout: KILLS * 10_000 }, async () => {
  const chance = numbers(SEED);
  const started = performance.now();
  const place = mkdtempSync(join(tmpdir(), 'waypost-kill-'));
  onTestFinished(() => rmSync(place, { recursive: true, force: true }));
  const program = await bundleWithStore('./kill-writer.ts', place);
  const bounds = {
    most: Math.ceil(KILLS / LANES),
    least: Math.ceil(MIN_KILLS / LANES),
    until: started + TIME_LIMIT,
  };
  const lanes = await Promise.all(Array.from({ length: LANES }, () => killRepeatedly(program, place, bounds, chance)));
  const total = (count: (lane: Lane) => number) => lanes.reduce((sum, lane) => sum + count(lane), 0);
  const [kills, acknowledged] = [total((lane) => lane.kills), total((lane) => lane.acknowledged)];
  console.log(
    `${kills} of ${KILLS} kills in ${Math.round((performance.now() - started) / 1000)} s, ` +
      `${total((lane) => lane.whileOpening)} of them while opening; ${acknowledged} acknowledged writes, none lost.`,
  );
  expect(kills).toBeGreaterThanOrEqual(MIN_KILLS);
  expect(acknowledged).toBeGreaterThan(kills);
});
