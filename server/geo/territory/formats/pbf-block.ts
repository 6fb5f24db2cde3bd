import { PbfReader } from 'pbf';
import type { ExtractBuilder } from '../extract/extract-builder.ts';
import { decodeDeltas, decodeUnsigned } from './varints.ts';

/**
 * Adds the nodes, ways and relations of one `OSMData` block to a builder. Versions, times and users are
 * ignored; an extract need not have them.
 */
export function addBlock(data: Uint8Array, builder: ExtractBuilder): void {
  const pbf = new PbfReader(data);
  const groups: [start: number, end: number][] = [];
  const texts: [start: number, end: number][] = [];
  const grid: Grid = { granularity: 100, latOffset: 0, lonOffset: 0 };
  while (true) {
    const field = pbf.nextField();
    if (field === 0) break;
    if (field === 1) readStringTable(pbf, texts);
    else if (field === 2) groups.push(skipped(pbf));
    else if (field === 17) grid.granularity = pbf.readVarint(true);
    else if (field === 19) grid.latOffset = pbf.readVarint(true);
    else if (field === 20) grid.lonOffset = pbf.readVarint(true);
  }
  const block: Block = { pbf, builder, grid, strings: new BlockStrings(data, texts, builder) };
  for (const [start, end] of groups) addGroup(block, start, end);
}

/** Coordinates are `offset + granularity * number`, in 1e-9 degrees. */
interface Grid {
  granularity: number;
  latOffset: number;
  lonOffset: number;
}

interface Block {
  readonly pbf: PbfReader;
  readonly builder: ExtractBuilder;
  readonly grid: Grid;
  readonly strings: BlockStrings;
}

/**
 * Numbers of the block's string table to the builder's, decoded on first use, because much of the table are
 * user names.
 */
class BlockStrings {
  readonly #data: Buffer;
  readonly #texts: readonly [number, number][];
  readonly #builder: ExtractBuilder;
  readonly #numbers: Int32Array;

  constructor(data: Uint8Array, texts: readonly [number, number][], builder: ExtractBuilder) {
    this.#data = Buffer.from(data.buffer, data.byteOffset, data.byteLength);
    this.#texts = texts;
    this.#builder = builder;
    this.#numbers = new Int32Array(texts.length).fill(-1);
  }

