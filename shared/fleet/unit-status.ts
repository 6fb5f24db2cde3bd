/** The digits by which crews say how they are, as dispatchers know them: the `unitStatus` of vehicles. */
export const EMERGENCY_CALL = 0;
export const FREE = 1;
export const AT_BASE = 2;
export const EN_ROUTE = 3;
export const ON_SCENE = 4;
export const WANTS_TO_TALK = 5;
export const OUT_OF_SERVICE = 6;
export const PATIENT_LOADED = 7;
export const AT_HOSPITAL = 8;

/** What a crew said last, and when, epoch ms. */
interface Reported {
  readonly unitStatus: number | undefined;
  readonly unitStatusSince: number;
}

/**
 * Whether this step is impossible: a crew that was sent to a task and has not said since that it is there can
 * be neither free nor at its base. A crew that calls, wants to talk or is out of service does not say where
 * it is: it may have been there.
 */
export function hasNotArrived({ unitStatus, unitStatusSince }: Reported, next: number, sentAt: number): boolean {
  if (next !== FREE && next !== AT_BASE) return false;
  if (unitStatus === EMERGENCY_CALL || unitStatus === WANTS_TO_TALK || unitStatus === OUT_OF_SERVICE) return false;
  const isThere = unitStatus === ON_SCENE || unitStatus === PATIENT_LOADED || unitStatus === AT_HOSPITAL;
  return !isThere || unitStatusSince < sentAt;
}
