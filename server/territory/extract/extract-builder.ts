import type { Bounds } from '../../../shared/geo/bounds.ts';
import { MISSING } from './extract.ts';
import type { Tags } from './extract.ts';
import { Growing } from './growing.ts';
import { MEMBER_TYPES, PackedExtract, findId } from './packed-extract.ts';
import type { ExtractParts, PackedTags } from './packed-extract.ts';
import { StringTable } from './strings.ts';

export interface Member {
  readonly type: 'node' | 'way' | 'relation';
  readonly id: number;
  readonly role: string;
}

/**
 * Builds an extract from nodes, ways and relations in any order. Ids are any safe integers, including
 * negative ones of editors; of duplicates the later stays. A builder builds once.
 */
export class ExtractBuilder {
  /** Degrees. Default: the bounds of the nodes. */
  bounds: Bounds | undefined;
  /** epoch ms */
  dataTime: number | undefined;
  readonly strings = new StringTable();
  readonly nodes = new ThingList();
  readonly ways = new ThingList();
  readonly relations = new ThingList();
  /** 1e-7 degrees */
  readonly lat = new Growing(Int32Array);
  readonly lon = new Growing(Int32Array);
  readonly refEnd = new Growing(Uint32Array);
  readonly refs = new Growing(Float64Array);
  readonly memberEnd = new Growing(Uint32Array);
  readonly memberType = new Growing(Uint8Array);
  readonly memberId = new Growing(Float64Array);
  readonly memberRole = new Growing(Uint32Array);
  outOfRange = 0;

  /** `lat`, `lon` in degrees, kept to 1e-7. */
  node(id: number, lat: number, lon: number, tags?: Tags): this {
    this.#tag(this.nodes, tags);
    this.addNode(id, Math.round(lat * 1e7), Math.round(lon * 1e7));
    return this;
  }

  way(id: number, nodeIds: readonly number[], tags: Tags = {}): this {
    for (const node of nodeIds) this.refs.push(node);
    this.#tag(this.ways, tags);
    this.addWay(id);
    return this;
  }

  relation(id: number, members: readonly Member[], tags: Tags = {}): this {
    for (const member of members)
      this.addMember(MEMBER_TYPES.indexOf(member.type), member.id, this.strings.number(member.role));
    this.#tag(this.relations, tags);
    this.addRelation(id);
    return this;
  }

  /**
   * Ends a node whose tags, if any, were added to `nodes.pairs` before. In 1e-7 degrees; nodes off the globe
   * are counted and omitted.
   */
  addNode(id: number, lat: number, lon: number): void {
    if (!(Math.abs(lat) <= 900_000_000 && Math.abs(lon) <= 1_800_000_000)) {
      this.outOfRange++;
      this.nodes.drop();
      return;
    }
    this.nodes.end(id);
    this.lat.push(lat);
    this.lon.push(lon);
  }

  /** Ends a way whose nodes were added to `refs`, and whose tags to `ways.pairs`. */
  addWay(id: number): void {
    this.ways.end(id);
    this.refEnd.push(this.refs.length);
  }

  addMember(type: number, id: number, role: number): void {
    this.memberType.push(type);
    this.memberId.push(id);
    this.memberRole.push(role);
  }

  /** Ends a relation whose members were added, and whose tags were added to `relations.pairs`. */
  addRelation(id: number): void {
    this.relations.end(id);
    this.memberEnd.push(this.memberId.length);
  }

  build(): PackedExtract {
    const nodeOrder = this.nodes.order();
    const nodeId = gather(this.nodes.ids, nodeOrder, Float64Array);
    const nodeLat = gather(this.lat, nodeOrder, Int32Array);
    const nodeLon = gather(this.lon, nodeOrder, Int32Array);
    const nodeTags = this.nodes.tags(nodeOrder);

    const wayOrder = this.ways.order();
    const { first: wayFirst, from: refFrom } = gatherRanges(this.refEnd, wayOrder);
    const wayRefs = resolve(this.refs.values, wayFirst, refFrom, nodeId);

    const relationOrder = this.relations.order();
    const { first: memberFirst, from: memberFrom } = gatherRanges(this.memberEnd, relationOrder);
    const memberCount = memberFirst[relationOrder.length]!;
    const memberType = shared(Uint8Array, memberCount);
    const memberId = shared(Float64Array, memberCount);
    const memberRole = shared(Uint32Array, memberCount);
    for (let r = 0, to = 0; r < relationOrder.length; r++) {
      for (let from = memberFrom[r]!; to < memberFirst[r + 1]!; from++, to++) {
        memberType[to] = this.memberType.values[from]!;
        memberId[to] = this.memberId.values[from]!;
        memberRole[to] = this.memberRole.values[from]!;
      }
    }

    const parts: ExtractParts = {
      bounds: this.bounds ?? boundsOf(nodeLat, nodeLon),
      dataTime: this.dataTime,
      nodeId,
      nodeLat,
      nodeLon,
      nodeTags,
      tagged: taggedOf(nodeTags),
      wayId: gather(this.ways.ids, wayOrder, Float64Array),
      wayFirst,
      wayRefs,
      wayTags: this.ways.tags(wayOrder),
      relationId: gather(this.relations.ids, relationOrder, Float64Array),
      relationTags: this.relations.tags(relationOrder),
      memberFirst,
      memberType,
      memberId,
      memberRole,
      repeated:
        this.nodes.ids.length +
        this.ways.ids.length +
        this.relations.ids.length -
        nodeOrder.length -
        wayOrder.length -
        relationOrder.length,
      outOfRange: this.outOfRange,
    };
    return new PackedExtract(parts, this.strings.strings);
  }

