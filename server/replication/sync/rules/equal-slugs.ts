import type { CustomField, VehicleField } from '../../../../shared/records/index.ts';
import type { Store } from '../../../store/index.ts';
import { byAge } from './by-age.ts';
import type { SpanningRule } from './rule-runner.ts';

/** Slugs name custom fields in the interface: of two equal ones the field that was made later gets a suffix. */
export function equalSlugs(store: Store): SpanningRule {
  const lists = {
    directories: store.kind<CustomField>('directories', 'customField'),
    fleet: store.kind<VehicleField>('fleet', 'vehicleField'),
  };
  return {
    collections: ['directories', 'fleet'],
    async restore(collection, changes) {
      const kind = collection === 'fleet' ? 'vehicleField' : 'customField';
      if (!changes.some(({ record, deleted }) => record.kind === kind && !deleted)) return;
      const fields = lists[collection as keyof typeof lists];
      // A slug of a deleted field is never given again, because values of it are kept.
      const all = [...fields.all()].sort(byAge);
      const taken = new Set<string>();
      for (const { slug } of all) taken.add(slug);
      const seen = new Set<string>();
      for (const field of all) {
        if (!seen.has(field.slug)) {
          seen.add(field.slug);
          continue;
        }
        let slug = field.slug;
        for (let number = 2; taken.has(slug); number++) slug = `${field.slug}_${number}`;
        taken.add(slug);
        seen.add(slug);
        await fields.change(field.id, (now) => (now.slug === field.slug ? { ...now, slug } : now) as never);
      }
    },
  };
}
