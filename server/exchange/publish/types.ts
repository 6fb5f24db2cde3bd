import type { Actor } from '../../../shared/access.ts';
import type { RecordChange } from './change.ts';

/** A change as a receiver gets it. */
export interface Presented {
  readonly data: object;
  /** The organizations that it concerns; empty: every one. */
  readonly organizationIds: readonly number[];
  /** The type of its task; undefined: it has none. */
  readonly taskTypeId: number | undefined;
}

/** undefined: the actor may not see the record. */
export type PresentChange = (by: Actor, change: RecordChange) => Presented | undefined;
