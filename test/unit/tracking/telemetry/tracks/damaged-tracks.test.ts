import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import {
  tracksBegin,
  damagedTrackFiles,
  noteDamage,
  notedDamage,
  setDamagedTracksAside,
} from '../../../../../server/tracking/telemetry/tracks/damaged-tracks.ts';
import { Quarantine } from '../../../../../server/tracking/telemetry/quarantine/quarantine.ts';
import { Tracks } from '../../../../../server/tracking/telemetry/tracks/tracks.ts';
import { unknownState } from '../../../../../shared/fleet/last-state.ts';

const DYING = fileURLToPath(new URL('./dying-set-aside.ts', import.meta.url));
const ODOMETER = 1234.5;
const DAMAGED = Date.UTC(2026, 10, 23);

function temporary(): string {
  const directory = mkdtempSync(join(tmpdir(), 'waypost-set-aside-'));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  return directory;
}

/**
 * A directory as a crash leaves it: what is stored is still in the write-ahead log. The running station had
 * found damage.
 */
function crashed(): string {
  const [running, directory] = [temporary(), temporary()];
  const tracks = new Tracks(running);
  tracks.saveState({ ...unknownState(1), time: 5, odometer: ODOMETER }, undefined);
  new Quarantine(tracks.db).add({ time: 5, source: 'http', device: '7', reason: 'wrong', raw: Buffer.from('{}') }, 5);
  cpSync(running, directory, { recursive: true });
  tracks.db.close();
  noteDamage(directory, 'found while running');
  return directory;
}

test('a start that dies while it sets tracks aside loses no last state and no quarantine: the next one finishes', () => {
  let died = 0;
  for (let moves = 1; ; moves++) {
    const directory = crashed();
    const { signal, stderr } = spawnSync(process.execPath, [DYING, directory, String(DAMAGED), String(moves)], {
      encoding: 'utf8',
    });
    expect(stderr).toBe('');
    if (signal === 'SIGKILL') died++;
    setDamagedTracksAside(directory, DAMAGED + 60_000);
    expect({ moves, aside: damagedTrackFiles(directory).length, noted: notedDamage(directory) }).toEqual({
      moves,
      aside: 1,
      noted: undefined,
    });
    const tracks = new Tracks(directory);
    expect({ moves, states: tracks.states().map(({ odometer }) => odometer) }).toEqual({ moves, states: [ODOMETER] });
    expect(tracks.db.prepare('SELECT count(*) AS entries FROM quarantine').get()).toEqual({ entries: 1 });
    expect(tracksBegin(tracks.db)).toBeGreaterThanOrEqual(DAMAGED);
    tracks.db.close();
    expect(setDamagedTracksAside(directory, DAMAGED + 120_000)).toBeUndefined();
    expect(readdirSync(directory).filter((name) => !name.startsWith('tracks.damaged-'))).toEqual(['tracks.db']);
    if (signal === null) break;
  }
  expect(died).toBeGreaterThan(2);
});

test('a note of damage does not outlive the file that it is about', () => {
  const directory = crashed();
  for (const suffix of ['', '-wal', '-shm']) rmSync(join(directory, `tracks.db${suffix}`), { force: true });
  expect(setDamagedTracksAside(directory, DAMAGED)).toBeUndefined();
  new Tracks(directory).db.close();
  expect(setDamagedTracksAside(directory, DAMAGED + 60_000)).toBeUndefined();
});