  #tag(list: ThingList, tags: Tags | undefined): void {
    for (const key in tags) {
      list.pairs.push(this.strings.number(key));
      list.pairs.push(this.strings.number(tags[key]!));
    }
  }
}

/** Ids and tags of the nodes, the ways or the relations, in input order. */
class ThingList {
  readonly ids = new Growing(Float64Array);
  readonly pairs = new Growing(Uint32Array);
  readonly #pairEnd = new Growing(Uint32Array);

  end(id: number): void {
    if (!Number.isSafeInteger(id)) throw new RangeError(`${id} is not an id of OpenStreetMap.`);
    this.ids.push(id);
    this.#pairEnd.push(this.pairs.length);
  }

  /** Drops the tags added since the last item ended. */
  drop(): void {
    this.pairs.length = this.#pairEnd.length === 0 ? 0 : this.#pairEnd.values[this.#pairEnd.length - 1]!;
  }

  /** Positions in ascending order of id; of equal ids only the last. */
  order(): Uint32Array {
    const ids = this.ids.values;
    const count = this.ids.length;
    const order = new Uint32Array(count);
    let ascending = true;
    for (let i = 0; i < count; i++) {
      order[i] = i;
      if (i > 0 && ids[i]! <= ids[i - 1]!) ascending = false;
    }
    if (ascending) return order;
    order.sort((a, b) => ids[a]! - ids[b]! || a - b);
    let kept = 0;
    for (let i = 0; i < count; i++) {
      if (i + 1 < count && ids[order[i]!] === ids[order[i + 1]!]) continue;
      order[kept++] = order[i]!;
    }
    return order.subarray(0, kept);
  }

  tags(order: Uint32Array): PackedTags {
    const { first, from } = gatherRanges(this.#pairEnd, order);
    const pairs = shared(Uint32Array, first[order.length]!);
    for (let i = 0; i < order.length; i++) {
      const start = from[i]!;
      const length = first[i + 1]! - first[i]!;
      // Most nodes have none.
      if (length > 0) pairs.set(this.pairs.values.subarray(start, start + length), first[i]!);
    }
    return { first, pairs };
  }
}

type NumberArray = Float64Array | Int32Array | Uint32Array | Uint8Array;

function shared<T extends NumberArray>(
  make: { new (buffer: SharedArrayBuffer): T; readonly BYTES_PER_ELEMENT: number },
  length: number,
): T {
  return new make(new SharedArrayBuffer(length * make.BYTES_PER_ELEMENT));
}

function gather<T extends NumberArray>(
  list: Growing<T>,
  order: Uint32Array,
  make: { new (buffer: SharedArrayBuffer): T; readonly BYTES_PER_ELEMENT: number },
): T {
  const values = shared(make, order.length);
  for (let i = 0; i < order.length; i++) values[i] = list.values[order[i]!]!;
  return values;
}

/** Starts of ranges after sorting, and the former position of each. */
function gatherRanges(end: Growing<Uint32Array>, order: Uint32Array): { first: Uint32Array; from: Uint32Array } {
  const first = shared(Uint32Array, order.length + 1);
  const from = new Uint32Array(order.length);
  for (let i = 0; i < order.length; i++) {
    const old = order[i]!;
    from[i] = old === 0 ? 0 : end.values[old - 1]!;
    first[i + 1] = first[i]! + end.values[old]! - from[i]!;
  }
  return { first, from };
}

/**
 * Ids of nodes to their positions. Neighbours in a way often have consecutive ids, so the next position is
 * tried before a search.
 */
function resolve(ids: Float64Array, first: Uint32Array, from: Uint32Array, nodeId: Float64Array): Uint32Array {
  const refs = shared(Uint32Array, first[from.length]!);
  for (let w = 0, to = 0; w < from.length; w++) {
    let near = -1;
    for (let at = from[w]!; to < first[w + 1]!; at++, to++) {
      const id = ids[at]!;
      near = nodeId[near + 1] === id ? near + 1 : findId(nodeId, id);
      refs[to] = near < 0 ? MISSING : near;
    }
  }
  return refs;
}

function taggedOf({ first }: PackedTags): Uint32Array {
  let count = 0;
  for (let i = 1; i < first.length; i++) if (first[i]! > first[i - 1]!) count++;
  const tagged = shared(Uint32Array, count);
  for (let i = 1, to = 0; i < first.length; i++) if (first[i]! > first[i - 1]!) tagged[to++] = i - 1;
  return tagged;
}

function boundsOf(lat: Int32Array, lon: Int32Array): Bounds {
  if (lat.length === 0) return [0, 0, 0, 0];
  let west = Infinity,
    south = Infinity,
    east = -Infinity,
    north = -Infinity;
  for (let i = 0; i < lat.length; i++) {
    if (lon[i]! < west) west = lon[i]!;
    if (lon[i]! > east) east = lon[i]!;
    if (lat[i]! < south) south = lat[i]!;
    if (lat[i]! > north) north = lat[i]!;
  }
  return [west / 1e7, south / 1e7, east / 1e7, north / 1e7];
}
