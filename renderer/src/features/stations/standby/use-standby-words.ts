import { useClock } from '../../../lib/stores/clock.ts';
import { useLocale } from '../../../lib/i18n/index.ts';
import type { StandbyAnswer } from '../answers.ts';

/** Seconds from which on minutes are shown. */
const LONG = 120;

/** How a standby follows, in words. */
export function useStandbyWords() {
  const clock = useClock();
  const { t } = useLocale();

  function behindWords({ behind, filled, confirmedAt }: StandbyAnswer): string {
    if (filled < 1) return t('stations.standby.filling', { percent: Math.floor(filled * 100) });
    if (behind === null || confirmedAt === null) return t('stations.standby.never');
    if (behind === 0) return t('stations.standby.current');
    const seconds = Math.max(1, Math.round((clock.now - confirmedAt) / 1000));
    return seconds < LONG
      ? t('stations.standby.seconds', { n: seconds })
      : t('stations.standby.minutes', { n: Math.floor(seconds / 60) });
  }

  return { behindWords };
}
