import { protocolFaults, isHarmful, type ProtocolFault } from '../../../../shared/calls/protocol.ts';
import { definedFields } from '../../../../shared/defined-fields.ts';
import type { CallProtocol } from '../../../../shared/records/index.ts';
import { Refusal } from '../../../../shared/refusal.ts';
import type { Draft } from '../../../store/types.ts';
import { named, type DirectoryRules } from '../directory.ts';
import type { KnownToPlans } from './response-plans.ts';

export type ProtocolOrder = { [F in 'name' | 'typeIds' | 'questions']?: CallProtocol[F] | undefined };

/** Protocols are for all organizations, so only superusers write them. */
export function protocolRules(
  known: Pick<KnownToPlans, 'taskType' | 'vehicleKind' | 'capability'>,
): DirectoryRules<CallProtocol, ProtocolOrder> {
  return {
    what: 'call protocol',
    owner: () => undefined,
    mayChange: (_, by) => by.role.superuser,
    create: (id, order) =>
      changed(known, { id, kind: 'protocol', isDeleted: false, name: '', typeIds: [], questions: [] }, order),
    change: (protocol, order) => changed(known, protocol, order),
  };
}

function changed<P extends Draft<CallProtocol>>(
  known: Pick<KnownToPlans, 'taskType' | 'vehicleKind' | 'capability'>,
  protocol: P,
  order: ProtocolOrder,
): P {
  const next: P = { ...protocol, ...definedFields(order), name: named(order.name, protocol.name) };
  next.typeIds = [...new Set(next.typeIds)];
  if (next.questions.length === 0) throw new Refusal('field.missing', { field: 'questions' });
  const { questions } = next;
  const twice = questions.findIndex(({ id }, at) => questions.findIndex((other) => other.id === id) < at);
  if (twice >= 0) throw new Refusal('field.unknown', { field: `questions.${twice}.id`, id: questions[twice]!.id });
  const harmful = protocolFaults(next).find(isHarmful);
  if (harmful) throw refusalOf(harmful, questions);
  const before = referred(protocol);
  for (const { field, id, kind } of referred(next))
    if (!before.some((one) => one.id === id && one.kind === kind) && !known[kind](id))
      throw new Refusal('field.unknown', { field, id });
  return next;
}

function refusalOf(fault: ProtocolFault, questions: CallProtocol['questions']): Refusal {
  const at = questions.findIndex(({ id }) => id === fault.questionId);
  const text = questions[at]?.text ?? '';
  switch (fault.kind) {
    case 'circle':
      return new Refusal('calls.circle', { question: text });
    case 'unknown-next':
      return new Refusal('field.unknown', {
        field: `questions.${at}.answers.${fault.answer}.nextId`,
        id: questions[at]!.answers[fault.answer]!.nextId,
      });
    default:
      return new Refusal('field.missing', { field: `questions.${at}` });
  }
}

/** Checks the references of its answers. References that it already has stay allowed. */
function referred({ typeIds, questions }: Pick<CallProtocol, 'typeIds' | 'questions'>): {
  field: string;
  id: number;
  kind: 'taskType' | 'vehicleKind' | 'capability';
}[] {
  return [
    ...typeIds.map((id) => ({ field: 'typeIds', id, kind: 'taskType' as const })),
    ...questions.flatMap(({ answers }, question) =>
      answers.flatMap(({ typeId, needs }, answer) => {
        const field = `questions.${question}.answers.${answer}`;
        return [
          { field: `${field}.typeId`, id: typeId, kind: 'taskType' as const },
          ...needs.flatMap(({ kindId, capabilityIds }, need) => [
            { field: `${field}.needs.${need}.kindId`, id: kindId, kind: 'vehicleKind' as const },
            ...capabilityIds.map((id) => ({
              field: `${field}.needs.${need}.capabilityIds`,
              id,
              kind: 'capability' as const,
            })),
          ]),
        ];
      }),
    ),
  ].filter(({ id }) => id !== 0);
}
