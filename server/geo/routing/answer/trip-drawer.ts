import {
  ROUNDABOUT,
  UTURN_BELOW,
  UTURN_FROM,
  bearingMicro,
  isUTurn,
  lonDifference,
  metresBetweenMicro,
  turnAngle,
} from '../../territory/roads/reading.ts';
import type { Roads } from '../../territory/roads/reading.ts';
import type { TripLeg, Trip } from '../search/find-trip.ts';
import type { Costs } from '../metric/costs.ts';
import type { SnappedPositions } from '../snapping/snapped-positions.ts';
import type { RoadPoint } from '../snapping/snapper.ts';

/** An instruction of a route. */
export interface Instruction {
  /** Maneuver code (README rule 5); empty without instructions. */
  code: string;
  /** Number of the name of the road after the instruction. */
  name: number;
  mode: number;
  /** Vertex of the instruction. */
  vertex: number;
  /**
   * Metres and tenths of a second to the next instruction (before a roundabout, to its beginning), with the
   * turn at the end. Times are 0 without instructions.
   */
  distance: number;
  time: number;
  /** Bearing of the road after it, 0 to 360; 0 without instructions. */
  bearing: number;
}

/** A trip with its geometry and instructions. */
export interface DrawnTrip {
  /** Micro-degrees; views of the drawer's arrays, valid until it draws the next trip. */
  lat: Int32Array;
  lon: Int32Array;
  /** Vertex of each query point. */
  via: number[];
  instructions: Instruction[];
  /** metres */
  distance: number;
  /** tenths of a second */
  time: number;
  /** Numbers of the names of the first and the last road that have a length. */
  startName: number;
  endName: number;
}

/** The costs and positions that a trip was found with. */
interface DrawingContext {
  readonly costs: Costs;
  readonly positions: SnappedPositions;
}

const CLASSES: readonly [from: number, code: number][] = [
  [UTURN_BELOW, 4],
  [67, 3],
  [113, 2],
  [158, 1],
  [202, 8],
  [248, 7],
  [292, 6],
  [UTURN_FROM, 5],
];

const STRAIGHT = 1;

/** Maneuver code (README rule 5) of an angle as `turnAngle` computes it. */
export function turnCode(angle: number): number {
  let code = 5;
  for (const [from, of] of CLASSES) if (angle >= from) code = of;
  return code;
}

/** Draws trips one at a time into reused arrays: vertices, distances, instructions. */
export class TripDrawer {
  readonly #roads: Roads;
  readonly #degree: Uint8Array;
  #lat = new Int32Array(1024);
  #lon = new Int32Array(1024);
  /** Number of vertices drawn. */
  #count = 0;
  /** Metres and tenths of a second from the start to the last vertex, with the turn there. */
  #metres = 0;
  #elapsed = 0;
  #instructions: Instruction[] = [];
  /** Whether the last instruction is still open, and where it began. */
  #isOpen = false;
  #openMetres = 0;
  #openElapsed = 0;
  #startName: number | undefined;
  #endName: number | undefined;
  /** The arc that the vehicle is on; -1: any direction. */
  #currentArc = -1;
  /** Exits passed on the current roundabout. */
  #exits = 0;
  #withInstructions = true;

  /** `degree` is the number of segment ends per node. */
  constructor(roads: Roads, degree: Uint8Array) {
    this.#roads = roads;
    this.#degree = degree;
  }

