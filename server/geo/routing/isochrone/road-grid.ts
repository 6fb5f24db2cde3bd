import { METRES, RADIANS, lonDifference } from '../../territory/roads/reading.ts';
import { contoursOf, polygonsOf } from './contours.ts';
import type { GridRing } from './contours.ts';
import { simplifyWithin } from '../answer/simplify.ts';

/** Metres from a road that belong to an area, at least (README rule 14). */
const NEAR = 75;
/** Minimum metres between grid nodes, and maximum number of nodes. */
const FINEST = 25;
const MAX_NODES = 160_000;
/** Grid steps of a line that are drawn at once. */
const LONG = 8;

/** Bounds in micro-degrees; `east` exceeds 180 degrees when they cross the 180th meridian. */
export interface GridBounds {
  south: number;
  west: number;
  north: number;
  east: number;
}

/**
 * Draws roads as areas on a grid of at most 160,000 nodes, in a plane that is true to scale in the middle of
 * the bounds. Each node keeps its distance to the nearest road drawn.
 */
export class RoadGrid {
  /** Metres from a road that belong to the area. */
  readonly near: number;
  readonly #west: number;
  readonly #south: number;
  /** Micro-degrees between nodes. */
  readonly #stepLon: number;
  readonly #stepLat: number;
  readonly #width: number;
  readonly #height: number;
  /** Squared distance to the nearest drawn road, in steps. */
  readonly #squares: Float32Array;
  /** Nodes near any road, reached or not. */
  readonly #marked: Uint8Array;
  /** The 180th meridian and its column; -1 when out of bounds. */
  readonly #seamLon: number;
  readonly #seam: number;
  /** `near` in steps, and the maximum distance kept: contours lie between nodes. */
  readonly #reach: number;
  readonly #kept: number;

  constructor({ south, west, north, east }: GridBounds) {
    const shrink = Math.max(0.001, Math.cos(((south + north) / 2) * 1e-6 * RADIANS));
    const tall = (north - south) * METRES;
    const wide = (east - west) * METRES * shrink;
    let step = FINEST;
    const nodes = (): number => (Math.ceil(tall / step) + 2 * margin()) * (Math.ceil(wide / step) + 2 * margin());
    const margin = (): number => Math.ceil(Math.max(NEAR / step, 2)) + 2;
    while (nodes() > MAX_NODES) step *= 1.05;
    this.near = Math.max(NEAR, 2 * step);
    this.#reach = this.near / step;
    this.#kept = this.#reach + 1.5;
    this.#stepLat = step / METRES;
    this.#stepLon = step / METRES / shrink;
    this.#south = south - margin() * this.#stepLat;
    const left = west - margin() * this.#stepLon;
    // A column of nodes lies on the meridian, so that areas can be cut along it (RFC 7946, 3.1.9).
    this.#seamLon = left < -180e6 ? -180e6 : 180e6;
    this.#west = this.#seamLon - Math.ceil((this.#seamLon - left) / this.#stepLon) * this.#stepLon;
    this.#width = Math.ceil(wide / step) + 2 * margin() + 1;
    this.#height = Math.ceil(tall / step) + 2 * margin();
    const column = Math.round((this.#seamLon - this.#west) / this.#stepLon);
    this.#seam = column < this.#width ? column : -1;
    this.#squares = new Float32Array(this.#width * this.#height).fill(Infinity);
    this.#marked = new Uint8Array(this.#squares.length);
  }

  /** Adds a reached straight road. */
  draw(lat1: number, lon1: number, lat2: number, lon2: number): void {
    const x1 = this.#x(lon1);
    const y1 = this.#y(lat1);
    this.#inParts(x1, y1, x1 + lonDifference(lon1, lon2) / this.#stepLon, this.#y(lat2), LONG, (xa, ya, xb, yb) =>
      this.#drawPart(xa, ya, xb, yb),
    );
  }

  /** Marks a road, reached or not: an area without roads is not a hole. */
  mark(lat1: number, lon1: number, lat2: number, lon2: number): void {
    const x1 = this.#x(lon1);
    const y1 = this.#y(lat1);
    const x2 = x1 + lonDifference(lon1, lon2) / this.#stepLon;
    const y2 = this.#y(lat2);
    if (
      Math.max(x1, x2) < 0 ||
      Math.max(y1, y2) < 0 ||
      Math.min(x1, x2) > this.#width ||
      Math.min(y1, y2) > this.#height
    )
      return;
    this.#inParts(x1, y1, x2, y2, 0.5, (_, __, x, y) => {
      const column = Math.round(x);
      const row = Math.round(y);
      if (column >= 0 && row >= 0 && column < this.#width && row < this.#height)
        this.#marked[row * this.#width + column] = 1;
    });
  }

