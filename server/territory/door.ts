import type { OsmExtract } from './extract.ts';

/** What is loaded: the answer of `GET /territory` and the file `territory.json` beside the three parts. */
export interface TerritoryInfo {
  name: string;
  /** degrees: west, south, east, north */
  bounds: [number, number, number, number];
  /** epoch ms */
  importedAt: number;
  dataTime: number | null;
  counts: { nodes: number; ways: number; relations: number; roadNodes: number; roadArcs: number; places: number; addresses: number; tiles: number };
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

/** Writes one part of a territory from an extract. Runs in the import worker, so it may take its time; it calls `report` with 0 to 1, which throws when the import was cancelled. */
export type Maker<Counts> = (extract: OsmExtract, directory: string, report: (done: number) => void) => Promise<Counts>;

/** Files of a territory directory. */
export const FILES = { info: 'territory.json', roads: 'roads.bin', places: 'places.db', tiles: 'tiles.db' } as const;
