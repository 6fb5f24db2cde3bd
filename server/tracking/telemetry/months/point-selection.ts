import { POINT_COLUMNS, type StoredPoint } from './point-row.ts';

/** Columns, filter and order of a read of points. Make it once: statements are cached by the object. */
export class PointSelection {
  readonly newestFirst: boolean;
  readonly #what: string;
  readonly #which: string;

  /**
   * @param options.columns with `time`
   * @param options.where a condition in SQL
   */
  constructor(options: { columns?: string; where?: string; newestFirst?: boolean } = {}) {
    const { columns = POINT_COLUMNS, where, newestFirst = false } = options;
    this.newestFirst = newestFirst;
    this.#what = `SELECT ${columns} FROM `;
    this.#which = ` WHERE vehicle=? AND time BETWEEN ? AND ?${where === undefined ? '' : ` AND ${where}`} ORDER BY time ${newestFirst ? 'DESC ' : ''}LIMIT ?`;
    this.inMonth = this.from('tracks');
    this.isAll = where === undefined;
    this.columns = columns.split(', ') as (keyof StoredPoint)[];
    this.where = where;
  }

  readonly inMonth: string;
  /** Without a condition. */
  readonly isAll: boolean;
  readonly columns: readonly (keyof StoredPoint)[];
  readonly where: string | undefined;

  from(table: string): string {
    return this.#what + table + this.#which;
  }
}

/** Times in epoch ms, both ends inclusive. */
export interface PointSpan {
  readonly from?: number;
  readonly until?: number;
  readonly limit: number;
}

export const WHOLE_POINTS = new PointSelection();
export const NEWEST_FIRST = new PointSelection({ newestFirst: true });
export const TIMES = new PointSelection({ columns: 'time' });
export const LAST_BELIEVED = new PointSelection({
  columns: 'time, lat, lon, speed, engine',
  where: 'marks=0',
  newestFirst: true,
});

export const LAST_PLACE = new PointSelection({
  columns: 'time, lat, lon, speed, direction',
  where: 'marks=0',
  newestFirst: true,
});

export const ONE_POINT = `SELECT ${POINT_COLUMNS} FROM tracks WHERE vehicle=? AND time=?`;
