import type { StoredUnit } from '../records/index.ts';
import { EMERGENCY_CALL, ON_SCENE, WANTS_TO_TALK } from './unit-status.ts';

/** Minutes on scene after which a crew should report, unless the organization sets another value. */
export const DEFAULT_SAFETY_MINUTES = 20;
/** Checks that a crew misses in a row before an alarm. */
export const MISSES_BEFORE_ALARM = 2;

export interface SafetyTimer {
  /** The last sign of life, epoch ms. */
  readonly since: number;
  /** ms between two signs of life */
  readonly period: number;
}

type TimedUnit = Pick<StoredUnit, 'onSceneAt' | 'clearAt' | 'status' | 'statusSince'>;

/**
 * The safety timer of a unit; undefined if none runs: not on scene, or without a period. @param heardAt when
 * the crew was last heard besides its statuses; 0: never @param minutes of its organization; 0: no timers
 */
export function safetyTimer(unit: TimedUnit, heardAt: number, minutes: number): SafetyTimer | undefined {
  const { onSceneAt, clearAt, status, statusSince } = unit;
  // A crew that calls from the scene is still there.
  const isThere = status === ON_SCENE || status === WANTS_TO_TALK || status === EMERGENCY_CALL;
  if (minutes <= 0 || onSceneAt === 0 || clearAt > 0 || !isThere) return undefined;
  return { since: Math.max(onSceneAt, statusSince, heardAt), period: minutes * 60_000 };
}

/** How many checks in a row the crew has missed. A check is missed when its time has come. */
export function missedChecks({ since, period }: SafetyTimer, now: number): number {
  return Math.max(0, Math.floor((now - since) / period));
}

/** When the next check is due, epoch ms. */
export function nextCheck(timer: SafetyTimer, now: number): number {
  return timer.since + (missedChecks(timer, now) + 1) * timer.period;
}

/** When the crew is reported as silent, epoch ms. */
export function alarmAt({ since, period }: SafetyTimer): number {
  return since + MISSES_BEFORE_ALARM * period;
}

/** The share of the time to the next check that is left: 1 after a sign of life, 0 when it is due. */
export function shareLeft(timer: SafetyTimer, now: number): number {
  if (now <= timer.since) return 1;
  return (nextCheck(timer, now) - now) / timer.period;
}
