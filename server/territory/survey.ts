import { MISSING } from './extract.ts';
import type { OsmRelation } from './extract.ts';
import type { PackedExtract } from './packed-extract.ts';

/** What an extract lacks and what was passed over in reading it: a sentence per kind, none when all is well. */
export function survey(extract: PackedExtract): string[] {
  const { nodes, ways, relations, parts } = extract;
  const log: string[] = [];
  const say = (count: number, what: string) => {
    if (count > 0) log.push(`${count.toLocaleString('en')} ${what}`);
  };

  let cutWays = 0;
  let lostRefs = 0;
  let shortWays = 0;
  for (let w = 0; w < ways.count; w++) {
    const refs = ways.refs.subarray(ways.first[w]!, ways.first[w + 1]!);
    if (refs.length < 2) shortWays++;
    let lost = 0;
    for (const ref of refs) if (ref === MISSING) lost++;
    if (lost > 0) cutWays++;
    lostRefs += lost;
  }
  const lacks = (relation: OsmRelation) => relation.members.some(({ type, id }) => (type === 'node' ? nodes.find(id) : type === 'way' ? ways.find(id) : 0) < 0);
  const cut = relations.filter(lacks);
  // Those are told by the makers of roads.
  const restrictions = cut.filter(({ tags }) => tags['type']?.startsWith('restriction'));
  const areas = cut.filter(({ tags }) => tags['type'] === 'multipolygon' || tags['type'] === 'boundary');

  say(parts.outOfRange, 'nodes lie off the globe and were left out.');
  say(parts.repeated, 'things are in the file more than once; the last of each was taken.');
  say(cutWays, `ways name nodes that the file does not have (${lostRefs.toLocaleString('en')} nodes).`);
  say(shortWays, 'ways have fewer than two nodes and were left out.');
  say(areas.length, 'areas and boundaries are cut by the edge of the extract and were drawn as far as they go.');
  say(cut.length - restrictions.length - areas.length, 'other relations are cut by the edge of the extract.');
  return log;
}
