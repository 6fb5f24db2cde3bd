import type { UnreadableLimit } from './graph/collect-pieces.ts';
import { lonDifference, metresBetweenMicro } from '../geometry/geodesy.ts';
import { openSections, packSections } from './sections.ts';
import type { SectionColumn } from './sections.ts';

const MAGIC = 0x59575057; // "WPWY"
const VERSION = 1;

/** Bits of `segmentFlags`. */
export const ROUNDABOUT = 1;
export const STARTABLE = 2;
/** In a component smaller than the minimum of the import. */
export const SMALL = 4;

/** The options of the roads, stored with them. */
export interface RoadFacts {
  profile: string;
  /** tenths of a second */
  signal: number;
  /** Least number of arcs of a component that is not small. */
  minComponent: number;
  /** Posted limits that cannot be read and therefore count as forbidding. */
  doubts?: readonly UnreadableLimit[];
}

/** `columns` of `Roads` as the builder makes them. */
export interface RoadColumns {
  nodeLat: Int32Array;
  nodeLon: Int32Array;
  nodeFlags: Uint8Array;
  segmentFirst: Uint32Array;
  shape: Uint32Array;
  pieceForward: Int32Array;
  pieceBackward: Int32Array;
  segmentFlags: Uint8Array;
  segmentMode: Uint8Array;
  /** Against it; absent in older roads. */
  segmentModeBack?: Uint8Array;
  segmentName: Uint32Array;
  segmentComponent: Uint32Array;
  turnFirst: Uint32Array;
  turnHead: Uint32Array;
  turnCost: Uint16Array;
  nameFirst: Uint32Array;
  nameBytes: Uint8Array;
  indexPieces: Uint32Array;
  indexSegments: Uint32Array;
  indexBoxes: Int32Array;
  indexLevels: Uint32Array;
  order: Uint32Array;
}

/**
 * The roads of one territory for one kind of vehicle.
 *
 * Nodes are in micro-degrees. Segment `s` runs between junctions over the nodes `shape[segmentFirst[s]]` …
 * `shape[segmentFirst[s + 1] - 1]`; `pieceForward[i]` and `pieceBackward[i]` are the costs between shape
 * positions `i` and `i + 1` in tenths of a second, 0 where closed. Arc `2s` drives a segment forward, `2s +
 * 1` backward; `turnHead` lists what may follow an arc, `turnCost` what the turn itself costs. `order` ranks
 * the arcs for the hierarchy: `order[r]` is the arc of rank `r`.
 */
export class Roads {
  readonly facts: RoadFacts;
  /** Identifies a set of roads; 0 to 2147483647. */
  readonly checksum: number;
  readonly columns: RoadColumns;
  readonly #decoder = new TextDecoder();
  /** Names read so far; most are read again and again. */
  readonly #names: string[] = [];
  readonly #namesJson: string[] = [];
  #arcMetres: Float64Array | undefined;
  readonly buffer: ArrayBufferLike;

  private constructor(
    buffer: ArrayBufferLike,
    facts: RoadFacts,
    columns: RoadColumns,
    checksum: number,
    arcMetres: Float64Array | undefined,
  ) {
    this.#arcMetres = arcMetres;
    this.buffer = buffer;
    this.facts = facts;
    this.columns = columns;
    this.checksum = checksum;
  }

  /**
   * Copies nothing; throws a sentence when the bytes are no complete roads of this version. `arcMetres` of
   * another thread saves computing it again.
   */
  static from(buffer: ArrayBufferLike, arcMetres?: Float64Array): Roads {
    const { facts, columns, checksum } = openSections<RoadFacts>(buffer, MAGIC, VERSION, 'road file');
    return new Roads(
      buffer,
      facts,
      Object.fromEntries(columns) as unknown as RoadColumns,
      checksum & 0x7fffffff,
      arcMetres,
    );
  }

  static pack(facts: RoadFacts, columns: RoadColumns): Uint8Array<ArrayBuffer> {
    return packSections(MAGIC, VERSION, facts, columns as unknown as Record<string, SectionColumn>);
  }

  get nodes(): number {
    return this.columns.nodeLat.length;
  }

  get segments(): number {
    return this.columns.segmentFirst.length - 1;
  }

  /** Including closed directions, which have no turns. */
  get arcs(): number {
    return this.segments * 2;
  }

