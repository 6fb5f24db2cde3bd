import { onScopeDispose, ref, shallowRef, watch, type Ref } from 'vue';
import type { Task } from '../../../../../shared/records/index.ts';
import { ApiError } from '../../../lib/api/client.ts';
import type { AttachmentItem } from '../../../lib/api/types.ts';
import { useReturn } from '../../../lib/live/use-return.ts';
import { useSession } from '../../../lib/stores/session.ts';
import { questionProblem } from '../../../lib/i18n/problem-words.ts';
import { useLocalizedText } from '../../../lib/i18n/localized-text.ts';
import { KINDS, type TaskActionKind } from '../use-task-actions.ts';

/** Other forms of a video take some seconds to minutes. */
const CONVERSION_MS = 3_000;

/** Its bytes are still on their way from another station. */
export function isPending(item: AttachmentItem): boolean {
  return item.pending === true;
}

export type Lists = Readonly<Record<TaskActionKind, readonly AttachmentItem[]>>;
/** Counts of the record, by kind of attachment. */
const COUNTS = { photos: 'photos', video: 'videos', sounds: 'sounds', files: 'files' } as const satisfies Record<
  TaskActionKind,
  keyof Task
>;
const NONE: Lists = { photos: [], video: [], sounds: [], files: [] };

/**
 * The attachments of a task, asked when it or one of them changes, and repeatedly during a conversion.
 * `counted`: the record has the numbers of each kind, so most cards ask for none.
 */
export function useAttachments(task: Ref<Task>, counted: Ref<boolean>) {
  const { client } = useSession();
  const lists = shallowRef<Lists>(NONE);
  const problem = useLocalizedText();
  const asking = ref(false);
  let timer: ReturnType<typeof setTimeout> | undefined;
  let asked = 0;

  async function ask(): Promise<void> {
    clearTimeout(timer);
    const { id } = task.value;
    const turn = ++asked;
    asking.value = true;
    try {
      const found: readonly Partial<Record<TaskActionKind, AttachmentItem[]>>[] = await Promise.all(
        KINDS.map(async (kind) =>
          counted.value && task.value[COUNTS[kind]] === 0
            ? {}
            : client.ask<Partial<Record<TaskActionKind, AttachmentItem[]>>>(`/news/${id}/${kind}`),
        ),
      );
      if (turn !== asked) return;
      lists.value = Object.fromEntries(
        KINDS.map((kind, index) => [kind, found[index]![kind] ?? []]),
      ) as unknown as Lists;
      problem.value = '';
      const isUnfinished = (item: AttachmentItem) => item.conversion === 'waiting' || isPending(item);
      if (KINDS.some((kind) => lists.value[kind].some(isUnfinished)))
        timer = setTimeout(() => void ask(), CONVERSION_MS);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      if (turn === asked) problem.value = () => questionProblem(error);
    } finally {
      if (turn === asked) asking.value = false;
    }
  }

  watch(
    [() => task.value.id, () => task.value.updatedAt, counted],
    ([id], [before]) => {
      if (id !== before) lists.value = NONE;
      void ask();
    },
    { immediate: true },
  );
  useReturn(() => problem.value && void ask());
  onScopeDispose(() => {
    asked++;
    clearTimeout(timer);
  });
  return { lists, problem, asking, ask };
}

const DIRECTORIES = {
  photos: 'photos',
  video: 'video',
  sounds: 'sounds',
  files: 'dif_files',
} as const satisfies Record<TaskActionKind, string>;

/** Where a file is, as its kind's directory has it. */
export function attachmentAddress(kind: TaskActionKind, fileName: string): string {
  return `/department_files/${DIRECTORIES[kind]}/${fileName}`;
}

/** A photo fitted into a square box of the station's making. */
export function photoAddress(taskId: number, photo: AttachmentItem, side: number): string {
  return `/news/${taskId}/photos/${photo.id}/${side}/${side}`;
}

/** The source to play: the form that every player supports, or else the original. */
export function playable(kind: 'video' | 'sounds', item: AttachmentItem): string {
  const known = item.converted.find((name) => name.endsWith(kind === 'video' ? '.mp4' : '.mp3'));
  return attachmentAddress(kind, known ?? item.file_name);
}
