import { mkdirSync, statSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { Refusal } from '../../../shared/refusal.ts';
import { Emitter } from '../../platform/emitter.ts';
import {
  clearSuperseded,
  clearUnfinished,
  findCurrent,
  findPrevious,
  hasRemains,
  pointTo,
  removeDirectory,
} from './files/directories.ts';
import type { FoundTerritory } from './files/directories.ts';
import type {
  ImportOrder,
  ImportProgress,
  ImportState,
  InterruptedTakeOver,
  RoadSettings,
  TakeOverOrder,
  Territory,
  TerritoryInfo,
  TerritoryManifest,
} from './types.ts';
import { DamageCheck } from './files/damage-check.ts';
import { takeImportLock } from './import/import-lock.ts';
import { Readers } from './files/readers.ts';
import { ServedTerritory } from './files/served-territory.ts';
import { forgetTakeOver, noteTakeOver, readTakeOver, takeOverTerritory } from './files/take-over.ts';
import { runImport } from './import/run-import.ts';
import { territoryNameOf } from './import/territory-name.ts';

export interface TerritoryOptions {
  /** epoch ms */
  readonly now?: () => number;
  /**
   * How often to check whether another process (`waypost import`) installed another territory, ms; 0: never.
   */
  readonly lookEvery?: number;
  /** Reads nothing of the territory. Removes older ones only if no station in another process reads them. */
  readonly onlyImports?: boolean;
  /** Called with files damaged since they were written. Without it nothing is checked. */
  readonly onDamage?: (files: readonly string[]) => void;
}

/** Opens the territory under `root` (created when missing), and removes the remains of killed imports. */
export async function openTerritory(
  root: string,
  { now = Date.now, lookEvery = 2000, onlyImports = false, onDamage }: TerritoryOptions = {},
): Promise<Territory> {
  mkdirSync(root, { recursive: true });
  const readers = new Readers(root);
  await clear(root, readers);
  if (!onlyImports) readers.join();
  const territory = new TerritoryRoom(resolve(root), now, readers, onlyImports, onDamage);
  territory.checkDamage();
  if (lookEvery > 0) territory.lookFor(lookEvery);
  return territory;
}

/** Removes remains of killed imports, and old territories without readers; not while an import runs. */
async function clear(root: string, readers: Readers): Promise<void> {
  let releaseLock;
  try {
    releaseLock = takeImportLock(root);
  } catch {
    return;
  }
  try {
    await clearUnfinished(root);
    if (readTakeOver(root) === undefined) await forgetTakeOver(root);
    await readers.whenUnused(() => clearSuperseded(root));
  } finally {
    releaseLock();
  }
}

class TerritoryRoom implements Territory {
  readonly #root: string;
  readonly #now: () => number;
  readonly #readers: Readers;
  readonly #onlyImports: boolean;
  readonly #damage: DamageCheck;
  readonly #served = new ServedTerritory(() => this.#current);
  readonly #switched = new Emitter<[directory: string | undefined]>();
  readonly #progressed = new Emitter<[state: ImportState]>();
  #current: FoundTerritory | undefined;
  #lastImport: ImportState | undefined;
  #running: { readonly cancel: AbortController; readonly ended: Promise<unknown> } | undefined;
  #looking: NodeJS.Timeout | undefined;
  #seen: number | undefined;
  #isClosed = false;

  constructor(
    root: string,
    now: () => number,
    readers: Readers,
    onlyImports: boolean,
    onDamage: TerritoryOptions['onDamage'],
  ) {
    this.#root = root;
    this.#now = now;
    this.#readers = readers;
    this.#onlyImports = onlyImports;
    this.#damage = new DamageCheck(onDamage);
    this.#current = findCurrent(root);
    this.#seen = this.#pointerTime();
  }

  get info(): TerritoryInfo | undefined {
    return this.#current?.info;
  }

  get directory(): string | undefined {
    return this.#current?.directory;
  }

  get previous(): TerritoryInfo | undefined {
    return findPrevious(this.#root)?.info;
  }

  async goBack(): Promise<TerritoryInfo> {
    const releaseLock = takeImportLock(this.#root);
    try {
      const found = findPrevious(this.#root);
      if (found === undefined) throw new Refusal('territory.noPrevious');
      await pointTo(this.#root, basename(found.directory));
      this.#seen = this.#pointerTime();
      await this.#switchTo(found);
      return found.info;
    } finally {
      releaseLock();
    }
  }

  get damaged(): readonly string[] | undefined {
    return this.#damage.damaged;
  }

  get lastImport(): ImportState | undefined {
    return this.#lastImport;
  }

  async import({ files, name, roads = {}, force = false }: ImportOrder): Promise<TerritoryInfo> {
    const paths = files.map((file) => resolve(file));
    const start: ImportState = {
      files: paths,
      name: name ?? territoryNameOf(...paths),
      state: 'running',
      stage: 'read',
      done: 0,
      error: null,
      refusal: null,
      startedAt: this.#now(),
    };
    for (const path of paths) requireFile(path);
    // Taking the lock refuses at once when another import runs, and leaves its state alone.
    const releaseLock = takeImportLock(this.#root);
    const cancel = new AbortController();
    const imported = this.#import(start, { roads, force }, cancel.signal).finally(() => {
      this.#running = undefined;
      releaseLock();
    });
    this.#running = { cancel, ended: imported.catch(() => {}) };
    return imported;
  }

  get interrupted(): InterruptedTakeOver | undefined {
    return readTakeOver(this.#root);
  }

  manifest(): Promise<TerritoryManifest | undefined> {
    return this.#served.manifest();
  }

  readPiece(manifestId: string, name: string, offset: number, length: number): Promise<Buffer | undefined> {
    return this.#served.readPiece(manifestId, name, offset, length);
  }

  async takeOver({ station, manifest, fetchPiece }: TakeOverOrder): Promise<TerritoryInfo> {
    const dropLock = takeImportLock(this.#root);
    const cancel = new AbortController();
    const start: ImportState = {
      files: [station.name],
      name: manifest.name,
      state: 'running',
      stage: 'fetch',
      done: 0,
      error: null,
      refusal: null,
      startedAt: this.#now(),
    };
    let shown = 0;
    const run = async (): Promise<TerritoryInfo> => {
      noteTakeOver(this.#root, { station: station.id });
      this.#announce(start);
      return this.#install(
        () =>
          takeOverTerritory({
            root: this.#root,
            manifest,
            fetchPiece,
            now: start.startedAt,
            signal: cancel.signal,
            report: (done) => {
              if (performance.now() - shown < 100) return;
              shown = performance.now();
              this.#announce({ ...this.#lastImport!, done });
            },
          }),
        cancel.signal,
      );
    };
    const taken = run()
      .catch(async (error: unknown) => {
        // An operator's cancel is final. A stop of the station only interrupts: the transfer continues at its
        // next start.
        if (cancel.signal.aborted && !this.#isClosed) await forgetTakeOver(this.#root);
        throw error;
      })
      .finally(() => {
        this.#running = undefined;
        dropLock();
      });
    this.#running = { cancel, ended: taken.catch(() => {}) };
    return taken;
  }

  cancelImport(): boolean {
    this.#running?.cancel.abort(new DOMException('The import was cancelled.', 'AbortError'));
    return this.#running !== undefined;
  }

  onSwitch(listener: (directory: string | undefined) => void | Promise<void>): () => void {
    return this.#switched.on(listener);
  }

  onProgress(listener: (state: ImportState) => void): () => void {
    return this.#progressed.on(listener);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    clearInterval(this.#looking);
    this.cancelImport();
    await this.#running?.ended;
    await this.#damage.close();
    this.#readers.close();
  }

  /** Compares the files with their check sums. */
  checkDamage(): void {
    this.#damage.begin(this.#current?.directory);
  }

  lookFor(interval: number): void {
    this.#looking = setInterval(() => void this.#look(), interval);
    this.#looking.unref();
  }

  #import(
    start: ImportState,
    settings: { readonly roads: RoadSettings; readonly force: boolean },
    signal: AbortSignal,
  ): Promise<TerritoryInfo> {
    this.#announce(start);
    const { files, name, startedAt: now } = start;
    const report = (progress: ImportProgress) => this.#announce({ ...this.#lastImport!, ...progress });
    return this.#install(() => runImport({ files, name, root: this.#root, ...settings, now, signal, report }), signal);
  }

  /** Switches to the territory that `make` has made current, and announces the end of the import. */
  async #install(make: () => Promise<FoundTerritory>, signal: AbortSignal): Promise<TerritoryInfo> {
    try {
      const { directory, info } = await make();
      this.#seen = this.#pointerTime();
      await this.#switchTo({ directory, info });
      await this.#readers.whenUnused(() => clearSuperseded(this.#root));
      await forgetTakeOver(this.#root);
      this.#announce({ ...this.#lastImport!, state: 'done', stage: 'switch', done: 1 });
      return info;
    } catch (error) {
      const cancelled = signal.aborted;
      this.#announce({
        ...this.#lastImport!,
        state: cancelled ? 'cancelled' : 'failed',
        error: cancelled ? null : (error as Error).message,
        refusal: cancelled || !(error instanceof Refusal) ? null : { code: error.code, params: error.params },
      });
      throw error;
    }
  }

  /** The readers switch; the old territory stays if it is the one to go back to. */
  async #switchTo(found: FoundTerritory): Promise<void> {
    const old = this.#current;
    this.#current = found;
    this.checkDamage();
    try {
      await this.#switched.emitAndWait(found.directory);
    } finally {
      const kept = [found.directory, findPrevious(this.#root)?.directory];
      if (!this.#onlyImports && old !== undefined && !kept.includes(old.directory))
        await removeDirectory(old.directory);
    }
  }

  async #look(): Promise<void> {
    const time = this.#pointerTime();
    if (this.#running !== undefined) return;
    if (time === this.#seen) {
      // A killed import leaves gigabytes; the lock tells it from one that runs.
      if (await hasRemains(this.#root)) await clear(this.#root, this.#readers);
      return;
    }
    this.#seen = time;
    const found = findCurrent(this.#root);
    if (found === undefined || found.directory === this.#current?.directory) return;
    await this.#switchTo(found)
      .then(() => clear(this.#root, this.#readers))
      .catch((error: Error) => process.emitWarning(error));
  }

  #pointerTime(): number | undefined {
    return statSync(join(this.#root, 'current'), { throwIfNoEntry: false })?.mtimeMs;
  }

  #announce(state: ImportState): void {
    this.#lastImport = state;
    this.#progressed.emit(state);
  }
}

function requireFile(path: string): void {
  let found;
  try {
    found = statSync(path, { throwIfNoEntry: false });
  } catch (error) {
    const code = String((error as NodeJS.ErrnoException).code);
    throw new Refusal('territory.unreadable', { file: path, code }, { cause: error });
  }
  if (found === undefined) throw new Refusal('territory.noFile', { file: path });
  if (!found.isFile()) throw new Refusal('territory.notFile', { file: path });
}
