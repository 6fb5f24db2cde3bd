import { computed, shallowRef } from 'vue';
import { useRouter } from 'vue-router';
import { useBoard } from '../../../../lib/stores/board.ts';
import { useNotices } from '../../../../lib/stores/notices.ts';
import { useDrafts } from '../../../../lib/stores/record-drafts.ts';
import { useSession } from '../../../../lib/stores/session.ts';
import { useLocale } from '../../../../lib/i18n/index.ts';
import { freshDraft } from '../../../routes/closures/closures.ts';
import { useClosures } from '../../../routes/closures/closures-store.ts';
import type { MapAct } from './MapMenu.vue';

interface Place {
  readonly lat: number;
  readonly lon: number;
}
interface OpenMenu extends Place {
  /** Pixels of the map. */
  readonly x: number;
  readonly y: number;
  readonly vehicle: { readonly name: string; readonly glonassId: number } | undefined;
}
interface MapMenuHooks {
  readonly newTaskAt: (lat: number, lon: number) => Promise<unknown>;
  readonly measureFrom: (place: Place) => void;
  readonly onClose: () => void;
}

export const coordinatesOf = ({ lat, lon }: Place) => `${lat.toFixed(5)}, ${lon.toFixed(5)}`;

/** The context menu of the board's map: the actions that the user may do, and their handlers. */
export function useMapMenu({ newTaskAt, measureFrom, onClose }: MapMenuHooks) {
  const session = useSession();
  const board = useBoard();
  const closures = useClosures();
  const drafts = useDrafts();
  const notices = useNotices();
  const router = useRouter();
  const { t } = useLocale();
  const menu = shallowRef<OpenMenu>();
  /** The place whose nearest vehicles are listed. */
  const nearestTo = shallowRef<Place>();

  const acts = computed((): readonly MapAct[] => {
    const vehicle = menu.value?.vehicle;
    const ofVehicle = vehicle ? ([board.followed === vehicle.glonassId ? 'unfollow' : 'follow'] as const) : [];
    return [
      ...ofVehicle,
      ...(session.can('create') ? (['task'] as const) : []),
      'nearest',
      ...(session.mayChangeRoads ? (['closure'] as const) : []),
      ...(session.mayKeepPlaces ? (['place'] as const) : []),
      'copy',
      'measure',
    ];
  });

  function act(what: MapAct) {
    const { lat, lon, vehicle } = menu.value!;
    menu.value = undefined;
    onClose();
    switch (what) {
      case 'task':
        void newTaskAt(lat, lon);
        if (router.currentRoute.value.path !== '/') void router.push('/?task=new');
        return board.startWriting();
      case 'nearest':
        return void (nearestTo.value = { lat, lon });
      case 'closure':
        closures.drafts.set('new', {
          base: freshDraft(),
          draft: { ...freshDraft(), drawing: { kind: 'point', vertices: [[lon, lat]], radius: 0 } },
        });
        closures.chosen = 'new';
        return void router.push('/routes?view=closures');
      case 'place':
        drafts.put('own-places', 'new', { spot: { type: 'Point', coordinates: [lon, lat] } });
        drafts.choose('own-places', 'new');
        return void router.push('/own-places');
      case 'copy':
        return void copy(coordinatesOf({ lat, lon }));
      case 'measure':
        return measureFrom({ lat, lon });
      case 'follow':
        board.chosenVehicle = vehicle?.glonassId;
        return void (board.followed = vehicle?.glonassId);
      case 'unfollow':
        return void (board.followed = undefined);
    }
  }
  /** A page that did not come over HTTPS has no clipboard: then the text is shown, to be copied by hand. */
  async function copy(text: string) {
    const copied = await navigator.clipboard?.writeText(text).then(
      () => true,
      () => false,
    );
    notices.show('note', () => t(copied ? 'map.hand.copied' : 'map.hand.coordinates', { text }));
  }
  return { menu, nearestTo, acts, act };
}
