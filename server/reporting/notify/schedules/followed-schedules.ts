import type { DatabaseSync } from 'node:sqlite';
import type { Store } from '../../../store/types.ts';
import type { ReportSchedule } from './schedule.ts';

/** A schedule of the station that this one follows. Its id is that station's. */
export type FollowedSchedule = Omit<ReportSchedule, 'id'>;

/** Schedules of the followed station that a standby keeps for the day when it is promoted. */
export class FollowedSchedules {
  readonly #store: Pick<Store, 'sql' | 'writePlain'>;
  /** As the table has it; empty: nothing. */
  #kept: string;

  constructor(store: Pick<Store, 'sql' | 'writePlain'>) {
    this.#store = store;
    this.#kept = String(store.sql.prepare('SELECT value FROM followed_reports').get()?.['value'] ?? '');
  }

  get isEmpty(): boolean {
    return this.#kept === '';
  }

  all(): FollowedSchedule[] {
    return this.isEmpty ? [] : (JSON.parse(this.#kept) as FollowedSchedule[]);
  }

  async keep(schedules: readonly FollowedSchedule[]): Promise<void> {
    const value = JSON.stringify(schedules);
    if (value === this.#kept) return;
    await this.#store.writePlain((sql) =>
      sql.prepare('INSERT OR REPLACE INTO followed_reports (id, value) VALUES (1, ?)').run(value),
    );
    this.#kept = value;
  }

  /** Call it within the write that takes them over. */
  forget(sql: DatabaseSync): void {
    sql.exec('DELETE FROM followed_reports');
    this.#kept = '';
  }
}
