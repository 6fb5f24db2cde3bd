import type { PhoneCall } from '../../../shared/records/index.ts';
import { plainNumber } from '../../../shared/calls/number.ts';
import { isOpenCall } from '../../../shared/calls/state.ts';
import { Refusal } from '../../../shared/refusal.ts';
import type { Draft } from '../../store/types.ts';

/** A call, as an exchange reports it. */
export interface CallOrder {
  readonly number: string;
  readonly line: string;
  readonly name: string;
  readonly text: string;
  readonly point: PhoneCall['point'];
}

/** ms in which an open call of the same number on the same line is the same call. */
const REPEATED = 30_000;

/** README rule 2. */
export function createCall(id: number, order: CallOrder, organizationId: number, now: number): Draft<PhoneCall> {
  const { line, name, text, point } = order;
  return {
    id,
    kind: 'call',
    name: name.trim(),
    isDeleted: false,
    organizationId,
    number: plainNumber(order.number),
    line: line.trim(),
    text: text.trim(),
    point,
    at: now,
    taken: null,
    endedAt: 0,
    taskId: 0,
  };
}

/** README rule 3: an exchange that got no answer repeats its message. Withheld numbers cannot be distinguished. */
export function isRepeated(call: PhoneCall, { number, line }: CallOrder, organizationId: number, now: number): boolean {
  const plain = plainNumber(number);
  return (
    plain !== '' &&
    isOpenCall(call) &&
    call.organizationId === organizationId &&
    call.number === plain &&
    call.line === line.trim() &&
    now - call.at < REPEATED
  );
}

/** README rule 4. */
export function takeCall(call: PhoneCall, userId: number, nameOf: (userId: number) => string, now: number): PhoneCall {
  if (call.taken?.userId === userId) return call;
  if (!isOpenCall(call)) throw new Refusal('calls.ended', { id: call.id });
  if (call.taken) throw new Refusal('calls.taken', { who: nameOf(call.taken.userId) });
  return { ...call, taken: { userId, at: now } };
}

/**
 * README rule 5. A user who ends a call that nobody took has taken it. @param userId undefined: the exchange,
 * which takes no calls
 */
export function endCall(
  call: PhoneCall,
  userId: number | undefined,
  taskId: number | undefined,
  now: number,
): PhoneCall {
  return {
    ...call,
    taken: call.taken ?? (userId === undefined ? null : { userId, at: now }),
    taskId: taskId ?? call.taskId,
    endedAt: call.endedAt || now,
  };
}
