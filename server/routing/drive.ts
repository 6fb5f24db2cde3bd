import { ROUNDABOUT, bearing, metresBetween, turnAngle } from '../territory/roads/index.ts';
import type { Roads } from '../territory/roads/index.ts';
import type { Leg, Trip } from './find-trip.ts';
import type { Passages } from './passages.ts';
import type { Place } from './snap.ts';

/** A row of instructions before the thinning of the geometry. */
export interface Row {
  code: string;
  /** Number of the road's name after the instruction. */
  name: number;
  mode: number;
  /** Vertex at which it is given, and the one at which the next is (before a ring, where the ring begins). */
  vertex: number;
  end: number;
  /** metres and tenths of a second from `vertex` to `end`, the turn at the end included */
  distance: number;
  time: number;
  /** degrees of the way out, 0 to 360 */
  bearing: number;
}

/** A trip drawn out: every vertex of the way, and what is said on it. */
export interface Drive {
  /** micro-degrees */
  lat: Int32Array;
  lon: Int32Array;
  /** Vertex of every asked point. */
  via: number[];
  rows: Row[];
  /** metres */
  distance: number;
  /** tenths of a second */
  time: number;
  /** Numbers of the names of the first and the last road that have a length. */
  startName: number;
  endName: number;
}

const CLASSES: readonly [from: number, code: number][] = [[23, 4], [67, 3], [113, 2], [158, 1], [202, 8], [248, 7], [292, 6], [336, 5]];

/** Code of `spec/routing.md` 7.4 for an angle as `turnAngle` gives it. */
export function turnCode(angle: number): number {
  let code = 5;
  for (const [from, of] of CLASSES) if (angle >= from) code = of;
  return code;
}

/** Draws a trip: vertices, distances, instructions. `joined` tells how many segments meet at a node. */
export function drawTrip(trip: Trip, places: readonly Place[], roads: Roads, passages: Passages, joined: Uint8Array): Drive {
  return new Drawing(trip, roads, passages, joined).draw(trip, places);
}

class Drawing {
  readonly #roads: Roads;
  readonly #passages: Passages;
  readonly #joined: Uint8Array;
  readonly #lat: Int32Array;
  readonly #lon: Int32Array;
  /** Metres and tenths of a second from the start to each vertex; the cost of a turn at the vertex is in it. */
  readonly #metres: Float64Array;
  readonly #spent: Float64Array;
  /** Vertices that are drawn. */
  #count = 0;
  readonly #rows: Row[] = [];
  #startName: number | undefined;
  #endName: number | undefined;
  /** Exits passed on the ring that the vehicle is on. */
  #exits = 0;

  constructor(trip: Trip, roads: Roads, passages: Passages, joined: Uint8Array) {
    let most = 2;
    for (const { arcs } of trip.legs) for (const arc of arcs) most += roads.pieces(arc >> 1);
    this.#lat = new Int32Array(most);
    this.#lon = new Int32Array(most);
    this.#metres = new Float64Array(most);
    this.#spent = new Float64Array(most);
    this.#roads = roads;
    this.#passages = passages;
    this.#joined = joined;
  }

  draw(trip: Trip, places: readonly Place[]): Drive {
    const via = [0];
    this.#vertex(places[0]!.lat, places[0]!.lon, 0);
    trip.legs.forEach((leg, i) => {
      this.#leg(leg, places[i + 1]!, i === 0 ? '10' : '9');
      via.push(this.#count - 1);
    });
    if (this.#count === 1) {
      // Nothing to drive: still a line, from the point to itself.
      this.#vertex(places[0]!.lat, places[0]!.lon, 0);
      via.fill(1, 1);
    }
    const { segmentName } = this.#roads.columns;
    const last = this.#count - 1;
    this.#endRow(last);
    this.#rows.push({ code: '15', name: 0, mode: this.#rows.at(-1)?.mode ?? 1, vertex: last, end: last, distance: 0, time: 0, bearing: 0 });
    for (const row of this.#rows) {
      row.distance = this.#metres[row.end]! - this.#metres[row.vertex]!;
      row.time = this.#spent[row.end]! - this.#spent[row.vertex]!;
      if (row.vertex < last) row.bearing = bearing(this.#lat[row.vertex]!, this.#lon[row.vertex]!, this.#lat[row.vertex + 1]!, this.#lon[row.vertex + 1]!);
    }
    return {
      lat: this.#lat.subarray(0, this.#count), lon: this.#lon.subarray(0, this.#count), via, rows: this.#rows,
      distance: this.#metres[last]!,
      time: trip.cost,
      startName: this.#startName ?? segmentName[places[0]!.segment]!,
      endName: this.#endName ?? segmentName[places.at(-1)!.segment]!,
    };
  }

  #leg(leg: Leg, to: Place, opening: '9' | '10'): void {
    const { segmentName } = this.#roads.columns;
    if (leg.arcs.length === 0) {
      this.#open(opening, leg.from.arc);
      return;
    }
    let time = this.#spent[this.#count - 1]! + leg.from.delay;
    let begun = false;
    const { arcs } = leg;
    for (let i = 0; i < arcs.length; i++) {
      const arc = arcs[i]!;
      const final = i === arcs.length - 1;
      const at = i === 0 ? leg.from.at : 0;
      const end = final ? leg.to.at : this.#roads.pieces(arc >> 1);
      const turn = final ? 0 : this.#roads.turnBetween(arc, arcs[i + 1]!);
      // A road left at once, without having been driven, is not spoken of; turning off it is part of the first stretch.
      if (at < end) {
        if (begun) this.#turn(arcs[i - 1]!, arc);
        else this.#open(opening, arc);
        begun = true;
        this.#startName ??= segmentName[arc >> 1]!;
        this.#endName = segmentName[arc >> 1]!;
        time = this.#along(arc, at, end, time, turn, final ? to : undefined);
      } else {
        time += turn;
      }
    }
  }

  /** Draws a stretch of an arc up to its end, or to the place at which the leg ends. Returns the time there, the turn made at it included. */
  #along(arc: number, at: number, end: number, time: number, turn: number, to: Place | undefined): number {
    const { segmentFirst, shape, nodeLat, nodeLon } = this.#roads.columns;
    const first = segmentFirst[arc >> 1]!;
    const last = segmentFirst[(arc >> 1) + 1]! - 1;
    let cost = 0;
    for (let k = Math.floor(at); k < end; k++) {
      cost = this.#passages.after(arc, k, at, end, cost);
      const arrives = k + 1 >= end;
      const node = shape[arc & 1 ? last - k - 1 : first + k + 1]!;
      if (arrives && to) this.#vertex(to.lat, to.lon, time + cost + turn);
      else this.#vertex(nodeLat[node]!, nodeLon[node]!, time + cost + (arrives ? turn : 0));
    }
    return time + cost + turn;
  }