  /**
   * `withInstructions`: compute codes, times and bearings of instructions, not only their places, names and
   * lengths.
   */
  draw(trip: Trip, places: readonly RoadPoint[], context: DrawingContext, withInstructions = true): DrawnTrip {
    this.#count = this.#metres = this.#elapsed = 0;
    this.#instructions = [];
    this.#isOpen = false;
    this.#withInstructions = withInstructions;
    this.#startName = this.#endName = undefined;
    this.#currentArc = -1;
    const via = [0];
    this.#vertex(places[0]!.lat, places[0]!.lon);
    for (const [i, leg] of trip.legs.entries()) {
      this.#leg(leg, places[i + 1]!, i === 0 ? '10' : '9', context);
      via.push(this.#count - 1);
    }
    if (this.#count === 1) {
      // Nothing to drive: the geometry is a line from the point to itself.
      this.#vertex(places[0]!.lat, places[0]!.lon);
      via.fill(1, 1);
    }
    this.#endInstruction();
    const last = this.#count - 1;
    const rows = this.#instructions;
    rows.push({ code: '15', name: 0, mode: rows.at(-1)?.mode ?? 1, vertex: last, distance: 0, time: 0, bearing: 0 });
    const lat = this.#lat.subarray(0, this.#count);
    const lon = this.#lon.subarray(0, this.#count);
    if (withInstructions)
      for (const row of rows)
        if (row.vertex < last)
          row.bearing = bearingMicro(lon[row.vertex]!, lat[row.vertex]!, lon[row.vertex + 1]!, lat[row.vertex + 1]!);
    const { segmentName } = this.#roads.columns;
    return {
      lat,
      lon,
      via,
      instructions: rows,
      distance: this.#metres,
      time: trip.cost,
      startName: this.#startName ?? segmentName[places[0]!.segment]!,
      endName: this.#endName ?? segmentName[places.at(-1)!.segment]!,
    };
  }

  #leg(leg: TripLeg, to: RoadPoint, opening: '9' | '10', context: DrawingContext): void {
    const { arcs } = leg;
    if (arcs.length === 0) {
      this.#openLeg(opening, leg.from.arc);
      return;
    }
    const { segmentName } = this.#roads.columns;
    const withInstructions = this.#withInstructions;
    let time = this.#elapsed + leg.from.delay;
    let begun = false;
    for (let i = 0; i < arcs.length; i++) {
      const arc = arcs[i]!;
      const final = i === arcs.length - 1;
      const at = i === 0 ? leg.from.at : 0;
      const end = final ? leg.to.at : this.#roads.pieces(arc >> 1);
      const turn = final || !withInstructions ? 0 : this.#roads.turnBetween(arc, arcs[i + 1]!);
      // A leg may start at the end of an arc, and end at the beginning of one.
      if (at < end) {
        // Even at a junction the query point may be a micro-degree off.
        const isWholeArc = begun && !final;
        if (begun) this.#turnInstruction(arcs[i - 1]!, arc);
        else this.#startLeg(opening, arc, time);
        begun = true;
        this.#endName = segmentName[arc >> 1]!;
        this.#startName ??= this.#endName;
        if (isWholeArc) this.#drawArc(arc);
        else this.#drawPart(arc, at, end, final ? to : undefined);
        if (withInstructions)
          time += isWholeArc ? context.costs.arc[arc]! : context.positions.costBetween(arc, at, end);
        time += turn;
        this.#elapsed = time;
      } else {
        if (begun) this.#turnInstruction(arcs[i - 1]!, arc);
        time += turn;
      }
      this.#currentArc = arc;
    }
  }

  /** The first instruction of a leg, and that of its first turn; `time` is after that turn. */
  #startLeg(opening: '9' | '10', arc: number, time: number): void {
    this.#openLeg(opening, arc);
    const from = this.#currentArc;
    if (from < 0 || from === arc) return;
    // The instruction of the point names the road; straight on adds nothing.
    if (!this.#isRoundabout(from) && turnCode(this.#angle(from, arc)) === STRAIGHT) return;
    this.#elapsed = time;
    this.#turnInstruction(from, arc);
    this.#exits = 0;
  }