  isOpen(arc: number): boolean {
    const { segmentFirst, pieceForward, pieceBackward } = this.columns;
    return (arc & 1 ? pieceBackward : pieceForward)[segmentFirst[arc >> 1]!]! > 0;
  }

  /** The segment that a shape position belongs to. */
  segmentOf(position: number): number {
    const { segmentFirst } = this.columns;
    let low = 0;
    let high = this.segments - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (segmentFirst[middle]! <= position) low = middle;
      else high = middle - 1;
    }
    return low;
  }

  /** How many straight pieces a segment has. */
  pieces(segment: number): number {
    const { segmentFirst } = this.columns;
    return segmentFirst[segment + 1]! - segmentFirst[segment]! - 1;
  }

  /**
   * Micro-degrees of a point on the straight piece that begins at a shape position, `ratio` 0 to 1 along it;
   * not rounded, and beyond 180 degrees if the piece is.
   */
  along(position: number, ratio: number): [lat: number, lon: number] {
    const { shape, nodeLat, nodeLon } = this.columns;
    const a = shape[position]!;
    const b = shape[position + 1]!;
    return [
      nodeLat[a]! + (nodeLat[b]! - nodeLat[a]!) * ratio,
      nodeLon[a]! + lonDifference(nodeLon[a]!, nodeLon[b]!) * ratio,
    ];
  }

  /**
   * Metres of a segment between two shape positions counted from its start, including fractions of a piece.
   */
  metres(segment: number, from: number, to: number): number {
    const { segmentFirst, shape, nodeLat, nodeLon } = this.columns;
    const first = segmentFirst[segment]!;
    let metres = 0;
    for (let k = Math.floor(from); k < Math.min(this.pieces(segment), to); k++) {
      const a = shape[first + k]!;
      const b = shape[first + k + 1]!;
      metres +=
        metresBetweenMicro(nodeLon[a]!, nodeLat[a]!, nodeLon[b]!, nodeLat[b]!) *
        (Math.min(1, to - k) - Math.max(0, from - k));
    }
    return metres;
  }

  /** Length of every arc, in shared memory. */
  get arcMetres(): Float64Array {
    if (!this.#arcMetres) {
      this.#arcMetres = new Float64Array(new SharedArrayBuffer(this.arcs * 8));
      for (let arc = 0; arc < this.arcs; arc++)
        this.#arcMetres[arc] = arc & 1 ? this.#arcMetres[arc - 1]! : this.metres(arc >> 1, 0, Infinity);
    }
    return this.#arcMetres;
  }

  /** Travel mode on an arc. */
  mode(arc: number): number {
    const { segmentMode, segmentModeBack } = this.columns;
    return ((arc & 1 && segmentModeBack) || segmentMode)[arc >> 1]!;
  }

  /** Display name of a segment; empty when unnamed. */
  name(segment: number): string {
    return this.nameText(this.columns.segmentName[segment]!);
  }

  /** Text of a name by its number; equal numbers are equal names. */
  nameText(name: number): string {
    const known = this.#names[name];
    if (known !== undefined) return known;
    const { nameFirst, nameBytes } = this.columns;
    // The decoder refuses shared memory, so the few bytes are copied.
    return (this.#names[name] = this.#decoder.decode(nameBytes.slice(nameFirst[name], nameFirst[name + 1])));
  }

  /** The same as a JSON string, with quotes. */
  nameJson(name: number): string {
    return (this.#namesJson[name] ??= JSON.stringify(this.nameText(name)));
  }

  /** Node at which an arc ends. */
  head(arc: number): number {
    const { segmentFirst, shape } = this.columns;
    return arc & 1 ? shape[segmentFirst[arc >> 1]!]! : shape[segmentFirst[(arc >> 1) + 1]! - 1]!;
  }

  /** Cost of the turn from one arc into another, which must follow it; tenths of a second. */
  turnBetween(from: number, onto: number): number {
    const { turnFirst, turnHead, turnCost } = this.columns;
    for (let turn = turnFirst[from]!; turn < turnFirst[from + 1]!; turn++)
      if (turnHead[turn] === onto) return turnCost[turn]!;
    throw new Error(`Arc ${onto} does not follow arc ${from}.`);
  }

  /** Node at which an arc begins. */
  tail(arc: number): number {
    return this.head(arc ^ 1);
  }
}
