import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { cpSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { offerHistorian } from '../../../../../server/tracking/telemetry/historian/index.ts';
import { copyPoints } from '../../../../../server/tracking/telemetry/moving/copy-points.ts';
import { pointsMoved, setApart } from '../../../../../server/tracking/telemetry/moving/moving-points.ts';
import { prepareTracks } from '../../../../../server/tracking/telemetry/prepare-tracks.ts';
import { TrackFile } from '../../../../../server/tracking/telemetry/tracks/track-file.ts';
import { Tracks } from '../../../../../server/tracking/telemetry/tracks/tracks.ts';
import { SEED } from '../../../../support/chance.ts';
import { times } from '../../../../support/long.ts';
import { HAS_POSTGRES, Postgres } from '../../../../support/postgres.ts';
import { pointAt, temporary } from '../months/fill.ts';

const CHILD = fileURLToPath(new URL('./dying-historian.ts', import.meta.url));
const BEFORE_IT = fileURLToPath(new URL('./dying-queries.ts', import.meta.url));
const NOW = Date.UTC(2026, 10, 20);
const VEHICLES = [1, 2, 3];
/** In July, August and November: the first two move. */
const BEGIN = [Date.UTC(2026, 6, 31, 23), Date.UTC(2026, 10, 1)];
/** Points of a vehicle around each of these times: half of the first ones are in July. */
const POINTS = 7_000;

describe.skipIf(!HAS_POSTGRES)('killed while months move (skipped where PostgreSQL is not installed)', () => {
  let server: Postgres;
  let databases = 0;
  let filled: string;
  beforeAll(async () => {
    server = await Postgres.start();
    filled = await fill();
  }, 60_000);
  afterAll(async () => {
    await server.close();
    rmSync(filled, { recursive: true, force: true });
  });

  async function fill(): Promise<string> {
    const directory = mkdtempSync(join(tmpdir(), 'waypost-dying-'));
    const tracks = new Tracks(directory);
    tracks.db.exec('BEGIN');
    for (const vehicle of VEHICLES)
      for (const begin of BEGIN)
        for (let second = 0; second < POINTS; second++)
          tracks.add(pointAt(vehicle, begin + second * 1000, { extra: `{"adc":[],"params":{"at":${second}}}` }));
    tracks.db.exec('COMMIT');
    setApart(tracks.db);
    pointsMoved(tracks.db, (await copyPoints(tracks.file))!);
    tracks.close();
    return directory;
  }

  /** Of every field of every point, wherever it is. */
  function digestOf(directory: string, url: string): string {
    prepareTracks({ directory, now: () => NOW });
    offerHistorian(`${directory}/tracks.db`, { url, owner: 'a' });
    const tracks = new TrackFile(`${directory}/tracks.db`);
    const hash = createHash('sha256');
    for (const vehicle of VEHICLES)
      for (const page of tracks.pages(vehicle, 0, Number.MAX_SAFE_INTEGER))
        for (const point of page) hash.update(JSON.stringify(Object.entries(point)));
    tracks.close();
    return hash.digest('hex');
  }

  /** Runs the station until all is moved; kills it or the server before a statement. */
  async function run(directory: string, url: string, at?: { pid: 'own' | number; query: number }) {
    const child = spawn(process.execPath, ['--import', BEFORE_IT, CHILD, directory, url, String(NOW), '1'], {
      env: {
        ...process.env,
        DYING_COUNT: `${directory}/statements`,
        ...(at && { DYING_PID: String(at.pid), DYING_QUERY: String(at.query) }),
      },
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    const said = text(child.stderr);
    const ended = once(child, 'exit') as Promise<[number | null, string | null]>;
    if (typeof at?.pid === 'number') {
      await Promise.race([server.ended(), ended]);
      await server.start();
    }
    const [code, signal] = await ended;
    return { code, signal, said: await said };
  }

  /** How many statements a run without a kill takes. */
  async function statements(): Promise<number> {
    const url = await server.create(`dying_${++databases}`);
    const directory = temporary();
    cpSync(filled, directory, { recursive: true });
    digestOf(directory, url);
    expect(await run(directory, url)).toMatchObject({ code: 0 });
    return statSync(`${directory}/statements`).size;
  }

  test(`the station: nothing is lost or doubled (WAYPOST_SEED=${SEED})`, async () => {
    const all = await statements();
    const kills = Math.min(times(4, 60), all);
    for (let kill = 0; kill < kills; kill++) {
      // One in each part of the run, but not the very last statements: their number depends on how often it looks.
      const query = 1 + Math.floor(((kill + (SEED % 100) / 100) * 0.9 * all) / kills);
      const url = await server.create(`dying_${++databases}`);
      const directory = temporary();
      cpSync(filled, directory, { recursive: true });
      const digest = digestOf(directory, url);
      const { signal, said } = await run(directory, url, { pid: 'own', query });
      expect(signal, `before statement ${query} of ${all}: ${said}`).toBe('SIGKILL');
      expect(digestOf(directory, url), `before statement ${query}: ${said}`).toBe(digest);
      expect(await run(directory, url)).toMatchObject({ code: 0 });
      expect(digestOf(directory, url)).toBe(digest);
      expect(await server.query('SELECT count(*)::int AS count FROM waypost.track_points', url)).toEqual([
        { count: VEHICLES.length * POINTS },
      ]);
    }
  }, 240_000);

  test(`the server: nothing is lost or doubled (WAYPOST_SEED=${SEED})`, async () => {
    const all = await statements();
    for (const part of [0.3, 0.8]) {
      const query = Math.floor(part * all) + (SEED % 5);
      const url = await server.create(`dying_${++databases}`);
      const directory = temporary();
      cpSync(filled, directory, { recursive: true });
      const digest = digestOf(directory, url);
      const killed = server.pid;
      expect(await run(directory, url, { pid: killed, query })).toMatchObject({ code: 0 });
      expect(server.pid, `before statement ${query} of ${all}`).not.toBe(killed);
      expect(digestOf(directory, url)).toBe(digest);
      expect(await server.query('SELECT count(*)::int AS count FROM waypost.track_points', url)).toEqual([
        { count: VEHICLES.length * POINTS },
      ]);
    }
  }, 240_000);
});
