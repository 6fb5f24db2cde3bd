import { Area } from '../geometry/area.ts';
import type { OsmExtract, OsmRelation } from '../extract/extract.ts';
import { MISSING } from '../extract/extract.ts';
import { joinRings } from '../geometry/rings.ts';
import type { Line } from '../geometry/metres.ts';

/** A way as a line; omits nodes that the extract lacks. Undefined when none is there. */
export function lineOf(extract: OsmExtract, way: number): Line | undefined {
  const { nodes, ways } = extract;
  const refs = ways.refs.subarray(ways.first[way], ways.first[way + 1]);
  const line = new Int32Array(refs.length * 2);
  let length = 0;
  for (const node of refs) {
    if (node === MISSING) continue;
    line[length++] = nodes.lon[node]!;
    line[length++] = nodes.lat[node]!;
  }
  return length > 0 ? line.subarray(0, length) : undefined;
}

/** The surface of a closed way; undefined when it is open or broken. */
export function areaOfWay(extract: OsmExtract, way: number): Area | undefined {
  const { ways } = extract;
  const first = ways.first[way]!,
    end = ways.first[way + 1]!;
  if (end - first < 4 || ways.refs[first] !== ways.refs[end - 1] || ways.refs.subarray(first, end).includes(MISSING))
    return undefined;
  return new Area([lineOf(extract, way)!]);
}

/** The surface within a closed line. */
export function areaOfRing(ring: Line): Area {
  return new Area([ring]);
}

/**
 * The surface of a multipolygon or boundary; undefined unless every ring closes (extracts cut relations at
 * their edge).
 */
export function areaOfRelation(extract: OsmExtract, relation: OsmRelation): Area | undefined {
  const { ways } = extract;
  const lines: number[][] = [];
  for (const member of relation.members) {
    if (member.type !== 'way' || (member.role !== 'outer' && member.role !== 'inner' && member.role !== '')) continue;
    const way = ways.find(member.id);
    if (way < 0) return undefined;
    const refs = ways.refs.subarray(ways.first[way], ways.first[way + 1]);
    if (refs.length < 2 || refs.includes(MISSING)) return undefined;
    lines.push(Array.from(refs));
  }
  const { rings, open } = joinRings(lines);
  if (open.length > 0 || rings.length === 0) return undefined;
  return new Area(
    rings.map((ring) => {
      const line = new Int32Array(ring.length * 2);
      ring.forEach((node, i) => {
        line[2 * i] = extract.nodes.lon[node]!;
        line[2 * i + 1] = extract.nodes.lat[node]!;
      });
      return line;
    }),
  );
}
