import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, test, vi } from 'vitest';
import { PATIENCE } from '../../../support/patience.ts';
import {
  TERRITORY_FILES,
  importWithProgressBar,
  openTerritory,
  readExtract,
  territoryNameOf,
} from '../../../../server/geo/territory/index.ts';
import type { ImportState } from '../../../../server/geo/territory/index.ts';
import { explain } from '../../../../server/geo/territory/import/import-failure.ts';
import { barOf } from '../../../../server/geo/territory/import-with-progress-bar.ts';
import { DEMO_TOWN, scratchDirectory } from './extracts.ts';

const { tiles, places, roads, ways, limits, sums } = TERRITORY_FILES;

const scratch = scratchDirectory();
let roots = 0;
const newRoot = () => join(scratch, `root-${roots++}`);

const hamlet = join(scratch, 'little-hamlet-latest.osm');
writeFileSync(
  hamlet,
  `<osm>
  <node id="1" lat="1" lon="1"/><node id="2" lat="1" lon="1.001"/><node id="3" lat="1" lon="1.002"><tag k="place" v="hamlet"/><tag k="name" v="Little"/></node>
  <way id="1"><nd ref="1"/><nd ref="2"/><nd ref="3"/><tag k="highway" v="residential"/><tag k="name" v="High Street"/></way>
  <way id="2"><nd ref="1"/><nd ref="77"/><tag k="highway" v="service"/></way>
</osm>`,
);

/** Names of the directories under a root that hold, or held, a territory. */
function directories(root: string): string[] {
  return readdirSync(root).filter((name) => /^\d/.test(name));
}

test('an import makes all parts, tells the readers, and is there after a restart', async () => {
  const root = newRoot();
  const territory = await openTerritory(root);
  expect(territory.info).toBeUndefined();
  const told: (string | undefined)[] = [];
  territory.onSwitch((directory) => void told.push(directory));
  const states: ImportState[] = [];
  territory.onProgress((state) => states.push(state));

  const info = await territory.import({ files: [hamlet] });
  expect(info).toMatchObject({ name: 'Little hamlet', counts: { nodes: 3, ways: 2, relations: 0, places: 1 } });
  expect(info.log).toContain('Ways that name nodes which the file does not have: 1.');
  expect(told).toEqual([territory.directory]);
  expect(readdirSync(territory.directory!).sort()).toEqual(Object.values(TERRITORY_FILES).sort());
  expect(states[0]).toMatchObject({ state: 'running', stage: 'read', done: 0 });
  expect(states.at(-1)).toMatchObject({ state: 'done', done: 1, error: null });
  expect(states.map((state) => state.done)).toEqual(states.map((state) => state.done).sort((a, b) => a - b));
  await territory.close();

  const again = await openTerritory(root);
  expect(again.info).toEqual(info);
  await again.close();
});

test('a byte that changed on the disk is reported, in every file', async () => {
  const root = newRoot();
  const territory = await openTerritory(root);
  await territory.import({ files: [hamlet] });
  const { directory } = territory;
  await territory.close();
  const check = async (): Promise<readonly string[]> => {
    const told = vi.fn();
    const opened = await openTerritory(root, { onDamage: told });
    const damaged = await vi.waitUntil(() => opened.damaged, { timeout: 60_000, interval: 5 });
    expect(told.mock.calls).toEqual(damaged.length > 0 ? [[damaged]] : []);
    await opened.close();
    return damaged;
  };
  expect(await check()).toEqual([]);
  for (const name of [tiles, places, roads, ways, limits]) {
    const path = join(directory!, name);
    const whole = readFileSync(path);
    const bytes = Uint8Array.from(whole);
    bytes[bytes.length >> 1]! ^= 1;
    writeFileSync(path, bytes);
    expect(await check(), name).toEqual([name]);
    writeFileSync(path, whole);
  }
  rmSync(join(directory!, tiles));
  expect(await check()).toEqual([tiles]);
  writeFileSync(join(directory!, sums), '{');
  expect(await check()).toEqual([sums]);
});

