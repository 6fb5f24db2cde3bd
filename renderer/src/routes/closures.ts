import type { RoadClosure } from '../../../shared/records/index.ts';
import { minuteTime, momentOf } from '../fleet/period.ts';
import { drawingOf, geometryOf, nothingDrawn, type Drawing } from '../map/draw-geometry.ts';

export type Standing = 'now' | 'coming' | 'past';
export const STANDINGS = ['now', 'coming', 'past'] as const satisfies readonly Standing[];

export function standingOf({ from, till }: Pick<RoadClosure, 'from' | 'till'>, now: number): Standing {
  if (till !== null && till <= now) return 'past';
  return from !== null && from > now ? 'coming' : 'now';
}

/** Those in force: the latest first; to come: the next one first; over: the latest first. */
export function arrange(closures: readonly RoadClosure[], standing: Standing, now: number): readonly RoadClosure[] {
  const rank = (closure: RoadClosure) => (standing === 'coming' ? closure.from! : standing === 'past' ? -closure.till! : -(closure.from ?? 0));
  return closures.filter((closure) => standingOf(closure, now) === standing).sort((one, other) => rank(one) - rank(other) || other.id - one.id);
}

/** Does it close, and not only slow? */
export const closes = ({ factor }: Pick<RoadClosure, 'factor'>): boolean => factor === 0;

/** A closure as a form has it; an edit keeps its id. */
export interface ClosureDraft {
  name: string;
  reason: string;
  kind: 'closed' | 'slowed';
  /** Share of the usual speed while slowed, percent. */
  percent: number;
  /** Local times as an input has them (2026-11-22T14:05); empty: ever since, until it is lifted. */
  from: string;
  till: string;
  drawing: Drawing;
}

const USUAL_PERCENT = 30;

export function freshDraft(): ClosureDraft {
  return { name: '', reason: '', kind: 'closed', percent: USUAL_PERCENT, from: '', till: '', drawing: nothingDrawn('line') };
}

export function draftOf({ name, reason, factor, from, till, geometry }: RoadClosure): ClosureDraft {
  return {
    name,
    reason,
    kind: factor === 0 ? 'closed' : 'slowed',
    percent: factor === 0 ? USUAL_PERCENT : Math.round(factor * 100),
    from: localTime(from),
    till: localTime(till),
    drawing: drawingOf(geometry),
  };
}

/** What is sent to the station. */
export function orderOf(draft: ClosureDraft) {
  return {
    name: draft.name.trim(),
    reason: draft.reason.trim(),
    factor: draft.kind === 'closed' ? 0 : draft.percent / 100,
    from: instantOf(draft.from),
    till: instantOf(draft.till),
    geometry: geometryOf(draft.drawing),
  };
}

/** An instant in the form that a field of date and time takes, in the time zone of this machine; empty for none. */
export function localTime(at: number | null): string {
  return at === null ? '' : momentOf(at);
}

/** null: the field is empty, or what is in it is no time. */
export function instantOf(text: string): number | null {
  return minuteTime(text) ?? null;
}