  #vertex(lat: number, lon: number, spent: number): void {
    const at = this.#count++;
    this.#metres[at] = at === 0 ? 0 : this.#metres[at - 1]! + metresBetween(this.#lat[at - 1]!, this.#lon[at - 1]!, lat, lon);
    this.#spent[at] = spent;
    this.#lat[at] = lat;
    this.#lon[at] = lon;
  }

  /** The first row of a leg. */
  #open(code: '9' | '10', arc: number): void {
    this.#row(code, arc);
    this.#exits = 0;
    if (this.#onRing(arc)) this.#endRow(this.#count - 1);
  }

  /** Says what is to be said where one road goes over into another. */
  #turn(from: number, onto: number): void {
    if (this.#onRing(onto)) {
      if (!this.#onRing(from)) {
        this.#endRow(this.#count - 1);
        this.#exits = 0;
      } else if (this.#waysOn(from) > 1) this.#exits++;
      return;
    }
    if (this.#onRing(from)) {
      this.#row(`11-${this.#exits + 1}`, onto);
      return;
    }
    if (onto === (from ^ 1)) {
      this.#row('5', onto);
      return;
    }
    const { segmentName, segmentMode } = this.#roads.columns;
    const name = segmentName[onto >> 1]!;
    const sameMode = segmentMode[from >> 1] === segmentMode[onto >> 1];
    const silent = name === segmentName[from >> 1] && (name !== 0 || this.#joined[this.#roads.head(from)]! <= 2);
    if (!(silent && sameMode)) this.#row(String(turnCode(this.#angle(from, onto))), onto);
  }

  #row(code: string, arc: number): void {
    const { segmentName, segmentMode } = this.#roads.columns;
    const vertex = this.#count - 1;
    this.#endRow(vertex);
    this.#rows.push({ code, name: segmentName[arc >> 1]!, mode: segmentMode[arc >> 1]!, vertex, end: -1, distance: 0, time: 0, bearing: 0 });
  }

  /** The stretch of the last row ends here, unless it has ended before. */
  #endRow(vertex: number): void {
    const row = this.#rows.at(-1);
    if (row && row.end < 0) row.end = vertex;
  }

  #onRing(arc: number): boolean {
    return (this.#roads.columns.segmentFlags[arc >> 1]! & ROUNDABOUT) !== 0;
  }

  #waysOn(arc: number): number {
    const { turnFirst, turnHead } = this.#roads.columns;
    let ways = 0;
    for (let turn = turnFirst[arc]!; turn < turnFirst[arc + 1]!; turn++) if (turnHead[turn] !== (arc ^ 1)) ways++;
    return ways;
  }

  #angle(from: number, onto: number): number {
    const { nodeLat, nodeLon } = this.#roads.columns;
    const before = this.#beforeHead(from);
    const node = this.#roads.head(from);
    const after = this.#beforeHead(onto ^ 1);
    return turnAngle(nodeLat[before]!, nodeLon[before]!, nodeLat[node]!, nodeLon[node]!, nodeLat[after]!, nodeLon[after]!);
  }

  /** The last node before the head of an arc. */
  #beforeHead(arc: number): number {
    const { segmentFirst, shape } = this.#roads.columns;
    return arc & 1 ? shape[segmentFirst[arc >> 1]! + 1]! : shape[segmentFirst[(arc >> 1) + 1]! - 2]!;
  }
}
