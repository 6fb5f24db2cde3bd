import { defineStore } from 'pinia';
import { computed } from 'vue';
import type { StoredUnit } from '../../../../shared/records/index.ts';
import { safetyTimer, DEFAULT_SAFETY_MINUTES, type SafetyTimer } from '../../../../shared/fleet/safety-timer.ts';
import { useFleetRecords } from '../replica/use-records.ts';
import { i18n } from '../i18n/index.ts';
import { useDispatch } from './dispatch.ts';
import { useNotices } from './notices.ts';
import { useSession } from './session.ts';
import { useVehicles } from './vehicles.ts';

/** The safety timers of crews on scene, as the station counts them. */
export const useSafety = defineStore('safety', () => {
  const session = useSession();
  const dispatch = useDispatch();
  const notices = useNotices();
  const vehicles = useVehicles();
  const { t } = i18n.global;
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
      minutes.value.get(organizationId) ?? DEFAULT_SAFETY_MINUTES,
    );
  }

  /** Somebody spoke with the crew: its timer restarts. */
  async function heard(vehicleId: number): Promise<void> {
    const name = vehicles.nameOf(vehicleId) ?? '';
    const path = { id: vehicleId };
    if (await dispatch.attempt(() => session.client.request('post', '/cars/{id}/heard', { params: { path } })))
      notices.show('done', () => t('shifts.heard', { name }));
  }

  /** May this person say that a crew was heard? Those who set its status may. */
  const mayHear = computed(() => session.can('change_status'));

  return { timerOf, heard, mayHear };
});
