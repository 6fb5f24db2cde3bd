import { PREMISE_SUBJECTS } from '../../../../shared/records/index.ts';
import type { Schema } from '../../lib/api/operations.ts';

export type NoteOfPlace = Schema<'PremiseNote'>;

/** Hazards first, then keys and codes; within a subject as the station orders them, the nearest first. */
export function inReadingOrder(notes: readonly NoteOfPlace[]): readonly NoteOfPlace[] {
  return notes.toSorted(
    (one, other) => PREMISE_SUBJECTS.indexOf(one.subject) - PREMISE_SUBJECTS.indexOf(other.subject),
  );
}