  /** Draws a whole arc, without its first vertex. */
  #drawArc(arc: number): void {
    const { segmentFirst, shape, nodeLat, nodeLon } = this.#roads.columns;
    const first = segmentFirst[arc >> 1]!;
    const pieces = segmentFirst[(arc >> 1) + 1]! - 1 - first;
    this.#makeRoom(pieces);
    const lat = this.#lat;
    const lon = this.#lon;
    const step = arc & 1 ? -1 : 1;
    let position = arc & 1 ? first + pieces : first;
    let at = this.#count;
    for (const end = at + pieces; at < end; at++) {
      const node = shape[(position += step)]!;
      lat[at] = nodeLat[node]!;
      lon[at] = nodeLon[node]!;
    }
    this.#count = at;
    this.#metres += this.#roads.arcMetres[arc]!;
  }

  /** Draws a stretch of an arc up to its end, or to the point at which the leg ends. */
  #drawPart(arc: number, at: number, end: number, to: RoadPoint | undefined): void {
    const { segmentFirst, shape, nodeLat, nodeLon } = this.#roads.columns;
    const first = segmentFirst[arc >> 1]!;
    const last = segmentFirst[(arc >> 1) + 1]! - 1;
    for (let k = Math.floor(at); k < end; k++) {
      const node = shape[arc & 1 ? last - k - 1 : first + k + 1]!;
      if (k + 1 >= end && to) this.#vertex(to.lat, to.lon);
      else this.#vertex(nodeLat[node]!, nodeLon[node]!);
    }
  }

  #vertex(lat: number, lon: number): void {
    this.#makeRoom(1);
    const at = this.#count++;
    if (at > 0) this.#metres += metresBetweenMicro(this.#lon[at - 1]!, this.#lat[at - 1]!, lon, lat);
    this.#lat[at] = lat;
    this.#lon[at] = lon;
  }

  #makeRoom(more: number): void {
    if (this.#count + more <= this.#lat.length) return;
    const room = (this.#count + more) * 2;
    const [lat, lon] = [new Int32Array(room), new Int32Array(room)];
    lat.set(this.#lat);
    lon.set(this.#lon);
    this.#lat = lat;
    this.#lon = lon;
  }

  /** The first instruction of a leg. */
  #openLeg(code: '9' | '10', arc: number): void {
    this.#instruction(code, arc);
    this.#exits = 0;
    if (this.#isRoundabout(arc)) this.#endInstruction();
  }

  /** Adds the instruction, if any, for the turn from one arc onto another. */
  #turnInstruction(from: number, onto: number): void {
    const { segmentName } = this.#roads.columns;
    if (this.#isRoundabout(onto)) {
      if (!this.#isRoundabout(from)) {
        this.#endInstruction();
        this.#exits = 0;
      } else if (this.#exitCount(from) > 1) this.#exits++;
      return;
    }
    if (this.#isRoundabout(from)) {
      this.#instruction(`11-${this.#exits + 1}`, onto);
      return;
    }
    if (this.#beforeHead(from) === this.#beforeHead(onto ^ 1)) {
      this.#instruction('5', onto);
      return;
    }
    const name = segmentName[onto >> 1]!;
    const sameMode = this.#roads.mode(from) === this.#roads.mode(onto);
    const silent = name === segmentName[from >> 1] && (name !== 0 || this.#degree[this.#roads.head(from)]! <= 2);
    if (!(silent && sameMode) || this.#isUTurn(from, onto))
      this.#instruction(this.#withInstructions ? String(turnCode(this.#angle(from, onto))) : '', onto);
  }

  #instruction(code: string, arc: number): void {
    const { segmentName } = this.#roads.columns;
    this.#endInstruction();
    this.#instructions.push({
      code,
      name: segmentName[arc >> 1]!,
      mode: this.#roads.mode(arc),
      vertex: this.#count - 1,
      distance: 0,
      time: 0,
      bearing: 0,
    });
    this.#isOpen = true;
    this.#openMetres = this.#metres;
    this.#openElapsed = this.#elapsed;
  }

  /** Closes the last instruction, unless it is closed. */
  #endInstruction(): void {
    if (!this.#isOpen) return;
    const row = this.#instructions[this.#instructions.length - 1]!;
    row.distance = this.#metres - this.#openMetres;
    row.time = this.#elapsed - this.#openElapsed;
    this.#isOpen = false;
  }

  #isRoundabout(arc: number): boolean {
    return (this.#roads.columns.segmentFlags[arc >> 1]! & ROUNDABOUT) !== 0;
  }

  #exitCount(arc: number): number {
    const { turnFirst, turnHead } = this.#roads.columns;
    let ways = 0;
    for (let turn = turnFirst[arc]!; turn < turnFirst[arc + 1]!; turn++) if (turnHead[turn] !== (arc ^ 1)) ways++;
    return ways;
  }

  #isUTurn(from: number, onto: number): boolean {
    const { nodeLat, nodeLon } = this.#roads.columns;
    const before = this.#beforeHead(from);
    const node = this.#roads.head(from);
    const after = this.#beforeHead(onto ^ 1);
    // Both roads lead to one side of the node in at least one axis; this is rare, and only then the angle is
    // computed.
    const up = (nodeLat[before]! - nodeLat[node]!) * (nodeLat[after]! - nodeLat[node]!);
    const across = lonDifference(nodeLon[node]!, nodeLon[before]!) * lonDifference(nodeLon[node]!, nodeLon[after]!);
    return (up > 0 || across > 0) && isUTurn(this.#angle(from, onto));
  }

  #angle(from: number, onto: number): number {
    const { nodeLat, nodeLon } = this.#roads.columns;
    const before = this.#beforeHead(from);
    const node = this.#roads.head(from);
    const after = this.#beforeHead(onto ^ 1);
    return turnAngle(
      nodeLon[before]!,
      nodeLat[before]!,
      nodeLon[node]!,
      nodeLat[node]!,
      nodeLon[after]!,
      nodeLat[after]!,
    );
  }

  /** The last node before the head of an arc. */
  #beforeHead(arc: number): number {
    const { segmentFirst, shape } = this.#roads.columns;
    return arc & 1 ? shape[segmentFirst[arc >> 1]! + 1]! : shape[segmentFirst[(arc >> 1) + 1]! - 2]!;
  }
}
