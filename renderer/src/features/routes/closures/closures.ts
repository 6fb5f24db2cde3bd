import type { RoadClosure } from '../../../../../shared/records/index.ts';
import { minuteTime, momentOf } from '../../../lib/time/period.ts';
import { drawingOf, geometryOf, nothingDrawn, type Drawing } from '../../../map/draw/draw-geometry.ts';

export type ClosurePhase = 'now' | 'coming' | 'past';
export const CLOSURE_PHASES = ['now', 'coming', 'past'] as const satisfies readonly ClosurePhase[];

export function closurePhaseOf({ from, until }: Pick<RoadClosure, 'from' | 'until'>, now: number): ClosurePhase {
  if (until !== null && until <= now) return 'past';
  return from !== null && from > now ? 'coming' : 'now';
}

/** Those in force: the latest first; to come: the next one first; over: the latest first. */
export function closuresInPhase(
  closures: readonly RoadClosure[],
  standing: ClosurePhase,
  now: number,
): readonly RoadClosure[] {
  const rank = (closure: RoadClosure) =>
    standing === 'coming' ? closure.from! : standing === 'past' ? -closure.until! : -(closure.from ?? 0);
  return closures
    .filter((closure) => closurePhaseOf(closure, now) === standing)
    .sort((one, other) => rank(one) - rank(other) || other.id - one.id);
}

/** Does it close, and not only slow? */
export const closes = ({ factor }: Pick<RoadClosure, 'factor'>): boolean => factor === 0;

/** A closure as a form has it; an edit keeps its id. */
export interface ClosureDraft {
  name: string;
  reason: string;
  kind: 'closed' | 'slowed';
  /** Share of the usual speed while slowed, percent; empty while another number is typed. */
  percent: number | '';
  /** Local times as an input has them (2026-11-22T14:05); empty: ever since, until it is lifted. */
  from: string;
  till: string;
  drawing: Drawing;
}

const DEFAULT_PERCENT = 30;

export function freshDraft(): ClosureDraft {
  return {
    name: '',
    reason: '',
    kind: 'closed',
    percent: DEFAULT_PERCENT,
    from: '',
    till: '',
    drawing: nothingDrawn('line'),
  };
}

export function closureDraft({ name, reason, factor, from, until, geometry }: RoadClosure): ClosureDraft {
  return {
    name,
    reason,
    kind: factor === 0 ? 'closed' : 'slowed',
    percent: factor === 0 ? DEFAULT_PERCENT : Math.round(factor * 100),
    from: localTime(from),
    till: localTime(until),
    drawing: drawingOf(geometry),
  };
}

/** Is it a valid share of the speed? 100 % is not a closure, and 0 % is a closed road. */
export const isShare = (percent: ClosureDraft['percent']): boolean =>
  Number.isInteger(percent) && Number(percent) >= 1 && Number(percent) <= 99;

/** The body of the request. */
export function closureBody(draft: ClosureDraft) {
  return {
    name: draft.name.trim(),
    reason: draft.reason.trim(),
    factor: draft.kind === 'closed' ? 0 : Number(draft.percent) / 100,
    from: minuteOrNull(draft.from),
    till: minuteOrNull(draft.till),
    geometry: geometryOf(draft.drawing),
  };
}

/** A time as a field of date and time takes it, in the zone of this machine; null is empty. */
export function localTime(at: number | null): string {
  return at === null ? '' : momentOf(at);
}

/** null: the field is empty or not a time. */
export function minuteOrNull(text: string): number | null {
  return minuteTime(text) ?? null;
}

/** An edited closure: the draft, and the base that it started from. */
export interface ClosureEdit {
  base: ClosureDraft;
  draft: ClosureDraft;
}

/** The parts of a closure that change together. `nature` is the remaining speed. */
export const CLOSURE_PARTS = ['drawing', 'name', 'nature', 'from', 'till', 'reason'] as const;
export type ClosurePart = (typeof CLOSURE_PARTS)[number];

const partOf = (draft: ClosureDraft, part: ClosurePart) =>
  JSON.stringify(part === 'nature' ? (draft.kind === 'closed' ? 0 : draft.percent) : draft[part]);
export const samePart = (one: ClosureDraft, other: ClosureDraft, part: ClosurePart): boolean =>
  partOf(one, part) === partOf(other, part);
/** Takes one part over from another draft. */
export const withClosurePart = (draft: ClosureDraft, from: ClosureDraft, part: ClosurePart): ClosureDraft => ({
  ...draft,
  ...(part === 'nature' ? { kind: from.kind, percent: from.percent } : { [part]: from[part] }),
});

/** The parts that were changed here. */
export const changedParts = ({ base, draft }: ClosureEdit): readonly ClosurePart[] =>
  CLOSURE_PARTS.filter((part) => !samePart(base, draft, part));

/** Accepts the saved values of others for fields that were not edited here, or are equal. */
export function mergeChanges(edit: ClosureEdit, theirs: ClosureDraft): ClosureEdit {
  let { base, draft } = edit;
  for (const part of CLOSURE_PARTS) {
    if (samePart(base, draft, part)) draft = withClosurePart(draft, theirs, part);
    if (samePart(draft, theirs, part)) base = withClosurePart(base, theirs, part);
  }
  return { base, draft };
}

/** The parts that both have changed, and differently: one of the two has to be chosen. */
export const closureConflicts = ({ base, draft }: ClosureEdit, theirs: ClosureDraft): readonly ClosurePart[] =>
  CLOSURE_PARTS.filter(
    (part) => !samePart(base, draft, part) && !samePart(base, theirs, part) && !samePart(draft, theirs, part),
  );

/** One of two values was chosen. */
export function resolveConflict(
  { base, draft }: ClosureEdit,
  theirs: ClosureDraft,
  part: ClosurePart,
  take: 'theirs' | 'mine',
): ClosureEdit {
  return {
    base: withClosurePart(base, theirs, part),
    draft: take === 'theirs' ? withClosurePart(draft, theirs, part) : draft,
  };
}

/** The body of the request: only the edited fields. */
export function closureChanges(edit: ClosureEdit): Partial<ReturnType<typeof closureBody>> {
  const order = closureBody(edit.draft);
  const keys = new Set(
    changedParts(edit).map((part) => (part === 'nature' ? 'factor' : part === 'drawing' ? 'geometry' : part)),
  );
  return Object.fromEntries(Object.entries(order).filter(([key]) => keys.has(key as keyof typeof order)));
}
