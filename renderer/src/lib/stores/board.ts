import { defineStore } from 'pinia';
import { computed, ref, shallowRef, watch } from 'vue';
import type { Recommendation } from '../api/types.ts';
import { i18n } from '../i18n/index.ts';
import { useNotices } from './notices.ts';
import { useSession } from './session.ts';

/** Where the map is asked to look. */
export interface MapTarget {
  readonly lat: number;
  readonly lon: number;
  readonly zoom?: number;
}

/** The way of one vehicle to the chosen task. */
interface DrawnRoute {
  readonly vehicleId: number;
  readonly points: readonly (readonly [lat: number, lon: number])[];
  readonly time: number;
  readonly distance: number;
  /** Its two ends, on roads. */
  readonly ends: readonly { readonly lat: number; readonly lon: number }[];
  /** Ids of those that it names. */
  readonly closures: readonly number[];
}

/** The open and the selected things of the board. */
export const useBoard = defineStore('board', () => {
  const session = useSession();
  const notices = useNotices();
  const chosenTaskId = ref<number>();
  /** glonassId */
  const chosenVehicle = ref<number>();
  /** glonassId of the vehicle that the map keeps in its middle. */
  const followed = ref<number>();
  /** glonassId of the vehicle under the pointer in a ranking. */
  const pointedVehicle = ref<number>();
  const writing = ref(false);
  /**
   * A call is being written while a task that may be about the same is looked at: closing that task leads
   * back to the call.
   */
  const writingAside = ref(false);
  /** The ranking that is on the screen, for its numbers on the map. */
  const ranking = shallowRef<readonly Recommendation[]>([]);
  const route = shallowRef<DrawnRoute>();
  /** When each unit of the open task that is on its way will be there, epoch ms by vehicle id. */
  const arrivals = shallowRef<ReadonlyMap<number, number>>(new Map());
  /** The place of the task that is being written. */
  const draftPoint = shallowRef<{ lat: number; lon: number }>();
  /** A wish for the map; a new object each time. */
  const look = shallowRef<MapTarget | 'all'>();
  /** Where the person has moved the map; undefined: nowhere, it shows what is going on. */
  const mapView = shallowRef<Required<MapTarget>>();
  const helpOpen = ref(false);

  const ranks = computed(
    () =>
      new Map(
        ranking.value
          .filter((one) => one.available)
          .slice(0, 9)
          .map((one, index) => [one.glonassId, index + 1]),
      ),
  );
  watch(chosenTaskId, () => {
    route.value = undefined;
    arrivals.value = new Map();
    ranking.value = [];
  });

  function openTask(id: number | undefined, at?: MapTarget): void {
    if (at) look.value = { lat: at.lat, lon: at.lon }; // first: the map then draws the task where it has moved to
    writing.value = id === undefined && writingAside.value;
    writingAside.value = false;
    chosenTaskId.value = id;
  }

  /** Opens a possible duplicate of the call that is being written. */
  function openDuplicate(id: number, at?: MapTarget): void {
    openTask(id, at);
    writingAside.value = true;
  }

  function startWriting(): void {
    if (!session.can('create'))
      return notices.show('refused', () =>
        i18n.global.t('problems.notAllowed', { right: session.user?.right?.name ?? '' }),
      );
    chosenTaskId.value = undefined;
    writingAside.value = false;
    writing.value = true;
  }

  function lookAt(place: MapTarget | 'all'): void {
    look.value = place === 'all' ? place : { ...place };
  }

  return {
    chosenTaskId,
    chosenVehicle,
    followed,
    pointedVehicle,
    writing,
    ranking,
    ranks,
    route,
    arrivals,
    draftPoint,
    look,
    mapView,
    helpOpen,
    openTask,
    openDuplicate,
    startWriting,
    lookAt,
  };
});
