import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { inflateSync } from 'node:zlib';
import { PbfReader } from 'pbf';
import { startMap } from '../../../server/geo/map/index.ts';
import { openTerritory, readExtract } from '../../../server/geo/territory/index.ts';
import { makersOf } from '../../../server/geo/territory/import/makers.ts';
import type { BenchReport } from '../run.ts';

const ROUNDS = 3;
const data = new URL('../../../../shared/data/', import.meta.url);

/**
 * An import beside reading the same file with the parser alone, and beside the plain decoding that any reader
 * has to do.
 */
export default async function territory(report: BenchReport): Promise<void> {
  const names = ['malta', 'patchwork'].filter((name) => existsSync(new URL(`${name}.osm.pbf`, data)));
  const files =
    names.length > 0
      ? names.map((name) => new URL(`${name}.osm.pbf`, data).pathname)
      : [new URL('../../../resources/demo/town.osm.pbf', import.meta.url).pathname];
  for (const file of files) await ofFile(report, file);
}

async function ofFile(report: BenchReport, file: string): Promise<void> {
  const name = file.replace(/^.*\/|\.osm\.pbf$/g, '');
  const scratch = mkdtempSync(join(tmpdir(), 'waypost-bench-'));
  const station = await openTerritory(join(scratch, 'territory'), { lookEvery: 0 });
  const parsing: Spent[] = [];
  const plain: Spent[] = [];
  const importing: Spent[] = [];
  // In turn, so that a busy minute of the machine meets all of them.
  for (let round = 0; round < ROUNDS; round++) {
    parsing.push(await spent(() => readExtract(file)));
    plain.push(await spent(async () => decodePlainly(file)));
    importing.push(await spent(() => station.import({ files: [file] })));
  }
  for (const kind of ['seconds', 'work'] as const) {
    const of = (measured: readonly Spent[]) => median(measured.map((each) => each[kind]));
    const unit = kind === 'seconds' ? 's' : 's of all cores';
    report.ratio(`${name}: import beside our parser alone`, of(importing), of(parsing), unit);
    report.ratio(`${name}: import beside decoding every message into objects`, of(importing), of(plain), unit);
  }
  const extract = await readExtract(file);
  const parser = median(parsing.map((each) => each.work));
  for (const { stage, make } of makersOf({}))
    report.ratio(
      `${name}: ${stage} alone beside our parser`,
      (await spent(() => make(extract, scratch, () => {}))).work,
      parser,
      's of all cores',
    );

  await tiles(report, name, station.directory!, station.info!.bounds);
  await station.close();
  const reading = processOf(file);
  const alone = processOf(file, join(scratch, 'alone'));
  report.ratio(`${name}: a process that imports beside one that only reads`, alone.seconds, reading.seconds, 's');
  report.ratio(
    `${name}: a process that imports beside one that only reads`,
    alone.work,
    reading.work,
    's of all cores',
  );
  report.line(
    `${name}: the process that imports takes ${alone.memory} MB at most, the one that reads ${reading.memory} MB`,
  );
  rmSync(scratch, { recursive: true, force: true });
}

async function tiles(
  report: BenchReport,
  name: string,
  directory: string,
  [west, south, east, north]: readonly number[],
): Promise<void> {
  const map = startMap();
  await map.open(directory);
  const times: number[] = [];
  for (const z of [8, 11, 13, 14, 15]) {
    for (let i = 0; i < 60; i++) {
      const [x, y] = tileOf(
        z,
        west! + ((east! - west!) * ((i * 37) % 61)) / 61,
        south! + ((north! - south!) * ((i * 23) % 59)) / 59,
      );
      const started = performance.now();
      await map.tile(z, x, y);
      times.push(performance.now() - started);
    }
  }
  times.sort((a, b) => a - b);
  report.line(
    `${name}: a tile that was not asked for before takes ${median(times).toFixed(1)} ms, the slowest of ${times.length} ${times.at(-1)!.toFixed(1)} ms`,
  );
  await map.close();
}

function tileOf(z: number, lon: number, lat: number): [x: number, y: number] {
  const sin = Math.sin((lat * Math.PI) / 180);
  return [
    Math.floor((lon / 360 + 0.5) * 2 ** z),
    Math.floor((0.5 - (0.25 * Math.log((1 + sin) / (1 - sin))) / Math.PI) * 2 ** z),
  ];
}

