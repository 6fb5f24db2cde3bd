import { airDistance } from '../../../shared/geo/geometry.ts';
import type { Vehicle } from '../../../shared/records/index.ts';
import type { LastState } from '../../../shared/fleet/last-state.ts';
import {
  AT_HOSPITAL,
  EMERGENCY_CALL,
  EN_ROUTE,
  ON_SCENE,
  OUT_OF_SERVICE,
  PATIENT_LOADED,
} from '../../../shared/fleet/unit-status.ts';

/** A vehicle that could be sent. */
export interface VehicleCandidate {
  vehicle: Pick<Vehicle, 'id' | 'name' | 'onService' | 'kindId' | 'capabilityIds'>;
  /** A shift of its organization runs without it. */
  isOffShift?: boolean;
  /** Undefined: never received. */
  state: LastState | undefined;
  /** Its crew gave this task back. */
  gaveBack?: boolean;
  /** The open task that it already serves. */
  busyWith: { id: number; title: string } | undefined;
}

/** The route to the task by road, seconds and metres; `no-road`: there is none. */
export type Travel = { time: number; distance: number } | 'no-road';

/** Why a vehicle is not the first choice. Programs use the code and values, people `text`. */
export type RankReason =
  | { code: 'on-maintenance' }
  | { code: 'out-of-service' }
  | { code: 'off-shift' }
  | { code: 'emergency-call' }
  | { code: 'crew-busy'; status: number }
  | { code: 'gave-back' }
  | { code: 'busy-with'; taskId: number; title: string }
  | { code: 'no-position' }
  | { code: 'stale-position'; minutes: number }
  | { code: 'no-road' }
  | { code: 'no-road-times'; metres: number }
  | { code: 'not-in-plan'; kind: string; plan: string }
  | { code: 'unsuitable-kind'; kind: string }
  | { code: 'further'; minutes: number; than: string };

export interface Ranked {
  candidate: VehicleCandidate;
  /** 1 is sent first. */
  rank: number;
  /** Seconds and metres by road; undefined when there is no road, no position or no territory. */
  time: number | undefined;
  distance: number | undefined;
  /** Seconds by road, or metres through the air without a territory; Infinity: not reachable. */
  nearness: number;
  /** Nothing keeps it from being sent anywhere. */
  free: boolean;
  /** False: passed over; the reasons say why. */
  available: boolean;
  reasons: RankReason[];
}

/** A position older than this (milliseconds) is ignored. */
const STALE_POSITION = 10 * 60_000;
/** `localeCompare` with options makes a collator for each pair: half of a proposal of 2,000 vehicles. */
const NAMES = new Intl.Collator('en', { numeric: true });

/**
 * Vehicles in recommended order: reachable ones by road time, then those passed over, with the reasons.
 *
 * @param unsuited why a vehicle is not for this call; undefined: it is
 * @param travels the way by road for each candidate, undefined without a position; `no-territory`: no roads
 * are loaded, so the order is by air distance, as each entry states, because users would trust an invented
 * time
 */
export function rank(
  place: { lat: number; lon: number },
  candidates: readonly VehicleCandidate[],
  travels: readonly (Travel | undefined)[] | 'no-territory',
  now: number,
  unsuited: (vehicle: VehicleCandidate['vehicle']) => RankReason | undefined = () => undefined,
): Ranked[] {
  const entries = candidates.map((candidate, index) => {
    const judged = judge(place, candidate, travels === 'no-territory' ? travels : travels[index], now);
    const reason = unsuited(candidate.vehicle);
    return {
      ...judged,
      isSuited: !reason,
      available: judged.free && !reason,
      reasons: reason ? [reason, ...judged.reasons] : judged.reasons,
    };
  });
  entries.sort(
    (a, b) =>
      Number(b.available) - Number(a.available) ||
      Number(b.isSuited) - Number(a.isSuited) ||
      a.nearness - b.nearness ||
      NAMES.compare(a.candidate.vehicle.name, b.candidate.vehicle.name) ||
      a.candidate.vehicle.id - b.candidate.vehicle.id,
  );
  const first = entries[0];
  return entries.map(({ isSuited: _isSuited, ...entry }, index) => ({
    ...entry,
    rank: index + 1,
    reasons: [...entry.reasons, ...behind(entry, first)],
  }));
}

type Judged = Omit<Ranked, 'rank' | 'available'>;

