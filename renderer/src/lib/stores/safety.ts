import { defineStore } from 'pinia';
import { computed } from 'vue';
import type { StoredUnit } from '../../../../shared/records/index.ts';
import { safetyTimer, USUAL_SAFETY_MINUTES, type SafetyTimer } from '../../../../shared/fleet/safety-timer.ts';
import { useFleetRecords } from '../replica/use-records.ts';
import { useVehicles } from './vehicles.ts';

/** The safety timers of crews on scene, as the station counts them. */
export const useSafety = defineStore('safety', () => {
  const vehicles = useVehicles();
  const signs = useFleetRecords('crewSign').current;
  const settings = useFleetRecords('shiftSettings').current;
  const heardAt = computed(() => new Map(signs.value.map(({ id, heard }) => [id, heard.at])));
  const minutes = computed(() => new Map(settings.value.map(({ id, safetyMinutes }) => [id, safetyMinutes])));

  /** Undefined: no timer runs for it. */
  function timerOf(unit: StoredUnit): SafetyTimer | undefined {
    const organizationId = vehicles.byId(unit.vehicleId)?.organizationId ?? 0;
    return safetyTimer(
      unit,
      heardAt.value.get(unit.vehicleId) ?? 0,
      minutes.value.get(organizationId) ?? USUAL_SAFETY_MINUTES,
    );
  }

  return { timerOf };
});
