import { useLocale } from '../../../lib/i18n/index.ts';
import { useClock } from '../../../lib/stores/clock.ts';
import type { Geometry } from 'geojson';
import type { DrawnWarning } from '../../../map/layers/warning-layer.ts';
import { ALARM_LOOKS } from '../alarm-looks.ts';
import { PRIORITY_OF_SEVERITY, useWarnings, type WarningItem } from './warnings.ts';

/** Parts of a warning as an operator reads them. */
export function useWarningWords() {
  const warnings = useWarnings();
  const clock = useClock();
  const { t, moment } = useLocale();

  /** The event, and the road or the headline where that says more. */
  function titleOf(warning: Pick<WarningItem, 'texts' | 'road'>): string {
    const text = warnings.textOf(warning);
    const event = warning.road === null ? (text?.event ?? '') : t(`warnings.road.${warning.road}`);
    const headline = text?.headline ?? '';
    if (event === '' || headline.toLowerCase().includes(event.toLowerCase())) return headline || event;
    return headline === '' ? event : `${event}: ${headline}`;
  }

  function periodOf({ from, till, partial, endedAt }: WarningItem): string {
    if (endedAt !== null) return t('warnings.over');
    const begins = from > clock.now ? t('warnings.coming', { from: moment(from, clock.now) }) : t('warnings.now');
    const ends = till === null ? t('warnings.open') : t('warnings.till', { till: moment(till, clock.now) });
    return [begins, ends, partial ? t('warnings.partial') : ''].filter(Boolean).join(', ');
  }

  /** The description, if it adds to the title. */
  function detailOf(warning: WarningItem): string {
    const description = warnings.textOf(warning)?.description ?? '';
    return titleOf(warning).includes(description) ? '' : description;
  }

  /** Those that say where they are, for the map. */
  function drawn(some: readonly WarningItem[]): DrawnWarning[] {
    return some.flatMap((warning) =>
      warning.geometry
        ? [
            {
              geometry: warning.geometry as unknown as Geometry,
              title: titleOf(warning),
              look: ALARM_LOOKS[PRIORITY_OF_SEVERITY[warning.severity]],
              coming: warning.from > clock.now,
            },
          ]
        : [],
    );
  }

  return { titleOf, periodOf, detailOf, drawn };
}
