import { existsSync, mkdirSync } from 'node:fs';
import { readdir, rename, rm, stat } from 'node:fs/promises';
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import type { default as Sharp } from 'sharp';
import { Refusal } from '../../../shared/refusal.ts';

/**
 * Larger pictures are not opened: a few hundred bytes can unpack to gigabytes. The largest cameras have 100
 * megapixels.
 */
const MAX_PIXELS = 100_000_000;
/** Seconds that one picture may take. */
const TIMEOUT = 20;
/** Characters of the hash at the beginning of a scaled picture's name. */
const SHA256 = 64;

let loading: Promise<typeof Sharp> | undefined;

/** Loads the library with the first picture: it takes 30 MB and 60 ms of a start. */
function loadSharp(): Promise<typeof Sharp> {
  loading ??= import('sharp').then(({ default: sharp }) => {
    sharp.cache({ memory: 64, files: 0, items: 50 });
    sharp.concurrency(1);
    return sharp;
  });
  return loading;
}

export interface Scaled {
  path: string;
  type: 'image/png' | 'image/jpeg';
}

export interface PictureSize {
  width: number;
  height: number;
  fill: boolean;
  /** As PNG, also what was a photograph. */
  png?: boolean;
}

/** Scaled pictures, made once and kept on disk beside the originals. A lost one is made again. */
export class Pictures {
  readonly #cache: string;
  readonly #underWay = new Map<string, Promise<Scaled>>();

  constructor(cache: string) {
    this.#cache = cache;
    mkdirSync(cache, { recursive: true });
  }

  /**
   * Fits the picture into the box with its aspect ratio, never enlarged, turned upright by EXIF. `fill`
   * stretches it to the box. Photographs stay JPEG; everything else becomes PNG, to keep transparency.
   * Refuses as `invalid` what is no picture.
   */
  scale(original: string, sha256: string, box: PictureSize): Promise<Scaled> {
    const name = `${sha256}-${box.width}x${box.height}${box.fill ? 'f' : ''}${box.png ? 'p' : ''}`;
    const running = this.#underWay.get(name);
    if (running) return running;
    const made = this.#make(original, name, box).finally(() => this.#underWay.delete(name));
    this.#underWay.set(name, made);
    return made;
  }

  async #make(original: string, name: string, box: PictureSize): Promise<Scaled> {
    for (const [extension, type] of [
      ['jpg', 'image/jpeg'],
      ['png', 'image/png'],
    ] as const) {
      const path = join(this.#cache, `${name}.${extension}`);
      if (existsSync(path)) return { path, type };
    }
    const aside = join(this.#cache, `${randomUUID()}.new`);
    const sharp = await loadSharp();
    try {
      const picture = sharp(original, { limitInputPixels: MAX_PIXELS, failOn: 'error' }).timeout({ seconds: TIMEOUT });
      const { format } = await picture.metadata();
      if (format === 'svg') throw new Refusal('files.unscalable');
      const jpeg = format === 'jpeg' && !box.png;
      const scaled = picture.autoOrient().resize({
        width: box.width,
        height: box.height,
        fit: box.fill ? 'fill' : 'inside',
        withoutEnlargement: !box.fill,
      });
      await (jpeg ? scaled.jpeg({ quality: 84, mozjpeg: true }) : scaled.png({ compressionLevel: 8 })).toFile(aside);
      const path = join(this.#cache, `${name}.${jpeg ? 'jpg' : 'png'}`);
      await rename(aside, path);
      return { path, type: jpeg ? 'image/jpeg' : 'image/png' };
    } catch (error) {
      if (error instanceof Refusal) throw error;
      throw new Refusal('files.unscalable', {}, { cause: error });
    }
  }

  /**
   * Width and height in pixels as shown, and whether the camera was turned; undefined when the file is no
   * picture that can be opened.
   */
  async measure(original: string): Promise<{ width: number; height: number; turned: boolean } | undefined> {
    const sharp = await loadSharp();
    try {
      const {
        width,
        height,
        orientation = 1,
        format,
      } = await sharp(original, { limitInputPixels: MAX_PIXELS }).metadata();
      if (format === 'svg' || width * height > MAX_PIXELS) return undefined;
      return { ...(orientation >= 5 ? { width: height, height: width } : { width, height }), turned: orientation > 1 };
    } catch {
      return undefined;
    }
  }

  /** The photo turned upright, in its own format, as a file of its own. */
  async upright(original: string, to: string): Promise<void> {
    const sharp = await loadSharp();
    await sharp(original, { limitInputPixels: MAX_PIXELS })
      .timeout({ seconds: TIMEOUT })
      .autoOrient()
      .keepIccProfile()
      .toFile(to);
  }

  /** Deletes the scaled forms of deleted pictures. */
  async forget(gone: ReadonlySet<string>): Promise<void> {
    if (gone.size === 0) return;
    for (const name of await readdir(this.#cache))
      if (gone.has(name.slice(0, SHA256))) await rm(join(this.#cache, name), { force: true });
  }

  /**
   * Deletes the oldest scaled pictures until the rest fits into `bytes`. A limit is needed, since a user can
   * request a picture in any size.
   */
  async keepWithin(bytes: number): Promise<void> {
    const kept = [];
    for (const name of await readdir(this.#cache)) {
      const path = join(this.#cache, name);
      const found = await stat(path).catch(() => undefined); // just renamed, or dropped
      if (found?.isFile()) kept.push({ path, size: found.size, madeAt: found.mtimeMs });
    }
    let total = kept.reduce((sum, { size }) => sum + size, 0);
    for (const { path, size } of kept.sort((a, b) => a.madeAt - b.madeAt)) {
      if (total <= bytes) return;
      await rm(path, { force: true });
      total -= size;
    }
  }
}
