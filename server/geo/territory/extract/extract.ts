/**
 * An OpenStreetMap extract in memory, in a compact form. The importer reads it (`readExtract`), tests and the
 * town generator draw it (`ExtractBuilder`), and the three makers use it: roads, places, tiles.
 */
export interface OsmExtract {
  readonly nodes: OsmNodes;
  readonly ways: OsmWays;
  readonly relations: readonly OsmRelation[];
  /** Degrees; from the header, else of the nodes. `[west, south, east, north]` */
  readonly bounds: readonly [number, number, number, number];
  /** The bounds of each of its files. */
  readonly boxes: readonly (readonly [number, number, number, number])[];
  /** Time of the data, epoch ms, if the header has it. */
  readonly dataTime: number | undefined;
}

export type Tags = Readonly<Record<string, string>>;

/** Nodes sorted by id; `i` below is the position in this order. */
export interface OsmNodes {
  readonly count: number;
  readonly id: Float64Array;
  /** 1e-7 degrees */
  readonly lat: Int32Array;
  readonly lon: Int32Array;
  /** Position of the node with this id, or -1. */
  find(id: number): number;
  tags(i: number): Tags | undefined;
  /** Positions of the nodes that have tags. */
  readonly tagged: Uint32Array;
  /** Positions of the nodes that have one of these keys: much faster than reading the tags of all. */
  having(...keys: readonly string[]): Uint32Array;
}

/**
 * Ways sorted by id. Way `w` runs over `refs[first[w]]` … `refs[first[w + 1] - 1]`, positions in `nodes`;
 * `MISSING` where the node is not in the extract.
 */
export interface OsmWays {
  readonly count: number;
  readonly id: Float64Array;
  readonly first: Uint32Array;
  readonly refs: Uint32Array;
  find(id: number): number;
  tags(w: number): Tags;
  /** Positions of the ways that have one of these keys. */
  having(...keys: readonly string[]): Uint32Array;
}

export const MISSING = 0xffffffff;

export interface OsmRelation {
  readonly id: number;
  readonly tags: Tags;
  readonly members: readonly {
    readonly type: 'node' | 'way' | 'relation';
    readonly id: number;
    readonly role: string;
  }[];
}