test('the old territory serves until the readers have gone over, and is removed by the import after that', async () => {
  const root = newRoot();
  const territory = await openTerritory(root);
  await territory.import({ files: [hamlet], name: 'Old' });
  const old = territory.directory!;
  const { promise: told, resolve: tell } = Promise.withResolvers<string | undefined>();
  const { promise: over, resolve: finishSwitch } = Promise.withResolvers<void>();
  territory.onSwitch((directory) => {
    tell(directory);
    return over;
  });
  const importing = territory.import({ files: [hamlet], name: 'New' });
  expect(await told).not.toBe(old);
  // An import that does not wait for the reader would have removed it within these turns.
  for (let turn = 0; turn < 50; turn++) await nextTurn();
  expect(existsSync(old)).toBe(true);
  finishSwitch();
  await importing;
  expect(existsSync(old)).toBe(true);
  expect([territory.info!.name, territory.previous!.name]).toEqual(['New', 'Old']);
  await territory.import({ files: [hamlet], name: 'Newer' });
  expect(existsSync(old)).toBe(false);
  expect([territory.info!.name, territory.previous!.name]).toEqual(['Newer', 'New']);
  await territory.close();
});

test('a failed import says why and leaves the old territory as it was', async () => {
  const root = newRoot();
  const territory = await openTerritory(root);
  await territory.import({ files: [hamlet] });
  const before = territory.directory;
  const broken = join(scratch, 'broken.osm.pbf');
  writeFileSync(broken, readFileSync(DEMO_TOWN).subarray(0, 5000));
  await expect(territory.import({ files: [broken] })).rejects.toMatchObject({
    kind: 'invalid',
    message: expect.stringContaining('broken.osm.pbf: The file is cut short'),
  });
  expect(territory.lastImport).toMatchObject({ state: 'failed', error: expect.stringContaining('cut short') });
  await expect(territory.import({ files: [join(scratch, 'none.osm')] })).rejects.toMatchObject({
    kind: 'invalid',
    message: expect.stringContaining('does not exist'),
  });
  await expect(territory.import({ files: [scratch] })).rejects.toMatchObject({
    kind: 'invalid',
    message: expect.stringContaining('is not a file'),
  });
  await expect(territory.import({ files: [hamlet], roads: { profileFile: broken } })).rejects.toMatchObject({
    kind: 'invalid',
    message: expect.stringContaining('vehicle profile'),
  });
  expect(territory.directory).toBe(before);
  expect(directories(root)).toHaveLength(1);
  await territory.close();
});

test('two imports at once: the second is refused as busy, also from another opening of the same directory', async () => {
  const root = newRoot();
  const [one, other] = [await openTerritory(root), await openTerritory(root)];
  const running = one.import({ files: [DEMO_TOWN] });
  await expect(one.import({ files: [hamlet] })).rejects.toMatchObject({ kind: 'busy' });
  await expect(other.import({ files: [hamlet] })).rejects.toMatchObject({ kind: 'busy' });
  expect(one.lastImport).toMatchObject({ state: 'running', files: [DEMO_TOWN] });
  await running;
  await other.import({ files: [hamlet] });
  await one.close();
  await other.close();
});

const STAGES = ['read', 'places', 'roads', 'tiles', 'switch'];

test.each(['at once', ...STAGES])('an import cancelled %s, or in that stage, leaves nothing behind', async (when) => {
  const root = newRoot();
  const territory = await openTerritory(root);
  let cancelled = false;
  const stop = territory.onProgress(({ state, stage }) => {
    if (when !== 'at once' && !cancelled && state === 'running' && STAGES.indexOf(stage) >= STAGES.indexOf(when))
      cancelled = territory.cancelImport();
  });
  const outcome = territory.import({ files: [DEMO_TOWN] }).then(
    () => 'done',
    (error: Error) => error.name,
  );
  if (when === 'at once') cancelled = territory.cancelImport();
  // It may be too late for the last stage.
  expect(await outcome).toBe(cancelled ? 'AbortError' : 'done');
  if (when === 'at once' || when === 'read') expect(cancelled).toBe(true);
  expect(territory.lastImport!.state).toBe(cancelled ? 'cancelled' : 'done');
  if (cancelled) expect(directories(root)).toEqual([]);
  expect(territory.cancelImport()).toBe(false);
  stop();
  await territory.import({ files: [hamlet] });
  await territory.close();
});

