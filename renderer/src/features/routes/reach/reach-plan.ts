import { defineStore } from 'pinia';
import { ref, shallowRef, watch } from 'vue';
import { airDistance } from '../../../../../shared/geo/geometry.ts';
import type { ReachArea } from '../../../map/layers/reach-layer.ts';
import { useLive } from '../../../lib/stores/live.ts';
import { useSession } from '../../../lib/stores/session.ts';
import { useVehicles } from '../../../lib/stores/vehicles.ts';
import { i18n } from '../../../lib/i18n/index.ts';
import { questionProblem } from '../../../lib/i18n/problem-words.ts';
import { useLocalizedText } from '../../../lib/i18n/localized-text.ts';
import { latestOnly } from '../../../lib/api/latest-only.ts';
import { useClosures } from '../closures/closures-store.ts';
import { offMapPoint } from '../options/drive.ts';
import { FOLLOW_M, useRoutePlan } from '../plan/route-plan.ts';
import type { StopPlace } from '../plan/stops.ts';

/** Times to choose from, and as many as one question may have. */
export const REACH_MINUTES = [2, 3, 5, 8, 10, 15, 20, 30, 45, 60] as const;
export const MAX_TIMES = 6;

interface ReachQuery {
  readonly place: StopPlace;
  readonly minutes: readonly number[];
  readonly profile: string;
}
interface ReachAnswer {
  readonly status: number;
  readonly status_message?: string;
  readonly features: readonly {
    readonly properties: { readonly minutes: number };
    readonly geometry: ReachArea['geometry'];
  }[];
}

/**
 * How far a vehicle gets from a place, or from its current position, in given times. It stays while other
 * pages are open.
 */
export const useReachPlan = defineStore('reach-plan', () => {
  const { client } = useSession();
  const live = useLive();
  const closures = useClosures();
  const vehicles = useVehicles();
  const drives = useRoutePlan();
  const place = shallowRef<StopPlace>();
  const minutes = ref<number[]>([5, 10, 15]);
  const profile = ref('');
  const areas = shallowRef<readonly ReachArea[]>([]);
  const problem = useLocalizedText();
  const working = ref(false);

  const ask = latestOnly<ReachQuery, ReachAnswer>(
    ({ place: { lat, lon }, minutes: times, profile: name }) => {
      working.value = true;
      return client.ask<ReachAnswer>(
        `/isochrone?loc=${lat.toFixed(6)},${lon.toFixed(6)}&minutes=${times.join(',')}${name ? `&profile=${name}` : ''}`,
      );
    },
    (answer) => {
      const { features } = answer;
      working.value = false;
      problem.value = offMapPoint(answer) === undefined ? '' : () => i18n.global.t('routes.placeOffMap');
      areas.value = features.map(({ properties, geometry }) => ({ minutes: properties.minutes, geometry }));
    },
    (error) => {
      working.value = false;
      areas.value = [];
      problem.value = () => questionProblem(error);
    },
  );
  function askNow(): void {
    if (place.value && minutes.value.length > 0)
      return ask({
        place: place.value,
        minutes: minutes.value.toSorted((one, other) => one - other),
        profile: profile.value,
      });
    ask(undefined);
    [areas.value, problem.value, working.value] = [[], '', false];
  }
  watch(
    () => vehicles.tick,
    () => {
      const at = place.value;
      const now = at?.vehicleId === undefined ? undefined : drives.vehiclePlace(at.vehicleId);
      if (at && now && airDistance(at, now) > FOLLOW_M) place.value = now;
    },
  );
  watch([place, minutes, profile, () => closures.turn, () => live.territoryVersion], askNow);

  return { place, minutes, profile, areas, problem, working };
});
