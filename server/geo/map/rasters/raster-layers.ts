import { randomInt } from 'node:crypto';
import { chmod, copyFile, constants, mkdir, open, readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { Refusal } from '../../../../shared/refusal.ts';
import { isDiskFull } from '../../../platform/disk/disk-full.ts';
import { syncDirectory } from '../../../platform/disk/sync-directory.ts';
import { Mutex } from '../../../platform/mutex.ts';
import { WorkerClient } from '../../../platform/threads/worker-client.ts';
import { siblingUrl } from '../../../platform/threads/worker-url.ts';
import { TileCache } from '../tile-cache.ts';
import type { ArchiveInfo } from './raster-archive.ts';

/** A file of pictures on the map: aerial pictures, or plans. */
export interface RasterLayer extends ArchiveInfo {
  readonly id: number;
  /** Bytes on disk. */
  readonly size: number;
}

export interface RasterTile {
  readonly type: 'image/png' | 'image/jpeg' | 'image/webp';
  readonly bytes: Uint8Array;
}

export interface RasterOrder {
  readonly path: string;
  /** The name of the file where it came from. */
  readonly file: string;
  /** Undefined: as the file says. */
  readonly name?: string | undefined;
  readonly attribution?: string | undefined;
}

export interface RasterChange {
  readonly name?: string | undefined;
  readonly attribution?: string | undefined;
}

export type RasterQuestion =
  | { readonly kind: 'check' | 'close'; readonly path: string }
  | { readonly kind: 'tile'; readonly path: string; readonly z: number; readonly x: number; readonly y: number };
export type RasterAnswer = ArchiveInfo | RasterTile | undefined;

export const MOST_LAYERS = 50;
const CACHE_BYTES = 16 * 1024 * 1024;
const QUEUE = 1000;
/** ms in which the thread must answer; a file that takes longer is refused, or its tile. */
const HANG = 60_000;

/**
 * Aerial pictures and plans as MBTiles or PMTiles files. Each is copied into `directory` as `<id>.tiles`; its
 * `<id>.json` is written last, so that a copy without it is one that did not end. A thread reads the files by
 * ranges. They belong to this station, like its territory, and do not replicate.
 */
export class RasterLayers {
  readonly #directory: string;
  readonly #thread: WorkerClient<RasterQuestion>;
  readonly #cache = new TileCache(CACHE_BYTES);
  readonly #types = new WeakMap<Uint8Array, RasterTile['type']>();
  readonly #writing = new Mutex();
  readonly #layers = new Map<number, RasterLayer>();

  private constructor(directory: string, warn: (message: string) => void) {
    this.#directory = directory;
    this.#thread = new WorkerClient({
      script: siblingUrl(import.meta.url, './rasters.worker'),
      name: 'The map layers',
      maxWaiting: QUEUE,
      hangTimeout: HANG,
      warn,
    });
  }

  static async open(directory: string, warn: (message: string) => void): Promise<RasterLayers> {
    await mkdir(directory, { recursive: true });
    const layers = new RasterLayers(directory, warn);
    await layers.#load(warn);
    return layers;
  }

  /** By name. */
  all(): readonly RasterLayer[] {
    return [...this.#layers.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
  }

  /** Undefined where the file has no picture. Throws for a layer that is not there. */
  async tile(id: number, z: number, x: number, y: number): Promise<RasterTile | undefined> {
    const layer = this.#require(id);
    if (z < layer.minZoom || z > layer.maxZoom) return undefined;
    const key = `${id}/${z}/${x}/${y}`;
    let bytes: Uint8Array | undefined;
    if (this.#cache.has(key)) bytes = this.#cache.get(key);
    else {
      const question = { kind: 'tile', path: this.#tiles(id), z, x, y } as const;
      const tile = await this.#ask<RasterTile | undefined>(question, layer.name);
      bytes = tile?.bytes;
      if (tile) this.#types.set(tile.bytes, tile.type);
      this.#cache.put(key, bytes);
    }
    return bytes && { type: this.#types.get(bytes)!, bytes };
  }

  /** Answers when the file is copied, checked and on disk. */
  add({ path, file, name, attribution }: RasterOrder): Promise<RasterLayer> {
    return this.#writing.run(async () => {
      if (this.#layers.size >= MOST_LAYERS) throw new Refusal('territory.rastersFull', { most: MOST_LAYERS });
      const id = this.#freshId();
      try {
        const size = await copyInto(path, this.#tiles(id), file);
        const info = await this.#ask<ArchiveInfo>({ kind: 'check', path: this.#tiles(id) }, file);
        const layer: RasterLayer = {
          ...info,
          id,
          size,
          name: name ?? (info.name || file.replace(/\.(mbtiles|pmtiles)$/i, '')),
          attribution: attribution ?? info.attribution,
        };
        await this.#write(layer);
        this.#layers.set(id, layer);
        return layer;
      } catch (error) {
        await rm(this.#tiles(id), { force: true });
        await rm(this.#words(id), { force: true });
        if (isDiskFull(error)) throw new Refusal('territory.rasterDiskFull', { file });
        throw error;
      }
    });
  }

  /** Answers when it is on disk. What is undefined stays. */
  change(id: number, { name, attribution }: RasterChange): Promise<RasterLayer> {
    return this.#writing.run(async () => {
      const before = this.#require(id);
      const layer = { ...before, name: name ?? before.name, attribution: attribution ?? before.attribution };
      try {
        await this.#write(layer);
      } catch (error) {
        if (isDiskFull(error)) throw new Refusal('territory.rasterDiskFull', { file: layer.name });
        throw error;
      }
      this.#layers.set(id, layer);
      return layer;
    });
  }

  remove(id: number): Promise<void> {
    return this.#writing.run(async () => {
      this.#require(id);
      // From here on a file without its description does not count, even after a crash.
      await rm(this.#words(id), { force: true });
      await syncDirectory(this.#directory);
      this.#layers.delete(id);
      await this.#thread.request({ kind: 'close', path: this.#tiles(id) }).catch(() => undefined);
      // A file that is still open on Windows goes at the next start.
      await rm(this.#tiles(id), { force: true }).catch(() => undefined);
    });
  }

  close(): Promise<void> {
    return this.#thread.close();
  }

  /** Refusals of the thread name `file` instead of the copy. */
  async #ask<Answer extends RasterAnswer>(question: RasterQuestion, file: string): Promise<Answer> {
    try {
      return await this.#thread.request<Answer>(question);
    } catch (error) {
      if (error instanceof Refusal && 'file' in error.params)
        throw Refusal.of({ code: error.code, params: { ...error.params, file } });
      throw error;
    }
  }

  /** At random: browsers keep pictures by the id, so that no later layer may have that of a removed one. */
  #freshId(): number {
    const id = randomInt(1, 2 ** 31 - 1);
    return this.#layers.has(id) ? this.#freshId() : id;
  }

  #require(id: number): RasterLayer {
    const layer = this.#layers.get(id);
    if (!layer) throw new Refusal('territory.noRaster', { id });
    return layer;
  }

  async #write(layer: RasterLayer): Promise<void> {
    const part = `${this.#words(layer.id)}.part`;
    const words = await open(part, 'w');
    try {
      await words.writeFile(JSON.stringify(layer));
      await words.sync();
    } finally {
      await words.close();
    }
    await rename(part, this.#words(layer.id));
    await syncDirectory(this.#directory);
  }

  async #load(warn: (message: string) => void): Promise<void> {
    const names = (await readdir(this.#directory)).sort();
    for (const name of names.filter((one) => /^\d+\.json$/.test(one))) {
      const id = Number.parseInt(name, 10);
      try {
        const layer = JSON.parse(await readFile(join(this.#directory, name), 'utf8')) as RasterLayer;
        await stat(this.#tiles(id));
        this.#layers.set(id, { ...layer, id });
      } catch (error) {
        warn(`The map layer ${name} cannot be read and is left out: ${(error as Error).message}`);
      }
    }
    for (const name of names)
      if (name.endsWith('.part') || (/^\d+\.tiles$/.test(name) && !names.includes(name.replace('.tiles', '.json'))))
        await rm(join(this.#directory, name), { force: true }).catch(() => undefined);
  }

  #tiles(id: number): string {
    return join(this.#directory, `${id}.tiles`);
  }

  #words(id: number): string {
    return join(this.#directory, `${id}.json`);
  }
}

/** Copies a file onto the disk. Answers with its size. */
async function copyInto(from: string, to: string, file: string): Promise<number> {
  const found = await stat(from).catch(() => undefined);
  if (!found) throw new Refusal('territory.noFile', { file: basename(file) });
  if (!found.isFile()) throw new Refusal('territory.notFile', { file: basename(file) });
  try {
    await copyFile(from, to, constants.COPYFILE_FICLONE);
  } catch (error) {
    if (isDiskFull(error)) throw error;
    throw new Refusal('territory.unreadable', { file, code: String((error as NodeJS.ErrnoException).code) });
  }
  await chmod(to, 0o600); // an upload may be read-only
  const copy = await open(to, 'r+');
  try {
    await copy.sync();
  } finally {
    await copy.close();
  }
  return found.size;
}
