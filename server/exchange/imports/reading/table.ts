import type { Reason } from '../../../../shared/refusals/reason.ts';

/** A cell as the file holds it. Dates are texts of a wall clock, such as `2026-03-01T12:30:00`; shapes are GeoJSON. */
export type TableCell = string | number | boolean | null | { readonly type: string };

/** A row with its number in the file. Cells at the end may be missing. */
export type TableRow = readonly [line: number, cells: readonly TableCell[]];

export type TableFormat = 'xlsx' | 'csv' | 'geojson' | 'kml' | 'gpx';

export interface SourceTable {
  readonly format: TableFormat;
  readonly heads: readonly string[];
  /** The column of shapes, in formats that have some. */
  readonly geometry: number | undefined;
  readonly rows: number;
  /** JSON of `TableRow[]` each. As bytes they are no work for the garbage collector of the main thread. */
  readonly chunks: readonly Uint8Array[];
  /** The first row of each chunk. */
  readonly firstRows: readonly number[];
}

export type ReadTableResult = { readonly table: SourceTable } | { readonly refused: Reason };

/** A table in a spreadsheet; a feature of a map file. */
export interface ReadRows {
  readonly format: TableFormat;
  readonly heads: readonly string[];
  readonly geometry: number | undefined;
  readonly rows: readonly TableRow[];
}

/** Bounds of a file. What is beyond them is refused, before memory is spent on it. */
export const MOST_BYTES = 50_000_000;
/** Bytes of unpacked content of a file. */
export const MOST_UNPACKED = 400_000_000;
export const MOST_ROWS = 100_000;
export const MOST_COLUMNS = 200;
export const MOST_CELLS = 4_000_000;
export const LONGEST_CELL = 40_000;
