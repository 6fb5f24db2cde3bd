import { computed, type Ref } from 'vue';
import type { VehicleDetail } from '../../../lib/api/types.ts';
import { useVehicles, type VehicleRecord } from '../../../lib/stores/vehicles.ts';
import { useLocale } from '../../../lib/i18n/index.ts';
import { useQuery } from '../../../lib/api/use-query.ts';

/** Label and value. */
export type VehicleFact = readonly [name: string, text: string];

/**
 * Names and texts from the record and the last message of a vehicle. Unknown ones are left out; custom fields
 * come last.
 */
export function useVehicleFacts(vehicle: Ref<VehicleRecord>, detail: Ref<VehicleDetail | undefined>) {
  const vehicles = useVehicles();
  const { t, locale } = useLocale();
  const customFields = useQuery<{ translit: string; name: string }[]>(() => ({ path: '/cars/customfields' }));
  const customNames = computed(
    () => new Map((customFields.answer.value ?? []).map(({ translit, name }) => [translit, name])),
  );
  const customText = (value: unknown) =>
    value === true
      ? t('directories.yes')
      : value === false
        ? t('directories.no')
        : typeof value === 'number'
          ? number(value)
          : String(value);
  const amount = (value: number, unit: string) =>
    new Intl.NumberFormat(locale.value, { style: 'unit', unit, maximumFractionDigits: 0 }).format(value);
  const number = (value: number) => new Intl.NumberFormat(locale.value, { maximumFractionDigits: 1 }).format(value);

  return computed(() => {
    const { info, carInfo: vehicleInfo, motohours } = detail.value ?? {};
    const rows: VehicleFact[] = [];
    const add = (word: string, text: string | undefined | null) => text && rows.push([t(`fleet.card.${word}`), text]);
    add('model', [vehicleInfo?.mark?.name, vehicleInfo?.model?.name].filter(Boolean).join(' '));
    add('group', vehicles.groupName(vehicle.value));
    add('odometer', info && amount(info.odometr, 'kilometer'));
    add('motorHours', motohours && `${number(motohours.move)} + ${number(motohours.stop)}`);
    add(
      'toService',
      vehicleInfo?.kmNextTo !== null && vehicleInfo?.kmNextTo !== undefined
        ? amount(vehicleInfo.kmNextTo, 'kilometer')
        : undefined,
    );
    add('height', info?.height ? amount(info.height, 'meter') : undefined);
    add(
      'satellites',
      info?.gpsCount !== null && info?.gpsCount !== undefined
        ? [info.gpsCount, info.glonassCount].filter((one) => one !== null).join(' + ')
        : undefined,
    );
    add('device', String(vehicle.value.glonassId));
    add('imei', vehicle.value.imei);
    add('phone', vehicle.value.phone);
    for (const [key, value] of Object.entries(detail.value?.customFields ?? {}))
      if (value !== null && value !== '') rows.push([customNames.value.get(key) ?? key, customText(value)]);
    return rows;
  });
}
