import type { Task } from '../../../../../shared/records/index.ts';
import { words } from '../../../../../shared/text/fold.ts';
import { airDistance } from '../../../../../shared/geo/geometry.ts';
import { DONE } from '../../../../../shared/tasks/status.ts';

interface Duplicate {
  readonly task: Task;
  /** metres; undefined when one of the two has no place */
  readonly distance: number | undefined;
  /** 0 to 1 */
  readonly likeness: number;
}

export interface CallDraft {
  readonly title: string;
  readonly text: string;
  readonly typeId: number;
  readonly point: { readonly lat: number; readonly lon: number } | undefined;
}

const NEAR_METRES = 400;
const RECENT_MS = 2 * 3_600_000;
const LEAST = 0.45;
const MOST = 3;

/**
 * Open tasks that may report the same incident as the draft, likeliest first: near in place and time, or
 * similar in words. Place counts most, because a second caller uses other words at the same corner.
 */
export function duplicatesOf(draft: CallDraft, open: Iterable<Task>, now: number): Duplicate[] {
  const said = new Set(words(`${draft.title} ${draft.text}`).filter((word) => word.length > 2));
  if (!draft.point && said.size === 0) return [];
  const found: Duplicate[] = [];
  for (const task of open) {
    if (task.status === DONE || task.isDeleted || task.archived) continue;
    const distance = draft.point && task.point ? airDistance(draft.point, task.point) : undefined;
    if (distance !== undefined && distance > NEAR_METRES) continue;
    const place = distance === undefined ? 0 : 1 - distance / NEAR_METRES;
    const time = Math.max(0, 1 - (now - task.date) / RECENT_MS);
    const likeness = 0.5 * place + 0.2 * time + 0.25 * shared(said, task) + (task.typeId === draft.typeId ? 0.05 : 0);
    if (likeness >= LEAST) found.push({ task, distance, likeness });
  }
  return found.sort((one, other) => other.likeness - one.likeness || other.task.id - one.task.id).slice(0, MOST);
}

/** The share of the draft's words that the task has too. */
function shared(said: ReadonlySet<string>, task: Task): number {
  if (said.size === 0) return 0;
  const theirs = new Set(words(`${task.title} ${task.text}`));
  let both = 0;
  for (const word of said) if (theirs.has(word)) both++;
  return both / said.size;
}