test('closing cancels', async () => {
  const territory = await openTerritory(newRoot());
  const running = territory.import({ files: [DEMO_TOWN] });
  const outcome = running.catch((error: Error) => error.name);
  await territory.close();
  expect(await outcome).toBe('AbortError');
});

test('what killed imports left is cleared at the next start; what another process imports just now is not', async () => {
  const root = newRoot();
  const first = await openTerritory(root);
  await first.import({ files: [hamlet] });
  await first.close();
  const kept = directories(root);
  for (const name of ['1700000000000-0.part', '1700000000000-1']) mkdirSync(join(root, name));
  writeFileSync(join(root, '1700000000000-0.part', roads), 'half');
  const longAgo = new Date(Date.now() - 3_600_000);
  utimesSync(join(root, 'current'), longAgo, longAgo);

  const importing = await openTerritory(root);
  expect(directories(root)).toEqual(kept);
  const running = importing.import({ files: [DEMO_TOWN] });
  const parts = () => directories(root).filter((name) => name.endsWith('.part')).length;
  await expect.poll(parts, { interval: 1 }).toBe(1);
  const other = await openTerritory(root);
  expect(parts()).toBe(1);
  await running;
  expect(importing.info!.counts.nodes).toBeGreaterThan(1000);
  await importing.close();
  await other.close();
});

/**
 * Starts an import in a process of its own and kills it when a file is there that it makes. A quick one may
 * be through before that.
 */
async function importAndKill(root: string, when: string): Promise<void> {
  const child = fork(new URL('./import-process.ts', import.meta.url), [DEMO_TOWN, root], {
    stdio: 'ignore',
    execArgv: [],
  });
  const exited = once(child, 'exit');
  const reached = () =>
    directories(root).some(
      (name) => name.endsWith('.part') && (when === 'it begins' || existsSync(join(root, name, when))),
    );
  await expect.poll(() => reached() || child.exitCode !== null, { interval: 1, timeout: 60_000 }).toBe(true);
  child.kill('SIGKILL');
  await exited;
}

test('an import killed, and killed again, hinders no third one, and nothing of them stays', async () => {
  const root = newRoot();
  await importAndKill(root, roads);
  await importAndKill(root, ways);
  const territory = await openTerritory(root);
  await territory.import({ files: [hamlet], name: 'Third' });
  expect(territory.info!.name).toBe('Third');
  await territory.close();
  const again = await openTerritory(root);
  expect(directories(root).filter((name) => name.endsWith('.part'))).toEqual([]);
  expect(again.info!.name).toBe('Third');
  await again.close();
});

test.each(['it begins', ways, places, roads, tiles])(
  'an import killed when %s is there leaves the old territory',
  async (when) => {
    const root = newRoot();
    const territory = await openTerritory(root);
    const info = await territory.import({ files: [hamlet], name: 'Survivor' });
    await territory.close();
    await importAndKill(root, when);
    const after = await openTerritory(root);
    expect([info.counts.nodes, await demoNodes()]).toContain(after.info!.counts.nodes);
    expect(directories(root).filter((name) => name.endsWith('.part'))).toEqual([]);
    for (const one of Object.values(TERRITORY_FILES)) expect(existsSync(join(after.directory!, one)), one).toBe(true);
    await after.close();
  },
);

