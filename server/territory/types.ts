import type { OsmExtract } from './extract/extract.ts';

/**
 * The territory of a station: what was made of one OpenStreetMap extract. An import makes everything anew
 * beside what is there; then the readers go over to it, and the old directory is removed.
 */
export interface Territory {
  readonly info: TerritoryInfo | undefined;
  /** Where the files of `FILES` lie. */
  readonly directory: string | undefined;
  /**
   * Names of files that are not what was written. Every start and every going over reads all of them once
   * more, in a thread; until that is done, and with a territory made before there were check sums, it is
   * undefined. A damaged territory serves what can be read of it.
   */
  readonly damaged: readonly string[] | undefined;
  /** The import that is running, or how the last one of this process ended. */
  readonly lastImport: ImportState | undefined;
  /**
   * Imports in worker threads. Resolves when the readers have gone over; rejects with a Refusal whose message
   * says in a sentence what is wrong (also `busy` when an import is running, here or in another process), or
   * with an `AbortError` when it was cancelled.
   */
  import(order: ImportOrder): Promise<TerritoryInfo>;
  /** False when none is running. */
  cancelImport(): boolean;
  /**
   * Readers open the directory they are told; the old one is removed when all have answered. Returns the way
   * to stop.
   */
  onSwitch(listener: (directory: string | undefined) => void | Promise<void>): () => void;
  /** Called at most some ten times a second while an import runs, and once when it ended. */
  onProgress(listener: (state: ImportState) => void): () => void;
  /** Cancels a running import. */
  close(): Promise<void>;
}

export interface ImportOrder {
  /** Path of an .osm.pbf, .osm, .osm.gz or .osm.bz2 file. */
  readonly file: string;
  /** What the territory is called; made of the file's name when not given. */
  readonly name?: string | undefined;
  readonly roads?: RoadSettings | undefined;
}

/** How roads are made, when not as usual. */
export interface RoadSettings {
  /** Path of a JSON file: a vehicle profile of one's own (`server/territory/roads/profiles/profile.ts`). */
  readonly profileFile?: string | undefined;
  /** Road nodes below which a part of the network that nothing leads out of counts as a small one. */
  readonly minComponent?: number | undefined;
}

export interface ImportState extends ImportProgress {
  readonly file: string;
  readonly name: string;
  readonly state: 'running' | 'done' | 'failed' | 'cancelled';
  /** What went wrong, as a sentence. */
  readonly error: string | null;
  /** epoch ms */
  readonly startedAt: number;
}

/** What is loaded: the answer of `GET /territory` and the file `territory.json` beside the three parts. */
export interface TerritoryInfo {
  name: string;
  /** degrees: west, south, east, north; the box of the roads, which a ferry line does not widen */
  bounds: [number, number, number, number];
  /** epoch ms */
  importedAt: number;
  dataTime: number | null;
  /** `features` are what the map is drawn from. */
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
  /** What the importer met and passed over, in words, with counts. */
  log: string[];
}

export interface ImportProgress {
  /** `read`, `roads`, `places`, `tiles`, `switch` */
  stage: string;
  /** 0 to 1 over the whole import */
  done: number;
}

/**
 * Writes one part of a territory from an extract. Runs in an import thread, so it may take its time; it calls
 * `report` with 0 to 1 now and then. What it passed over it may tell in `log`, a sentence per kind.
 */
export type Maker<Counts> = (
  extract: OsmExtract,
  directory: string,
  report: (done: number) => void,
) => Promise<Counts & { log?: readonly string[] }>;

/**
 * Files of a territory directory. Of `ways` the roads of further vehicle profiles are made when they are
 * asked for; `limits` is what is allowed on the roads; `sums` tells whether the others are still as they were
 * written.
 */
export const FILES = {
  info: 'territory.json',
  roads: 'roads.bin',
  ways: 'ways.bin',
  limits: 'limits.bin',
  places: 'places.db',
  tiles: 'map.bin',
  sums: 'check-sums.json',
} as const;
