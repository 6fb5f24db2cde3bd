import { computed, reactive, ref, toRaw, watch } from 'vue';
import { useLive } from '../../../lib/stores/live.ts';
import {
  changedParts,
  closureConflicts,
  closureDraft,
  mergeChanges,
  freshDraft,
  resolveConflict,
  type ClosureEdit,
  type ClosurePart,
} from './closures.ts';
import { useClosures } from './closures-store.ts';

/**
 * One closure in its form. Input stays until it is saved or discarded. Changes by others update fields that
 * were not edited here; for a field that both edited, one value must be chosen.
 */
export function useClosureEdit(key: number | 'new') {
  const closures = useClosures();
  const live = useLive();
  const kept = computed(() => (key === 'new' ? undefined : closures.byId(key)));
  const theirs = computed(() => kept.value && closureDraft(kept.value));
  const edit = reactive<ClosureEdit>(copyOf(closures.drafts.get(key)) ?? begin());
  const changed = computed(() => changedParts(edit));
  const unsaved = computed(() => changed.value.length > 0);
  const conflicts = computed(() => (theirs.value ? closureConflicts(edit, theirs.value) : []));
  /**
   * The replica may still be loading when an old draft is restored: a closure is gone if it was there before,
   * or is missing after all have arrived.
   */
  const wasThere = ref(false);
  const gone = computed(() => key !== 'new' && !kept.value && (wasThere.value || live.caughtUp));

  function begin(): ClosureEdit {
    const base = theirs.value ?? freshDraft();
    return { base, draft: structuredClone(base) };
  }

  watch(
    theirs,
    (now) => {
      if (!now) return;
      wasThere.value = true;
      Object.assign(edit, mergeChanges(copyOf(edit)!, now));
    },
    { immediate: true },
  );
  watch(
    edit,
    (now) => {
      if (unsaved.value) closures.drafts.set(key, copyOf(now)!);
      else closures.drafts.delete(key);
    },
    { deep: true },
  );

  function settle(part: ClosurePart, take: 'theirs' | 'mine'): void {
    if (theirs.value) Object.assign(edit, resolveConflict(copyOf(edit)!, theirs.value, part, take));
  }

  return { edit, kept, theirs, changed, unsaved, conflicts, gone, settle };
}

/** Without Vue's watching. */
function copyOf(edit: ClosureEdit | undefined): ClosureEdit | undefined {
  return edit && (JSON.parse(JSON.stringify(toRaw(edit))) as ClosureEdit);
}
