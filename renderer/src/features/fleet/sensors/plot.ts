import type { Series } from '../track/track.ts';

export interface PlotLine extends Series {
  /** CSS colour */
  readonly colour: string;
  /** Values hold up to the next one, as those of a switch do. */
  readonly stepped?: boolean;
}

interface PlotFrame {
  readonly from: number;
  readonly till: number;
  /** pixels */
  readonly width: number;
  readonly height: number;
  readonly least: number;
  readonly most: number;
}

/**
 * The scale of a plot: from a round value at or below the least to one at or above the greatest, in three to
 * six even steps.
 */
export function scaleOf(
  lines: readonly Series[],
  from: number,
  till: number,
): { least: number; most: number; step: number } {
  let [least, most] = [Infinity, -Infinity];
  for (const { times, values } of lines) {
    for (let i = 0; i < times.length; i++) {
      const value = values[i]!;
      if (times[i]! < from || times[i]! > till || Number.isNaN(value)) continue;
      if (value < least) least = value;
      if (value > most) most = value;
    }
  }
  if (least > most) return { least: 0, most: 1, step: 1 };
  if (least >= 0 && least < most * 0.6) least = 0; // a scale from nothing is read soonest
  // A constant value is a straight line in the middle, not noise that fills the plot.
  const rough = Math.max(most - least, most === least ? 1 : 0, Math.abs(most) * 0.05) / 3;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 2.5, 5, 10].map((one) => one * power).find((one) => one >= rough)!;
  return {
    least: Math.floor(least / step) * step,
    most: Math.max(Math.ceil(most / step) * step, Math.floor(least / step) * step + step),
    step,
  };
}

/**
 * A path of at most four points per pixel column (first, least, greatest, last), so that every peak is drawn,
 * once. `move` starts a new piece after a gap.
 */
export function tracePlot(
  line: PlotLine,
  frame: PlotFrame,
  move: (x: number, y: number) => void,
  draw: (x: number, y: number) => void,
): void {
  const { times, values, stepped } = line;
  const across = frame.width / Math.max(1, frame.till - frame.from);
  const up = frame.height / (frame.most - frame.least);
  const y = (value: number) => frame.height - (value - frame.least) * up;
  let down = false; // the pen
  let column = NaN;
  let [first, low, high, last] = [0, 0, 0, 0];
  const flush = () => {
    if (Number.isNaN(column)) return;
    (down ? draw : move)(column, y(first));
    if (low < Math.min(first, last)) draw(column, y(low));
    if (high > Math.max(first, last)) draw(column, y(high));
    if (last !== first) draw(column, y(last));
    down = true;
    column = NaN;
  };
  for (let i = firstWithin(times, frame.from); i < times.length; i++) {
    const value = values[i]!;
    if (Number.isNaN(value)) {
      flush();
      down = false;
      continue;
    }
    const x = Math.round((times[i]! - frame.from) * across);
    if (x !== column) {
      const level = last;
      flush();
      if (stepped && down) draw(x, y(level));
      column = x;
      first = low = high = value;
    }
    last = value;
    low = Math.min(low, value);
    high = Math.max(high, value);
    if (times[i]! > frame.till) break;
  }
  flush();
}

/** One point before the picture begins, so that the line comes in from its edge. */
function firstWithin(times: Float64Array, from: number): number {
  let [low, high] = [0, times.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (times[middle]! < from) low = middle + 1;
    else high = middle;
  }
  return Math.max(0, low - 1);
}

/** The value of a series at a time: that of the last point before it, or NaN where nothing is known. */
export function valueAt({ times, values }: Series, time: number): number {
  const after = firstWithin(times, time);
  const at = times[after + 1] !== undefined && times[after + 1]! <= time ? after + 1 : after;
  return times[at] !== undefined && times[at]! <= time ? values[at]! : NaN;
}

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const STEPS = [
  SECOND,
  5 * SECOND,
  15 * SECOND,
  MINUTE,
  5 * MINUTE,
  15 * MINUTE,
  30 * MINUTE,
  HOUR,
  2 * HOUR,
  3 * HOUR,
  6 * HOUR,
  12 * HOUR,
  DAY,
  7 * DAY,
];

/** Round local times between `from` and `till`, at least `apart` ms from each other. */
export function timeTicks(from: number, till: number, apart: number): number[] {
  const step = STEPS.find((one) => one >= apart) ?? STEPS.at(-1)!;
  const midnight = new Date(from).setHours(0, 0, 0, 0);
  const first = midnight + Math.ceil((from - midnight) / step) * step;
  const ticks: number[] = [];
  for (let at = first; at <= till; at += step) ticks.push(at);
  return ticks;
}