test('a running station switches to a territory that another process imports', async () => {
  const root = newRoot();
  const station = await openTerritory(root, { lookEvery: 20 });
  await station.import({ files: [hamlet] });
  const old = station.directory!;
  const gone = new Promise<string | undefined>((resolve) => station.onSwitch((directory) => resolve(directory)));
  const lines: string[] = [];
  const info = await importWithProgressBar([hamlet], {
    root,
    name: 'Other',
    output: { write: (text: string) => lines.push(text) },
  });
  expect(await gone).toContain(String(info.importedAt));
  expect(station.info!.name).toBe('Other');
  expect(existsSync(old), 'it stays to go back to').toBe(true);
  expect(lines[0]).toBe('Other: reading (0 %)\n');
  expect(lines.at(-1)).toBe('Other: done (100 %)\n');
  await station.close();
});

test('an extract without roads becomes a territory only if forced, and the message says that it has no roads', async () => {
  const root = newRoot();
  const file = join(scratch, 'no-roads.osm');
  writeFileSync(
    file,
    '<osm><node id="1" lat="1" lon="1"><tag k="place" v="village"/><tag k="name" v="Far"/></node></osm>',
  );
  const station = await openTerritory(root, { lookEvery: 0 });
  await expect(station.import({ files: [file] })).rejects.toMatchObject({ kind: 'invalid', message: /holds no roads/ });
  expect(directories(root)).toEqual([]);
  expect(await station.import({ files: [file], force: true })).toMatchObject({ counts: { roadArcs: 0 } });
  const info = await station.import({ files: [hamlet] });
  const refusal = { kind: 'invalid', message: `${file} holds no roads. The territory Little hamlet stays.` };
  const before = directories(root);
  await expect(station.import({ files: [file] })).rejects.toMatchObject(refusal);
  expect(station.lastImport).toMatchObject({ state: 'failed', error: refusal.message });
  await expect(importWithProgressBar([file], { root, output: { write() {} } })).rejects.toMatchObject(refusal);
  expect([directories(root), station.info]).toEqual([before, info]);
  await station.close();
});

test('the command leaves only what it made last and the one before, unless a station reads older ones', async () => {
  const root = newRoot();
  const runCommand = async (name: string) => importWithProgressBar([hamlet], { root, name, output: { write() {} } });
  for (const name of ['First', 'Second', 'Third']) {
    await runCommand(name);
    expect(directories(root), name).toHaveLength(name === 'First' ? 1 : 2);
  }
  // A station that does not look keeps what it reads, however often the command runs; so does one in another
  // process.
  const station = await openTerritory(root, { lookEvery: 0 });
  const read = station.directory!;
  await runCommand('Fourth');
  await runCommand('Fifth');
  expect(existsSync(join(read, roads))).toBe(true);
  await station.close();
  await runCommand('Sixth');
  expect(directories(root)).toHaveLength(2);
  // A station that has gone over clears everything else.
  const looking = await openTerritory(root, { lookEvery: 20 });
  await runCommand('Seventh');
  await runCommand('Eighth');
  await expect
    .poll(() => [looking.info!.name, directories(root).length], { timeout: Math.max(PATIENCE, 20_000) })
    .toEqual(['Eighth', 2]);
  await looking.close();
});

test('one goes back to the territory before, and forth again, also past a restart and from another process', async () => {
  const root = newRoot();
  const station = await openTerritory(root, { lookEvery: 20 });
  await station.import({ files: [hamlet], name: 'Old' });
  await expect(station.goBack()).rejects.toMatchObject({ kind: 'not-found' });
  await station.import({ files: [hamlet], name: 'New' });
  const read: (string | undefined)[] = [];
  station.onSwitch((directory) => void read.push(directory));
  expect(await station.goBack()).toMatchObject({ name: 'Old' });
  expect(read).toEqual([station.directory]);
  expect([station.info!.name, station.previous!.name, directories(root).length]).toEqual(['Old', 'New', 2]);
  const command = await openTerritory(root, { lookEvery: 0, onlyImports: true });
  expect(await command.goBack()).toMatchObject({ name: 'New' });
  await command.close();
  await expect.poll(() => station.info!.name, { timeout: Math.max(PATIENCE, 20_000) }).toBe('New');
  const running = station.import({ files: [DEMO_TOWN] });
  await expect(station.goBack()).rejects.toMatchObject({ kind: 'busy' });
  station.cancelImport();
  await expect(running).rejects.toThrow();
  await station.close();
  const again = await openTerritory(root, { lookEvery: 0 });
  expect([again.info!.name, again.previous!.name]).toEqual(['New', 'Old']);
  await again.close();
});