  /** GeoJSON polygons, each ring as longitude and latitude alternately, whole micro-degrees. */
  outlines(): Int32Array[][] {
    const field = this.#squares.map(Math.sqrt);
    this.#fillEmptyHoles(field);
    const within = (from: number, to: number, turned: number): Int32Array[][] =>
      polygonsOf(contoursOf(field, this.#width, this.#reach, from, to)).map((rings) =>
        rings.map((ring) => this.#positions(ring, turned)),
      );
    const last = this.#width - 1;
    if (this.#seam < 0) return within(0, last, 0);
    return this.#seamLon < 0
      ? [...within(0, this.#seam, 360e6), ...within(this.#seam, last, 0)]
      : [...within(0, this.#seam, 0), ...within(this.#seam, last, -360e6)];
  }

  #x(lon: number): number {
    return lonDifference(this.#west, lon) / this.#stepLon;
  }

  #y(lat: number): number {
    return (lat - this.#south) / this.#stepLat;
  }

  #inParts(
    x1: number,
    y1: number,
    x2: number,
    y2: number,
    length: number,
    visit: (xa: number, ya: number, xb: number, yb: number) => void,
  ): void {
    const parts = Math.max(1, Math.ceil(Math.max(Math.abs(x2 - x1), Math.abs(y2 - y1)) / length));
    for (let i = 0; i < parts; i++)
      visit(
        x1 + ((x2 - x1) * i) / parts,
        y1 + ((y2 - y1) * i) / parts,
        x1 + ((x2 - x1) * (i + 1)) / parts,
        y1 + ((y2 - y1) * (i + 1)) / parts,
      );
  }

  #drawPart(xa: number, ya: number, xb: number, yb: number): void {
    const dx = xb - xa;
    const dy = yb - ya;
    const length = dx * dx + dy * dy;
    const east = Math.min(this.#width - 1, Math.floor(Math.max(xa, xb) + this.#kept));
    const north = Math.min(this.#height - 1, Math.floor(Math.max(ya, yb) + this.#kept));
    for (let y = Math.max(0, Math.ceil(Math.min(ya, yb) - this.#kept)); y <= north; y++) {
      for (let x = Math.max(0, Math.ceil(Math.min(xa, xb) - this.#kept)); x <= east; x++) {
        const share = length === 0 ? 0 : Math.max(0, Math.min(1, ((x - xa) * dx + (y - ya) * dy) / length));
        const offX = x - xa - share * dx;
        const offY = y - ya - share * dy;
        const square = offX * offX + offY * offY;
        const node = y * this.#width + x;
        if (square < this.#squares[node]!) this.#squares[node] = square;
      }
    }
  }

  /** Fills unreached regions that are enclosed and contain no road. */
  #fillEmptyHoles(field: Float32Array): void {
    const seen = new Uint8Array(field.length);
    // A region is the part of the queue from one `first` to the next.
    const queue = new Int32Array(field.length);
    let added = 0;
    const add = (node: number): void => {
      if (seen[node] === 1 || field[node]! <= this.#reach) return;
      seen[node] = 1;
      queue[added++] = node;
    };
    for (let start = 0; start < field.length; start++) {
      const first = added;
      let open = false;
      add(start);
      for (let i = first; i < added; i++) {
        const node = queue[i]!;
        const x = node % this.#width;
        if (this.#marked[node] === 1) open = true;
        // Nothing is drawn near the edge of the grid: a region that touches it is outside.
        if (x === 0 || x === this.#width - 1 || node < this.#width || node >= field.length - this.#width) {
          open = true;
          continue;
        }
        add(node - 1);
        add(node + 1);
        add(node - this.#width);
        add(node + this.#width);
      }
      if (!open) for (let i = first; i < added; i++) field[queue[i]!] = 0;
    }
  }

  /** Converts a ring to micro-degrees, simplified to a fifth of a grid step. */
  #positions(ring: GridRing, turned: number): Int32Array {
    const lon: number[] = [];
    const lat: number[] = [];
    for (let i = 0; i < ring.length; i += 2) {
      lon.push(Math.round(this.#west + ring[i]! * this.#stepLon) + turned);
      lat.push(Math.max(-90e6, Math.min(90e6, Math.round(this.#south + ring[i + 1]! * this.#stepLat))));
    }
    // Two distant vertices always stay, or a small ring would become a line.
    const opposite = [1, 2]
      .map((third) => Math.floor((third * (lat.length - 1)) / 3))
      .filter((i) => i > 0 && i < lat.length - 1);
    const keep = new Uint8Array(lat.length);
    for (const i of [0, ...opposite, lat.length - 1]) keep[i] = 1;
    simplifyWithin(lat, lon, keep, (this.#stepLat * METRES) / 5);
    return Int32Array.from(lat.flatMap((_, i) => (keep[i] === 1 ? [lon[i]!, lat[i]!] : [])));
  }
}
