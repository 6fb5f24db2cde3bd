import { computed } from 'vue';
import { kindKeyOf } from '../../../../shared/ids.ts';
import { useBoard } from '../../lib/stores/board.ts';
import { useLive } from '../../lib/stores/live.ts';
import { isFreeAtTask, useVehicles } from '../../lib/stores/vehicles.ts';
import type { RunUnit } from './run-board.ts';

/** The vehicles as units of the run board, and which of them is chosen. */
export function useRunUnits() {
  const live = useLive();
  const board = useBoard();
  const vehicles = useVehicles();
  return {
    units: computed<readonly RunUnit[]>(() =>
      vehicles.rows.map(({ vehicle, status, statusSince, unit }) => ({
        id: vehicle.id,
        name: vehicle.name,
        status,
        since: statusSince,
        serves: unit !== undefined && !isFreeAtTask({ unit }),
        stationId: vehicle.groupId,
        kindId: vehicle.kindId ?? 0,
      })),
    ),
    unitName: (id: number) => vehicles.nameOf(id) ?? '',
    /** The name of a station or of a kind of vehicle; 0 has none. */
    groupName: (by: 'group' | 'vehicleKind', id: number) =>
      id ? live.records.fleet.get(kindKeyOf(by, id))?.name : undefined,
    /** Names of groups may change while the units stay. */
    namesVersion: live.records.fleet.version,
    chosen: computed(() =>
      board.chosenVehicle === undefined ? undefined : vehicles.byGlonassId.get(board.chosenVehicle)?.id,
    ),
    choose(id: number): void {
      board.chosenVehicle = vehicles.byId(id)?.glonassId;
    },
  };
}
