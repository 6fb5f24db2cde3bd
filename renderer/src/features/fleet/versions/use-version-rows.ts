import { computed, type ComputedRef } from 'vue';
import type { Field } from '../../directories/fields.ts';
import { useClock } from '../../../lib/stores/clock.ts';
import { useLocale } from '../../../lib/i18n/index.ts';
import { minuteTime, momentOf } from '../../../lib/time/period.ts';
import { useTurn } from './use-versions-now.ts';
import { plannedId, versionRows, type VersionRow } from './version-rows.ts';

/**
 * The time from which a change applies, as a form writes it. `planned`: a plan is open, and its time is
 * fixed.
 */
export interface HoldsFrom {
  readonly holdsFrom: string;
  readonly planned: boolean;
}

/**
 * Rows of records with versions: the current one, and below it the planned ones, with the field for the time
 * from which a change applies. A plan is a row of its own, and can be changed and deleted. `versioned` are
 * the fields kept by version; the others belong to the entry.
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

  /** Text beside the name of a plan; empty for the current version. */
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
    /** The form of a planned version shows only the fields that plans have. */
    shown:
      (key: string) =>
      ({ planned }: HoldsFrom) =>
        !planned || versioned.includes(key),
    /** The time of a change of this row, for the station. */
    since: (row: VersionRow<E, V>) => (isPlanned(row) ? { validFrom: row.version.validFrom } : {}),
    /** The same for a new record. */
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
