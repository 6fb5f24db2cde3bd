/** Spans of time: pairs of first and last ms, both inclusive, ascending, apart from each other. */
export type Spans = readonly number[];

/** Any time a record can have. */
export const ALWAYS: Spans = [0, Number.MAX_SAFE_INTEGER];

/** Most pairs of a vehicle. Beyond this the two nearest become one: some points are sent twice. */
const MOST_PAIRS = 32;

export function hasTime(spans: Spans, time: number): boolean {
  for (let at = spans.length - 2; at >= 0; at -= 2) if (time >= spans[at]!) return time <= spans[at + 1]!;
  return false;
}

export function withTime(spans: Spans, time: number): Spans {
  if (hasTime(spans, time)) return spans;
  let at = 0;
  while (at < spans.length && spans[at]! < time) at += 2;
  return fewer(joined([...spans.slice(0, at), time, time, ...spans.slice(at)]));
}

export function withSpans(spans: Spans, others: Spans): Spans {
  const pairs: [number, number][] = [];
  for (const some of [spans, others])
    for (let at = 0; at < some.length; at += 2) pairs.push([some[at]!, some[at + 1]!]);
  pairs.sort((a, b) => a[0] - b[0]);
  return fewer(joined(pairs.flat()));
}

export function withoutSpan(spans: Spans, from: number, until: number): Spans {
  const left: number[] = [];
  for (let at = 0; at < spans.length; at += 2) {
    const [first, last] = [spans[at]!, spans[at + 1]!];
    if (last < from || first > until) {
      left.push(first, last);
      continue;
    }
    if (first < from) left.push(first, from - 1);
    if (last > until) left.push(until + 1, last);
  }
  return fewer(left);
}

/** The parts of the spans at and after a time. */
export function spansSince(spans: Spans, since: number): Spans {
  return since <= 0 ? spans : withoutSpan(spans, 0, since - 1);
}

function joined(spans: readonly number[]): number[] {
  const done: number[] = [];
  for (let at = 0; at < spans.length; at += 2) {
    const [first, last] = [spans[at]!, spans[at + 1]!];
    if (done.length > 0 && first <= done.at(-1)! + 1) done[done.length - 1] = Math.max(done.at(-1)!, last);
    else done.push(first, last);
  }
  return done;
}

function fewer(spans: readonly number[]): Spans {
  if (spans.length <= 2 * MOST_PAIRS) return spans;
  const less = [...spans];
  while (less.length > 2 * MOST_PAIRS) {
    let nearest = 1;
    for (let at = 1; at + 1 < less.length; at += 2)
      if (less[at + 1]! - less[at]! < less[nearest + 1]! - less[nearest]!) nearest = at;
    less.splice(nearest, 2);
  }
  return less;
}
