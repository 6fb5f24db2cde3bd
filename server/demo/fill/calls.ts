import type { Chance } from '../chance.ts';
import { SERVICES, CALL_COMMENTS, type EmergencyCall, type Service } from './services.ts';
import type { TownAddress } from './town-facts.ts';

/** One step in the life of a demo task. */
export type CallStep =
  | { kind: 'reported'; by: string }
  | { kind: 'said'; by: string; text: string; answers: boolean }
  | { kind: 'assigned'; by: string; vehicle: boolean }
  | { kind: 'feedback'; by: string; text: string }
  | { kind: 'done'; by: string; approved: boolean }
  | { kind: 'archived'; by: string };

export interface PlannedCall {
  readonly service: Service;
  readonly call: EmergencyCall;
  readonly address: TownAddress;
  /** Ascending times, epoch ms, none after now. */
  readonly steps: readonly { readonly at: number; readonly step: CallStep }[];
}

type Outcome = 'new' | 'assigned' | 'feedback' | 'done' | 'archived';

const MINUTE = 60_000;
/** How many tasks end in which state, and their range of ages in minutes. */
const PLAN: readonly {
  readonly outcome: Outcome;
  readonly count: number;
  readonly from: number;
  readonly to: number;
}[] = [
  { outcome: 'new', count: 9, from: 0.5, to: 12 },
  { outcome: 'assigned', count: 9, from: 5, to: 16 },
  { outcome: 'feedback', count: 13, from: 30, to: 130 },
  { outcome: 'done', count: 120, from: 130, to: 36 * 60 },
  { outcome: 'archived', count: 22, from: 26 * 60, to: 36 * 60 },
];

/** The calls of the last 36 hours, each with its complete history up to now. */
export function planCalls(addresses: readonly TownAddress[], now: number, chance: Chance): PlannedCall[] {
  return PLAN.flatMap(({ outcome, count, from, to }) =>
    Array.from({ length: count }, (): PlannedCall => {
      const service = chance.pick(SERVICES);
      const call = chance.pick(service.calls.filter((one) => outcome !== 'new' || one.category !== 'Emergency'));
      const address = chance.pick(addresses);
      return {
        service,
        call,
        address,
        steps: lifeOf(outcome, service, call, address, now - chance.between(from, to) * MINUTE, now, chance),
      };
    }),
  );
}

function lifeOf(
  outcome: Outcome,
  service: Service,
  call: EmergencyCall,
  address: TownAddress,
  reportedAt: number,
  now: number,
  chance: Chance,
): PlannedCall['steps'] {
  const steps: { at: number; step: CallStep }[] = [];
  const say = (list: readonly { en: string; ru: string }[]): string =>
    chance.pick(list)[address.cyrillic ? 'ru' : 'en'];
  let at = reportedAt;
  const then = (minutes: number, step: CallStep): void => {
    // Planned steps never lie in the future.
    at = Math.min(Math.round(at + minutes * MINUTE), now - 1000);
    steps.push({ at, step });
  };
  const desk = chance.happens(0.6) ? 'dispatcher' : 'operator';
  then(0, { kind: 'reported', by: desk });
  if (chance.happens(0.3))
    then(chance.between(1, 4), { kind: 'said', by: desk, text: say(CALL_COMMENTS.ask), answers: false });
  if (outcome === 'new') return steps;
  if (chance.happens(0.35))
    then(chance.between(0.3, 2), { kind: 'said', by: 'operator', text: say(CALL_COMMENTS.answer), answers: true });
  // A task in feedback has released its vehicle: a vehicle with an open task counts as busy.
  then(chance.between(0.5, 4), { kind: 'assigned', by: desk, vehicle: outcome !== 'feedback' });
  if (chance.happens(0.4))
    then(chance.between(0.5, 2), {
      kind: 'said',
      by: service.login,
      text: say(CALL_COMMENTS.underWay),
      answers: false,
    });
  if (outcome === 'assigned') return steps;
  then(8 + call.minutes * chance.between(0.7, 1.3), { kind: 'feedback', by: 'crews', text: say(CALL_COMMENTS.report) });
  if (outcome === 'feedback') return steps;
  then(chance.between(2, 20), { kind: 'done', by: desk, approved: chance.happens(0.9) });
  if (outcome === 'archived') then(chance.between(60, 300), { kind: 'archived', by: 'supervisor' });
  return steps;
}
