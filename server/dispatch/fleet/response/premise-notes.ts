import { definedFields } from '../../../../shared/defined-fields.ts';
import type { Actor } from '../../../../shared/access.ts';
import type { PremiseNote } from '../../../../shared/records/index.ts';
import { Refusal } from '../../../../shared/refusal.ts';
import type { Draft } from '../../../store/types.ts';
import { named, type DirectoryRules } from '../directory.ts';

export type PremiseNoteOrder = {
  [F in 'name' | 'subject' | 'text' | 'point' | 'radius' | 'geozoneId' | 'organizationId' | 'until']?:
    PremiseNote[F] | undefined;
};

/** metres: a house with its yard */
const DEFAULT_RADIUS = 60;

interface KnownToNotes {
  organization(id: number): boolean;
  seesGeozone(by: Actor, id: number): boolean;
}

/**
 * Only a superuser writes notes of the whole station; others belong to their organization, which alone reads
 * them.
 */
export function premiseNoteRules(known: KnownToNotes): DirectoryRules<PremiseNote, PremiseNoteOrder> {
  return {
    what: 'premise note',
    owner: ({ organizationId }) => organizationId || undefined,
    mayChange: ({ organizationId }, by) => !!organizationId || by.role.superuser,
    create: (id, order, by) => {
      const blank: Draft<PremiseNote> = {
        id,
        kind: 'premiseNote',
        isDeleted: false,
        name: '',
        subject: 'other',
        text: '',
        point: null,
        radius: DEFAULT_RADIUS,
        geozoneId: 0,
        organizationId: by.user.organizationId,
        until: null,
      };
      return changed(known, by, blank, order);
    },
    change: (note, order, by) => changed(known, by, note, order),
  };
}

function changed<N extends Draft<PremiseNote>>(known: KnownToNotes, by: Actor, note: N, order: PremiseNoteOrder): N {
  const next: N = { ...note, ...definedFields(order), name: named(order.name, note.name) };
  // The place that was given last counts.
  if (order.point && order.geozoneId === undefined) next.geozoneId = 0;
  if (order.geozoneId && order.point === undefined) next.point = null;
  if (!next.point && next.geozoneId === 0) throw new Refusal('field.missing', { field: 'lat' });
  if (next.point && next.geozoneId !== 0) throw new Refusal('fleet.noteInTwoPlaces');
  if (
    next.organizationId !== 0 &&
    next.organizationId !== note.organizationId &&
    !known.organization(next.organizationId)
  )
    throw new Refusal('accounts.organizationGone', { id: next.organizationId });
  if (next.geozoneId !== 0 && next.geozoneId !== note.geozoneId && !known.seesGeozone(by, next.geozoneId))
    throw new Refusal('field.unknown', { field: 'geozoneId', id: next.geozoneId });
  return next;
}
