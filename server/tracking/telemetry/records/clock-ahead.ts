import type { ValidRecord } from './fix.ts';

/** Default number of seconds that a device's clock may be ahead: the same as for clocks of other stations. */
export const FUTURE_LIMIT = 300;

/** The reason for quarantining a record too far in the future. */
export function clockAhead({ time }: ValidRecord, now: number, limit: number): string {
  return `The clock of the device is ${secondsAhead(time, now)} s ahead of the station's; at most ${limit} s are believed.`;
}

export function secondsAhead(time: number, now: number): number {
  return Math.ceil((time - now) / 1000);
}

/** Whether a record carries an alarm: it is stored and marked, at any time. */
export function carriesAlarm({ params }: ValidRecord): boolean {
  const alarm = params?.['alarm'];
  return alarm !== undefined && alarm !== '' && alarm !== 0 && alarm !== false;
}
