import { EventSettings } from '../../../../shared/records/index.ts';

export type ThresholdName = keyof EventSettings;

/** Amount of the station's unit (km/h, metres, litres, degrees, shares, ms) in one display unit. */
const SIZE = { kmh: 1, metres: 1, litres: 1, degrees: 1, percent: 0.01, seconds: 1_000, minutes: 60_000 } as const;
type ThresholdUnit = keyof typeof SIZE;

export const THRESHOLD_UNITS: Readonly<Record<ThresholdName, ThresholdUnit>> = {
  standingSpeed: 'kmh',
  stopAfter: 'minutes',
  parkingAfter: 'minutes',
  longStopAfter: 'minutes',
  lostAfter: 'minutes',
  noFixAfter: 'minutes',
  turnAngle: 'degrees',
  turnSpeed: 'kmh',
  speedLimit: 'kmh',
  speedPersistence: 'seconds',
  zoneMargin: 'metres',
  zonePersistence: 'seconds',
  requestRadius: 'metres',
  requestPersistence: 'seconds',
  corridor: 'metres',
  sensorDebounce: 'seconds',
  driverGrace: 'seconds',
  fuelShare: 'percent',
  fuelLitres: 'litres',
  fuelWithin: 'minutes',
};

/** In what order and under which headings they stand; headings are under `thresholds.groups.`. */
export const THRESHOLD_GROUPS: readonly { readonly word: string; readonly names: readonly ThresholdName[] }[] = [
  { word: 'stops', names: ['standingSpeed', 'stopAfter', 'parkingAfter', 'longStopAfter'] },
  { word: 'driving', names: ['speedLimit', 'speedPersistence', 'turnAngle', 'turnSpeed'] },
  { word: 'zones', names: ['zoneMargin', 'zonePersistence', 'corridor', 'requestRadius', 'requestPersistence'] },
  { word: 'sensors', names: ['sensorDebounce', 'driverGrace', 'fuelShare', 'fuelLitres', 'fuelWithin'] },
  { word: 'signal', names: ['lostAfter', 'noFixAfter'] },
];
export const THRESHOLD_NAMES: readonly ThresholdName[] = THRESHOLD_GROUPS.flatMap(({ names }) => names);

/** A value as it is typed, in the unit of its threshold. */
export function thresholdText(name: ThresholdName, value: number, language: string): string {
  return new Intl.NumberFormat(language, { maximumFractionDigits: 6, useGrouping: false }).format(
    value / SIZE[THRESHOLD_UNITS[name]],
  );
}

/** The typed value in the station's unit; NaN: not a number. Both point and comma are decimal marks. */
export function thresholdValue(name: ThresholdName, text: string): number {
  if (text.trim() === '') return NaN;
  const value = Number(text.trim().replace(',', '.')) * SIZE[THRESHOLD_UNITS[name]];
  return isDuration(name) ? Math.round(value) : Number(value.toFixed(9)); // 8.1 % is 0.081 and not 0.08100000000000002
}

/** The least and the most that the station takes. */
export function thresholdRange(name: ThresholdName): { readonly least: number; readonly most: number } {
  const { minValue, maxValue } = EventSettings.shape[name];
  return { least: minValue ?? -Infinity, most: maxValue ?? Infinity };
}

function isDuration(name: ThresholdName): boolean {
  return THRESHOLD_UNITS[name] === 'seconds' || THRESHOLD_UNITS[name] === 'minutes';
}
