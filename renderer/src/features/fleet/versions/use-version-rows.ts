import { computed, type ComputedRef } from 'vue';
import type { Field } from '../../directories/fields.ts';
import { useClock } from '../../../lib/stores/clock.ts';
import { useLocale } from '../../../lib/i18n/index.ts';
import { minuteTime, momentOf } from '../../../lib/time/period.ts';
import { useTurn } from './use-versions-now.ts';
import { plannedId, versionRows, type VersionRow } from './version-rows.ts';

/** When a change is to hold, as a form writes it; `planned`: what is open is a plan, and its time stands. */
export interface HoldsFrom {
  readonly holdsFrom: string;
  readonly planned: boolean;
}

/**
 * The rows of what is edited over time, as they are now and as they are planned, with the field that says
 * from when on a change holds. A plan is a row of its own: it is changed and deleted like one, and the
 * station takes it away when it is told to go on with what holds before. `versioned` are the fields of the
 * form that are kept over time; the others are of the entry, whenever they are changed.
 */
export function useVersionRows<
  V extends { readonly validFrom: number },
  E extends { readonly id: number; readonly versions: readonly V[] },
>(entries: () => readonly E[], versioned: readonly string[]) {
  const clock = useClock();
  const { t, moment } = useLocale();
  const turn = useTurn(entries);
  /** A row is the same one as long as its record is, so that a form sees when it has changed. */
  const known = new WeakMap<E, { readonly turn: number; readonly rows: readonly VersionRow<E, V>[] }>();
  const rows: ComputedRef<readonly VersionRow<E, V>[]> = computed(() =>
    entries().flatMap((entry) => rowsOf(entry, turn.value)),
  );

  function rowsOf(entry: E, at: number): readonly VersionRow<E, V>[] {
    let found = known.get(entry);
    if (found?.turn !== at) known.set(entry, (found = { turn: at, rows: versionRows<V, E>(entry, at) }));
    return found.rows;
  }

  /** What stands beside the name of a plan; empty for what holds already. */
  const fromText = ({ version: { validFrom } }: VersionRow<E, V>) =>
    validFrom > turn.value ? t('fleetDirectories.plans.from', { time: moment(validFrom, clock.now) }) : '';
  const isPlanned = (row: VersionRow<E, V>) => row.before !== undefined;
  return {
    rows,
    isPlanned,
    fromText,
    nameOf(row: VersionRow<E, V> & { readonly version: { readonly name: string } }): string {
      const from = fromText(row);
      return from ? t('fleetDirectories.plans.named', { name: row.version.name, from }) : row.version.name;
    },
    holdsFrom: (row?: VersionRow<E, V>): HoldsFrom => ({
      holdsFrom: row && isPlanned(row) ? momentOf(row.version.validFrom) : '',
      planned: row !== undefined && isPlanned(row),
    }),
    field: computed((): Field<HoldsFrom> => ({
      key: 'holdsFrom',
      kind: 'moment',
      label: t('fleetDirectories.plans.holdsFrom'),
      hint: t('fleetDirectories.plans.hint'),
      future: true,
      wire: ['validFrom'],
      fixed: ({ planned }) => planned,
      half: true,
    })),
    /** Fields that a plan does not have are not in its form. */
    shown:
      (key: string) =>
      ({ planned }: HoldsFrom) =>
        !planned || versioned.includes(key),
    /** What the station is told of the time of a change of this row. */
    since: (row: VersionRow<E, V>) => (isPlanned(row) ? { validFrom: row.version.validFrom } : {}),
    /** The same of what is new. */
    beginning: ({ holdsFrom }: HoldsFrom) => (holdsFrom ? { validFrom: minuteTime(holdsFrom) } : {}),
    /** Sends changes that are to hold later; undefined where they hold from now on. */
    plan<D extends HoldsFrom>(
      row: VersionRow<E, V>,
      { holdsFrom, ...changes }: Partial<D>,
      send: (changes: Omit<Partial<D>, 'holdsFrom'>, validFrom: number) => Promise<unknown>,
    ): Promise<string> | undefined {
      const validFrom =
        isPlanned(row) || !holdsFrom || !versioned.some((field) => field in changes)
          ? undefined
          : minuteTime(holdsFrom);
      return validFrom === undefined
        ? undefined
        : send(changes, validFrom).then(() => plannedId(row.entry.id, validFrom));
    },
  };
}
