import type { Bounds } from '../../../../shared/geo/bounds.ts';
import { MISSING } from './extract.ts';
import type { Tags } from './extract.ts';
import { dropForeign } from './foreign.ts';
import { Growing } from './growing.ts';
import { MEMBER_TYPES, PackedExtract, findId } from './packed-extract.ts';
import type { ExtractParts } from './packed-extract.ts';
import { gatherRanges, shared, take } from './shared-arrays.ts';
import { StringTable } from './strings.ts';
import { ThingList, taggedOf } from './thing-list.ts';

export interface Member {
  readonly type: 'node' | 'way' | 'relation';
  readonly id: number;
  readonly role: string;
}

/**
 * Builds an extract from nodes, ways and relations in any order. Ids are any safe integers, including
 * negative ones of editors; of duplicates the later stays. A builder builds once.
 *
 * Several files make one extract: `endFile` after each, then `beginChanges` and the changes of the map.
 */
export class ExtractBuilder {
  /** Of the file that is read, in degrees. Default: the bounds of its nodes. */
  bounds: Bounds | undefined;
  /** Of the newest data, epoch ms */
  dataTime: number | undefined;
  readonly #boxes: Bounds[] = [];
  #nodesOfFile = 0;
  #isBuilt = false;
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

  /** epoch ms */
  dataIsOf(time: number): void {
    this.dataTime = Math.max(this.dataTime ?? -Infinity, time);
  }

  /** Ends a file: the following things belong to another one. */
  endFile(): void {
    const box = this.bounds ?? boundsOf(this.lat, this.lon, this.#nodesOfFile);
    if (box) this.#boxes.push(box);
    this.bounds = undefined;
    this.#nodesOfFile = this.lat.length;
  }

  /** Begins changes of the map. Changes at other places than those of the files are left out. */
  beginChanges(): void {
    for (const list of [this.nodes, this.ways, this.relations]) list.beginChanges();
  }

  /** The node, way or relation is no longer on the map. */
  delete(type: (typeof MEMBER_TYPES)[number], id: number): void {
    if (type === 'node') {
      this.nodes.delete(id);
      this.lat.push(0);
      this.lon.push(0);
    } else if (type === 'way') {
      this.ways.delete(id);
      this.refEnd.push(this.refs.length);
    } else {
      this.relations.delete(id);
      this.memberEnd.push(this.memberId.length);
    }
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
    if (this.#isBuilt) throw new Error('This extract was built before, and its lists are released.');
    this.#isBuilt = true;
    if (this.#boxes.length === 0) this.endFile();
    const { nodeOrder, wayOrder, relationOrder, foreign } = dropForeign(this, this.#boxes);
    const nodeId = take(this.nodes.ids, nodeOrder, Float64Array);
    const nodeLat = take(this.lat, nodeOrder, Int32Array);
    const nodeLon = take(this.lon, nodeOrder, Int32Array);
    const nodeTags = this.nodes.takeTags(nodeOrder);

    const { first: wayFirst, from: refFrom } = gatherRanges(this.refEnd, wayOrder);
    const wayRefs = resolve(this.refs.values, wayFirst, refFrom, nodeId);
    this.refs.release();

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
      bounds: unionOf(this.#boxes),
      boxes: this.#boxes,
      dataTime: this.dataTime,
      nodeId,
      nodeLat,
      nodeLon,
      nodeTags,
      tagged: taggedOf(nodeTags),
      wayId: take(this.ways.ids, wayOrder, Float64Array),
      wayFirst,
      wayRefs,
      wayTags: this.ways.takeTags(wayOrder),
      relationId: take(this.relations.ids, relationOrder, Float64Array),
      relationTags: this.relations.takeTags(relationOrder),
      memberFirst,
      memberType,
      memberId,
      memberRole,
      repeated: this.nodes.repeated + this.ways.repeated + this.relations.repeated,
      changed: this.nodes.changed + this.ways.changed + this.relations.changed - foreign,
      foreign,
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

/** In degrees, of the nodes from this position on. */
function boundsOf(
  { values: lat, length }: Growing<Int32Array>,
  { values: lon }: Growing<Int32Array>,
  from: number,
): Bounds | undefined {
  if (length === from) return undefined;
  let west = Infinity,
    south = Infinity,
    east = -Infinity,
    north = -Infinity;
  for (let i = from; i < length; i++) {
    if (lon[i]! < west) west = lon[i]!;
    if (lon[i]! > east) east = lon[i]!;
    if (lat[i]! < south) south = lat[i]!;
    if (lat[i]! > north) north = lat[i]!;
  }
  return [west / 1e7, south / 1e7, east / 1e7, north / 1e7];
}

function unionOf(boxes: readonly Bounds[]): Bounds {
  const [first = [0, 0, 0, 0], ...others] = boxes;
  return others.reduce<Bounds>(
    ([west, south, east, north], box) => [
      Math.min(west, box[0]),
      Math.min(south, box[1]),
      Math.max(east, box[2]),
      Math.max(north, box[3]),
    ],
    first,
  );
}
