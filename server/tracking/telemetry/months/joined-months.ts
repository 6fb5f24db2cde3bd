import type { MonthSource, TimedRow } from './month-source.ts';
import { monthEnd, monthOf, startOf, type Month } from './months.ts';
import type { StoredPoint } from './point-row.ts';
import type { PointSelection, PointSpan } from './point-selection.ts';

interface Part {
  readonly source: MonthSource;
  readonly from: number;
  readonly until: number;
}

/** Two sources as one. A month that both have is read from the first. */
export class JoinedMonths implements MonthSource {
  readonly #first: MonthSource;
  readonly #second: MonthSource;

  constructor(first: MonthSource, second: MonthSource) {
    this.#first = first;
    this.#second = second;
  }

  list(from: Month, until: Month): readonly { readonly month: Month }[] {
    const first = this.#first.list(from, until);
    const second = this.#second.list(from, until);
    if (first.length === 0) return second;
    const months = new Set([...first, ...second].map(({ month }) => month));
    return [...months].sort((a, b) => a - b).map((month) => ({ month }));
  }

  read<Row extends TimedRow>(vehicle: number, selection: PointSelection, span: Required<PointSpan>): Row[] {
    const parts = this.#parts(span.from, span.until);
    const found: Row[] = [];
    for (const { source, from, until } of selection.newestFirst ? parts.toReversed() : parts) {
      const limit = span.limit - found.length;
      if (limit <= 0) break;
      const rows = source.read<Row>(vehicle, selection, { from, until, limit });
      if (parts.length === 1) return rows;
      for (const row of rows) found.push(row);
    }
    return found;
  }

  count(vehicle: number, from: number, until: number, most: number): number {
    let count = 0;
    for (const part of this.#parts(from, until)) {
      if (count >= most) break;
      count += part.source.count(vehicle, part.from, part.until, most - count);
    }
    return count;
  }

  point(vehicle: number, time: number): StoredPoint | undefined {
    return this.#parts(time, time)[0]?.source.point(vehicle, time);
  }

  changed(): void {
    this.#first.changed();
    this.#second.changed();
  }

  close(): void {
    this.#first.close();
    this.#second.close();
  }

  /** Runs of months of the same source, in order. */
  #parts(from: number, until: number): Part[] {
    const [start, end] = [monthOf(from), monthOf(until)];
    const first = this.#first.list(start, end);
    if (first.length === 0) return [{ source: this.#second, from, until }];
    const inFirst = new Set(first.map(({ month }) => month));
    const parts: Part[] = [];
    for (const { month } of this.list(start, end)) {
      const source = inFirst.has(month) ? this.#first : this.#second;
      const last = parts.at(-1);
      if (last?.source === source) parts[parts.length - 1] = { ...last, until: Math.min(until, monthEnd(month)) };
      else parts.push({ source, from: Math.max(from, startOf(month)), until: Math.min(until, monthEnd(month)) });
    }
    return parts;
  }
}
