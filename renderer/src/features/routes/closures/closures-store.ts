import { defineStore } from 'pinia';
import { computed, reactive, ref, shallowRef, watch } from 'vue';
import type { RoadClosure } from '../../../../../shared/records/index.ts';
import { ApiError } from '../../../lib/api/client.ts';
import { useClock } from '../../../lib/stores/clock.ts';
import { useLive } from '../../../lib/stores/live.ts';
import { useNotices } from '../../../lib/stores/notices.ts';
import { useSession } from '../../../lib/stores/session.ts';
import { i18n } from '../../../lib/i18n/index.ts';
import { actionProblem } from '../../../lib/i18n/problem-words.ts';
import type { LocalizedText } from '../../../lib/i18n/localized-text.ts';
import {
  closuresInPhase,
  closureChanges,
  closureBody,
  closurePhaseOf,
  CLOSURE_PHASES,
  type ClosureEdit,
} from './closures.ts';

/** Closed and slowed roads from the replica, and the actions on them; each can be undone for ten seconds. */
export const useClosures = defineStore('closures', () => {
  const { client } = useSession();
  const live = useLive();
  const { records } = live;
  const clock = useClock();
  const notices = useNotices();
  const { t } = i18n.global;
  /** The closure that is open in the form: an id, a new one, or none. */
  const chosen = ref<number | 'new'>();
  /** The road by whose name a new closure was begun: the map goes there. */
  const sought = ref('');
  const isSeeking = ref(false);
  /** Unsaved input and drawings, by the same keys. */
  const drafts = reactive(new Map<number | 'new', ClosureEdit>());
  /**
   * Those that are on their way to the station: they are answered when routes obey, which may take seconds,
   * and stay as they were sent till then.
   */
  const saving = reactive(new Set<number | 'new'>());

  const all = computed(() => {
    void records.fleet.version.value;
    const closures: RoadClosure[] = [];
    for (const entry of records.fleet.values() as Iterable<{ readonly kind: string; readonly isDeleted: boolean }>)
      if (entry.kind === 'closure' && !entry.isDeleted) closures.push(entry as RoadClosure);
    return closures;
  });
  /** The last begin or end that has passed: it tells all standings, and moves only when one changes. */
  const now = computed(() =>
    Math.max(
      0,
      ...(all.value
        .flatMap(({ from, until }) => [from, until])
        .filter((at) => at !== null && at <= clock.now) as number[]),
    ),
  );
  const byStanding = computed(
    () =>
      Object.fromEntries(
        CLOSURE_PHASES.map((standing) => [standing, closuresInPhase(all.value, standing, now.value)]),
      ) as Record<(typeof CLOSURE_PHASES)[number], readonly RoadClosure[]>,
  );
  const inForce = computed(() => byStanding.value.now);
  /**
   * Increases when routes use other closures, other speeds or another territory: everything that depends on
   * roads is requested again.
   */
  const turn = ref(0);
  /** Closures that the station's routes apply by now. Their records may come a moment sooner or later. */
  const obeyed = computed<ReadonlySet<string> | undefined>(
    () => live.roadsInForce && new Set(live.roadsInForce.closures.map(({ effect }) => effect)),
  );
  /** The first known closures: requests before the connection is open are answered under these. */
  const obeyedFirst = shallowRef<ReadonlySet<string>>();
  watch(obeyed, (now) => {
    obeyedFirst.value ??= now;
    turn.value++;
  });
  const byId = (id: number) => all.value.find((closure) => closure.id === id);
  /** Drafts of deleted closures; empty until all closures have arrived. */
  const draftsOfDeleted = computed(() =>
    live.caughtUp ? [...drafts].flatMap(([id, { draft }]) => (id === 'new' || byId(id) ? [] : [{ id, draft }])) : [],
  );

  /** Runs an action. Shows a refusal of the station and returns it. */
  async function attempt<T>(
    work: () => Promise<T>,
  ): Promise<{ readonly done: T } | { readonly refused: LocalizedText }> {
    try {
      return { done: await work() };
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      return { refused: () => actionProblem(error) };
    }
  }
  const put = (id: number, body: unknown) => client.ask<RoadClosure>(`/closures/${id}`, { method: 'PUT', body });
  const bodyOf = ({ name, reason, factor, from, until, geometry }: RoadClosure) => ({
    name,
    reason,
    factor,
    from,
    till: until,
    geometry,
  });

  function done(say: LocalizedText, back: () => Promise<unknown>): void {
    notices.show('done', say, async () => {
      const result = await attempt(back);
      if ('refused' in result) notices.show('refused', result.refused);
      else notices.show('done', () => t('notices.undone', { what: say() }));
    });
  }

  /**
   * Saves the changes; a closure that somebody has deleted is created again. Returns the station's refusal.
   */
  async function save(key: number | 'new', edit: ClosureEdit): Promise<LocalizedText | undefined> {
    const old = key === 'new' ? undefined : byId(key);
    const changes = closureChanges(edit);
    saving.add(key);
    const result = await attempt(() =>
      old
        ? put(old.id, changes)
        : client.ask<RoadClosure>('/closures', { method: 'POST', body: closureBody(edit.draft) }),
    ).finally(() => saving.delete(key));
    if ('refused' in result) return result.refused;
    drafts.delete(key);
    if (chosen.value === key) chosen.value = undefined;
    const { id, name } = result.done;
    const before = old && Object.fromEntries(Object.entries(bodyOf(old)).filter(([part]) => part in changes));
    if (before)
      done(
        () => t('routes.closures.changed', { name }),
        () => put(id, before),
      );
    else
      done(
        () => t('routes.closures.made', { name }),
        () => client.ask(`/closures/${id}`, { method: 'DELETE' }),
      );
    return undefined;
  }

  /**
   * Ends a closure that is in force; deletes one that has not begun. One that has already ended stays, and so
   * does its unsaved input.
   */
  async function lift(closure: RoadClosure): Promise<void> {
    const standing = closurePhaseOf(closure, clock.now);
    if (standing === 'past')
      return notices.show('note', () => t('routes.closures.overAlready', { name: closure.name }));
    const ends = standing === 'now';
    const result = await attempt(() =>
      ends
        ? put(closure.id, { till: Math.max(clock.now, (closure.from ?? 0) + 1) })
        : client.ask(`/closures/${closure.id}`, { method: 'DELETE' }),
    );
    if ('refused' in result) return notices.show('refused', result.refused);
    if (chosen.value === closure.id) chosen.value = undefined;
    const said = () => t(ends ? 'routes.closures.lifted' : 'routes.closures.deleted', { name: closure.name });
    done(said, () => (ends ? put(closure.id, { till: closure.until }) : makeAgain(closure)));
  }

  /** It gets another id, and its draft moves there. */
  async function makeAgain(closure: RoadClosure): Promise<void> {
    const { id } = await client.ask<RoadClosure>('/closures', { method: 'POST', body: bodyOf(closure) });
    const draft = drafts.get(closure.id);
    if (!draft) return;
    drafts.delete(closure.id);
    drafts.set(id, draft);
    if (chosen.value === closure.id) chosen.value = id;
  }

  return {
    all,
    byStanding,
    inForce,
    turn,
    obeyed,
    obeyedFirst,
    now,
    chosen,
    sought,
    isSeeking,
    drafts,
    draftsOfDeleted,
    saving,
    byId,
    save,
    lift,
  };
});
