import type { Reason } from '../../../shared/refusals/reason.ts';
import type { OsmExtract } from './extract/extract.ts';

/**
 * The territory of a station: everything made from OpenStreetMap extracts. An import writes a new
 * directory beside the current one; then the readers switch to it. The old one stays until the next import.
 */
export interface Territory {
  readonly info: TerritoryInfo | undefined;
  /** The directory of the files in `TERRITORY_FILES`. */
  readonly directory: string | undefined;
  /**
   * Names of files whose check sum differs. A thread compares all files after every start and switch.
   * Undefined until it is done, and for a territory without check sums. A damaged territory serves what can
   * be read.
   */
  readonly damaged: readonly string[] | undefined;
  /** The one before, to which `goBack` switches; it is the previous one afterwards. */
  readonly previous: TerritoryInfo | undefined;
  /** Refuses without a previous territory, and with `busy` while an import runs. */
  goBack(): Promise<TerritoryInfo>;
  /** The running import, or the last one of this process. */
  readonly lastImport: ImportState | undefined;
  /**
   * Imports in worker threads. Resolves when the readers have switched. Rejects with a Refusal that says what
   * is wrong (`busy` while an import runs, here or in another process), or with an `AbortError` when
   * cancelled.
   */
  import(order: ImportOrder): Promise<TerritoryInfo>;
  /** The files by their hashes, for other stations. A thread reads all of them once. Undefined: there is none. */
  manifest(): Promise<TerritoryManifest | undefined>;
  /** Bytes of a file of the territory with this manifest; undefined: it is not there any more. */
  readPiece(manifestId: string, file: string, offset: number, length: number): Promise<Buffer | undefined>;
  /**
   * Takes over the territory of another station: fetches its files, compares their hashes and switches as after an
   * import. What has come before a crash is not fetched again. Rejects as `import` does.
   */
  takeOver(order: TakeOverOrder): Promise<TerritoryInfo>;
  /** A take-over that was interrupted by a crash or an error, or undefined. */
  readonly interrupted: InterruptedTakeOver | undefined;
  /** Returns false when no import is running. */
  cancelImport(): boolean;
  /**
   * Readers open the given directory. The one before the old one is removed when all listeners have resolved.
   * Returns the unsubscribe function.
   */
  onSwitch(listener: (directory: string | undefined) => void | Promise<void>): () => void;
  /** Calls the listener about ten times a second at most while an import runs, and once when it ends. */
  onProgress(listener: (state: ImportState) => void): () => void;
  /** Cancels a running import. */
  close(): Promise<void>;
}

/** The files of a territory by their hashes, as one station offers them to another. */
export interface TerritoryManifest {
  /** SHA-256 over names, sizes and hashes: equal for equal territories. */
  readonly id: string;
  readonly name: string;
  /** Version of the program that has it. */
  readonly program: string;
  readonly files: readonly TerritoryFile[];
}

export interface TerritoryFile {
  /** One of `TERRITORY_FILES`. */
  readonly name: string;
  /** bytes */
  readonly size: number;
  readonly sha256: string;
}

/** Bytes of a file from an offset on; undefined: the other station has another territory by now. */
export type FetchPiece = (file: string, offset: number) => Promise<Uint8Array | undefined>;

/** A take-over that a crash may interrupt: `territory/take-over.json`. */
export interface InterruptedTakeOver {
  /** Id of the station that has the territory. */
  readonly station: string;
}

export interface TakeOverOrder {
  /** The station that has the territory. */
  readonly station: { readonly id: string; readonly name: string };
  readonly manifest: TerritoryManifest;
  readonly fetchPiece: FetchPiece;
}

export interface ImportOrder {
  /**
   * Paths of one or more .osm.pbf, .osm, .osm.gz or .osm.bz2 files that together are the territory, and of .osc files
   * (also .gz, .bz2) with changes of the map since.
   */
  readonly files: readonly string[];
  /** Name of the territory. Default: made from the names of the files. */
  readonly name?: string | undefined;
  readonly roads?: RoadSettings | undefined;
  /** Also without a road. */
  readonly force?: boolean | undefined;
}

/** Options for making roads. */
export interface RoadSettings {
  /** Path of a JSON file with a custom vehicle profile (`server/geo/territory/roads/profiles/profile.ts`). */
  readonly profileFile?: string | undefined;
  /** Number of road nodes below which a component of the network counts as small. */
  readonly minComponent?: number | undefined;
}

export interface ImportState extends ImportProgress {
  /** Paths; of a take-over the name of the station. */
  readonly files: readonly string[];
  readonly name: string;
  readonly state: 'running' | 'done' | 'failed' | 'cancelled';
  /** The error, as a sentence. */
  readonly error: string | null;
  /** The same for programs; null when it is no refusal. */
  readonly refusal: Reason | null;
  /** epoch ms */
  readonly startedAt: number;
}

/** The loaded territory: the answer of `GET /territory`, and the file `territory.json`. */
export interface TerritoryInfo {
  name: string;
  /** degrees: west, south, east, north; the box of the roads, which a ferry line does not widen */
  bounds: [number, number, number, number];
  /** epoch ms */
  importedAt: number;
  dataTime: number | null;
  /** `features`: features of the map. */
  counts: {
    nodes: number;
    ways: number;
    relations: number;
    roadNodes: number;
    roadArcs: number;
    places: number;
    addresses: number;
    features: number;
  };
  /** bytes on disk */
  size: number;
  /** Parts that the import skipped, as sentences with counts. */
  log: string[];
}

export interface ImportProgress {
  /** `read`, `roads`, `places`, `tiles`, `switch`; `fetch` from another station */
  stage: string;
  /** 0 to 1 over the whole import */
  done: number;
}

/**
 * Writes one part of a territory from an extract, in an import thread. Calls `report` with 0 to 1 now and
 * then. `log` lists what it skipped, a sentence for each kind.
 */
export type Maker<Counts> = (
  extract: OsmExtract,
  directory: string,
  report: (done: number) => void,
) => Promise<Counts & { log?: readonly string[] }>;

/**
 * Files of a territory directory. `ways`: source of the roads of further vehicle profiles, made on demand.
 * `limits`: speed limits. `sums`: check sums of the other files.
 */
export const TERRITORY_FILES = {
  info: 'territory.json',
  roads: 'roads.bin',
  ways: 'ways.bin',
  limits: 'limits.bin',
  places: 'places.db',
  tiles: 'map.bin',
  sums: 'check-sums.json',
} as const;
