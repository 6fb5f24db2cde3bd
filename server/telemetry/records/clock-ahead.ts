import type { ValidRecord } from './fix.ts';

/**
 * Seconds that a device's clock may be ahead when nobody says otherwise: as far as clocks of other stations.
 */
export const FUTURE_LIMIT = 300;

/** Why a record goes to the quarantine whose time is too far ahead. */
export function clockAhead({ time }: ValidRecord, now: number, limit: number): string {
  return `The clock of the device is ${secondsAhead(time, now)} s ahead of the station's; at most ${limit} s are believed.`;
}

export function secondsAhead(time: number, now: number): number {
  return Math.ceil((time - now) / 1000);
}

/** Whether a record carries an alarm: it is stored whatever its time is, and marked. */
export function carriesAlarm({ params }: ValidRecord): boolean {
  const alarm = params?.['alarm'];
  return alarm !== undefined && alarm !== '' && alarm !== 0 && alarm !== false;
}
