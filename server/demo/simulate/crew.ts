import { airDistance } from '../../../shared/geo/geometry.ts';
import { AT_BASE, EN_ROUTE, FREE, ON_SCENE, OUT_OF_SERVICE } from '../../../shared/fleet/unit-status.ts';
import type { Chance } from '../chance.ts';
import { GpsError } from './gps-error.ts';
import type { GroundPosition } from './position.ts';
import { AT_START, startedFrom, driveOn, hasReachedEnd, whereOn, type TripProgress, type PlannedTrip } from './trip.ts';

/** A task of a vehicle. */
export interface Errand {
  readonly taskId: number;
  readonly place: GroundPosition;
  /** Epoch ms; the earliest task is served first. */
  readonly since: number;
}

/** The activity of a crew. Times are seconds of the simulation. */
export type Duty =
  | { kind: 'parked'; until: number }
  | { kind: 'roaming'; trip: PlannedTrip; motion: TripProgress }
  | { kind: 'setting-out'; errand: Errand }
  | { kind: 'under-way'; errand: Errand; trip: PlannedTrip; motion: TripProgress }
  | { kind: 'on-scene'; errand: Errand; until: number };

/** A crew this near to the task (metres) has arrived: the road may end before the house. */
const AT_THE_PLACE = 40;

interface CrewHabits {
  readonly base: GroundPosition;
  /** In the workshop: never moves. */
  readonly outOfService: boolean;
  /** Roams between tasks instead of waiting at the base. */
  readonly roams: boolean;
}

/**
 * Metres on a full tank, and the share of it that an hour of idling takes; below the minimum the tank is
 * filled at the base.
 */
const RANGE = 480_000;
const IDLING = 0.015;
const MIN_FUEL = 0.2;
const FILLING = 0.9 / 180; // share of the tank per second

/** Requests of a crew after a step. */
export type CrewRequest =
  { kind: 'way-to-task'; errand: Errand } | { kind: 'way-to-roam' } | { kind: 'report'; errand: Errand };

/**
 * One vehicle with its crew. It takes the elapsed time and returns its requests, without clocks or networks.
 */
export class SimulatedCrew {
  readonly device: number;
  readonly habits: CrewHabits;
  readonly #chance: Chance;
  readonly #error: GpsError;
  #duty: Duty;
  #position: GroundPosition;
  #course: number;
  #speed = 0;
  /** Share of the tank. */
  #fuel: number;
  #filling = false;
  #errands: readonly Errand[] = [];

  /** @param fuel share of the tank as the station knows it; default: random */
  constructor(device: number, at: GroundPosition, habits: CrewHabits, chance: Chance, fuel?: number) {
    this.device = device;
    this.habits = habits;
    this.#chance = chance;
    this.#error = new GpsError(chance);
    this.#position = at;
    this.#course = chance.between(0, 360);
    this.#duty = { kind: 'parked', until: chance.between(0, 90) };
    this.#fuel = fuel ?? chance.fork('fuel').between(0.25, 0.95);
  }

  get position(): GroundPosition {
    return this.#position;
  }

  get duty(): Duty {
    return this.#duty;
  }

