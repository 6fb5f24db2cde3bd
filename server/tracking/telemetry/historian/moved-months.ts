import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { Refusal } from '../../../../shared/refusal.ts';
import type { MonthSource, TimedRow } from '../months/month-source.ts';
import { monthEnd, monthOf, startOf, type Month } from '../months/months.ts';
import type { StoredPoint } from '../months/point-row.ts';
import {
  LAST_BELIEVED,
  LAST_PLACE,
  WHOLE_POINTS,
  type PointSelection,
  type PointSpan,
} from '../months/point-selection.ts';
import type { MovedPart } from './catalogue.ts';
import { HistorianAway, type HistorianQuestions } from './questions.ts';
import { HISTORIAN_COLUMNS } from './schema.ts';

type ListedPart = MovedPart & { readonly month: Month };

/**
 * The months that were moved to the historian. The catalogue in `tracks.db` lists them, so that the historian
 * is queried only for points that it has.
 */
export class MovedMonths implements MonthSource {
  readonly #months: StatementSync;
  readonly #parts: StatementSync;
  readonly #isWriter: boolean;
  readonly #questions: HistorianQuestions | undefined;
  readonly #texts = new Map<PointSelection, string>();
  /** The list, written only by the writer. */
  #known: readonly { readonly month: Month }[] | undefined;

  /**
   * @param head `tracks.db`
   * @param questions undefined: this thread does not wait for the historian
   */
  constructor(head: DatabaseSync, questions: HistorianQuestions | undefined, isWriter = false) {
    this.#months = head.prepare('SELECT month FROM historian_months WHERE month BETWEEN ? AND ? ORDER BY month');
    this.#parts = head.prepare(
      'SELECT * FROM historian_parts WHERE vehicle=? AND month BETWEEN ? AND ? AND first<=? AND last>=? ORDER BY month',
    );
    this.#questions = questions;
    this.#isWriter = isWriter;
  }

  list(from: Month, until: Month): readonly { readonly month: Month }[] {
    if (!this.#isWriter) return this.#months.all(from, until) as unknown as { month: Month }[];
    this.#known ??= this.#months.all(0, Number.MAX_SAFE_INTEGER) as unknown as { month: Month }[];
    return this.#known.filter(({ month }) => month >= from && month <= until);
  }

  read<Row extends TimedRow>(vehicle: number, selection: PointSelection, span: Required<PointSpan>): Row[] {
    const { from, until, limit } = span;
    const parts = this.#partsIn(vehicle, from, until);
    if (parts.length === 0 || limit <= 0) return [];
    const known = limit === 1 ? atTheEdge(parts, selection, from, until) : undefined;
    return (known ?? this.#ask(this.#textOf(selection), [vehicle, ...within(parts, from, until), limit])) as Row[];
  }

  count(vehicle: number, from: number, until: number, most: number): number {
    let count = 0;
    for (const part of this.#partsIn(vehicle, from, until)) {
      if (count >= most) return most;
      if (part.first >= from && part.last <= until) count += part.points;
      else {
        const [row] = this.#ask(
          'SELECT count(*) AS count FROM waypost.track_points WHERE vehicle=$1 AND time BETWEEN $2 AND $3',
          [vehicle, ...within([part], from, until)],
        ) as { count: number }[];
        count += row!.count;
      }
    }
    return Math.min(count, most);
  }

  point(vehicle: number, time: number): StoredPoint | undefined {
    return this.read<StoredPoint>(vehicle, WHOLE_POINTS, { from: time, until: time, limit: 1 })[0];
  }

  changed(): void {
    this.#known = undefined;
  }

  close(): void {
    this.#questions?.close();
  }

  #partsIn(vehicle: number, from: number, until: number): ListedPart[] {
    const parts = this.#parts.all(vehicle, monthOf(from), monthOf(until), until, from);
    return parts as unknown as ListedPart[];
  }

  #textOf(selection: PointSelection): string {
    let text = this.#texts.get(selection);
    if (text === undefined) {
      const columns = selection.columns.map((name) => `${HISTORIAN_COLUMNS[name][0]} AS "${name}"`).join(', ');
      const where = selection.where === undefined ? '' : ` AND ${selection.where}`;
      text = `SELECT ${columns} FROM waypost.track_points WHERE vehicle=$1 AND time BETWEEN $2 AND $3${where} ORDER BY time${selection.newestFirst ? ' DESC' : ''} LIMIT $4`;
      this.#texts.set(selection, text);
    }
    return text;
  }

  #ask(text: string, values: readonly unknown[]): unknown[] {
    try {
      if (!this.#questions) throw new HistorianAway('its address is not set');
      return this.#questions.ask({ text, values });
    } catch (error) {
      if (!(error instanceof HistorianAway)) throw error;
      throw new Refusal('telemetry.historianAway', { reason: error.message }, { cause: error });
    }
  }
}

/** The requested point, if the catalogue has it; undefined: the historian has to be queried. */
function atTheEdge(
  parts: readonly ListedPart[],
  selection: PointSelection,
  from: number,
  until: number,
): object[] | undefined {
  if (selection === LAST_BELIEVED || selection === LAST_PLACE) {
    const part = parts.findLast(({ believedAt }) => believedAt !== null);
    if (!part || part.believedAt! < from) return [];
    if (part.believedAt! > until) return undefined;
    const { believedAt: time, lat, lon, speed, direction, engine } = part;
    return [selection === LAST_PLACE ? { time, lat, lon, speed, direction } : { time, lat, lon, speed, engine }];
  }
  if (!selection.isAll || selection.columns.length > 1) return undefined;
  const time = selection.newestFirst ? parts.at(-1)!.last : parts[0]!.first;
  return time >= from && time <= until ? [{ time }] : undefined;
}

/** PostgreSQL then reads only the partitions of these parts. */
function within(parts: readonly ListedPart[], from: number, until: number): [from: number, until: number] {
  return [
    Math.max(from, startOf(parts[0]!.month)),
    Math.min(until, monthEnd(parts.at(-1)!.month), Number.MAX_SAFE_INTEGER),
  ];
}
