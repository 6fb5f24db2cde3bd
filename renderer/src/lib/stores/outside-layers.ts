import { defineStore } from 'pinia';
import { computed, ref } from 'vue';
import { readMapProvider, type MapProvider } from '../../../../shared/geo/map-provider.ts';
import { OUTSIDE_KINDS, usePreferences, type OutsideKind } from './preferences.ts';
import { useSession } from './session.ts';

export interface OutsideLayer extends MapProvider {
  readonly kind: OutsideKind;
}
/** `silent`: no picture comes. `blocked`: the page is older than the provider, so the browser loads none. */
export type OutsideState = 'fine' | 'silent' | 'blocked';

const FIELDS = { road: 'mapRoadProvider', aerial: 'mapAerialProvider' } as const;
const FIRST_OPACITY = 100;

/** Map pictures that the organization takes from elsewhere, and which of them this person has switched on. */
export const useOutsideLayers = defineStore('outside-layers', () => {
  const session = useSession();
  const preferences = usePreferences();
  const states = ref<Readonly<Partial<Record<OutsideKind, OutsideState>>>>({});

  const all = computed(() =>
    OUTSIDE_KINDS.flatMap((kind): OutsideLayer[] => {
      const provider = readMapProvider(session.user?.organization[FIELDS[kind]] ?? '');
      return provider === undefined || provider === 'faulty' ? [] : [{ kind, ...provider }];
    }),
  );
  /** Percent; undefined: it is off. */
  const opacityOf = (kind: OutsideKind): number | undefined => preferences.outsideLayers[kind];
  const shown = computed(() =>
    all.value.flatMap((layer) => {
      const opacity = opacityOf(layer.kind);
      return opacity === undefined ? [] : [{ layer, opacity }];
    }),
  );
  /** Those that are on and show nothing. */
  const faulty = computed(() =>
    shown.value.flatMap(({ layer }) => {
      const state = states.value[layer.kind] ?? 'fine';
      return state === 'fine' ? [] : [{ layer, state }];
    }),
  );

  function setOpacity(kind: OutsideKind, percent: number): void {
    preferences.outsideLayers = { ...preferences.outsideLayers, [kind]: percent };
  }
  function toggle(kind: OutsideKind): void {
    const { [kind]: opacity, ...others } = preferences.outsideLayers;
    if (opacity === undefined) setOpacity(kind, FIRST_OPACITY);
    else preferences.outsideLayers = others;
  }
  function tell(kind: OutsideKind, state: OutsideState): void {
    if ((states.value[kind] ?? 'fine') !== state) states.value = { ...states.value, [kind]: state };
  }

  return { all, shown, faulty, opacityOf, setOpacity, toggle, tell };
});
