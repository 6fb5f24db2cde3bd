import type { OsmExtract, OsmNodes, OsmRelation, OsmWays, Tags } from './extract.ts';
import { Growing } from './growing.ts';
import { packStrings, unpackStrings } from './strings.ts';
import type { StringBytes } from './strings.ts';

/**
 * An extract as typed arrays over shared memory, with tags and roles as indexes into a string table. Readers
 * make it, and threads of the import share it without a copy.
 */
export class PackedExtract implements OsmExtract {
  readonly parts: ExtractParts;
  readonly strings: readonly string[];
  readonly nodes: OsmNodes;
  readonly ways: OsmWays;
  readonly bounds: readonly [number, number, number, number];
  readonly boxes: readonly (readonly [number, number, number, number])[];
  readonly dataTime: number | undefined;
  #relations: readonly OsmRelation[] | undefined;

  constructor(parts: ExtractParts, strings: readonly string[]) {
    this.parts = parts;
    this.strings = strings;
    this.bounds = parts.bounds;
    this.boxes = parts.boxes;
    this.dataTime = parts.dataTime;
    const { nodeTags, wayTags } = parts;
    this.nodes = {
      count: parts.nodeId.length,
      id: parts.nodeId,
      lat: parts.nodeLat,
      lon: parts.nodeLon,
      tagged: parts.tagged,
      find: (id) => findId(parts.nodeId, id),
      tags: (i) => (nodeTags.first[i] === nodeTags.first[i + 1] ? undefined : readTags(nodeTags, i, strings)),
      having: (...keys) => thingsHaving(nodeTags, keys, strings),
    };
    this.ways = {
      count: parts.wayId.length,
      id: parts.wayId,
      first: parts.wayFirst,
      refs: parts.wayRefs,
      find: (id) => findId(parts.wayId, id),
      tags: (w) => readTags(wayTags, w, strings),
      having: (...keys) => thingsHaving(wayTags, keys, strings),
    };
  }

  get relations(): readonly OsmRelation[] {
    const { parts, strings } = this;
    this.#relations ??= Array.from(parts.relationId, (_, r) => new PackedRelation(parts, strings, r));
    return this.#relations;
  }

  /** The number of a string in `strings`, or -1 when no tag of the extract has it. */
  number(text: string): number {
    return this.strings.indexOf(text);
  }

  /** Input of another thread for the same extract: `PackedExtract.from(shared)`. */
  share(): SharedExtract {
    return { parts: this.parts, strings: packStrings(this.strings) };
  }

  static from(shared: SharedExtract): PackedExtract {
    return new PackedExtract(shared.parts, unpackStrings(shared.strings));
  }
}

/** Reads its tags and members whenever it is asked: kept as objects, those of a country are larger than its ways. */
class PackedRelation implements OsmRelation {
  readonly id: number;
  readonly #parts: ExtractParts;
  readonly #strings: readonly string[];
  readonly #r: number;

  constructor(parts: ExtractParts, strings: readonly string[], r: number) {
    this.id = parts.relationId[r]!;
    this.#parts = parts;
    this.#strings = strings;
    this.#r = r;
  }

  get tags(): Tags {
    return readTags(this.#parts.relationTags, this.#r, this.#strings);
  }

  get members(): OsmRelation['members'] {
    const { memberFirst, memberType, memberId, memberRole } = this.#parts;
    const members: OsmRelation['members'][number][] = [];
    for (let m = memberFirst[this.#r]!; m < memberFirst[this.#r + 1]!; m++)
      members.push({ type: MEMBER_TYPES[memberType[m]!]!, id: memberId[m]!, role: this.#strings[memberRole[m]!]! });
    return members;
  }
}

/** In the order of the numbers that the file format gives them. */
export const MEMBER_TYPES = ['node', 'way', 'relation'] as const;

/** Tags of item `i`: `pairs[first[i]]` … `pairs[first[i + 1] - 1]`, key and value in turn. */
export interface PackedTags {
  readonly first: Uint32Array;
  readonly pairs: Uint32Array;
}

export interface ExtractParts {
  readonly bounds: readonly [number, number, number, number];
  readonly boxes: readonly (readonly [number, number, number, number])[];
  readonly dataTime: number | undefined;
  readonly nodeId: Float64Array;
  readonly nodeLat: Int32Array;
  readonly nodeLon: Int32Array;
  readonly nodeTags: PackedTags;
  readonly tagged: Uint32Array;
  readonly wayId: Float64Array;
  readonly wayFirst: Uint32Array;
  readonly wayRefs: Uint32Array;
  readonly wayTags: PackedTags;
  readonly relationId: Float64Array;
  readonly relationTags: PackedTags;
  readonly memberFirst: Uint32Array;
  readonly memberType: Uint8Array;
  readonly memberId: Float64Array;
  readonly memberRole: Uint32Array;
  /** Items that the builder had to omit; `foreign`: changes of other places. */
  readonly repeated: number;
  readonly foreign: number;
  /** Items that the changes made, changed or deleted. */
  readonly changed: number;
  readonly outOfRange: number;
}

export interface SharedExtract {
  readonly parts: ExtractParts;
  readonly strings: StringBytes;
}

/** Tags are untrusted: a key like `constructor` must find nothing but tags. */
const Bag = function () {} as unknown as new () => Record<string, string>;
Bag.prototype = Object.create(null);

function readTags({ first, pairs }: PackedTags, i: number, strings: readonly string[]): Tags {
  const tags = new Bag();
  for (let p = first[i]!; p < first[i + 1]!; p += 2) tags[strings[pairs[p]!]!] = strings[pairs[p + 1]!]!;
  return tags;
}

function thingsHaving({ first, pairs }: PackedTags, keys: readonly string[], strings: readonly string[]): Uint32Array {
  const wanted = new Uint8Array(strings.length);
  for (const key of keys) {
    const number = strings.indexOf(key);
    if (number >= 0) wanted[number] = 1;
  }
  const found = new Growing(Uint32Array);
  for (let i = 0; i + 1 < first.length; i++) {
    for (let p = first[i]!; p < first[i + 1]!; p += 2) {
      if (wanted[pairs[p]!] === 0) continue;
      found.push(i);
      break;
    }
  }
  return found.values.subarray(0, found.length);
}

/** Position of `id` in ascending `ids`, or -1. */
export function findId(ids: Float64Array, id: number): number {
  let low = 0;
  let high = ids.length - 1;
  while (low <= high) {
    const middle = (low + high) >>> 1;
    const found = ids[middle]!;
    if (found === id) return middle;
    if (found < id) low = middle + 1;
    else high = middle - 1;
  }
  return -1;
}
