import { ACKNOWLEDGED, hasNotArrived, OUT_OF_SERVICE } from '../../../shared/fleet/unit-status.ts';
import type { LastState } from '../../../shared/fleet/last-state.ts';
import { Refusal } from '../../../shared/refusal.ts';

/** Facts about the vehicle whose crew reports. */
export interface Reporting {
  readonly name: string;
  readonly state: Pick<LastState, 'unitStatus' | 'unitStatusSince'> | undefined;
  /** When it was sent to a task where it has not arrived; undefined: to none. */
  readonly sentAt: number | undefined;
  /** The tasks that it is on. */
  readonly taskIds: readonly number[];
}

/**
 * Decides on a status that the crew set at `at`, README rule 5.
 * @returns whether it changes anything
 */
export function acceptReport({ name, state, sentAt, taskIds }: Reporting, status: number, at: number): boolean {
  const known = state && state.unitStatusSince > 0 ? state : undefined;
  if (known && known.unitStatusSince > at) {
    if (known.unitStatus === status) return false;
    throw new Refusal('crews.overtaken', { name });
  }
  const [id] = taskIds;
  if (status === OUT_OF_SERVICE && id !== undefined) throw new Refusal('crews.onTask', { name, id });
  const reported = { unitStatus: known?.unitStatus, unitStatusSince: known?.unitStatusSince ?? 0 };
  if (sentAt !== undefined && hasNotArrived(reported, status, sentAt))
    throw new Refusal('fleet.sent', { name, id: id ?? 0 });
  return !(status === ACKNOWLEDGED && known?.unitStatus === ACKNOWLEDGED);
}