  get status(): number {
    if (this.habits.outOfService) return OUT_OF_SERVICE;
    switch (this.#duty.kind) {
      case 'parked':
        return airDistance(this.#position, this.habits.base) < 150 ? AT_BASE : FREE;
      case 'roaming':
        return FREE;
      case 'setting-out':
      case 'under-way':
        return EN_ROUTE;
      case 'on-scene':
        return ON_SCENE;
    }
  }

  /** Its current tasks; it starts on a new first one at once, and drops removed ones. */
  sendTo(errands: readonly Errand[], now: number): void {
    this.#errands = [...errands].sort((a, b) => a.since - b.since || a.taskId - b.taskId);
    if (this.habits.outOfService) return;
    const serving = this.#errandOf(this.#duty);
    if (
      serving &&
      errands.some((errand) => errand.taskId === serving.taskId && airDistance(errand.place, serving.place) < 1)
    )
      return;
    if (serving || this.#errands.length > 0) this.#next(now);
  }

  /** The engine runs unless the crew waits. */
  get ignition(): boolean {
    return !this.habits.outOfService && this.#duty.kind !== 'parked';
  }

  /** Advances the simulation. */
  step(seconds: number, now: number): CrewRequest | undefined {
    const wish = this.#act(seconds, now);
    this.#burn(seconds);
    return wish;
  }

  #burn(seconds: number): void {
    if (this.ignition) this.#fuel -= (this.#speed * seconds) / RANGE + (IDLING * seconds) / 3600;
    this.#filling = !this.ignition && this.status === AT_BASE && this.#fuel < (this.#filling ? 0.95 : MIN_FUEL);
    if (this.#filling) this.#fuel += FILLING * seconds;
    this.#fuel = Math.min(1, Math.max(0.02, this.#fuel));
  }

  #act(seconds: number, now: number): CrewRequest | undefined {
    const duty = this.#duty;
    switch (duty.kind) {
      case 'parked':
        this.#speed = 0;
        return now >= duty.until && this.habits.roams && !this.habits.outOfService
          ? { kind: 'way-to-roam' }
          : undefined;
      case 'setting-out':
        this.#speed = 0;
        return { kind: 'way-to-task', errand: duty.errand };
      case 'on-scene': {
        this.#speed = 0;
        if (now < duty.until) return undefined;
        this.#errands = this.#errands.filter((errand) => errand.taskId !== duty.errand.taskId);
        this.#next(now);
        return { kind: 'report', errand: duty.errand };
      }
      case 'roaming':
      case 'under-way': {
        const motion = driveOn(duty.trip, duty.motion, seconds);
        const { position, course } = whereOn(duty.trip, motion);
        this.#position = position;
        if (motion.speed > 0) this.#course = course;
        this.#speed = motion.speed;
        if (!hasReachedEnd(duty.trip, motion)) this.#duty = { ...duty, motion };
        else if (duty.kind === 'under-way')
          this.#duty = { kind: 'on-scene', errand: duty.errand, until: now + this.#chance.between(70, 240) };
        else this.#duty = { kind: 'parked', until: now + this.#chance.between(20, 150) };
        return undefined;
      }
    }
  }

  /** The result of a route request. Undefined: there is no route. */
  take(trip: PlannedTrip | undefined, errand: Errand | undefined, now: number): void {
    if (errand) {
      if (this.#duty.kind !== 'setting-out' || this.#duty.errand.taskId !== errand.taskId) return;
      if (!trip || airDistance(this.#position, errand.place) < AT_THE_PLACE)
        this.#duty = { kind: 'on-scene', errand, until: now + this.#chance.between(70, 240) };
      else this.#duty = { kind: 'under-way', errand, trip: startedFrom(trip, this.#position), motion: AT_START };
    } else if (this.#duty.kind === 'parked') {
      this.#duty = trip
        ? { kind: 'roaming', trip: startedFrom(trip, this.#position), motion: AT_START }
        : { kind: 'parked', until: now + 60 };
    }
  }

  /** The record of its tracker. */
  fix(): { position: GroundPosition; speed: number; course: number; ignition: boolean; fuel: number } {
    return {
      position: this.#error.seen(this.#position, this.#speed > 0),
      speed: this.#speed,
      course: this.#course,
      ignition: this.ignition,
      fuel: this.#fuel,
    };
  }

  #next(now: number): void {
    const [errand] = this.#errands;
    this.#duty = errand
      ? { kind: 'setting-out', errand }
      : { kind: 'parked', until: now + this.#chance.between(5, 60) };
    this.#speed = 0;
  }

  #errandOf(duty: Duty): Errand | undefined {
    return 'errand' in duty ? duty.errand : undefined;
  }
}