function judge(
  place: { lat: number; lon: number },
  candidate: VehicleCandidate,
  travel: Travel | 'no-territory' | undefined,
  now: number,
): Judged {
  const { state } = candidate;
  const obstacles = [...duties(candidate), ...positions(state, now)];
  const located = state !== undefined && state.time > 0;
  if (!located)
    return {
      candidate,
      time: undefined,
      distance: undefined,
      nearness: Infinity,
      free: false,
      reasons: obstacles,
    };
  if (travel === 'no-territory') {
    const metres = Math.round(airDistance(state, place));
    return {
      candidate,
      time: undefined,
      distance: undefined,
      nearness: metres,
      free: obstacles.length === 0,
      reasons: [...obstacles, { code: 'no-road-times', metres }],
    };
  }
  if (travel === undefined || travel === 'no-road') {
    return {
      candidate,
      time: undefined,
      distance: undefined,
      nearness: Number.MAX_VALUE,
      free: false,
      reasons: [...obstacles, { code: 'no-road' }],
    };
  }
  return {
    candidate,
    time: travel.time,
    distance: travel.distance,
    nearness: travel.time,
    free: obstacles.length === 0,
    reasons: obstacles,
  };
}

function duties({ vehicle, state, busyWith, isOffShift, gaveBack }: VehicleCandidate): RankReason[] {
  const reasons: RankReason[] = [];
  if (vehicle.onService) reasons.push({ code: 'on-maintenance' });
  if (isOffShift) reasons.push({ code: 'off-shift' });
  if (gaveBack) reasons.push({ code: 'gave-back' });
  const status = state && state.unitStatusSince > 0 ? state.unitStatus : undefined;
  if (status === OUT_OF_SERVICE) reasons.push({ code: 'out-of-service' });
  if (status === EMERGENCY_CALL) reasons.push({ code: 'emergency-call' });
  if (busyWith) reasons.push({ code: 'busy-with', taskId: busyWith.id, title: busyWith.title });
  else if (status !== undefined && CREW_BUSY.has(status)) reasons.push({ code: 'crew-busy', status });
  return reasons;
}

/** Statuses of a crew that is on any task. */
const CREW_BUSY = new Set([EN_ROUTE, ON_SCENE, PATIENT_LOADED, AT_HOSPITAL]);

function positions(state: LastState | undefined, now: number): RankReason[] {
  if (!state || state.time === 0) return [{ code: 'no-position' }];
  const age = now - state.time;
  return age > STALE_POSITION ? [{ code: 'stale-position', minutes: Math.floor(age / 60_000) }] : [];
}

/** The delay behind the first choice, mentioned from one minute on. */
function behind(entry: Omit<Ranked, 'rank'>, first: Omit<Ranked, 'rank'> | undefined): RankReason[] {
  if (!first?.available || first.time === undefined || entry.time === undefined || first.candidate === entry.candidate)
    return [];
  const minutes = Math.round((entry.time - first.time) / 60);
  return minutes >= 1 ? [{ code: 'further', minutes, than: first.candidate.vehicle.name }] : [];
}

/** The text of a reason, for programs that show it unchanged. */
export function reasonText(reason: RankReason): string {
  switch (reason.code) {
    case 'on-maintenance':
      return 'on maintenance';
    case 'out-of-service':
      return 'out of service';
    case 'off-shift':
      return 'not on duty';
    case 'gave-back':
      return 'gave this task back';
    case 'emergency-call':
      return 'calls for help itself';
    case 'crew-busy':
      return CREW_WORDS[reason.status] ?? `crew status ${reason.status}`;
    case 'busy-with':
      return `busy with task ${reason.taskId}`;
    case 'no-position':
      return 'no position';
    case 'stale-position':
      return `position ${reason.minutes} min old`;
    case 'no-road':
      return 'no road there';
    case 'no-road-times':
      return `no road times: no territory is loaded; ${(reason.metres / 1000).toFixed(1)} km as the crow flies`;
    case 'not-in-plan':
      return reason.kind ? `${reason.kind}: not in the plan “${reason.plan}”` : `not in the plan “${reason.plan}”`;
    case 'unsuitable-kind':
      return `${reason.kind}: not for this type of task`;
    case 'further':
      return `${reason.minutes} min further than ${reason.than}`;
  }
}

const CREW_WORDS: Readonly<Record<number, string>> = {
  3: 'en route',
  4: 'on scene',
  7: 'patient loaded',
  8: 'at hospital',
};
