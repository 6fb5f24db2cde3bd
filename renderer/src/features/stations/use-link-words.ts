import { useClock } from '../../lib/stores/clock.ts';
import { useTasks } from '../../lib/stores/tasks.ts';
import { refusalOf } from '../../lib/i18n/problem-words.ts';
import { readReason } from '../../../../shared/refusals/reason.ts';
import { stationText } from '../../lib/i18n/station-texts.ts';
import { useLocale } from '../../lib/i18n/index.ts';
import type { LinkItem, LinkLimits, LinkItemTracks } from './answers.ts';

/** Links in words. */
export function useLinkWords() {
  const clock = useClock();
  const tasks = useTasks();
  const { t, moment, count } = useLocale();

  /** Text on the line between two stations. */
  function onLink({ state, waitingIn, waitingOut }: LinkItem): string {
    if (state === 'behind')
      return waitingIn + waitingOut > 0
        ? t('stations.onLink.moving', { out: count(waitingOut), in: count(waitingIn) })
        : t('stations.onLink.checking');
    if (state === 'unreachable' && waitingOut > 0) return t('stations.onLink.waits', { out: count(waitingOut) });
    return t(`stations.onLink.${state}`);
  }

  /** Two facts below the name of a station. */
  function facts(link: LinkItem): readonly [string, string] {
    const contact = link.lastContact
      ? t('stations.facts.contact', { time: moment(link.lastContact, clock.now, true) })
      : t('stations.facts.noContact');
    switch (link.state) {
      case 'synced':
        return [t('stations.facts.same'), contact];
      case 'behind':
        return [
          t(link.waitingIn + link.waitingOut > 0 ? 'stations.facts.copying' : 'stations.facts.checking'),
          contact,
        ];
      case 'paused':
        return [t('stations.facts.waits', link.waitingOut), contact];
      case 'unreachable':
        return [t('stations.facts.away', { time: moment(link.since, clock.now) }), contact];
      case 'refused':
        return [problemWords(link) || t('stations.states.refused'), contact];
    }
  }

  function part({ organizations }: Pick<LinkLimits, 'organizations'>): string {
    if (!organizations || organizations.length === 0) return t('stations.part.all');
    const [only] = organizations.length === 1 ? organizations : [];
    return (only && tasks.organizationName(only)) || t('stations.part.some', organizations.length);
  }

  function organizationNames({ organizations }: Pick<LinkLimits, 'organizations'>): string {
    if (!organizations || organizations.length === 0) return t('stations.limits.everything');
    return organizations.map((id) => tasks.organizationName(id) ?? `#${id}`).join(', ');
  }

  const tracksWords = (tracks: LinkItemTracks): string =>
    typeof tracks === 'object'
      ? t('stations.limits.lastDays', tracks.days)
      : t(`stations.limits.tracksChoices.${tracks}`);

  /** Why the link does not work; empty: it does. */
  function problemWords({ lastError, lastRefusal }: Pick<LinkItem, 'lastError' | 'lastRefusal'>): string {
    const reason = readReason(lastRefusal);
    if (!lastError) return '';
    return reason ? refusalOf({ message: lastError, reason }).sentence : stationText(lastError);
  }

  return { onLink, facts, problemWords, part, organizationNames, tracksWords };
}
