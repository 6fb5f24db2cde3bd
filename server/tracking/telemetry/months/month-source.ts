import type { PointSelection, PointSpan } from './point-selection.ts';
import type { StoredPoint } from './point-row.ts';
import type { Month } from './months.ts';

/** The time of a point, epoch ms. */
export type TimedRow = Pick<StoredPoint, 'time'>;

/** Where the points of whole months lie, read by vehicle and time (epoch ms, both ends inclusive). */
export interface MonthSource {
  /** The months from one to another that it has, in order. */
  list(from: Month, until: Month): readonly { readonly month: Month }[];

  /** At most `limit` points, in the order of the selection. */
  read<Row extends TimedRow>(vehicle: number, selection: PointSelection, span: Required<PointSpan>): Row[];

  /** The number of points; at most `most` are counted. */
  count(vehicle: number, from: number, until: number, most: number): number;

  point(vehicle: number, time: number): StoredPoint | undefined;

  /** Months came or went, or a transaction that changed them was rolled back. */
  changed(): void;

  close(): void;
}
