/**
 * Straight pieces of road in columns: their ends in micro-degrees, and their limits in km/h from the first
 * end to the second one, and back.
 */
export interface LimitedPieces {
  readonly fromLat: Int32Array;
  readonly fromLon: Int32Array;
  readonly toLat: Int32Array;
  readonly toLon: Int32Array;
  /** 0: unknown. `CLOSED`: no driving in this direction. */
  readonly along: Uint8Array;
  readonly against: Uint8Array;
}

/** Used instead of a limit. */
export const CLOSED_LIMIT = 255;

const MAGIC = 0x4c575057; // "WPWL"
const VERSION = 1;
const HEADER = 5;
/** Micro-degrees: some 200 m by 130 m in the middle latitudes. */
const CELL = 2_000;
/** A piece in more cells than this is a map error, or crosses the 180th meridian. */
const MAX_CELLS = 20_000;
const METRES = 0.11119493; // of a micro-degree of latitude, on the mean sphere
const RADIANS = Math.PI / 180;

/** Largest distance in metres between a fix and its road: half a wide road and the error of a good fix. */
const NEAR = 25;
/** Roads at most this much farther away (m) than the nearest one may be the right one. */
const AS_NEAR = 8;
/** Degrees between the course of a vehicle and its road. */
const ALONG = 35;

/**
 * The speed limits of the roads of a territory, in one buffer, used as the import wrote it. It holds all
 * roads for cars, also those without a known limit, so that a fix on one is not matched to the next road.
 *
 * Layout, in little-endian 32-bit words except the limits: magic, version, numbers of pieces, cells and
 * entries; four columns of the ends of the pieces; for each cell of a grid, in ascending order, its row, its
 * column and the start of its entries; the entries, which are pieces; then a byte for each piece forwards,
 * and one backwards.
 */
export class RoadLimits {
  static readonly #opened = new WeakMap<ArrayBufferLike, RoadLimits>();
  /**
   * km/h, the lowest of all limits: a slower vehicle cannot be too fast anywhere. Infinity when none is
   * known.
   */
  readonly lowest: number;
  readonly #ends: readonly [fromLat: Int32Array, fromLon: Int32Array, toLat: Int32Array, toLon: Int32Array];
  readonly #rows: Int32Array;
  readonly #columns: Int32Array;
  readonly #first: Uint32Array;
  readonly #entries: Uint32Array;
  readonly #along: Uint8Array;
  readonly #against: Uint8Array;