/** What a straightforward reader does: unpack, decode each message into an object, forget it. */
function decodePlainly(file: string): void {
  const bytes = readFileSync(file);
  for (let at = 0; at < bytes.length;) {
    const length = bytes.readUInt32BE(at);
    const head = new PbfReader(bytes.subarray(at + 4, at + 4 + length)).readFields(
      (tag, into, pbf) => {
        if (tag === 3) into.size = pbf.readVarint();
      },
      { size: 0 },
    );
    const start = at + 4 + length;
    const packed = new PbfReader(bytes.subarray(start, start + head.size)).readFields(
      (tag, into, pbf) => {
        if (tag === 3) into.data = pbf.readBytes();
      },
      { data: new Uint8Array() as Uint8Array },
    );
    at = start + head.size;
    const block = new PbfReader(inflateSync(packed.data));
    const strings: string[] = [];
    block.readFields((tag, _, pbf) => {
      if (tag === 1)
        pbf.readMessage((field, __, table) => {
          if (field === 1) strings.push(table.readString());
        }, undefined);
      else if (tag === 2) pbf.readMessage((field, __, group) => void decodeThing(field, group, strings), undefined);
    }, undefined);
  }
}

function decodeThing(kind: number, group: PbfReader, strings: string[]): unknown {
  if (kind < 1 || kind > 4) return undefined;
  const thing = {
    id: 0,
    ids: [] as number[],
    lats: [] as number[],
    lons: [] as number[],
    keys: [] as number[],
    values: [] as number[],
    refs: [] as number[],
  };
  group.readMessage((field, into, pbf) => {
    if (kind === 2) {
      if (field === 1) pbf.readPackedSVarint(into.ids);
      else if (field === 8) pbf.readPackedSVarint(into.lats);
      else if (field === 9) pbf.readPackedSVarint(into.lons);
      else if (field === 10) pbf.readPackedVarint(into.keys);
    } else if (field === 1) into.id = pbf.readVarint(true);
    else if (field === 2) pbf.readPackedVarint(into.keys);
    else if (field === 3) pbf.readPackedVarint(into.values);
    else if (field === 8 && kind === 3) pbf.readPackedSVarint(into.refs);
    else if (field === 9 && kind === 4) pbf.readPackedSVarint(into.refs);
  }, thing);
  if (kind !== 2)
    return {
      id: thing.id,
      refs: thing.refs,
      tags: Object.fromEntries(thing.keys.map((key, i) => [strings[key], strings[thing.values[i]!]])),
    };
  let [id, lat, lon, t] = [0, 0, 0, 0];
  return thing.ids.map((difference, i) => {
    const tags: Record<string, string> = {};
    for (; thing.keys[t]; t += 2) tags[strings[thing.keys[t]!]!] = strings[thing.keys[t + 1]!]!;
    t++;
    return { id: (id += difference), lat: (lat += thing.lats[i]!) / 1e7, lon: (lon += thing.lons[i]!) / 1e7, tags };
  });
}

/**
 * A process of its own that reads the file or, with a root, imports it: as with `waypost import`, loading the
 * program is part of it.
 */
function processOf(file: string, ...root: string[]): { memory: number; work: number; seconds: number } {
  const script = new URL('../../unit/geo/territory/import-process.ts', import.meta.url).pathname;
  const started = performance.now();
  const told = JSON.parse(execFileSync(process.execPath, [script, file, ...root], { encoding: 'utf8' })) as {
    memory: number;
    work: number;
  };
  return { ...told, seconds: (performance.now() - started) / 1000 };
}

interface Spent {
  /** By the clock. */
  readonly seconds: number;
  /** Of all threads, which other programs on the machine hardly change. */
  readonly work: number;
}

async function spent(doing: () => Promise<unknown>): Promise<Spent> {
  const started = performance.now();
  const before = process.cpuUsage();
  await doing();
  const { user, system } = process.cpuUsage(before);
  return { seconds: (performance.now() - started) / 1000, work: (user + system) / 1e6 };
}

function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)]!;
}
