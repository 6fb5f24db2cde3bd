import { computed, watch } from 'vue';
import { isSameArrangement, type BoardLayout } from '../../lib/board-layouts.ts';
import { useLocale } from '../../lib/i18n/index.ts';
import { asOwn } from '../../lib/presets/follow-presets.ts';
import { layoutFrom, usePresets } from '../../lib/presets/presets-store.ts';
import { useNotices } from '../../lib/stores/notices.ts';
import { usePreferences } from '../../lib/stores/preferences.ts';

/** The choice of the board without an arrangement. */
export const STANDARD = '';

/**
 * The layouts of this person: their own, and those of others that they have taken.
 * @param show arranges the board; `isAsked` by this person, who wants its windows, too
 */
export function useLayouts(show: (content: string, isAsked: boolean) => void) {
  const preferences = usePreferences();
  const presets = usePresets();
  const notices = useNotices();
  const { t } = useLocale();

  const chosen = computed(() => preferences.savedLayouts.find(({ id }) => id === preferences.layoutId));
  const source = computed(() => presets.sourceOf(chosen.value));
  const owned = computed(() => source.value !== undefined && presets.owns(source.value));
  /** The arrangement is another than the saved one. That of others follows whichever tab is in front. */
  const changed = computed(
    () =>
      chosen.value !== undefined &&
      !isSameArrangement(chosen.value.content, preferences.arrangement, !source.value || owned.value),
  );
  const kept = computed(() =>
    preferences.savedLayouts.map((layout) => {
      const from = presets.sourceOf(layout);
      const { id, name } = layout;
      return { id, text: from && !presets.owns(from) ? t('presets.by', { name, who: presets.ownerOf(from) }) : name };
    }),
  );
  const offered = computed(() =>
    presets.layouts
      .filter(({ id }) => !preferences.savedLayouts.some(({ sharedId }) => sharedId === id))
      .map((record) => ({
        id: `preset-${record.id}`,
        text: t('presets.by', { name: record.name, who: presets.ownerOf(record) }),
      })),
  );

  // A board that shows the saved content goes along with its changes.
  watch([() => chosen.value?.id, () => chosen.value?.content] as const, ([id, content], [idBefore, before]) => {
    const layout = chosen.value;
    if (!layout || content === undefined || id !== idBefore || before === undefined || content === before) return;
    if (!source.value || !isSameArrangement(before, preferences.arrangement)) return;
    show(content, true);
    if (owned.value) return;
    const [name, who] = [layout.name, presets.ownerOf(source.value)];
    notices.show(
      'note',
      () => t('layouts.followed', { who, name }),
      async () => {
        const mine = { ...asOwn(layout), content: before };
        replace(layout.id, mine);
        preferences.layoutId = mine.id;
        show(before, true);
      },
    );
  });

  function replace(id: string, layout: BoardLayout | undefined) {
    preferences.savedLayouts = preferences.savedLayouts.flatMap((one) =>
      one.id === id ? (layout ? [layout] : []) : [one],
    );
  }
  /** With the way back to the layouts and the choice of before, and to the board if it is another one since. */
  function told(say: () => string) {
    const [saved, id, arrangement] = [preferences.savedLayouts, preferences.layoutId, preferences.arrangement];
    return () => {
      const isRearranged = preferences.arrangement !== arrangement;
      notices.show('done', say, async () => {
        preferences.savedLayouts = saved;
        preferences.layoutId = id;
        if (isRearranged) show(arrangement, true);
      });
    };
  }

  function choose(id: string) {
    const layout = preferences.savedLayouts.find((one) => one.id === id);
    if (layout) {
      preferences.layoutId = layout.id;
      return show(layout.content, true);
    }
    const record = presets.layouts.find((one) => `preset-${one.id}` === id);
    const taken = record && layoutFrom(record);
    if (!taken) {
      preferences.layoutId = STANDARD;
      preferences.arrangement = '';
      return;
    }
    const tell = told(() => t('presets.taken', { name: taken.name }));
    preferences.savedLayouts = [...preferences.savedLayouts.filter((one) => one.id !== taken.id), taken];
    preferences.layoutId = taken.id;
    show(taken.content, true);
    tell();
  }
  function saveAs(name: string) {
    const layout = { id: crypto.randomUUID(), name, content: preferences.arrangement };
    const tell = told(() => t('layouts.saved', { name }));
    preferences.savedLayouts = [...preferences.savedLayouts, layout];
    preferences.layoutId = layout.id;
    tell();
  }
  /** A change of the owner is one for all who follow; anybody else has a layout of their own then. */
  async function change(part: Partial<Pick<BoardLayout, 'name' | 'content'>>) {
    const layout = chosen.value;
    if (!layout) return;
    if (source.value && owned.value) {
      const body = {
        ...(part.name !== undefined && { name: part.name }),
        ...(part.content !== undefined && { content: JSON.parse(part.content) as object }),
      };
      await presets.change(source.value, body);
      return;
    }
    const mine = { ...asOwn(layout), ...part };
    const tell = told(() => t('layouts.saved', { name: mine.name }));
    replace(layout.id, mine);
    preferences.layoutId = mine.id;
    tell();
  }
  function forget() {
    const layout = chosen.value;
    if (!layout) return;
    const tell = told(() => t('layouts.deleted', { name: layout.name }));
    replace(layout.id, undefined);
    preferences.layoutId = STANDARD;
    tell();
  }
  async function share(withAll: boolean) {
    const layout = chosen.value;
    if (!layout) return;
    const marks = await presets.share('layout', layout.name, JSON.parse(layout.content) as object, withAll);
    if (marks) replace(layout.id, { ...asOwn({ ...layout }), id: layout.id, ...marks });
  }

  return {
    ...{ chosen, source, changed, kept, offered },
    ...{ choose, saveAs, forget, share },
    rename: (name: string) => change({ name }),
    update: () => change({ content: preferences.arrangement }),
    reset: () => chosen.value && show(chosen.value.content, true),
    stopSharing: () => source.value && presets.stopSharing(source.value),
  };
}
