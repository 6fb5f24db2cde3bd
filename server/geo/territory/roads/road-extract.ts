import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { TERRITORY_FILES } from '../types.ts';
import { MISSING } from '../extract/extract.ts';
import { PackedExtract } from '../extract/packed-extract.ts';
import type { ExtractParts, PackedTags } from '../extract/packed-extract.ts';
import { packStrings, unpackStrings } from '../extract/strings.ts';
import { ROAD_KEYS } from './graph/collect-pieces.ts';
import { looksLikeRestriction } from './graph/restrictions.ts';
import { openSections, packSections } from './sections.ts';

const MAGIC = 0x58575057; // "WPWX"
const VERSION = 1;

interface JudgedTags {
  bounds: ExtractParts['bounds'];
  /** As at the import. */
  minComponent: number;
}

/**
 * Writes the part of an extract that can matter to a vehicle: ways that may be roads, their nodes, and turn
 * restrictions.
 */
export async function writeWays(extract: PackedExtract, directory: string, minComponent: number): Promise<void> {
  const { parts } = extract;
  const ways = extract.ways.having(...ROAD_KEYS);
  const refs = rangesOf(parts.wayFirst, ways);
  const place = new Uint32Array(extract.nodes.count).fill(MISSING);
  for (const at of refs.from) if (parts.wayRefs[at] !== MISSING) place[parts.wayRefs[at]!] = 0;
  let count = 0;
  for (let node = 0; node < place.length; node++) if (place[node] !== MISSING) place[node] = count++;
  const nodes = new Uint32Array(count);
  for (let node = 0; node < place.length; node++) if (place[node] !== MISSING) nodes[place[node]!] = node;
  const relations = Uint32Array.from(extract.relations.keys()).filter((r) =>
    looksLikeRestriction(extract.relations[r]!.tags),
  );
  const members = rangesOf(parts.memberFirst, relations);

  const strings = new UsedStrings(extract.strings);
  const nodeTags = strings.tags(parts.nodeTags, nodes);
  const wayTags = strings.tags(parts.wayTags, ways);
  const relationTags = strings.tags(parts.relationTags, relations);
  const memberRole = members.from.map((at) => strings.number(parts.memberRole[at]!));
  const { bytes: stringBytes, first: stringFirst } = packStrings(strings.used);
  const bytes = packSections<JudgedTags>(
    MAGIC,
    VERSION,
    { bounds: parts.bounds, minComponent },
    {
      nodeId: chosen(parts.nodeId, nodes, new Float64Array(count)),
      nodeLat: chosen(parts.nodeLat, nodes, new Int32Array(count)),
      nodeLon: chosen(parts.nodeLon, nodes, new Int32Array(count)),
      nodeTagFirst: nodeTags.first,
      nodeTagPairs: nodeTags.pairs,
      tagged: parts.tagged.map((node) => place[node]!).filter((node) => node !== MISSING),
      wayId: chosen(parts.wayId, ways, new Float64Array(ways.length)),
      wayFirst: refs.first,
      wayRefs: refs.from.map((at) => place[parts.wayRefs[at]!] ?? MISSING),
      wayTagFirst: wayTags.first,
      wayTagPairs: wayTags.pairs,
      relationId: chosen(parts.relationId, relations, new Float64Array(relations.length)),
      relationTagFirst: relationTags.first,
      relationTagPairs: relationTags.pairs,
      memberFirst: members.first,
      memberType: chosen(parts.memberType, members.from, new Uint8Array(members.from.length)),
      memberId: chosen(parts.memberId, members.from, new Float64Array(members.from.length)),
      memberRole,
      stringBytes,
      stringFirst,
    },
  );
  await writeFile(join(directory, TERRITORY_FILES.ways), bytes);
}

/** The output of `writeWays` as an extract; throws a sentence when the file is damaged. */
export async function readWays(directory: string): Promise<{ extract: PackedExtract; minComponent: number }> {
  const file = await readFile(join(directory, TERRITORY_FILES.ways));
  const { facts, columns } = openSections<JudgedTags>(new Uint8Array(file).buffer, MAGIC, VERSION, 'file of ways');
  const {
    nodeTagFirst,
    nodeTagPairs,
    wayTagFirst,
    wayTagPairs,
    relationTagFirst,
    relationTagPairs,
    stringBytes,
    stringFirst,
    ...arrays
  } = Object.fromEntries(columns) as unknown as Columns;
  const parts: ExtractParts = {
    ...arrays,
    bounds: facts.bounds,
    dataTime: undefined,
    repeated: 0,
    outOfRange: 0,
    nodeTags: { first: nodeTagFirst, pairs: nodeTagPairs },
    wayTags: { first: wayTagFirst, pairs: wayTagPairs },
    relationTags: { first: relationTagFirst, pairs: relationTagPairs },
  };
  return {
    extract: new PackedExtract(parts, unpackStrings({ bytes: stringBytes, first: stringFirst })),
    minComponent: facts.minComponent,
  };
}

type Columns = Omit<
  ExtractParts,
  'bounds' | 'dataTime' | 'repeated' | 'outOfRange' | 'nodeTags' | 'wayTags' | 'relationTags'
> &
  Record<
    | 'nodeTagFirst'
    | 'nodeTagPairs'
    | 'wayTagFirst'
    | 'wayTagPairs'
    | 'relationTagFirst'
    | 'relationTagPairs'
    | 'stringFirst',
    Uint32Array
  > & { stringBytes: Uint8Array };

/** Fills `into` with the values at some positions. */
function chosen<T extends Float64Array | Int32Array | Uint8Array>(values: T, positions: Uint32Array, into: T): T {
  for (let i = 0; i < positions.length; i++) into[i] = values[positions[i]!]!;
  return into;
}

/** The starts of many ranges when they are concatenated, and the source of each of their members. */
function rangesOf(first: Uint32Array, things: Uint32Array): { first: Uint32Array; from: Uint32Array } {
  const ends = new Uint32Array(things.length + 1);
  things.forEach((thing, i) => (ends[i + 1] = ends[i]! + first[thing + 1]! - first[thing]!));
  const from = new Uint32Array(ends[things.length]!);
  things.forEach((thing, i) => {
    for (let at = first[thing]!, to = ends[i]!; at < first[thing + 1]!; at++, to++) from[to] = at;
  });
  return { first: ends, from };
}

/** Renumbers the strings in use. */
class UsedStrings {
  readonly used: string[] = [];
  readonly #all: readonly string[];
  readonly #numbers: Int32Array;

  constructor(all: readonly string[]) {
    this.#all = all;
    this.#numbers = new Int32Array(all.length).fill(-1);
  }

  number(old: number): number {
    if (this.#numbers[old]! < 0) this.#numbers[old] = this.used.push(this.#all[old]!) - 1;
    return this.#numbers[old]!;
  }

  tags({ first, pairs }: PackedTags, things: Uint32Array): PackedTags {
    const ranges = rangesOf(first, things);
    return { first: ranges.first, pairs: ranges.from.map((at) => this.number(pairs[at]!)) };
  }
}
