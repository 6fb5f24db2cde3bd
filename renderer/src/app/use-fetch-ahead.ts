import { watch } from 'vue';
import { fetchLanguages } from '../lib/i18n/index.ts';
import { useLive } from '../lib/stores/live.ts';
import { fetchManual } from './manual/manual-pages.ts';
import { fetchPages } from './pages-list.ts';

/** ms after all is current: on a slow line the other pages must not take the board's bytes. */
const FETCH_AFTER = 3_000;

/**
 * Fetches all languages, pages and chapters of the manual, so that they work while the station is away. Where the
 * browser saves data (`NetworkInformation.saveData`), each is fetched when it is opened.
 */
export function useFetchAhead(): void {
  if ((navigator as { connection?: { saveData?: boolean } }).connection?.saveData) return;
  const live = useLive();
  const fetchAll = () => void fetchLanguages().then(fetchPages).then(fetchManual);
  watch(
    () => live.light.level === 'good',
    () => void setTimeout(fetchAll, FETCH_AFTER),
    { once: true },
  );
}