  private constructor(buffer: ArrayBufferLike, pieces: number, cells: number, entries: number) {
    let word = HEADER;
    const take = (length: number) => (word += length) - length;
    const ints = (length: number) => new Int32Array(buffer, take(length) * 4, length);
    this.#ends = [ints(pieces), ints(pieces), ints(pieces), ints(pieces)];
    this.#rows = ints(cells);
    this.#columns = ints(cells);
    this.#first = new Uint32Array(buffer, take(cells + 1) * 4, cells + 1);
    this.#entries = new Uint32Array(buffer, take(entries) * 4, entries);
    this.#along = new Uint8Array(buffer, word * 4, pieces);
    this.#against = new Uint8Array(buffer, word * 4 + pieces, pieces);
    let lowest = Infinity;
    for (const limits of [this.#along, this.#against])
      for (let i = 0; i < limits.length; i++)
        if (limits[i]! > 0 && limits[i]! < CLOSED_LIMIT && limits[i]! < lowest) lowest = limits[i]!;
    this.lowest = lowest;
  }

  /**
   * Copies nothing; a known buffer returns its existing object. Throws when the bytes are no complete limits
   * of this version.
   */
  static from(buffer: ArrayBufferLike): RoadLimits {
    let limits = RoadLimits.#opened.get(buffer);
    if (limits) return limits;
    const [magic, version, pieces, cells, entries] =
      buffer.byteLength < HEADER * 4 ? [] : new Uint32Array(buffer, 0, HEADER);
    if (magic !== MAGIC) throw new Error('These bytes are no file of speed limits.');
    if (version !== VERSION)
      throw new Error(
        `A file of speed limits of version ${version} was found, ${VERSION} is expected: import the territory again.`,
      );
    if (buffer.byteLength !== sizeOf(pieces!, cells!, entries!))
      throw new Error('The file of speed limits is damaged: import the territory again.');
    RoadLimits.#opened.set(buffer, (limits = new RoadLimits(buffer, pieces!, cells!, entries!)));
    return limits;
  }

  static pack({ fromLat, fromLon, toLat, toLon, along, against }: LimitedPieces): Uint8Array<ArrayBuffer> {
    const pieces = fromLat.length;
    const inCells = (take: (key: number, piece: number) => void) => {
      for (let piece = 0; piece < pieces; piece++) {
        const [south, north] = [
          cellOf(Math.min(fromLat[piece]!, toLat[piece]!)),
          cellOf(Math.max(fromLat[piece]!, toLat[piece]!)),
        ];
        const [west, east] = [
          cellOf(Math.min(fromLon[piece]!, toLon[piece]!)),
          cellOf(Math.max(fromLon[piece]!, toLon[piece]!)),
        ];
        if ((north - south + 1) * (east - west + 1) > MAX_CELLS) continue;
        for (let row = south; row <= north; row++)
          for (let column = west; column <= east; column++) take(row * COLUMNS + column, piece);
      }
    };
    const counts = new Map<number, number>();
    inCells((key) => counts.set(key, (counts.get(key) ?? 0) + 1));
    const keys = Float64Array.from(counts.keys()).sort();
    const places = new Map<number, number>();
    const first = new Int32Array(keys.length + 1);
    keys.forEach((key, cell) => {
      places.set(key, first[cell]!);
      first[cell + 1] = first[cell]! + counts.get(key)!;
    });
    const entries = new Int32Array(first[keys.length]!);
    inCells((key, piece) => {
      const place = places.get(key)!;
      entries[place] = piece;
      places.set(key, place + 1);
    });

    const bytes = new Uint8Array(sizeOf(pieces, keys.length, entries.length));
    const words = new Int32Array(bytes.buffer, 0, Math.floor(bytes.length / 4));
    const rows = Int32Array.from(keys, (key) => Math.round(key / COLUMNS));
    let word = 0;
    for (const part of [
      [MAGIC, VERSION, pieces, keys.length, entries.length],
      fromLat,
      fromLon,
      toLat,
      toLon,
      rows,
      Int32Array.from(keys, (key, cell) => key - rows[cell]! * COLUMNS),
      first,
      entries,
    ]) {
      words.set(part, word);
      word += part.length;
    }
    bytes.set(along, word * 4);
    bytes.set(against, word * 4 + pieces);
    return bytes;
  }

  /**
   * The speed limit in km/h under a fix; 0: unknown, or no road. The road is the nearest one within 25 m
   * along the course. If another one is about as near, as at the end of a limit or beside a slip road, the
   * higher limit counts, so that an error of the fix blames nobody.
   * @param at degrees
   * @param course degrees clockwise from north; null: unknown, matches any road
   */
  at({ lat, lon }: { readonly lat: number; readonly lon: number }, course: number | null): number {
    const [y, x] = [lat * 1e6, lon * 1e6];
    const across = METRES * Math.max(0.01, Math.cos(lat * RADIANS));
    const [up, aside] = [NEAR / METRES, NEAR / across];
    let nearest = NEAR + 1e-9;
    const near: { distance: number; limit: number }[] = [];
    for (let row = cellOf(y - up); row <= cellOf(y + up); row++) {
      for (let column = cellOf(x - aside); column <= cellOf(x + aside); column++) {
        const cell = this.#cell(row, column);
        if (cell < 0) continue;
        for (let entry = this.#first[cell]!; entry < this.#first[cell + 1]!; entry++) {
          const found = this.#look(this.#entries[entry]!, x, y, across, course);
          if (!found || found.distance > NEAR) continue;
          near.push(found);
          nearest = Math.min(nearest, found.distance);
        }
      }
    }
    let limit = 0;
    for (const one of near) {
      if (one.distance === nearest && one.limit === 0) return 0;
      if (one.distance <= nearest + AS_NEAR) limit = Math.max(limit, one.limit);
    }
    return limit;
  }

  /** The position of the cell in the table; -1: it is empty. */
  #cell(row: number, column: number): number {
    let [low, high] = [0, this.#rows.length - 1];
    while (low <= high) {
      const middle = (low + high) >> 1;
      const difference = this.#rows[middle]! - row || this.#columns[middle]! - column;
      if (difference === 0) return middle;
      if (difference < 0) low = middle + 1;
      else high = middle - 1;
    }
    return -1;
  }

  #look(
    piece: number,
    x: number,
    y: number,
    across: number,
    course: number | null,
  ): { distance: number; limit: number } | undefined {
    const [fromLat, fromLon, toLat, toLon] = this.#ends;
    const [ax, ay] = [(fromLon[piece]! - x) * across, (fromLat[piece]! - y) * METRES];
    const [dx, dy] = [(toLon[piece]! - fromLon[piece]!) * across, (toLat[piece]! - fromLat[piece]!) * METRES];
    const square = dx * dx + dy * dy;
    const share = square === 0 ? 0 : Math.min(1, Math.max(0, -(ax * dx + ay * dy) / square));
    const distance = Math.hypot(ax + share * dx, ay + share * dy);
    if (distance > NEAR) return undefined;
    const [along, against] = [this.#along[piece]!, this.#against[piece]!];
    if (course === null) return { distance, limit: Math.max(along % CLOSED_LIMIT, against % CLOSED_LIMIT) };
    const off = Math.abs(((((course - Math.atan2(dx, dy) / RADIANS) % 360) + 540) % 360) - 180);
    const limit = off <= ALONG ? along : off >= 180 - ALONG ? against : CLOSED_LIMIT;
    return limit === CLOSED_LIMIT ? undefined : { distance, limit };
  }
}

/** More columns than a parallel has. */
const COLUMNS = 1_000_000;

function cellOf(microDegrees: number): number {
  return Math.floor(microDegrees / CELL);
}

function sizeOf(pieces: number, cells: number, entries: number): number {
  return (HEADER + 4 * pieces + 3 * cells + 1 + entries) * 4 + 2 * pieces;
}
