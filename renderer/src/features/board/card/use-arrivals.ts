import { onScopeDispose, watch } from 'vue';
import { hasArrived } from './unit-times.ts';
import type { Task } from '../../../../../shared/records/index.ts';
import { activeUnits } from '../../../../../shared/tasks/units.ts';
import { ApiError } from '../../../lib/api/client.ts';
import type { RoutedAnswer } from '../../../lib/api/types.ts';
import { useBoard } from '../../../lib/stores/board.ts';
import { useClock } from '../../../lib/stores/clock.ts';
import { useLive } from '../../../lib/stores/live.ts';
import { useSession } from '../../../lib/stores/session.ts';
import { useVehicles } from '../../../lib/stores/vehicles.ts';

const AGAIN_MS = 10_000;
/** More would be a burst of questions for one card. */
const MOST_ASKED = 8;

/**
 * Keeps in the board when each unit of the open task that is on its way will be there, from its position, by road;
 * asked one after the other, and again every ten seconds.
 */
export function useArrivals(task: () => Task | undefined): void {
  const { client } = useSession();
  const board = useBoard();
  const clock = useClock();
  const vehicles = useVehicles();
  const { positions } = useLive();
  let controller: AbortController | undefined;

  async function ask(): Promise<void> {
    controller?.abort();
    const { signal } = (controller = new AbortController());
    const now = task();
    const arrivals = new Map<number, number>();
    const to = now?.point;
    const coming = now && to ? activeUnits(now).filter((unit) => !hasArrived(unit)) : [];
    for (const { vehicleId } of coming.slice(0, MOST_ASKED)) {
      const vehicle = vehicles.byId(vehicleId);
      const from = vehicle && positions.legs.get(vehicle.glonassId)?.fix;
      if (!from || !to) continue;
      const loc = [`${from.lat},${from.lon}`, `${to.lat},${to.lon}`];
      try {
        const answer = await client.ask<RoutedAnswer>('/viaroute', { query: { loc }, signal });
        if (answer.status === 0) arrivals.set(vehicleId, Date.now() + answer.route_summary.total_time * 1000);
      } catch (error) {
        if (signal.aborted) return;
        if (!(error instanceof ApiError)) throw error;
      }
      if (signal.aborted) return;
    }
    board.arrivals = arrivals;
  }

  watch(
    () => {
      const now = task();
      const coming = now ? activeUnits(now).filter((unit) => !hasArrived(unit)) : [];
      return [now?.id, now?.point, coming.map(({ vehicleId }) => vehicleId).join(), Math.floor(clock.now / AGAIN_MS)];
    },
    (now, before) => {
      if (now.some((value, at) => value !== before?.[at])) void ask();
    },
    { immediate: true },
  );
  onScopeDispose(() => {
    controller?.abort();
    board.arrivals = new Map();
  });
}
