import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { VERSION } from '../../../platform/program.ts';
import type { TerritoryManifest } from '../types.ts';
import type { FoundTerritory } from './directories.ts';
import { hashedFiles, idOf } from './manifest.ts';

/** The files of a territory, as linked stations read them. Hashes them when they are first asked for. */
export class ServedTerritory {
  readonly #current: () => FoundTerritory | undefined;
  #manifest: { readonly directory: string; readonly made: Promise<TerritoryManifest> } | undefined;

  /** @param current the territory in use; another one makes another manifest */
  constructor(current: () => FoundTerritory | undefined) {
    this.#current = current;
  }

  manifest(): Promise<TerritoryManifest | undefined> {
    const current = this.#current();
    if (!current) return Promise.resolve(undefined);
    if (this.#manifest?.directory !== current.directory) {
      const made = hashedFiles(current.directory).then((files) => ({
        id: idOf(files),
        name: current.info.name,
        program: VERSION,
        files,
      }));
      const manifest = { directory: current.directory, made };
      this.#manifest = manifest;
      // A failed manifest is made again by the next query.
      made.catch(() => this.#manifest === manifest && (this.#manifest = undefined));
    }
    return this.#manifest!.made;
  }

  /** Bytes of a file; undefined when the manifest with this id is not that of the territory in use. */
  async readPiece(manifestId: string, name: string, offset: number, length: number): Promise<Buffer | undefined> {
    const manifest = await this.manifest();
    const directory = this.#manifest?.directory;
    if (manifest?.id !== manifestId || directory === undefined) return undefined;
    if (!manifest.files.some((file) => file.name === name)) return undefined;
    const file = await open(join(directory, name)).catch(() => undefined);
    if (!file) return undefined;
    try {
      const { buffer, bytesRead } = await file.read(Buffer.allocUnsafe(length), 0, length, offset);
      return buffer.subarray(0, bytesRead);
    } finally {
      await file.close();
    }
  }
}