  number(text: number): number {
    const known = this.#numbers[text];
    if (known === undefined) throw new Error(`string ${text} is asked for, but the table has ${this.#texts.length}`);
    if (known >= 0) return known;
    const [start, end] = this.#texts[text]!;
    return (this.#numbers[text] = this.#builder.strings.number(this.#data.toString('utf8', start, end)));
  }
}

function readStringTable(pbf: PbfReader, texts: [number, number][]): void {
  const [, end] = message(pbf);
  while (pbf.nextField(end) === 1) texts.push(skipped(pbf));
  pbf.pos = end;
}

function addGroup(block: Block, start: number, end: number): void {
  const { pbf } = block;
  pbf.pos = start;
  while (true) {
    const field = pbf.nextField(end);
    if (field === 0) break;
    if (field > 4) continue;
    const [, to] = message(pbf);
    if (field === 1) addPlainNode(block, to);
    else if (field === 2) addDenseNodes(block, to);
    else if (field === 3) addWay(block, to);
    else addRelation(block, to);
    if (pbf.pos > to) throw new Error('a part is longer than what holds it');
    pbf.pos = to;
  }
}

function addPlainNode({ pbf, builder, grid, strings }: Block, end: number): void {
  let id = 0;
  let lat = NaN;
  let lon = NaN;
  let keys: ByteRange = NONE;
  let values: ByteRange = NONE;
  while (true) {
    const field = pbf.nextField(end);
    if (field === 0) break;
    if (field === 1) id = pbf.readSVarint();
    else if (field === 2) keys = packed(pbf);
    else if (field === 3) values = packed(pbf);
    else if (field === 8) lat = pbf.readSVarint();
    else if (field === 9) lon = pbf.readSVarint();
  }
  addTags(pbf.buf, keys, values, builder.nodes.pairs, strings);
  builder.addNode(id, degrees7(grid.latOffset, grid.granularity, lat), degrees7(grid.lonOffset, grid.granularity, lon));
}

function addDenseNodes({ pbf, builder, grid, strings }: Block, end: number): void {
  let ids: ByteRange = NONE;
  let lats: ByteRange = NONE;
  let lons: ByteRange = NONE;
  let tags: ByteRange = NONE;
  while (true) {
    const field = pbf.nextField(end);
    if (field === 0) break;
    if (field === 1) ids = packed(pbf);
    else if (field === 8) lats = packed(pbf);
    else if (field === 9) lons = packed(pbf);
    else if (field === 10) tags = packed(pbf);
  }
  const { id, lat, lon, text } = scratchFor(Math.max(length(ids), length(lats), length(lons), length(tags)));
  const count = decodeDeltas(pbf.buf, ids[0], ids[1], id);
  if (
    decodeDeltas(pbf.buf, lats[0], lats[1], lat) !== count ||
    decodeDeltas(pbf.buf, lons[0], lons[1], lon) !== count
  ) {
    throw new Error('nodes and their coordinates differ in number');
  }
  // Tags of all nodes in sequence: key, value, key, value, 0. An empty list means that no node has any.
  const textCount = decodeUnsigned(pbf.buf, tags[0], tags[1], text);
  const { pairs } = builder.nodes;
  const { latOffset, lonOffset, granularity } = grid;
  for (let i = 0, t = 0; i < count; i++) {
    while (t < textCount && text[t] !== 0) {
      if (t + 1 >= textCount) throw new Error('a tag has no value');
      pairs.push(strings.number(text[t]!));
      pairs.push(strings.number(text[t + 1]!));
      t += 2;
    }
    t++;
    builder.addNode(id[i]!, degrees7(latOffset, granularity, lat[i]!), degrees7(lonOffset, granularity, lon[i]!));
  }
}

function addWay({ pbf, builder, strings }: Block, end: number): void {
  let id = 0;
  let keys: ByteRange = NONE;
  let values: ByteRange = NONE;
  let refs: ByteRange = NONE;
  while (true) {
    const field = pbf.nextField(end);
    if (field === 0) break;
    if (field === 1) id = pbf.readVarint(true);
    else if (field === 2) keys = packed(pbf);
    else if (field === 3) values = packed(pbf);
    else if (field === 8) refs = packed(pbf);
  }
  builder.refs.reserve(length(refs));
  builder.refs.length += decodeDeltas(pbf.buf, refs[0], refs[1], builder.refs.values, builder.refs.length);
  addTags(pbf.buf, keys, values, builder.ways.pairs, strings);
  builder.addWay(id);
}

function addRelation({ pbf, builder, strings }: Block, end: number): void {
  let relation = 0;
  let keys: ByteRange = NONE;
  let values: ByteRange = NONE;
  let roles: ByteRange = NONE;
  let ids: ByteRange = NONE;
  let types: ByteRange = NONE;
  while (true) {
    const field = pbf.nextField(end);
    if (field === 0) break;
    if (field === 1) relation = pbf.readVarint(true);
    else if (field === 2) keys = packed(pbf);
    else if (field === 3) values = packed(pbf);
    else if (field === 8) roles = packed(pbf);
    else if (field === 9) ids = packed(pbf);
    else if (field === 10) types = packed(pbf);
  }
  const { id, text, text2 } = scratchFor(Math.max(length(roles), length(ids), length(types)));
  const count = decodeDeltas(pbf.buf, ids[0], ids[1], id);
  if (
    decodeUnsigned(pbf.buf, roles[0], roles[1], text) !== count ||
    decodeUnsigned(pbf.buf, types[0], types[1], text2) !== count
  ) {
    throw new Error('members of a relation and their roles differ in number');
  }
  for (let m = 0; m < count; m++) {
    if (text2[m]! > 2) throw new Error(`a relation has a member of type ${text2[m]}`);
    builder.addMember(text2[m]!, id[m]!, strings.number(text[m]!));
  }
  addTags(pbf.buf, keys, values, builder.relations.pairs, strings);
  builder.addRelation(relation);
}

function addTags(
  bytes: Uint8Array,
  keys: ByteRange,
  values: ByteRange,
  pairs: { push(value: number): void },
  strings: BlockStrings,
): void {
  if (length(keys) === 0 && length(values) === 0) return;
  const { text, text2 } = scratchFor(Math.max(length(keys), length(values)));
  const count = decodeUnsigned(bytes, keys[0], keys[1], text);
  if (decodeUnsigned(bytes, values[0], values[1], text2) !== count)
    throw new Error('keys and values of tags differ in number');
  for (let i = 0; i < count; i++) {
    pairs.push(strings.number(text[i]!));
    pairs.push(strings.number(text2[i]!));
  }
}

function degrees7(offset: number, granularity: number, value: number): number {
  return granularity === 100 && offset === 0 ? value : Math.round((offset + granularity * value) / 100);
}

type ByteRange = readonly [start: number, end: number];
const NONE: ByteRange = [0, 0];

function length(range: ByteRange): number {
  return range[1] - range[0];
}

/** Start and end of the message at the cursor; the cursor is then at its start. */
function message(pbf: PbfReader): [start: number, end: number] {
  const size = pbf.readVarint();
  const end = pbf.pos + size;
  if (pbf.type !== 2 || end > pbf.length) throw new Error('a part is longer than its block');
  return [pbf.pos, end];
}

/** Like `message`, but moves the cursor past it. */
function skipped(pbf: PbfReader): [start: number, end: number] {
  const range = message(pbf);
  pbf.pos = range[1];
  return range;
}

/**
 * Bytes. A block should hold some 8,000 items; a list a hundred times longer is no map, and would need as
 * much memory as a country.
 */
const LONGEST_LIST = 1 << 22;

/** A packed list; some writers store a single number unpacked. */
function packed(pbf: PbfReader): ByteRange {
  if (pbf.type === 2) {
    const range = skipped(pbf);
    if (length(range) > LONGEST_LIST) throw new Error(`a list of ${length(range)} bytes`);
    return range;
  }
  const start = pbf.pos;
  pbf.skip(pbf.type);
  return [start, pbf.pos];
}

interface Scratch {
  readonly id: Float64Array;
  readonly lat: Float64Array;
  readonly lon: Float64Array;
  readonly text: Uint32Array;
  readonly text2: Uint32Array;
}

/** Space for one list's numbers, reused for the next: no list has more numbers than bytes. */
let scratch = makeScratch(1 << 16);

function makeScratch(size: number): Scratch {
  return {
    id: new Float64Array(size),
    lat: new Float64Array(size),
    lon: new Float64Array(size),
    text: new Uint32Array(size),
    text2: new Uint32Array(size),
  };
}

function scratchFor(size: number): Scratch {
  if (scratch.id.length < size) scratch = makeScratch(Math.ceil(size * 1.5));
  return scratch;
}
