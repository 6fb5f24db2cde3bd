import type { Feature } from 'protomaps-leaflet';

type Line = Feature['geom'][number];

interface Spot {
  readonly x: number;
  readonly y: number;
}

/** A line with the distance of each of its points from its start: names ask for thousands of places along it. */
export class MeasuredLine {
  readonly line: Line;
  readonly length: number;
  private readonly distances: Float64Array;

  constructor(line: Line) {
    this.line = line;
    this.distances = new Float64Array(line.length);
    for (let i = 1; i < line.length; i++)
      this.distances[i] = this.distances[i - 1]! + Math.hypot(line[i]!.x - line[i - 1]!.x, line[i]!.y - line[i - 1]!.y);
    this.length = this.distances.at(-1)!;
  }

  /** The point at this distance; before the start and beyond the end the line continues straight. */
  pointAt(at: number): Spot {
    const { line, distances } = this;
    if (at <= 0) return beyond(line[1]!, line[0]!, -at);
    if (at >= this.length) return beyond(line.at(-2)!, line.at(-1)!, at - this.length);
    let [low, high] = [0, line.length - 1];
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if (distances[middle]! <= at) low = middle;
      else high = middle;
    }
    const a = line[low]!,
      b = line[high]!;
    const t = (at - distances[low]!) / (distances[high]! - distances[low]! || 1);
    return { x: a.x + (b.x - a.x) * t, y: a.y + (b.y - a.y) * t };
  }
}

function beyond(a: Spot, b: Spot, by: number): Spot {
  const step = Math.hypot(b.x - a.x, b.y - a.y) || 1;
  return { x: b.x + ((b.x - a.x) * by) / step, y: b.y + ((b.y - a.y) * by) / step };
}
