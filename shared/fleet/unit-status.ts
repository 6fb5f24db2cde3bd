/** Crew status digits, as dispatchers know them: the `unitStatus` of vehicles. */
export const EMERGENCY_CALL = 0;
export const FREE = 1;
export const AT_BASE = 2;
export const EN_ROUTE = 3;
export const ON_SCENE = 4;
export const WANTS_TO_TALK = 5;
export const OUT_OF_SERVICE = 6;
export const PATIENT_LOADED = 7;
export const AT_HOSPITAL = 8;
export const ACKNOWLEDGED = 9;

/** The words of the digits, for programs. */
export const UNIT_STATUS_WORDS: readonly string[] = [
  'emergency call',
  'free on radio',
  'at base',
  'en route',
  'on scene',
  'wants to talk',
  'out of service',
  'patient loaded',
  'at hospital',
  'acknowledged',
];

const DIGITS: readonly number[] = UNIT_STATUS_WORDS.map((_, digit) => digit);

/** The digits that a crew's status may have next. `sentAt`: when it was sent to a task where it has not arrived. */
export function allowedStatuses(report: StatusReport, sentAt: number | undefined): readonly number[] {
  return sentAt === undefined ? DIGITS : DIGITS.filter((digit) => !hasNotArrived(report, digit, sentAt));
}

/** The status of a crew after somebody talked with it: that of its run. */
export function statusAfterTalk(unit: { readonly onSceneAt: number } | undefined): number {
  if (!unit) return FREE;
  return unit.onSceneAt > 0 ? ON_SCENE : EN_ROUTE;
}

/** The last status of a crew, and its time, epoch ms. */
interface StatusReport {
  readonly unitStatus: number | undefined;
  readonly unitStatusSince: number;
}

/**
 * Whether this step is impossible: a crew that was sent to a task and has not reported on scene can be
 * neither free nor at its base. After a call, a request to talk or out of service, the crew may have been on
 * scene.
 */
export function hasNotArrived({ unitStatus, unitStatusSince }: StatusReport, next: number, sentAt: number): boolean {
  if (next !== FREE && next !== AT_BASE) return false;
  if (unitStatus === EMERGENCY_CALL || unitStatus === WANTS_TO_TALK || unitStatus === OUT_OF_SERVICE) return false;
  const isThere = unitStatus === ON_SCENE || unitStatus === PATIENT_LOADED || unitStatus === AT_HOSPITAL;
  return !isThere || unitStatusSince < sentAt;
}
