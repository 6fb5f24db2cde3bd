import { computed, onScopeDispose, shallowRef, watch, type Ref } from 'vue';
import { TRACK_GAP_MS } from '../../../../../shared/events/track-gap.ts';
import { ApiError } from '../../../lib/api/client.ts';
import type { SensorItem, SensorValue } from '../../../lib/api/types.ts';
import { useSession } from '../../../lib/stores/session.ts';
import { useLocale } from '../../../lib/i18n/index.ts';
import type { Period } from '../../../lib/time/period.ts';
import type { Series } from '../track/track.ts';
import { useQuery } from '../../../lib/api/use-query.ts';

/** Sensors whose value is on or off. */
export const SWITCHES: ReadonlySet<string> = new Set(['digital', 'ignition', 'failure']);
const TOKENS = ['busy', 'normal', 'abnormal', 'scene'] as const;
/** So many values fill the widest plot; more could not be seen. */
const MAX_VALUES = 4_000;

/** The value of a sensor in words: "42.5 l", "on". */
export function useSensorText() {
  const { t, locale } = useLocale();
  return ({ type, unit }: Pick<SensorItem, 'type' | 'unit'>, value: number) =>
    SWITCHES.has(type)
      ? t(value ? 'fleet.card.on' : 'fleet.card.off')
      : [new Intl.NumberFormat(locale.value, { maximumFractionDigits: 1 }).format(value), unit]
          .filter(Boolean)
          .join(' ');
}

/** Fuel is looked for before all else; the others in the order in which they were fitted. */
export const fuelFirst = <T extends Pick<SensorItem, 'id' | 'type'>>(sensors: readonly T[]): T[] =>
  sensors.toSorted((one, other) => Number(other.type === 'fuel') - Number(one.type === 'fuel') || one.id - other.id);

/** Sensor values of a vehicle in a period, fuel first. Asked again when the vehicle or the period changes. */
function useSensorValues(vehicleId: () => number, period: () => Period) {
  const { client } = useSession();
  const sensors = useQuery<SensorItem[]>(() => ({ path: '/sensors', query: { cars: vehicleId() } }));
  const values = shallowRef<ReadonlyMap<number, readonly SensorValue[]>>(new Map());
  let controller: AbortController | undefined;

  async function read(): Promise<void> {
    controller?.abort();
    const mine = (controller = new AbortController());
    const { from, till } = period();
    const every = Math.floor((till - from) / MAX_VALUES);
    try {
      const found = await Promise.all(
        (sensors.answer.value ?? []).map(
          async ({ id }) =>
            [
              id,
              await client.request('get', '/sensors/{id}/values', {
                params: { path: { id }, query: { from, till, ...(every > 0 ? { every } : {}) } },
                signal: mine.signal,
              }),
            ] as const,
        ),
      );
      if (controller === mine) values.value = new Map(found);
    } catch (error) {
      if (!mine.signal.aborted && !(error instanceof ApiError)) throw error; // without them the plots are left out
    }
  }

  watch([sensors.answer, () => period().from, () => period().till], () => void read(), { immediate: true });
  onScopeDispose(() => controller?.abort());
  return computed(() =>
    fuelFirst(sensors.answer.value ?? []).map((sensor) => ({ sensor, values: values.value.get(sensor.id) ?? [] })),
  );
}

/** Lines for plots of sensor values: quantities as curves, switches as steps. */
export function useSensorSeries(vehicleId: () => number, period: Ref<Period>) {
  const found = useSensorValues(vehicleId, () => period.value);
  const sensorText = useSensorText();
  return computed(() =>
    found.value
      .filter(({ values }) => values.length > 0)
      .map(({ sensor, values }, index) => ({
        id: sensor.id,
        lines: [
          {
            ...valueSeries(values, 'value'),
            name: sensor.name,
            token: TOKENS[index % TOKENS.length]!,
            stepped: SWITCHES.has(sensor.type),
            text: (value: number) => sensorText(sensor, value),
          },
        ],
      })),
  );
}

/** The raw or the calibrated values; a long time without values is a gap. */
export function valueSeries(values: readonly SensorValue[], which: 'raw' | 'value'): Series {
  const times: number[] = [];
  const found: number[] = [];
  values.forEach((value, index) => {
    const before = values[index - 1];
    if (before && value.time - before.time > TRACK_GAP_MS) {
      times.push((before.time + value.time) / 2);
      found.push(NaN);
    }
    times.push(value.time);
    found.push(value[which]);
  });
  return { times: Float64Array.from(times), values: Float64Array.from(found) };
}
