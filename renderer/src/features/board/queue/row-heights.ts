import { computed, onScopeDispose, ref } from 'vue';
import { usePreferences } from '../../../lib/stores/preferences.ts';

/** px: a head, a row, a row of three lines. */
const HEIGHTS = { head: 28, row: 60, three: 88 };
const COMPACT_HEIGHTS = { head: 24, row: 52, three: 80 };

/** How high rows of the queue are: as the person has chosen, else compact in a low or narrow window. */
export function useRowHeights() {
  const preferences = usePreferences();
  const small = matchMedia('(max-width: 1360px), (max-height: 800px)');
  const isSmall = ref(small.matches);
  const onSize = () => (isSmall.value = small.matches);
  small.addEventListener('change', onSize);
  onScopeDispose(() => small.removeEventListener('change', onSize));
  const isCompact = computed(() =>
    preferences.density === 'window' ? isSmall.value : preferences.density === 'compact',
  );
  /** Larger text needs higher rows. */
  const heights = computed(() => {
    const { head, row, three } = isCompact.value ? COMPACT_HEIGHTS : HEIGHTS;
    const higher = (height: number) => Math.round((height * (50 + Number(preferences.textSize) / 2)) / 100);
    return { head: higher(head), row: higher(row), three: higher(three) };
  });
  return { isCompact, heights };
}
