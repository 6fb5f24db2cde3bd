import { MISSING } from '../extract/extract.ts';
import type { OsmRelation } from '../extract/extract.ts';
import type { PackedExtract } from '../extract/packed-extract.ts';

/** Gaps and skipped parts of an extract: a sentence per kind, empty when complete. */
export function describeGaps(extract: PackedExtract): string[] {
  const { nodes, ways, relations, parts } = extract;
  const log: string[] = [];
  const say = (what: string, count: number) => {
    if (count > 0) log.push(`${what}: ${count.toLocaleString('en')}.`);
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
  const lacks = (relation: OsmRelation) =>
    relation.members.some(
      ({ type, id }) => (type === 'node' ? nodes.find(id) : type === 'way' ? ways.find(id) : 0) < 0,
    );
  const cut = relations.filter(lacks);
  // The makers of roads report those.
  const restrictions = cut.filter(({ tags }) => tags['type']?.startsWith('restriction'));
  const areas = cut.filter(({ tags }) => tags['type'] === 'multipolygon' || tags['type'] === 'boundary');

  say('Nodes off the globe, left out', parts.outOfRange);
  say('Things that the files have more than once, of which the last was taken', parts.repeated);
  say('Changes of the map, applied', parts.changed);
  say('Changes of other places, left out', parts.foreign);
  say('Ways that name nodes which the file does not have', cutWays);
  say('Nodes that ways name and the file does not have', lostRefs);
  say('Ways of fewer than two nodes, left out', shortWays);
  say('Areas and boundaries cut by the edge of the extract, drawn as far as they go', areas.length);
  say('Other relations cut by the edge of the extract', cut.length - restrictions.length - areas.length);
  return log;
}
