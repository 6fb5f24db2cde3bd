import type { OsmExtract, Tags } from '../extract/extract.ts';
import { MISSING } from '../extract/extract.ts';
import { lineOf } from './surfaces.ts';
import type { District, Districts } from './districts.ts';
import type { Document } from './document.ts';
import { cellOf, cellsAround } from '../geometry/grid.ts';
import { emptyBox, grow, halfway, lineLength, zoomOf } from '../geometry/metres.ts';
import type { Line } from '../geometry/metres.ts';
import { nameKey, namesByLanguage, namesIn, namesOf, remembering, townsOf } from './names.ts';
import type { NamesByLanguage, NamesIn } from './names.ts';

export interface Streets {
  documents: Document[];
  /** Of each way, the position of its street in `documents`, or -1. */
  ofWay: Int32Array;
}

/**
 * Ways of one name within this distance are one street, even if they do not touch: a square, a bridge, a dual
 * carriageway.
 */
const APART = 150;

const IMPORTANCE: Readonly<Record<string, number>> = {
  motorway: 0.5,
  trunk: 0.5,
  primary: 0.48,
  secondary: 0.45,
  tertiary: 0.42,
  unclassified: 0.36,
  residential: 0.36,
  living_street: 0.34,
  square: 0.4,
  pedestrian: 0.38,
  road: 0.3,
  service: 0.24,
  track: 0.2,
  footway: 0.2,
  path: 0.16,
  cycleway: 0.18,
  bridleway: 0.14,
  steps: 0.2,
  busway: 0.2,
  construction: 0.2,
};
/** Roads that are known only by their number. */
const NUMBERED = new Set(['motorway', 'trunk', 'primary', 'secondary', 'tertiary', 'unclassified']);

/**
 * The streets of an extract: ways of the same name, in the same settlement, that touch or lie near each
 * other, are one street.
 */
export function findStreets(extract: OsmExtract, districts: Districts): Streets {
  const groups = new Map<string, number[]>();
  const settlements = new Map<District, number>();
  const classes = new Map<number, string>();
  const read = remembering(namesIn);
  const key = remembering(nameKey);
  for (const way of extract.ways.having('highway', 'place')) {
    const tags = extract.ways.tags(way);
    const sort = classOf(tags);
    if (sort === undefined) continue;
    const name =
      tags.name ?? namesOf(tags, false, read)[0] ?? (NUMBERED.has(sort) ? tags.ref?.split(';')[0] : undefined);
    const name_ = name === undefined ? '' : key(name);
    const middle = middleOf(extract, way);
    if (name_ === '' || middle === undefined) continue;
    classes.set(way, sort);
    // A road known by its number goes through many settlements and stays one.
    const settlement = tags.name === undefined ? undefined : districts.settlementAround(middle.lon, middle.lat);
    if (settlement && !settlements.has(settlement)) settlements.set(settlement, settlements.size + 1);
    const groupName = `${settlement ? settlements.get(settlement)! : 0} ${name_}`;
    const group = groups.get(groupName);
    if (group) group.push(way);
    else groups.set(groupName, [way]);
  }

  const documents: Document[] = [];
  const ofWay = new Int32Array(extract.ways.count).fill(-1);
  for (const group of groups.values()) {
    for (const ways of joined(extract, group)) {
      for (const way of ways) ofWay[way] = documents.length;
      documents.push(streetOf(extract, ways, classes, districts, read, key));
    }
  }
  return { documents, ofWay };
}

function classOf(tags: Tags): string | undefined {
  if (tags.place === 'square') return 'square';
  if (tags.highway === undefined) return undefined;
  const sort = tags.highway.replace(/_link$/, '');
  return sort in IMPORTANCE ? sort : undefined;
}

/** The middle node, or the middle between the two middle ones: an end may be on a border. */
function middleOf({ nodes, ways }: OsmExtract, way: number): { lon: number; lat: number } | undefined {
  let refs = ways.refs.subarray(ways.first[way], ways.first[way + 1]);
  if (refs.includes(MISSING)) refs = refs.filter((node) => node !== MISSING);
  if (refs.length === 0) return undefined;
  const a = refs[(refs.length - 1) >> 1]!,
    b = refs[refs.length >> 1]!;
  return { lon: (nodes.lon[a]! + nodes.lon[b]!) / 2, lat: (nodes.lat[a]! + nodes.lat[b]!) / 2 };
}

/** Groups ways of one name into streets: union over shared nodes and over neighbouring cells of a grid. */
function joined({ nodes, ways }: OsmExtract, group: readonly number[]): number[][] {
  if (group.length === 1) return [[...group]];
  const parent = group.map((_, i) => i);
  const root = (i: number): number => {
    while (parent[i] !== i) i = parent[i] = parent[parent[i]!]!;
    return i;
  };
  const byNode = new Map<number, number>();
  let apart = group.length;
  const join = (i: number, other: number): void => {
    const a = root(i),
      b = root(other);
    if (a !== b) apart--;
    parent[a] = b;
  };
  group.forEach((way, i) => {
    for (let r = ways.first[way]!; r < ways.first[way + 1]!; r++) {
      const node = ways.refs[r]!;
      if (node === MISSING) continue;
      const other = byNode.get(node);
      if (other === undefined) byNode.set(node, i);
      else join(i, other);
    }
  });
  if (apart === 1) return [[...group]];

  const cells = new Map<number, number>();
  group.forEach((way, i) => {
    let last: number | undefined;
    for (let r = ways.first[way]!; r < ways.first[way + 1]!; r++) {
      const node = ways.refs[r]!;
      if (node === MISSING) continue;
      const lon = nodes.lon[node]!,
        lat = nodes.lat[node]!;
      const cell = cellOf(lon, lat, APART);
      if (cell === last) continue;
      last = cell;
      for (const other of cellsAround(lon, lat, APART)) {
        const near = cells.get(other);
        if (near !== undefined) join(i, near);
      }
      cells.set(cell, i);
    }
  });
  const parts = new Map<number, number[]>();
  group.forEach((way, i) => {
    const part = parts.get(root(i));
    if (part) part.push(way);
    else parts.set(root(i), [way]);
  });
  return [...parts.values()];
}

