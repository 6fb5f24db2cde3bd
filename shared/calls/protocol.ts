import type { CallProtocol, PlanNeed, ProtocolAnswer, ProtocolQuestion } from '../records/index.ts';

/** A question, and which of its answers the caller gave. */
export interface CourseStep {
  readonly question: ProtocolQuestion;
  readonly answer: ProtocolAnswer;
  /** From 0. */
  readonly index: number;
}

/** Result of the answers so far. */
export interface ProtocolCourse {
  readonly given: readonly CourseStep[];
  /** The question to ask; undefined: the protocol has ended. */
  readonly next: ProtocolQuestion | undefined;
  /** The worst priority of an answer, 1 to 4; 0: none sets one. */
  readonly priority: number;
  /** The first answer that set it. */
  readonly because: CourseStep | undefined;
  /** As the last answer that sets one says; 0: none does. */
  readonly typeId: number;
  /** Advice to read to the caller, the latest last. */
  readonly advice: readonly string[];
  readonly needs: readonly PlanNeed[];
}

type Questions = { readonly questions: readonly ProtocolQuestion[] };

/**
 * Follows the answers from the first question on. Answers to questions off the path do not count, so a
 * changed answer undoes its consequences. @param answers the index of the answer by the id of its question
 */
export function courseOf({ questions }: Questions, answers: Readonly<Record<number, number>>): ProtocolCourse {
  const byId = new Map(questions.map((question) => [question.id, question]));
  const given: CourseStep[] = [];
  const seen = new Set<number>();
  let next: ProtocolQuestion | undefined = questions[0];
  while (next && !seen.has(next.id)) {
    const index: number | undefined = answers[next.id];
    const answer: ProtocolAnswer | undefined = index === undefined ? undefined : next.answers[index];
    if (index === undefined || !answer) break;
    seen.add(next.id);
    given.push({ question: next, answer, index });
    next = byId.get(answer.nextId);
  }
  const priorities = given.map(({ answer }) => answer.priority).filter((priority) => priority > 0);
  const priority = priorities.length > 0 ? Math.min(...priorities) : 0;
  return {
    given,
    next: next && !seen.has(next.id) ? next : undefined,
    priority,
    because: priority ? given.find(({ answer }) => answer.priority === priority) : undefined,
    typeId: given.findLast(({ answer }) => answer.typeId !== 0)?.answer.typeId ?? 0,
    advice: given.map(({ answer }) => answer.advice).filter(Boolean),
    needs: given.flatMap(({ answer }) => answer.needs),
  };
}

/** The protocol for a type: one that names it, else one for all types; of several the oldest. */
export function protocolFor<P extends Pick<CallProtocol, 'id' | 'typeIds'>>(
  protocols: readonly P[],
  typeId: number,
): P | undefined {
  const oldest = (found: readonly P[]) => found.toSorted((one, other) => one.id - other.id)[0];
  return (
    oldest(protocols.filter(({ typeIds }) => typeIds.includes(typeId))) ??
    oldest(protocols.filter(({ typeIds }) => typeIds.length === 0))
  );
}

export type ProtocolFault =
  | { readonly kind: 'no-answers' | 'no-text' | 'unreachable'; readonly questionId: number }
  | { readonly kind: 'unknown-next'; readonly questionId: number; readonly answer: number }
  /** The questions of the circle, in their order. */
  | { readonly kind: 'circle'; readonly questionId: number; readonly through: readonly number[] };

/** An unreachable question is only a warning and may be saved. */
export const isHarmful = ({ kind }: ProtocolFault): boolean => kind !== 'unreachable';

/** Faults of the questions. Without a harmful fault every path ends. */
export function protocolFaults({ questions }: Questions): ProtocolFault[] {
  const byId = new Map(questions.map((question) => [question.id, question]));
  const faults: ProtocolFault[] = [];
  for (const { id: questionId, text, answers } of questions) {
    if (text.trim() === '' || answers.some((answer) => answer.text.trim() === ''))
      faults.push({ kind: 'no-text', questionId });
    if (answers.length === 0) faults.push({ kind: 'no-answers', questionId });
    for (const [answer, { nextId }] of answers.entries())
      if (nextId !== 0 && !byId.has(nextId)) faults.push({ kind: 'unknown-next', questionId, answer });
  }
  const circle = circleIn(questions, byId);
  if (circle) faults.push({ kind: 'circle', questionId: circle[0]!, through: circle });
  const reached = reachedFrom(questions[0], byId);
  for (const { id } of questions) if (!reached.has(id)) faults.push({ kind: 'unreachable', questionId: id });
  return faults;
}

type ById = ReadonlyMap<number, ProtocolQuestion>;
const after = ({ answers }: ProtocolQuestion, byId: ById): ProtocolQuestion[] =>
  [...new Set(answers.map(({ nextId }) => nextId))].flatMap((id) => byId.get(id) ?? []);

function reachedFrom(first: ProtocolQuestion | undefined, byId: ById): Set<number> {
  const reached = new Set<number>();
  const waiting = first ? [first] : [];
  for (let question = waiting.pop(); question; question = waiting.pop()) {
    if (reached.has(question.id)) continue;
    reached.add(question.id);
    waiting.push(...after(question, byId));
  }
  return reached;
}

/** A circle found by depth-first search, reachable or not. */
function circleIn(questions: readonly ProtocolQuestion[], byId: ById): number[] | undefined {
  const left = new Set<number>();
  const path: number[] = [];
  const search = (question: ProtocolQuestion): number[] | undefined => {
    if (left.has(question.id)) return undefined;
    const at = path.indexOf(question.id);
    if (at >= 0) return path.slice(at);
    path.push(question.id);
    for (const next of after(question, byId)) {
      const found = search(next);
      if (found) return found;
    }
    path.pop();
    left.add(question.id);
    return undefined;
  };
  for (const question of questions) {
    const found = search(question);
    if (found) return found;
  }
  return undefined;
}
