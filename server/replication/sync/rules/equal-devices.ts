import type { Vehicle } from '../../../../shared/records/index.ts';
import type { Store } from '../../../store/index.ts';
import { byAge } from './by-age.ts';
import { report } from './reported.ts';
import type { SpanningRule } from './rule-runner.ts';

/**
 * A device belongs to one vehicle: of two with the same `glonassId` the vehicle that was created later gets a
 * free one, and of two with the same IMEI it loses the IMEI. The device's data go to the earlier vehicle.
 */
export function equalDevices(store: Store): SpanningRule {
  const vehicles = store.records('vehicles');

  async function release(vehicle: Vehicle, field: 'glonassId' | 'imei', value: number | string): Promise<void> {
    const before = vehicle[field];
    await vehicles.change(vehicle.id, (now) => (now[field] === before ? { ...now, [field]: value } : now));
    await report(store, `device-twice|${vehicle.key}|${field}|${before}`, {
      recordCollection: 'vehicles',
      recordKey: vehicle.key,
      recordId: vehicle.id,
      taskId: 0,
      field,
      rule: '',
      otherId: 0,
      kept: { value, stamp: vehicle.hlc.base },
      lost: { value: before, stamp: vehicle.hlc.base },
    });
  }

  return {
    collections: ['vehicles'],
    async restore(_collection, changes) {
      const merged = changes.filter(({ deleted }) => !deleted).map(({ record }) => record as unknown as Vehicle);
      const numbers = new Map(merged.map(({ glonassId }) => [glonassId, [] as Vehicle[]]));
      const imeis = new Map(merged.filter(({ imei }) => imei !== '').map(({ imei }) => [imei, [] as Vehicle[]]));
      const taken = new Set<number>();
      for (const vehicle of vehicles.all()) {
        if (vehicle.isDeleted) continue;
        taken.add(vehicle.glonassId);
        numbers.get(vehicle.glonassId)?.push(vehicle);
        imeis.get(vehicle.imei)?.push(vehicle);
      }
      for (const same of numbers.values())
        for (const later of same.sort(byAge).slice(1)) {
          let free = later.id;
          while (taken.has(free)) free++;
          taken.add(free);
          await release(later, 'glonassId', free);
        }
      for (const same of imeis.values())
        for (const later of same.sort(byAge).slice(1)) await release(later, 'imei', '');
    },
  };
}
