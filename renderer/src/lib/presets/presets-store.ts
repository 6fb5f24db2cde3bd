import { defineStore } from 'pinia';
import { computed, watch } from 'vue';
import { kindKeyOf } from '../../../../shared/ids.ts';
import type { ReplicaRecords } from '../replica/schemas.ts';
import { readLayout, type BoardLayout } from '../board-layouts.ts';
import { useAccountRecords } from '../replica/use-records.ts';
import { useLive } from '../stores/live.ts';
import { useNotices } from '../stores/notices.ts';
import { usePreferences } from '../stores/preferences.ts';
import { useSession } from '../stores/session.ts';
import { useAttempt } from '../stores/use-attempt.ts';
import { readView, type SavedView } from '../tasks/views.ts';
import { useLocale } from '../i18n/index.ts';
import { followPresets, type KeptPreset } from './follow-presets.ts';

export type PresetRecord = Extract<ReplicaRecords['accounts'], { kind: 'preset' }>;
type PresetChange = { name?: string; content?: object };

/** Layouts and views that people share: those of others, and one's own that others find. */
export const usePresets = defineStore('presets', () => {
  const session = useSession();
  const preferences = usePreferences();
  const notices = useNotices();
  const { t } = useLocale();
  const { attempt } = useAttempt();
  const { accounts } = useLive().records;
  const { current } = useAccountRecords('preset');

  const recordOf = (id: number) => accounts.get(kindKeyOf('preset', id)) as PresetRecord | undefined;
  /** The shared one that a kept one follows, as long as it is shared. */
  function sourceOf(kept: Pick<KeptPreset, 'sharedId'> | undefined): PresetRecord | undefined {
    void accounts.version.value; // the records themselves are plain
    const record = kept?.sharedId === undefined ? undefined : recordOf(kept.sharedId);
    return record?.isDeleted ? undefined : record;
  }

  const layouts = computed(() => current.value.flatMap((record) => (layoutFrom(record) ? [record] : [])));
  const views = computed(() => current.value.flatMap((record) => (viewFrom(record) ? [record] : [])));
  watch(
    [layouts, views, () => preferences.savedLayouts, () => preferences.savedViews],
    () => {
      preferences.savedLayouts = followPresets(preferences.savedLayouts, recordOf, (one, id) =>
        layoutFrom(one as PresetRecord, id),
      );
      preferences.savedViews = followPresets(preferences.savedViews, recordOf, (one, id) =>
        viewFrom(one as PresetRecord, id),
      );
    },
    { immediate: true, flush: 'sync' },
  );

  const owns = ({ ownerId }: PresetRecord) => ownerId === session.user?.id;
  const administers = (organizationId: number) =>
    session.user?.right?.admin === true &&
    (session.isSuperuser || (organizationId !== 0 && organizationId === session.user.organizationId));
  const mayChange = (record: PresetRecord) =>
    (owns(record) && session.maySharePresets) || administers(record.organizationId);
  const ownerOf = ({ ownerId }: PresetRecord): string =>
    (accounts.get(kindKeyOf('user', ownerId)) as { name?: string } | undefined)?.name ?? t('presets.somebody');

  /** Gives the marks with which the kept one follows it. */
  async function share(
    use: PresetRecord['use'],
    name: string,
    content: object,
    withAll: boolean,
  ): Promise<Pick<KeptPreset, 'sharedId' | 'sharedAt'> | undefined> {
    const body = { use, name, content: content as never, ...(withAll && { organizationId: null }) };
    const made = await attempt(() => session.client.request('post', '/presets', { body }));
    if (!made) return undefined;
    const path = { id: made.id };
    notices.show(
      'done',
      () => t('presets.shared', { name }),
      async () => void (await session.client.request('delete', '/presets/{id}', { params: { path } })),
    );
    return { sharedId: made.id, sharedAt: made.changedAt };
  }

  async function write(id: number, body: PresetChange): Promise<boolean> {
    const params = { path: { id } };
    return (
      (await attempt(() => session.client.request('put', '/presets/{id}', { params, body: body as never }))) !==
      undefined
    );
  }

  /** Writes it for all who follow it. */
  async function change(record: PresetRecord, body: PresetChange): Promise<boolean> {
    const before: PresetChange = {
      ...(body.name !== undefined && { name: record.name }),
      ...(body.content && { content: JSON.parse(record.content) as object }),
    };
    const name = body.name ?? record.name;
    if (!(await write(record.id, body))) return false;
    notices.show(
      'done',
      () => t('presets.changed', { name }),
      async () => void (await write(record.id, before)),
    );
    return true;
  }

  async function stopSharing({ id, name }: PresetRecord): Promise<void> {
    const params = { path: { id } };
    const gone = await attempt(async () => {
      await session.client.request('delete', '/presets/{id}', { params });
      return true;
    });
    if (!gone) return;
    notices.show(
      'done',
      () => t('presets.withdrawn', { name }),
      async () => void (await session.client.request('post', '/presets/{id}/restore', { params })),
    );
  }

  return { layouts, views, sourceOf, owns, mayChange, ownerOf, share, change, stopSharing };
});

/** The shared layout as one that this person keeps; undefined: of panels that this console does not have. */
export function layoutFrom({ id, name, content, changedAt }: PresetRecord, as?: string): BoardLayout | undefined {
  const marks = { sharedId: id, sharedAt: changedAt };
  return readLayout({ id: as ?? `preset-${id}`, name, content, ...marks })[0];
}

export function viewFrom({ id, name, content, changedAt }: PresetRecord, as?: string): SavedView | undefined {
  try {
    const { filter, order } = JSON.parse(content) as Partial<SavedView>;
    const marks = { sharedId: id, sharedAt: changedAt };
    return readView({ id: as ?? `preset-${id}`, name, filter, order, ...marks })[0];
  } catch {
    return undefined; // another station sent it
  }
}
