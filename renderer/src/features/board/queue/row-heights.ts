import { computed } from 'vue';
import { usePreferences } from '../../../lib/stores/preferences.ts';
import { useMatch } from '../../../ui/layout/use-match.ts';

/** px: a head, a row, a row of three lines. */
const HEIGHTS = { head: 28, row: 60, three: 88 };
const COMPACT_HEIGHTS = { head: 24, row: 52, three: 80 };

/** How high rows of the queue are: as the person has chosen, else compact in a low or narrow window. */
export function useRowHeights() {
  const preferences = usePreferences();
  const isSmall = useMatch('(max-width: 1360px), (max-height: 800px)');
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
