import { useAttempt } from '../../../lib/stores/use-attempt.ts';
import { useNotices } from '../../../lib/stores/notices.ts';
import { useSession } from '../../../lib/stores/session.ts';
import type { LocalizedText } from '../../../lib/i18n/localized-text.ts';
import { useLocale } from '../../../lib/i18n/index.ts';
import type { LinkItem, LinkLimits } from '../answers.ts';

/** Actions of an administrator on a link. */
export function useLinkActions() {
  const { client } = useSession();
  const notices = useNotices();
  const { t, count } = useLocale();
  const { busy, attempt } = useAttempt();

  async function put(
    link: LinkItem,
    change: Partial<LinkLimits & Pick<LinkItem, 'paused' | 'address' | 'standby'>>,
  ): Promise<boolean> {
    const done = await attempt(() =>
      client.request('put', '/links/{id}', { params: { path: { id: link.id } }, body: change }),
    );
    return done !== undefined;
  }
  async function putAndSay(
    link: LinkItem,
    change: Parameters<typeof put>[1],
    said: LocalizedText,
    back?: typeof change,
  ) {
    if (!(await put(link, change))) return false;
    notices.show('done', said, back && (async () => void (await put(link, back))));
    return true;
  }
  const named = ({ station }: LinkItem) => ({ name: station.name });

  return {
    busy,
    setPaused: (link: LinkItem, paused: boolean) =>
      putAndSay(link, { paused }, () => t(paused ? 'stations.link.paused' : 'stations.link.resumed', named(link)), {
        paused: !paused,
      }),
    /** An address that is sent again is dialled at once. */
    tryNow: (link: LinkItem) => putAndSay(link, {}, () => t('stations.link.tried', named(link))),
    change: (link: LinkItem, change: LinkLimits & Pick<LinkItem, 'address'>) =>
      putAndSay(link, change, () => t('stations.link.changed', named(link)), {
        readOnly: link.readOnly,
        organizations: link.organizations,
        tracks: link.tracks,
        address: link.address,
      }),
    async follow(link: LinkItem): Promise<boolean> {
      return putAndSay(link, { standby: true }, () => t('stations.standby.followed', named(link)));
    },
    /** After a promotion: both stations lead, and this is meant. */
    settle: (link: LinkItem) => putAndSay(link, { standby: false }, () => t('stations.standby.settled', named(link))),
    /** @param confirm the name of the station that is replaced, as somebody typed it */
    async promote(link: LinkItem, confirm: string): Promise<boolean> {
      const done = await attempt(() => client.request('post', '/standby/promotion', { body: { confirm } }));
      if (done === undefined) return false;
      const { records, files } = done.missing;
      notices.show('done', () => t('stations.standby.promoted', { ...named(link), count: count(records + files) }));
      return true;
    },
    async cut(link: LinkItem): Promise<boolean> {
      const done = await attempt(() => client.request('delete', '/links/{id}', { params: { path: { id: link.id } } }));
      if (done === undefined) return false;
      notices.show('done', () => t('stations.link.wasCut', named(link)));
      return true;
    },
  };
}
