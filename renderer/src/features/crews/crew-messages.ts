import { computed } from 'vue';
import type { CrewMessage, MessageReceipt } from '../../../../shared/records/index.ts';
import { useFleetRecords } from '../../lib/replica/use-records.ts';
import { useVehicles } from '../../lib/stores/vehicles.ts';

const CONTROL = 'control';

/** How far a message of the control room has come, of the vehicles it is for. */
export interface MessageReach {
  readonly all: number;
  readonly delivered: number;
  readonly read: number;
  readonly answered: number;
}

export function reachedOf(
  { to, organizationId, receipts }: Pick<CrewMessage, 'to' | 'organizationId' | 'receipts'>,
  vehicles: readonly { readonly id: number; readonly groupId: number; readonly organizationId: number }[],
): MessageReach {
  const addressed = vehicles.filter((vehicle) =>
    to.kind === 'vehicle'
      ? vehicle.id === to.id
      : to.kind === 'all'
        ? organizationId === 0 || vehicle.organizationId === organizationId
        : vehicle.organizationId === organizationId && vehicle.groupId === to.id,
  );
  const marks = addressed.flatMap(({ id }) => receipts[String(id)] ?? []);
  const count = (mark: keyof MessageReceipt) => marks.filter((one) => one[mark] > 0).length;
  return {
    all: addressed.length,
    delivered: count('deliveredAt'),
    read: count('readAt'),
    answered: count('answeredAt'),
  };
}

/** Messages of the last day, from the replica. */
export function useCrewMessages() {
  const { current } = useFleetRecords('crewMessage');
  const vehicles = useVehicles();
  const all = computed(() => [...current.value].sort((a, b) => b.at - a.at || b.id - a.id));
  /** Messages of crews that the control room has not read, oldest first. */
  const unread = computed(() =>
    all.value.filter(({ vehicleId, receipts }) => vehicleId > 0 && !receipts[CONTROL]?.readAt).reverse(),
  );
  return { all, unread, reached: (message: CrewMessage) => reachedOf(message, vehicles.all) };
}
