import { expect, test } from 'vitest';
import { courseOf, protocolFaults, isHarmful, protocolFor } from '../../../shared/calls/protocol.ts';
import type { ProtocolAnswer, ProtocolQuestion } from '../../../shared/records/index.ts';
import { Chance, SEED } from '../../support/chance.ts';

const answer = (text: string, nextId = 0, more: Partial<ProtocolAnswer> = {}): ProtocolAnswer => ({
  text,
  nextId,
  priority: 0,
  typeId: 0,
  advice: '',
  needs: [],
  ...more,
});
const inside: ProtocolQuestion = {
  id: 1,
  text: 'Is anybody inside?',
  answers: [answer('Yes', 2, { priority: 1, advice: 'Stay at the window.' }), answer('No', 3, { priority: 3 })],
};
const exit: ProtocolQuestion = {
  id: 2,
  text: 'Can they get out?',
  answers: [answer('Yes', 3, { priority: 2 }), answer('No', 3, { typeId: 7 })],
};
const gas: ProtocolQuestion = { id: 3, text: 'Gas bottles?', answers: [answer('Yes'), answer('No')] };
const fire = { questions: [inside, exit, gas] };

test('the worst answer sets the priority, and its question is the reason', () => {
  const course = courseOf(fire, { 1: 0, 2: 0 });
  expect(course.given.map(({ question }) => question.id)).toEqual([1, 2]);
  expect(course.next?.id).toBe(3);
  expect([course.priority, course.because?.question.id]).toEqual([1, 1]);
  expect(course.advice).toEqual(['Stay at the window.']);
});

test('a changed answer takes back what followed from it', () => {
  const course = courseOf(fire, { 1: 1, 2: 1, 3: 0 });
  expect(course.given.map(({ question }) => question.id)).toEqual([1, 3]);
  expect([course.next, course.priority, course.typeId]).toEqual([undefined, 3, 0]);
});

test('the protocol of the type goes before the one for all types', () => {
  const [all, own] = [
    { id: 1, typeIds: [] },
    { id: 2, typeIds: [5] },
  ];
  expect(protocolFor([all, own], 5)).toBe(own);
  expect(protocolFor([all, own], 6)).toBe(all);
  expect(protocolFor([own], 6)).toBeUndefined();
});

test('a circle, a question that nothing leads to and one without answers are reported', () => {
  const circle = { ...gas, answers: [answer('Yes', 2)] };
  expect(protocolFaults({ questions: [inside, exit, circle] }).map(({ kind }) => kind)).toEqual(['circle']);
  const alone = { ...gas, id: 4 };
  expect(protocolFaults({ questions: [inside, exit, gas, alone] })).toEqual([{ kind: 'unreachable', questionId: 4 }]);
  expect(protocolFaults({ questions: [{ ...inside, answers: [] }] }).filter(isHarmful)).toEqual([
    { kind: 'no-answers', questionId: 1 },
  ]);
});

/** Half of them have arrows that only go on; the arrows of the others go anywhere, and some questions lack answers. */
function drawn(chance: Chance): ProtocolQuestion[] {
  const count = 1 + chance.int(8);
  const tidy = chance.maybe();
  const next = (at: number) => {
    if (!tidy) return chance.int(count + 2);
    const id = at + 2 + chance.int(3);
    return id <= count ? id : 0;
  };
  return Array.from({ length: count }, (_, at) => ({
    id: at + 1,
    text: `Question ${at + 1}`,
    answers: Array.from({ length: tidy ? 1 + chance.int(3) : chance.int(4) }, (__, index) =>
      answer(`${index}`, next(at), {
        priority: chance.int(5),
        typeId: chance.int(3),
        advice: chance.maybe() ? `Advice ${at} ${index}` : '',
      }),
    ),
  }));
}

/** Ids of the questions that some answers reach, by trying all answers; undefined: some path does not end. */
function everyPath(questions: readonly ProtocolQuestion[]): Set<number> | undefined {
  const reached = new Set<number>();
  const walk = (id: number, depth: number): boolean => {
    const question = questions.find((one) => one.id === id);
    if (!question) return true;
    if (depth > questions.length) return false;
    reached.add(id);
    return question.answers.every(({ nextId }) => walk(nextId, depth + 1));
  };
  return walk(questions[0]!.id, 0) ? reached : undefined;
}

test(`without a harmful fault every path ends, and exactly the questions that no path reaches are reported (seed ${SEED})`, () => {
  const chance = new Chance();
  const seen = { sound: 0, circles: 0, unreachable: 0 };
  for (let draw = 0; draw < 3_000; draw++) {
    const questions = drawn(chance);
    const faults = protocolFaults({ questions });
    const reached = everyPath(questions);
    if (!reached) expect(faults.some(({ kind }) => kind === 'circle')).toBe(true);
    if (faults.some(({ kind }) => kind === 'circle')) seen.circles++;
    const told = faults.flatMap((fault) => (fault.kind === 'unreachable' ? [fault.questionId] : []));
    if (reached) expect(told).toEqual(questions.map(({ id }) => id).filter((id) => !reached.has(id)));
    seen.unreachable += told.length;
    if (!faults.some(isHarmful)) seen.sound++;

    // Whatever is answered, faults or not: evaluation ends, asks nothing twice, and agrees with what was given.
    const answers = Object.fromEntries(questions.map(({ id }) => [id, chance.int(4)]));
    const course = courseOf({ questions }, answers);
    const ids = course.given.map(({ question }) => question.id);
    expect(new Set(ids).size).toBe(ids.length);
    expect(course.next === undefined || !ids.includes(course.next.id)).toBe(true);
    if (!faults.some(isHarmful) && questions.every((question) => answers[question.id]! < question.answers.length))
      expect(course.next).toBeUndefined();
    const given = course.given.map((one) => one.answer.priority).filter(Boolean);
    expect(course.priority).toBe(given.length > 0 ? Math.min(...given) : 0);
  }
  for (const count of Object.values(seen)) expect(count).toBeGreaterThan(100);
});