test('a station removes what a killed import has left, and nothing of one that runs', async () => {
  const root = newRoot();
  const station = await openTerritory(root, { lookEvery: 20 });
  const command = await openTerritory(root, { lookEvery: 0, onlyImports: true });
  await command.import({ files: [hamlet] });
  await expect.poll(() => station.info, { timeout: Math.max(PATIENCE, 20_000) }).toBeDefined();
  const left = join(root, '1700000000000-0.part');
  mkdirSync(left);
  await expect.poll(() => existsSync(left), { timeout: Math.max(PATIENCE, 20_000) }).toBe(false);
  // The station looks many times meanwhile.
  expect(await command.import({ files: [DEMO_TOWN], name: 'Town' })).toMatchObject({ name: 'Town' });
  await command.close();
  await station.close();
});

test('who opens a territory just while another process clears it waits for that', async () => {
  const root = newRoot();
  await (await openTerritory(root, { lookEvery: 0 })).close();
  const clearing = new Worker(
    `
    const { DatabaseSync } = require('node:sqlite');
    const lock = new DatabaseSync(require('node:worker_threads').workerData);
    lock.exec('BEGIN EXCLUSIVE');
    require('node:worker_threads').parentPort.postMessage('clearing');
    // A thread that waits is blocked, so that it cannot say when to end.
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 500);
    lock.close();
  `,
    { eval: true, workerData: join(root, 'readers.lock') },
  );
  await once(clearing, 'message');
  const territory = await openTerritory(root, { lookEvery: 0 });
  await territory.close();
  await clearing.terminate();
});

test('the command line can be interrupted', async () => {
  const root = newRoot();
  await expect(
    importWithProgressBar([DEMO_TOWN], { root, output: { write() {} }, signal: AbortSignal.abort() }),
  ).rejects.toMatchObject({ name: 'AbortError' });
  expect(directories(root)).toEqual([]);
});

test('the bar fits the terminal, however narrow', () => {
  const state: ImportState = {
    files: ['x'],
    name: 'Malta',
    state: 'running',
    stage: 'places',
    done: 0.5,
    error: null,
    refusal: null,
    startedAt: 0,
  };
  expect(barOf(state, 60)).toBe('Malta  ██████████████░░░░░░░░░░░░░░  50 %  making addresses');
  for (let columns = 0; columns < 120; columns++)
    expect(barOf(state, columns).length).toBeLessThanOrEqual(Math.max(0, columns - 1));
});

test('a territory is called after its file', () => {
  expect(territoryNameOf('/maps/malta-latest.osm.pbf')).toBe('Malta');
  expect(territoryNameOf('C_town.osm.bz2')).toBe('C town');
  expect(territoryNameOf('.osm.pbf')).toBe('Territory');
});

test('a refusal of the machine is one sentence', () => {
  const told = (code: string, name = 'Error') =>
    explain({ name, message: 'x', code, stack: undefined, file: undefined }, ['/maps/malta.osm.pbf'], '/data/territory')
      .message;
  expect(told('ENOSPC')).toBe(
    'The disk is full: the territory made of /maps/malta.osm.pbf does not fit into /data/territory. What was loaded before stays.',
  );
  expect(told('EACCES')).toContain('may not read');
  expect(told('ERR_WORKER_OUT_OF_MEMORY')).toContain('more memory');
  expect(
    explain({ name: 'TypeError', message: 'a bug', code: undefined, stack: 'where', file: undefined }, ['f'], 'r'),
  ).toMatchObject({
    message: 'The import of f failed: a bug',
    stack: 'where',
  });
});

let counted: number | undefined;
async function demoNodes(): Promise<number> {
  return (counted ??= (await readExtract(DEMO_TOWN)).nodes.count);
}
