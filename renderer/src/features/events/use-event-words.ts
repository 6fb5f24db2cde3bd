import type { EventItem } from '../../lib/api/types.ts';
import { useClock } from '../../lib/stores/clock.ts';
import { useLocale } from '../../lib/i18n/index.ts';

/** The texts of an event, used wherever one is shown. */
export function useEventWords() {
  const clock = useClock();
  const { t, has, timer } = useLocale();

  /**
   * Name of the event. The station may know types that this console has no word for: then the station's name.
   */
  const eventName = ({ eventId, info }: Pick<EventItem, 'eventId' | 'info'>) =>
    has(`events.types.${eventId}`) ? t(`events.types.${eventId}`) : info;

  /** How long, or for how long by now; empty for a moment. */
  function lasting({ dataFrom, dataTill }: Pick<EventItem, 'dataFrom' | 'dataTill'>): string {
    if (dataTill === null) return t('events.goesOn', { time: timer(clock.now - dataFrom) });
    return dataTill > dataFrom ? timer(dataTill - dataFrom) : '';
  }

  return { eventName, lasting };
}
