import type { PhoneCall } from '../records/index.ts';

/** ms after which a call that nobody took counts as missed, if the exchange does not report its end. */
export const RINGS_FOR = 180_000;

export const CALL_STATES = ['ringing', 'taken', 'ended', 'missed'] as const;
export type CallState = (typeof CALL_STATES)[number];

/** It is neither ended nor deleted. */
export function isOpenCall({ isDeleted, endedAt }: Pick<PhoneCall, 'isDeleted' | 'endedAt'>): boolean {
  return !isDeleted && endedAt === 0;
}

export function callState({ taken, endedAt, at }: Pick<PhoneCall, 'taken' | 'endedAt' | 'at'>, now: number): CallState {
  if (taken) return endedAt === 0 ? 'taken' : 'ended';
  return endedAt === 0 && now - at < RINGS_FOR ? 'ringing' : 'missed';
}
