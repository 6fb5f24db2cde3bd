import type { Tags } from '../../extract/extract.ts';
import type { FeatureWriter } from './drawing.ts';

const KINDS = [
  '',
  '',
  'country',
  'region',
  'region',
  'county',
  'county',
  'municipality',
  'municipality',
  'district',
  'district',
] as const;
const MIN_ZOOM = [0, 0, 0, 4, 4, 8, 8, 10, 10, 12, 12] as const;

/**
 * Administrative boundaries as lines: each way once, for the highest of the areas that it bounds. `tagged`
 * are the ways that are boundaries by their own tags.
 */
export function drawBoundaries(drawing: FeatureWriter, tagged: readonly number[]): void {
  const { ways, relations } = drawing.extract;
  const levels = new Map<number, number>();
  const note = (w: number, tags: Tags) => {
    const level = Number(tags['admin_level']);
    if (w >= 0 && tags['boundary'] === 'administrative' && level >= 2 && level <= 10)
      levels.set(w, Math.min(level, levels.get(w) ?? 10));
  };
  for (const w of tagged) note(w, drawing.tagsOf(w));
  for (const relation of relations) {
    const { tags } = relation;
    if (tags['boundary'] !== 'administrative') continue;
    for (const { type, id, role } of relation.members)
      if (type === 'way' && role !== 'subarea') note(ways.find(id), tags);
  }
  for (const [w, found] of levels) {
    const level = Math.floor(found);
    const tags = drawing.tagsOf(w);
    const maritime = tags['maritime'] === 'yes' || tags['natural'] === 'coastline' || undefined;
    drawing.addWay(w, {
      layer: 'boundary',
      minZoom: MIN_ZOOM[level]!,
      order: -level,
      attributes: [
        ['kind', KINDS[level]],
        ['admin_level', level],
        ['maritime', maritime],
      ],
    });
  }
}
