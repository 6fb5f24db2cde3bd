import { defineStore } from 'pinia';
import { computed, ref, shallowRef, watch } from 'vue';
import { useLive } from '../../../lib/stores/live.ts';
import { useSession } from '../../../lib/stores/session.ts';
import { useVehicles } from '../../../lib/stores/vehicles.ts';
import { questionProblem } from '../../../lib/i18n/problem-words.ts';
import { useLocalizedText } from '../../../lib/i18n/localized-text.ts';
import { latestOnly, passes } from '../../../lib/api/latest-only.ts';
import { useClosures } from '../closures/closures-store.ts';
import { useRoutePlan } from '../plan/route-plan.ts';
import type { StopPlace } from '../plan/stops.ts';
import { MAX_POINTS, readTravelTable, tableAddress, type TableSorting, type TravelTable } from './travel-table.ts';

export const ROW_KINDS = ['vehicles', 'free', 'places'] as const;
type RowKind = (typeof ROW_KINDS)[number];
const FREE = new Set([1, 2]);
/** Vehicles move, so the table is asked again at this interval. */
const DRIVEN_ON_MS = 15_000;

interface TravelTableQuery {
  readonly rows: readonly StopPlace[];
  readonly columns: readonly StopPlace[];
  readonly profile: string;
}

/** A table of travel times from vehicles or places to places. It stays while other pages are looked at. */
export const useTablePlan = defineStore('table-plan', () => {
  const { client } = useSession();
  const live = useLive();
  const vehicles = useVehicles();
  const closures = useClosures();
  const drives = useRoutePlan();
  const from = ref<RowKind>('vehicles');
  const starts = shallowRef<readonly StopPlace[]>([]);
  const goals = shallowRef<readonly StopPlace[]>([]);
  const profile = ref('');
  const sort = ref<TableSorting>({ by: 0, descending: false });
  const table = shallowRef<TravelTable>();
  /** When the table was answered, epoch ms. */
  const at = ref(0);
  const problem = useLocalizedText();
  const working = ref(false);

  const rows = computed<readonly StopPlace[]>(() => {
    if (from.value === 'places') return starts.value;
    return vehicles.rows.flatMap(({ vehicle, status }) =>
      from.value === 'free' && !FREE.has(status ?? -1) ? [] : (drives.vehiclePlace(vehicle.id) ?? []),
    );
  });
  /** The vehicles that fit into one request; the others are named as left out. */
  const askedRows = computed(() => rows.value.slice(0, MAX_POINTS - goals.value.length));
  const leftOut = computed(() => rows.value.length - askedRows.value.length);

  const ask = latestOnly<TravelTableQuery, TravelTable>(
    async (question) => {
      working.value = true;
      return readTravelTable(
        question.rows,
        question.columns,
        await client.ask(tableAddress(question.rows, question.columns, question.profile)),
      );
    },
    (found) => {
      working.value = false;
      problem.value = '';
      table.value = found;
      at.value = Date.now();
      if (typeof sort.value.by === 'number' && sort.value.by >= found.columns.length)
        sort.value = { by: 0, descending: false };
    },
    (error) => {
      working.value = false;
      problem.value = () => questionProblem(error);
      if (!passes(error)) table.value = undefined; // the answer before the connection was lost is still useful
    },
  );

  function refresh(): void {
    if (askedRows.value.length > 0 && goals.value.length > 0)
      return ask({ rows: askedRows.value, columns: goals.value, profile: profile.value });
    ask(undefined);
    [table.value, problem.value, working.value] = [undefined, '', false];
  }
  watch(
    [from, starts, goals, profile, () => closures.turn, () => live.territoryVersion, () => rows.value.length],
    refresh,
  );

  return { from, starts, goals, profile, sort, table, problem, working, rows, leftOut, at, refresh, DRIVEN_ON_MS };
});
