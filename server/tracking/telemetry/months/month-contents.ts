import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { openMonth } from './month-files.ts';
import type { Month } from './months.ts';
import type { StoredPoint } from './point-row.ts';
import { WHOLE_POINTS } from './point-selection.ts';

/** All that is in the file of one month. */
export class MonthContents {
  readonly #db: DatabaseSync;
  readonly #page: StatementSync;

  constructor(directory: string, month: Month) {
    this.#db = openMonth(directory, month);
    this.#page = this.#db.prepare(WHOLE_POINTS.inMonth);
  }

  /** Leaps from vehicle to vehicle: a month has millions of points and some hundred vehicles. */
  vehicles(): number[] {
    return this.#db
      .prepare(
        'WITH RECURSIVE each(vehicle) AS (SELECT min(vehicle) FROM tracks UNION ALL SELECT (SELECT min(vehicle) FROM tracks WHERE vehicle > each.vehicle) FROM each WHERE each.vehicle IS NOT NULL) SELECT vehicle FROM each WHERE vehicle IS NOT NULL',
      )
      .all()
      .map(({ vehicle }) => vehicle as number);
  }

  /** The points of a vehicle in order, so many at once. */
  *pages(vehicle: number, size: number): Generator<StoredPoint[]> {
    for (let from = 0; ;) {
      const page = this.#page.all(vehicle, from, Number.MAX_SAFE_INTEGER, size) as unknown as StoredPoint[];
      if (page.length > 0) yield page;
      if (page.length < size) return;
      from = page.at(-1)!.time + 1;
    }
  }

  close(): void {
    this.#db.close();
  }
}