function streetOf(
  extract: OsmExtract,
  ways: readonly number[],
  classes: ReadonlyMap<number, string>,
  districts: Districts,
  read: NamesIn,
  nameKey: (name: string) => string,
): Document {
  const names = new Map<string, string>();
  const postcodes = new Set<string>(),
    towns = new Set<string>();
  let inLanguages: NamesByLanguage | undefined;
  let sort = 'path';
  for (const way of ways) {
    const tags = extract.ways.tags(way);
    inLanguages ??= namesByLanguage(tags, tags.name);
    for (const code of (tags['addr:postcode'] ?? tags.postal_code)?.split(';') ?? []) postcodes.add(code.trim());
    for (const town of townsOf(tags)) towns.add(town);
    const numbers = tags.ref !== undefined && NUMBERED.has(classes.get(way)!) ? numbersOf(tags.ref) : [];
    for (const name of [...namesOf(tags, true, read), ...numbers]) {
      const key = nameKey(name);
      if (key !== '' && !names.has(key)) names.set(key, name);
    }
    if (IMPORTANCE[classes.get(way)!]! > IMPORTANCE[sort]!) sort = classes.get(way)!;
  }
  const lines = joinLines(extract, ways);
  const box = emptyBox();
  let length = 0;
  let longest = lines[0]!;
  for (const line of lines) {
    for (let i = 0; i < line.length; i += 2) grow(box, line[i]!, line[i + 1]!);
    length += lineLength(line);
    if (lineLength(line) > lineLength(longest)) longest = line;
  }
  const { lon, lat } = halfway(longest);
  const importance = Math.min(0.62, IMPORTANCE[sort]! + Math.min(0.1, Math.log10(1 + length / 100) / 20));
  return {
    kind: 'street',
    sort,
    names: [...names.values()],
    inLanguages,
    lon,
    lat,
    box,
    zoom: Math.max(14, zoomOf(box)),
    importance,
    districts: districts.at(lon, lat),
    lines,
    ...(postcodes.size > 0 && { postcodes }),
    ...(towns.size > 0 && { towns }),
    id: 0,
  };
}

/** The numbers of a road, each as written, together and with a space: "A 38" and "A38", "CG-2", "CG2" and "CG 2". */
export function numbersOf(ref: string): string[] {
  return ref
    .split(';')
    .map((number) => number.trim())
    .filter((number) => number !== '')
    .flatMap((number) => {
      const joined = number.replace(/^(\p{L}{1,3})[ -](?=\d)/u, '$1').replaceAll(' ', '');
      return [...new Set([number, joined, joined.replace(/^(\p{L}{1,3})(?=\d)/u, '$1 ')])];
    });
}

/** Joins consecutive ways into long lines. At forks a line takes any of the ways. */
function joinLines(extract: OsmExtract, ways: readonly number[]): Line[] {
  const { refs, first } = extract.ways;
  const pieces = ways
    .map((way) => ({ from: refs[first[way]!]!, to: refs[first[way + 1]! - 1]!, line: lineOf(extract, way) }))
    .filter((piece) => piece.line !== undefined);
  const at = new Map<number, number[]>();
  pieces.forEach(({ from, to }, i) => {
    for (const end of new Set([from, to])) {
      if (end === MISSING) continue;
      const list = at.get(end);
      if (list) list.push(i);
      else at.set(end, [i]);
    }
  });
  const used = new Uint8Array(pieces.length);
  const lines: Line[] = [];
  const follow = (end: number): number[] => {
    const run: number[] = [];
    for (;;) {
      const next = at.get(end)?.find((i) => !used[i]);
      if (next === undefined) return run;
      used[next] = 1;
      const { from, to, line } = pieces[next]!;
      const points = from === end ? [...line!] : reversed(line!);
      end = from === end ? to : from;
      for (let i = 2; i < points.length; i++) run.push(points[i]!);
    }
  };
  for (let i = 0; i < pieces.length; i++) {
    if (used[i]) continue;
    used[i] = 1;
    const { from, to, line } = pieces[i]!;
    const onward = follow(to);
    const backward = from === to ? [] : follow(from);
    const points = [...reversed(Int32Array.from(backward)), ...line!, ...onward];
    lines.push(Int32Array.from(points));
  }
  return lines;
}

function reversed(line: Line): number[] {
  const points: number[] = [];
  for (let i = line.length - 2; i >= 0; i -= 2) points.push(line[i]!, line[i + 1]!);
  return points;
}
