import type { LineString, Point, Polygon, Position } from 'geojson';

export type PlaceGeometry = Point | LineString | Polygon;

/**
 * Content of a file: rows of texts under the names of their columns; some files bring the place of each row.
 */
export interface PlaceTable {
  readonly columns: readonly string[];
  readonly rows: readonly PlaceTableRow[];
}
export interface PlaceTableRow {
  /** By column. */
  readonly values: readonly string[];
  readonly geometry?: PlaceGeometry;
}

/** A table from records with fields of any names, in the order in which the fields first appear. */
export function tableOf(
  records: readonly { readonly fields: Readonly<Record<string, string>>; readonly geometry?: PlaceGeometry }[],
): PlaceTable {
  const columns = [...new Set(records.flatMap(({ fields }) => Object.keys(fields)))];
  return {
    columns,
    rows: records.map(({ fields, geometry }) => ({
      values: columns.map((column) => (Object.hasOwn(fields, column) ? fields[column]! : '')),
      ...(geometry && { geometry }),
    })),
  };
}

/** Positions from texts as `9.52,47.14,455 9.53,47.15`. */
export function positionsOfText(text: string): Position[] {
  return text
    .trim()
    .split(/\s+/)
    .map((pair) => pair.split(',').slice(0, 2).map(Number) as Position)
    .filter(([lon, lat]) => Number.isFinite(lon) && Number.isFinite(lat));
}
